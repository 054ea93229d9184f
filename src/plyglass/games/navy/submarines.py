"""A submarine's decision: attack a cargo ship in reach, approach a cargo ship, or leave the sonar.

Equally good choices are listed in the bytes of one integer, and chance picks one of them.
"""

from plyglass.core import draw, kernel
from plyglass.games.navy.sea import FAR, in_sonar, is_clear, steps_between, way
from plyglass.games.navy.state import MIXED, NONE, NOWHERE, STICKY

STRIKE = 256  # added to a cell in an order to attack the cell instead of going there


@kernel
def decide(r, s, i):
    """Return the order of a submarine: a cell to go to, or STRIKE plus a cell to attack.

    All submarines decide before any of them acts.
    """
    cell = s.submarine[i]
    if is_sticky(r, s):
        _keep_target(r, s, i)
    if in_sonar(s, cell):
        return _escape(r, s, i, cell)
    prey = _best_strike(r, s, cell)
    return STRIKE + prey if prey != NOWHERE else _approach(r, s, i, cell)


@kernel
def is_sticky(r, s):
    """Return whether submarines hunt one ship until it is lost."""
    return r.submarines == STICKY or (r.submarines == MIXED and s.sticky != 0)


@kernel
def random_target(r, s):
    """Return a random cargo ship that is not lost, or NONE if all are lost."""
    listed, count = 0, 0
    for ship in range(r.cargo):
        if s.cargo_health[ship] > 0:
            listed, count = listed << 8 | ship, count + 1
    return one_of(s, listed, count) if count > 0 else NONE


@kernel
def one_of(s, listed, count):
    """Return one of the `count` lowest bytes of `listed`, all equally likely."""
    return listed >> 8 * (draw(s, count) if count > 1 else 0) & 255


@kernel
def _keep_target(r, s, i):
    target = s.target[i]
    if target == NONE or s.cargo_health[target] <= 0:
        s.target[i] = random_target(r, s)


@kernel
def _best_strike(r, s, cell):
    """Return the cell in reach with the most cargo ships, or NOWHERE if no such ship is in reach.

    Among cells with equally many ships, the function returns the cell with the weakest ship.
    """
    if not _in_reach(r, s, cell):
        return NOWHERE
    listed, count, best = 0, 0, 1
    for direction in range(5 if r.strikes_far else 1):
        there = r.beside[cell, direction]
        worth = _worth(r, s, there) if there != NOWHERE else 0
        if worth > best:
            listed, count, best = there, 1, worth
        elif worth == best:
            listed, count = listed << 8 | there, count + 1
    return one_of(s, listed, count)


@kernel
def _in_reach(r, s, cell):
    """Return whether a submarine on a cell can attack any cargo ship."""
    for ship in range(r.cargo):
        if s.cargo_health[ship] > 0 and steps_between(cell, s.cargo[ship]) <= r.strikes_far:
            return True
    return False


@kernel
def _worth(r, s, cell):
    """Return the rank of a cell to attack: by number of cargo ships, then by their least health."""
    count, least = 0, 3
    for ship in range(r.cargo):
        if s.cargo[ship] == cell:
            count += 1
            least = min(least, s.cargo_health[ship])
    return 4 * count + 3 - least if count > 0 else 0


@kernel
def _approach(r, s, i, cell):
    """Return the next cell on a shortest path to the first point where a submarine meets its ship.

    The submarine stays if it is already within reach of this meeting point, or if no path leads
    there.
    """
    ship, time = _quarry(r, s, i, cell)
    if time >= FAR:
        return cell
    meeting = s.cargo[ship]
    for _ in range(time):
        meeting = r.route[s.clockwise[ship], meeting]
    length = _way_to_reach(r, s, cell, meeting)
    return cell if length == 0 else _first_step(r, s, cell, meeting, length)


@kernel
def _first_step(r, s, cell, meeting, length):
    """Return a random neighbouring cell from which the path into reach of `meeting` is shorter."""
    listed, count = 0, 0
    for direction in range(1, 5):
        there = r.beside[cell, direction]
        if (
            there != NOWHERE
            and not in_sonar(s, there)
            and _way_to_reach(r, s, there, meeting) == length - 1
        ):
            listed, count = listed << 8 | there, count + 1
    return one_of(s, listed, count)


@kernel
def _quarry(r, s, i, cell):
    """Return the ship that a submarine on a cell hunts, and the number of steps until they meet.

    If submarines are sticky, the ship is the submarine's target. Otherwise the submarine hunts the
    ship that it can meet soonest.
    """
    if is_sticky(r, s):
        target = s.target[i]
        return target, _meeting_time(r, s, cell, target, FAR)
    listed, count, best = 0, 0, FAR
    for ship in range(r.cargo):
        time = _meeting_time(r, s, cell, ship, best + 1)
        if time < best:
            listed, count, best = ship, 1, time
        elif time == best:
            listed, count = listed << 8 | ship, count + 1
    return (one_of(s, listed, count) if best < FAR else NONE), best


@kernel
def _meeting_time(r, s, cell, ship, limit):
    """Return the number of steps until a submarine can have a ship in reach.

    Return FAR if the submarine needs `limit` steps or more.
    """
    if s.cargo_health[ship] <= 0:
        return FAR
    there = s.cargo[ship]
    for time in range(1, min(limit, 4 * r.size)):
        there = r.route[s.clockwise[ship], there]
        if (
            steps_between(cell, there) - r.into_reach <= time
            and _way_to_reach(r, s, cell, there) <= time
        ):
            return time
    return FAR


@kernel
def _way_to_reach(r, s, cell, goal):
    """Return the number of steps to the nearest cell from which `goal` can be attacked."""
    if is_clear(s, cell, goal):
        return max(0, steps_between(cell, goal) - r.into_reach)
    least = FAR
    for direction in range(5 if r.into_reach else 1):
        there = r.beside[goal, direction]
        if there != NOWHERE and not in_sonar(s, there):
            least = min(least, way(r, s, cell, there))
    return least


@kernel
def _escape(r, s, i, cell):
    """Return the step out of the sonar that leads to a ship soonest.

    If no single step leads out of the sonar, the submarine fights.
    """
    listed, count, best = 0, 0, FAR
    for direction in range(1, 5):
        there = r.beside[cell, direction]
        if there != NOWHERE and not in_sonar(s, there):
            time = _soonest(r, s, i, there)
            if time < best:
                listed, count, best = there, 1, time
            elif time == best:
                listed, count = listed << 8 | there, count + 1
    return one_of(s, listed, count) if count > 0 else _fight(r, s, cell)


@kernel
def _soonest(r, s, i, cell):
    """Return the steps until a submarine meets its target, or any ship if submarines are free."""
    if is_sticky(r, s):
        return _meeting_time(r, s, cell, s.target[i], FAR)
    best = FAR
    for ship in range(r.cargo):
        best = min(best, _meeting_time(r, s, cell, ship, best))
    return best


@kernel
def _fight(r, s, cell):
    """Return the order of a submarine that cannot leave the sonar in one step.

    The submarine attacks the Navy ship if it can, otherwise a cargo ship in reach. If no ship is in
    reach, the submarine waits.
    """
    if steps_between(cell, s.navy) <= 1:
        return STRIKE + s.navy
    prey = _best_strike(r, s, cell)
    return STRIKE + prey if prey != NOWHERE else cell
