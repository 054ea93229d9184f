"""Captains who do not plan: the baselines of McKenney 2023a, chapter 1."""

from plyglass.core import kernel, pack
from plyglass.core.luck import below
from plyglass.games.navy.sea import steps_between
from plyglass.games.navy.state import CLOCKWISE, COUNTERCLOCKWISE, NONE, NOWHERE, STAY


@kernel
def static(r, s, stream):
    """Never move."""
    return pack(0, 0, STAY)


@kernel
def patrol_clockwise(r, s, stream):
    """Sail around clockwise like a cargo ship, always at the same distance from the border."""
    return _patrol(r, s, CLOCKWISE)


@kernel
def patrol_counterclockwise(r, s, stream):
    """Patrol as `patrol_clockwise` does, but counterclockwise."""
    return _patrol(r, s, COUNTERCLOCKWISE)


@kernel
def reactive_clockwise(r, s, stream):
    """Patrol clockwise; if a cargo ship calls, sail to it, then patrol in its direction."""
    return _react(r, s, stream, CLOCKWISE)


@kernel
def reactive_counterclockwise(r, s, stream):
    """Act as `reactive_clockwise` does, but patrol counterclockwise at first."""
    return _react(r, s, stream, COUNTERCLOCKWISE)


@kernel
def _patrol(r, s, heading):
    return _move_to(r, s, r.route[heading, s.navy])


@kernel
def _react(r, s, stream, heading):
    if s.alarm == NONE:
        return _patrol(r, s, s.heading if s.heading >= 0 else heading)
    goal, chosen, choices = s.cargo[s.alarm], pack(0, 0, STAY), 0
    for direction in range(1, 5):
        there = r.beside[s.navy, direction]
        if there != NOWHERE and steps_between(there, goal) < steps_between(s.navy, goal):
            choices += 1
            if below(stream, choices) == 0:
                chosen = pack(0, 0, direction)
    return chosen if s.navy_health > 0 else pack(0, 0, STAY)


@kernel
def _move_to(r, s, cell):
    """Return the move to a neighbouring cell; a lost Navy ship stays."""
    for direction in range(1, 5):
        if r.beside[s.navy, direction] == cell and s.navy_health > 0:
            return pack(0, 0, direction)
    return pack(0, 0, STAY)
