"""What a position is worth."""

from plyglass.core import kernel
from plyglass.games.tubstap.cells import SIDE, beside, common, has, is_empty, row, single
from plyglass.games.tubstap.combat import damage
from plyglass.games.tubstap.legal_actions import stops
from plyglass.games.tubstap.movement import own_cells
from plyglass.games.tubstap.rules import score
from plyglass.games.tubstap.state import PLAYING

SURVIVAL = 30.0  # power that a unit has by being there


@kernel
def health(r, s, player):
    """How much more health one's army has, as a part of all health: what counts after the last
    turn.
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
    """How much more harm one's army could do, as a part of the harm that both could: health that
    nothing can be done with counts less.

    A unit counts for its health times its power against the enemies that are left, each by his own
    health; and a little by its health alone, so that an army that cannot hurt anybody still wants
    to live.
    """
    if s.result != PLAYING:
        return score(r, s, player)
    mine, theirs = _power(r, s, player), _power(r, s, 1 - player)
    return (mine - theirs) / (mine + theirs)


@kernel
def _power(r, s, side):
    total = 0.0
    for slot in range(r.units[side]):
        if s.health[side, slot] > 0:
            total += s.health[side, slot] * each_health(r, s, side, slot)
    return total


@kernel
def each_health(r, s, side, slot):
    """What each health of a unit is worth."""
    return SURVIVAL + _mean_power(r, s, side, r.kind[side, slot])


@kernel
def _mean_power(r, s, side, kind):
    """The mean power of a kind of unit against the enemies that are left."""
    enemy, total, weight = 1 - side, 0.0, 0
    for slot in range(r.units[enemy]):
        total += r.power[kind, r.kind[enemy, slot]] * s.health[enemy, slot]
        weight += s.health[enemy, slot]
    return total / weight if weight > 0 else 0.0


# What a position is worth when armies are near each other: health that can be used, harm that is
# threatened, and the way to the enemy.


SOON, LATER = (
    0.55,
    0.25,
)  # how much of the harm counts that a unit can do in the turn in progress, and in the one after it
# what a unit next to an enemy that it can hurt has more than one far away, as a part of its worth
NEARNESS = 0.02


@kernel
def threat(r, s, player):
    """How much more one's army is worth, as a part of what both are: by health, power, threats,
    and how near it is to what it can hurt.
    """
    if s.result != PLAYING:
        return score(r, s, player)
    mine, theirs = _worth(r, s, player), _worth(r, s, 1 - player)
    return (mine - theirs) / (mine + theirs)


@kernel
def _worth(r, s, side):
    """What the units of a side are worth, and the harm that they threaten."""
    taken, blocked, total = own_cells(r, s, side), own_cells(r, s, 1 - side), 0.0
    for slot in range(r.units[side]):
        if s.cell[side, slot] >= 0:
            total += s.health[side, slot] * each_health(r, s, side, slot)
            share = SOON if s.turn & 1 == side and not s.acted[side, slot] else LATER
            total += share * _harm(r, s, side, slot, taken, blocked)
    return total


@kernel
def _harm(r, s, side, slot, taken, blocked):
    """The most that a unit can take of an enemy, by what that is worth to him; if it can reach
    none, a little for being near.
    """
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
    """Whether a unit can attack a cell this turn."""
    if r.indirect[kind]:
        return has(r, row(r.prey[kind, here]), there)
    return not is_empty(common(where, beside(single(r, there))))


@kernel
def distance(here, there):
    return abs(here % SIDE - there % SIDE) + abs(here // SIDE - there // SIDE)
