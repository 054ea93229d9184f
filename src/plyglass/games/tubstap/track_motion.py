"""How an unseen unit is assumed to act: where it goes in a turn, and its chance to be seen.

There are two models. A random player takes any action, including the end of the turn. An eager
player attacks whenever possible, and otherwise sends any unit anywhere. They end the turn when
nobody is left to act.

In both models, a unit that could have shown itself and did not is less likely to be there. A player
who visibly leaves units idle has probably left others idle, too.
"""

from plyglass.core import kernel
from plyglass.games.tubstap.cells import (
    CELLS,
    common,
    has,
    is_empty,
    row,
    single,
    size,
    union,
    without,
)
from plyglass.games.tubstap.legal_actions import can_act, count_attacks, stops, victims
from plyglass.games.tubstap.movement import own_cells
from plyglass.games.tubstap.sight import seen_cells
from plyglass.games.tubstap.state import UNSEEN
from plyglass.games.tubstap.tracks import ACTED, add_weighted, clear, share, track_of
from plyglass.games.tubstap.units import AIR

HESITATION = 0.1  # how often an eager unit that can attack does not
IN_THE_WAY = 0.5  # how often a comrade that leaves a cell is still there: half of them act later


@kernel
def go(r, seen, viewer, kind, before, origin, tracks, at, free, idle, eager):
    """Compute the track of a unit after the enemy's turn, in which it acted unseen.

    `before` has its track at `origin`, and `seen` is the view at the end of the turn. `free` is the
    probability that each cell is free of comrades. `idle` is the number of actions that count for
    being left idle. The sum of the new track is the likelihood of what was seen.
    """
    fog, taken, acted = (
        fog_for(r, seen, viewer, kind),
        own_cells(r, seen, 1 - viewer),
        before[origin + ACTED],
    )
    clear(tracks, at)
    for cell in range(CELLS):
        here = before[origin + cell]
        if here > 0.0:
            where = stops(r, kind, cell, taken, own_cells(r, seen, viewer))
            blocked = 1.0 - free[cell]  # by comrades; the unit itself can always stay
            each = (
                (1.0 - acted)
                * here
                * _chance_of_one(
                    r, seen, viewer, kind, cell, where, share(free, 0, where) + blocked, idle, eager
                )
            )
            add_weighted(tracks, at, common(where, fog), each, free)
            tracks[at + cell] += acted * here + each * (blocked + idle)


@kernel
def showing(r, s, viewer, kind, tracks, at, there, eager):
    """The probability that a unit goes to one of the cells `there` in the enemy's turn.

    It is computed from the view before that turn.
    """
    taken, total = own_cells(r, s, 1 - viewer), 0.0
    for cell in range(CELLS):
        here = tracks[at + cell]
        if here > 0.0:
            where = stops(r, kind, cell, taken, own_cells(r, s, viewer))
            total += (
                here
                * size(common(where, there))
                * _chance_of_one(r, s, viewer, kind, cell, where, size(where), 0.0, eager)
            )
    return (1.0 - tracks[at + ACTED]) * total


@kernel
def find_free(r, seen, enemy, before, origins, slot, free):
    """The probability that each cell is free of unseen comrades when a unit acts."""
    for cell in range(CELLS):
        free[cell] = 1.0
    for other in range(r.units[enemy]):
        if other != slot and seen.cell[enemy, other] == UNSEEN:
            at = track_of(origins[other])
            part = IN_THE_WAY * (1.0 - before[at + ACTED])
            for cell in range(CELLS):
                free[cell] *= 1.0 - part * before[at + cell]


@kernel
def idleness(r, s, seen, viewer, eager):
    """The number of actions that count for being left idle, at the end of the enemy's turn.

    In random play, a unit with `n` actions is left idle with probability 1 / (n + 1).

    - If enemies in sight had `m` actions and took none, the turn was ended before that, probably
    early: (1 + m) / (n + 1 + m). - If only one of them waited, half of that counts: it may have
    acted last and stayed. - If the last action is seen, nobody was left idle.
    """
    enemy, waiting, actions = 1 - viewer, 0, 0
    for slot in range(r.units[enemy]):
        if seen.cell[enemy, slot] != s.cell[enemy, slot]:
            return 0.0
        if can_act(s, enemy, slot):
            waiting += 1
            actions += size(
                stops(
                    r,
                    r.kind[enemy, slot],
                    s.cell[enemy, slot],
                    own_cells(r, s, enemy),
                    own_cells(r, s, viewer),
                )
            )
    if waiting == 0:
        return 0.0 if eager else 1.0
    return (1.0 + actions) / (2.0 if waiting == 1 else 1.0)


@kernel
def fog_for(r, s, viewer, kind):
    """The cells out of a viewer's sight that a kind of unit can be on."""
    return without(
        union(row(r.easy[r.way[kind]]), row(r.hard[r.way[kind]])), seen_cells(r, s, viewer)
    )


@kernel
def _chance_of_one(r, s, viewer, kind, cell, where, moves, idle, eager):
    """The probability of each single move of a unit without an attack."""
    flying, grounded = _seen_by_enemy(r, s, viewer, kind, cell)
    there = victims(r, kind, cell, flying, grounded)
    attacks = 0 if is_empty(there) else count_attacks(r, kind, where, there)
    if eager:
        return (HESITATION if attacks > 0 else 1.0) / (moves + idle)
    return 1.0 / (moves + attacks + idle)


@kernel
def _seen_by_enemy(r, s, viewer, kind, cell):
    """The cells of the viewer's planes and other units that an unseen enemy on a cell sees.

    These are the units that this enemy or an enemy in sight sees.
    """
    eyes = union(seen_cells(r, s, 1 - viewer), row(r.sight[kind, cell]))
    flying, grounded = (0, 0, 0, 0), (0, 0, 0, 0)
    for slot in range(r.units[viewer]):
        here = s.cell[viewer, slot]
        if here >= 0 and has(r, eyes, here):
            if r.way[r.kind[viewer, slot]] == AIR:
                flying = union(flying, single(r, here))
            else:
                grounded = union(grounded, single(r, here))
    return flying, grounded
