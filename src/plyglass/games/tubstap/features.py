"""Features for learned evaluators: health, power, threats, shelter, distance and time.

Most features are differences: the value of the side to move minus the value of its enemy. For
threats, each side has features of its own. From the point of view of the player who is not to move,
all features have the opposite sign. Harm is the value of the lost health, divided by the two
armies' total value.
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
# Each threat has two features: the mover's threats now, and the enemy's threats in the next turn.
HARM, FOCUS, KILLS, FREE = 8, 10, 12, 14
AGAIN = 16  # harm threatened by the mover's units that have already acted in this turn


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
    """Return a weighted sum of the features, scaled to a score, with weights learned from games."""
    if s.result != PLAYING:
        return score(r, s, player)
    values = stack_reals(FEATURES)
    return 0.999 * judgement(values, features(r, s, player, values), r.weights)


@kernel
def _add_army(r, s, side, sign, each, values):
    """Add a side's health, units, shelter and nearness to targets; return the army's value.

    Write the value of one point of each unit's health to `each`.
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
    """Return the distance from `here` to the nearest enemy that a unit of this kind can hurt."""
    enemy, least = 1 - side, 30
    for slot in range(r.units[enemy]):
        if s.cell[enemy, slot] >= 0 and r.power[kind, r.kind[enemy, slot]] > 0:
            least = min(least, distance(here, s.cell[enemy, slot]))
    return least


@kernel
def _add_harm(r, s, side, later, each, values):
    """Add the harm that a side threatens.

    The features are the harm that each unit can do alone, the harm that all units together can do
    to each enemy, the enemies that all units together can kill, and the enemies that no unit can
    reach. The mover's units that have already acted have a feature of their own.
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
    """Return the value of the most harm that a unit can do to one enemy.

    If `counted`, the unit's damage to each enemy is added to `joint`.
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
    """Divide features by their totals, apply the player's sign, and add the features of time."""
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
