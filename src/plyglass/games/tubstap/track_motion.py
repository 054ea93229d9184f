"""Models of an unseen unit's turn: where the unit goes, and whether it comes into sight.

There are two models. A random player takes any action, including the end of the turn. An eager
player attacks with almost every unit that can attack, sends all other units anywhere, and ends the
turn when no unit is left to act. In both models, a unit that stays unseen was probably not on a
cell from which it would have come into sight. A player who left visible units idle has probably
left unseen units idle, too.
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

HESITATION = 0.1  # probability that a unit of an eager player does not attack although it can
# Probability that a comrade that has not acted is still in the way. Half of the comrades act later.
IN_THE_WAY = 0.5


@kernel
def go(r, seen, viewer, kind, before, origin, tracks, at, free, idle, eager):
    """Compute the track of a unit that acted unseen in the enemy's turn.

    `before` holds the unit's old track at index `origin`, and the new track is written to `tracks`
    at index `at`. `seen` is the view at the end of the turn. For each cell, `free` gives the
    probability that no comrade is on the cell. `idle` is the weight of being left idle (see
    `idleness`). The new track sums to the likelihood that the unit stayed unseen.
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
            blocked = 1.0 - free[cell]  # comrades may be on `cell`, but the unit can always stay
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
    """Return the probability that a unit goes to a cell in `there` in the enemy's turn.

    `s` is the view before this turn.
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
    """Write to `free` the probability that no unseen comrade is on a cell when a unit acts."""
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
    """Return the weight `w` with which an enemy was left idle in the turn that has ended.

    An unseen unit that had `n` actions was left idle with probability w / (n + w).

    - If every enemy in sight has acted, `w` is 1 in random play and 0 in eager play.
    - If enemies in sight had `m` actions left and took none, the turn probably ended early, and `w`
      is 1 + m. If only one enemy in sight had actions left, `w` is (1 + m) / 2, because this enemy
      may have acted last and stayed.
    - If the last action of the turn was seen, no unit was left idle, and `w` is 0.
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
    """Return the cells that the viewer does not see and that a kind of unit can enter."""
    return without(
        union(row(r.easy[r.way[kind]]), row(r.hard[r.way[kind]])), seen_cells(r, s, viewer)
    )


@kernel
def _chance_of_one(r, s, viewer, kind, cell, where, moves, idle, eager):
    """Return the probability of each single move without an attack, for a unit on `cell`."""
    flying, grounded = _seen_by_enemy(r, s, viewer, kind, cell)
    there = victims(r, kind, cell, flying, grounded)
    attacks = 0 if is_empty(there) else count_attacks(r, kind, where, there)
    if eager:
        return (HESITATION if attacks > 0 else 1.0) / (moves + idle)
    return 1.0 / (moves + attacks + idle)


@kernel
def _seen_by_enemy(r, s, viewer, kind, cell):
    """Return the cells of the viewer's units that the enemy sees: first of planes, then of others.

    The enemy is assumed to see from `cell`, where the enemy has an unseen unit, and from all its
    units in the viewer's sight.
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
