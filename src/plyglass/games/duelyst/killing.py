"""How near a player is to killing the enemy general in the turn in progress."""

from plyglass.core import kernel
from plyglass.games.duelyst.board import OVER
from plyglass.games.duelyst.movement import hindrances, in_range, prey, reach
from plyglass.games.duelyst.rules import score
from plyglass.games.duelyst.units import attack_of, health_of, keywords_of
from plyglass.games.duelyst.words import SPARES, STRUCTURE, UNTOUCHABLE

SCALE = 0.01  # so that no sum of attacks is worth as much as a win


@kernel
def kill(r, s, player):
    """The attack that still reaches the enemy general in this turn, less his health; each unit
    by itself, as if none were in its way.
    """
    if s.phase == OVER:
        return score(r, s, player)
    own, foes, target = 0, 0, s.general[1 - player]
    for unit in range(1, s.units + 1):
        if s.alive[unit]:
            own |= 1 << s.cell[unit] if s.owner[unit] == player else 0
            foes |= 1 << s.cell[unit] if s.owner[unit] != player else 0
    total, hindering = 0, hindrances(r, s, 1 - player)
    for unit in range(1, s.units + 1):
        if (
            s.alive[unit]
            and s.owner[unit] == player
            and _gets_there(r, s, unit, target, own, foes, hindering)
        ):
            total += attack_of(r, s, unit)
    return max(-0.99, min(0.99, SCALE * (total - health_of(r, s, target))))


@kernel
def _gets_there(r, s, unit, target, own, foes, hindering):
    """Whether a unit can attack the general, at once or after a move."""
    keywords = keywords_of(r, s, unit)
    if keywords & (STRUCTURE | SPARES) or keywords_of(r, s, target) & UNTOUCHABLE:
        return False
    provokers, lures, untouchable = hindering
    if prey(r, s, unit, keywords, foes, provokers, lures, untouchable) & 1 << s.cell[target]:
        return True
    if s.attacks[unit] > 0:
        return False
    return (
        reach(r, s, unit, keywords, own, foes, provokers) & in_range(r, s.cell[target], keywords)
        != 0
    )
