"""The value of a position: health, strength, and threats."""

from plyglass.core import kernel
from plyglass.games.tubstap.cells import SIDE, beside, common, has, is_empty, row, single
from plyglass.games.tubstap.combat import damage
from plyglass.games.tubstap.legal_actions import stops
from plyglass.games.tubstap.movement import own_cells
from plyglass.games.tubstap.rules import score
from plyglass.games.tubstap.state import PLAYING

SURVIVAL = 30.0  # added to each unit's mean power, so every surviving unit has some value
# The weight of the harm that a unit threatens: if the unit can act in this turn, and otherwise.
SOON, LATER = 0.55, 0.25
NEARNESS = 0.02  # weight of being near an enemy that the unit can harm


@kernel
def health(r, s, player):
    """Return the player's lead in health, divided by the two armies' total health.

    By default, health decides the game after the last turn.
    """
    if s.result != PLAYING:
        return score(r, s, player)
    mine, theirs = 0, 0
    for slot in range(len(s.health[player])):
        mine += s.health[player, slot]
        theirs += s.health[1 - player, slot]
    return (mine - theirs) / (mine + theirs)


@kernel
def strength(r, s, player):
    """Return the player's lead in strength, divided by the two armies' total strength.

    A unit's strength is its health times its mean power against the remaining enemies, where each
    enemy is weighted by the enemy's health. A constant is added to the mean power, so the health of
    a unit counts even if the unit cannot hurt any enemy.
    """
    if s.result != PLAYING:
        return score(r, s, player)
    mine, theirs = _power(r, s, player), _power(r, s, 1 - player)
    return (mine - theirs) / (mine + theirs)


@kernel
def _power(r, s, side):
    """Return the strength of a side's army."""
    total = 0.0
    for slot in range(r.units[side]):
        if s.health[side, slot] > 0:
            total += s.health[side, slot] * each_health(r, s, side, slot)
    return total


@kernel
def each_health(r, s, side, slot):
    """Return the value of one point of a unit's health."""
    return SURVIVAL + _mean_power(r, s, side, r.kind[side, slot])


@kernel
def _mean_power(r, s, side, kind):
    """Return a kind's mean power against the remaining enemies, weighted by the enemies' health."""
    enemy, total, weight = 1 - side, 0.0, 0
    for slot in range(r.units[enemy]):
        total += r.power[kind, r.kind[enemy, slot]] * s.health[enemy, slot]
        weight += s.health[enemy, slot]
    return total / weight if weight > 0 else 0.0


@kernel
def threat(r, s, player):
    """Return the player's lead in army value, divided by the two armies' total value.

    The value of an army is its strength plus a share of the harm that its units threaten.
    """
    if s.result != PLAYING:
        return score(r, s, player)
    mine, theirs = _worth(r, s, player), _worth(r, s, 1 - player)
    return (mine - theirs) / (mine + theirs)


@kernel
def _worth(r, s, side):
    """Return the strength of a side's army plus a share of the harm that its units threaten."""
    taken, blocked, total = own_cells(r, s, side), own_cells(r, s, 1 - side), 0.0
    for slot in range(r.units[side]):
        if s.cell[side, slot] >= 0:
            total += s.health[side, slot] * each_health(r, s, side, slot)
            share = SOON if s.turn & 1 == side and not s.acted[side, slot] else LATER
            total += share * _harm(r, s, side, slot, taken, blocked)
    return total


@kernel
def _harm(r, s, side, slot, taken, blocked):
    """Return the value of a unit's best possible attack, plus a bonus for being near enemies."""
    kind, here, enemy = r.kind[side, slot], s.cell[side, slot], 1 - side
    where = stops(r, kind, here, taken, blocked)
    most, near = 0.0, 0.0
    for other in range(r.units[enemy]):
        there = s.cell[enemy, other]
        if there >= 0 and r.power[kind, r.kind[enemy, other]] > 0:
            value = each_health(r, s, enemy, other)
            if can_attack(r, kind, here, where, there):
                taken_off = damage(
                    r,
                    kind,
                    s.health[side, slot],
                    r.kind[enemy, other],
                    s.health[enemy, other],
                    there,
                )
                most = max(most, taken_off * value)
            near = max(near, NEARNESS * s.health[side, slot] * value / (1 + distance(here, there)))
    return most + near


@kernel
def can_attack(r, kind, here, where, there):
    """Return whether a unit can attack `there` from `here`, or after a move to one of `where`."""
    if r.indirect[kind]:
        return has(r, row(r.prey[kind, here]), there)
    return not is_empty(common(where, beside(single(r, there))))


@kernel
def distance(here, there):
    return abs(here % SIDE - there % SIDE) + abs(here // SIDE - there // SIDE)
