"""What a position is worth."""

from plyglass.core import kernel
from plyglass.games.tubstap.board import PLAYING
from plyglass.games.tubstap.rules import score

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
    mine, theirs = _harm(r, s, player), _harm(r, s, 1 - player)
    return (mine - theirs) / (mine + theirs)


@kernel
def _harm(r, s, side):
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
