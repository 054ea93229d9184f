"""How an unseen unit is taken to act: where it may have gone in a turn, and how likely it is to be
seen then.

Two models. Who plays at random takes any action, the end of the turn among them. Who is eager
attacks if he can, else any unit goes anywhere, and he ends the turn when nobody is left to act.
Either way a unit that could have shown itself and did not is less likely to be where it could have,
and whoever is seen to leave units idle is likely to have left others idle as well.
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
IN_THE_WAY = 0.5  # how often a comrade who will leave a cell is still there: half of them act later


@kernel
def go(r, seen, viewer, kind, before, origin, tracks, at, free, idle, eager):
    """From a track `before` make that of after the enemy's turn: a unit that was yet to act has
    done so without being seen.

    `seen` is the view that the turn ended with, `free` says how likely a cell is to be free of
    comrades, and `idle` how many actions it counts for that the unit was left idle. What the new
    track sums up to is how likely all this was.
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
            blocked = 1.0 - free[cell]  # by others, but never for who is there himself
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
    """How likely it is that a unit goes to any of the cells `there` in the enemy's turn, from
    the view before.
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
    """How likely each cell is to be free of unseen comrades when a unit acts, those aside that
    will stay there.
    """
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
    """How many actions of a unit it counts for that it was left idle, when the enemy's turn has
    ended.

    At random, whoever could do `n` things is left idle with probability 1 in `n + 1`. If enemies in
    sight could do `m` things and did not, the turn was ended before that, which is likely to have
    been early: `1 + m` in `n + 1 + m`. With only one of them half of that, for he may have been the
    last to act and have stayed. Nobody was left if the last action is seen.
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
    """How likely a unit with so many moves is to make one of them, without attacking."""
    flying, grounded = _seen_by_enemy(r, s, viewer, kind, cell)
    there = victims(r, kind, cell, flying, grounded)
    attacks = 0 if is_empty(there) else count_attacks(r, kind, where, there)
    if eager:
        return (HESITATION if attacks > 0 else 1.0) / (moves + idle)
    return 1.0 / (moves + attacks + idle)


@kernel
def _seen_by_enemy(r, s, viewer, kind, cell):
    """The cells of the viewer's units that an unseen enemy on a cell knows of: those that he or
    one of the enemies in sight sees.
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
