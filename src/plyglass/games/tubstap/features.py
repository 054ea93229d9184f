"""Features for learned evaluators: health, power, threats, shelter, distance and time.

Each feature belongs to the side to move; its enemy's value is subtracted or a feature of its own.
For the enemy, the features are the same with the opposite sign. Harm counts by the value of what is
lost, as a share of the value of both armies.
"""

from plyglass.core import kernel
from plyglass.core.learned import judgement
from plyglass.core.memory import stack_ints, stack_reals
from plyglass.games.tubstap.combat import damage
from plyglass.games.tubstap.evaluate import can_attack, distance, each_health
from plyglass.games.tubstap.legal_actions import stops
from plyglass.games.tubstap.movement import own_cells
from plyglass.games.tubstap.rules import score
from plyglass.games.tubstap.state import FEATURES, MOST_UNITS, PLAYING
from plyglass.games.tubstap.units import AIR

WORTH, HEALTH, UNITS, TEMPO, SHELTER, NEAR, LATE_HEALTH, LATE_LEAD = range(8)
# Two features each: what the mover can do, and what its enemy can do in the turn after.
HARM, FOCUS, KILLS, FREE = 8, 10, 12, 14
AGAIN = 16  # harm by those of the mover's units that have acted


@kernel
def features(r, s, player, values):
    """Write all features to `values` and return their number."""
    for i in range(FEATURES):
        values[i] = 0.0
    mover, each = s.turn & 1, stack_reals(2 * MOST_UNITS)
    mine, theirs = (
        _add_army(r, s, mover, 1.0, each, values),
        _add_army(r, s, 1 - mover, -1.0, each, values),
    )
    _add_harm(r, s, mover, 0, each, values)
    _add_harm(r, s, 1 - mover, 1, each, values)
    values[WORTH] = mine - theirs
    _scale(r, s, mine + theirs, 1.0 if player == mover else -1.0, values)
    return FEATURES


@kernel
def learned(r, s, player):
    """A weighted sum of the features, with weights learned from games."""
    if s.result != PLAYING:
        return score(r, s, player)
    values = stack_reals(FEATURES)
    return 0.999 * judgement(values, features(r, s, player, values), r.weights)


@kernel
def _add_army(r, s, side, sign, each, values):
    """Add health, units, shelter and nearness to targets, and return the value of the army.

    The value of each unit's health is noted in `each`.
    """
    total = 0.0
    for slot in range(r.units[side]):
        here, kind = s.cell[side, slot], r.kind[side, slot]
        if here >= 0:
            each[MOST_UNITS * side + slot] = each_health(r, s, side, slot)
            worth = s.health[side, slot] * each[MOST_UNITS * side + slot]
            total += worth
            values[HEALTH] += sign * s.health[side, slot]
            values[UNITS] += sign
            if r.way[kind] != AIR:
                values[SHELTER] += sign * worth * r.stars[here]
            values[NEAR] += sign * worth / (1 + _nearest(r, s, side, kind, here))
    return total


@kernel
def _nearest(r, s, side, kind, here):
    """The distance to the nearest enemy that a unit can hurt."""
    enemy, least = 1 - side, 30
    for slot in range(r.units[enemy]):
        if s.cell[enemy, slot] >= 0 and r.power[kind, r.kind[enemy, slot]] > 0:
            least = min(least, distance(here, s.cell[enemy, slot]))
    return least


@kernel
def _add_harm(r, s, side, later, each, values):
    """Add the harm that a side threatens.

    It counts what each unit can do alone, what all can do together to each enemy, the enemies that
    they can kill, and the enemies that nobody can reach. The mover's units that have already acted
    have a feature of their own.
    """
    sign, enemy = 1.0 - 2.0 * later, 1 - side
    taken, blocked = own_cells(r, s, side), own_cells(r, s, enemy)
    joint = stack_ints(MOST_UNITS)
    for other in range(MOST_UNITS):
        joint[other] = 0
    for slot in range(r.units[side]):
        if s.cell[side, slot] >= 0:
            if later == 0 and s.acted[side, slot]:
                values[AGAIN] += _harm(r, s, side, slot, taken, blocked, each, joint, 0)
            else:
                values[HARM + later] += sign * _harm(
                    r, s, side, slot, taken, blocked, each, joint, 1
                )
    for other in range(r.units[enemy]):
        if s.cell[enemy, other] >= 0:
            worth, health = each[MOST_UNITS * enemy + other], s.health[enemy, other]
            values[FOCUS + later] += sign * worth * min(joint[other], health)
            if joint[other] >= health:
                values[KILLS + later] += sign * worth * health
            if joint[other] == 0:
                values[FREE + later] -= sign * worth * health


@kernel
def _harm(r, s, side, slot, taken, blocked, each, joint, counted):
    """The most harm by value that a unit can do to an enemy.

    If `counted`, the damage to each enemy is added to `joint`.
    """
    kind, here, enemy, most = r.kind[side, slot], s.cell[side, slot], 1 - side, 0.0
    where = stops(r, kind, here, taken, blocked)
    for other in range(r.units[enemy]):
        there = s.cell[enemy, other]
        if (
            there >= 0
            and r.power[kind, r.kind[enemy, other]] > 0
            and can_attack(r, kind, here, where, there)
        ):
            lost = damage(
                r, kind, s.health[side, slot], r.kind[enemy, other], s.health[enemy, other], there
            )
            joint[other] += counted * lost
            most = max(most, lost * each[MOST_UNITS * enemy + other])
    return most


@kernel
def _scale(r, s, worth, sign, values):
    """Turn features into shares with the player's sign, and add those that change with time."""
    health, units = 0, 0
    for side in range(2):
        for slot in range(r.units[side]):
            health += s.health[side, slot]
            units += s.cell[side, slot] >= 0
    lead, used = values[HEALTH], s.turn / r.turns
    for i in range(FEATURES):
        values[i] *= sign / worth
    values[HEALTH] *= worth / health
    values[UNITS] *= worth / units
    values[TEMPO] = sign
    values[LATE_HEALTH] = values[HEALTH] * used * used
    values[LATE_LEAD] = (
        sign * min(max(lead / (r.threshold + 1.0), -1.0), 1.0) * used * used * used * used
    )
