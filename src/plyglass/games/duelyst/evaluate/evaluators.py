"""Evaluators written by hand.

`static` is the evaluator of McKenney 2023a. `stats` is `static` without positions on the board.
`odds` is `static`, scaled to lie between a loss and a win. `kill` measures how close a player is to
killing the enemy general in the current turn.
"""

import math

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import SPARES, STRUCTURE, UNTOUCHABLE
from plyglass.games.duelyst.engine.board import CELLS, WIDTH, steps_between
from plyglass.games.duelyst.engine.movement import hindrances, in_range, prey, reach
from plyglass.games.duelyst.engine.units import (
    attack_of,
    cell_of,
    general_of,
    health_of,
    is_general,
    keywords_of,
)
from plyglass.games.duelyst.rules import score
from plyglass.games.duelyst.state import OVER, SPRING

VICTORY, GENERALS_HEALTH, KILLED_GENERAL = 10_000.0, 3.0, 100.0
SURE_LEAD = 50.0  # scale of `odds`: two good minions and half of a general's health
CLOSE = 2  # an enemy at most this many cells away in any direction is close
SCALE = 0.01  # scale of `kill`, so no sum of attacks is worth as much as a win


@kernel
def static(r, s, player):
    """Return the value of the player's units minus the value of the enemy's units.

    The values count stats, abilities and positions. The value of a finished game depends on the
    health of the winner's general.
    """
    if s.phase == OVER:
        return _final(r, s, player)
    total = 0.0
    for unit in range(1, s.units + 1):
        worth = _stats(r, s, unit) + _place(r, s, unit)
        total += worth if s.owner[unit] == player else -worth
    return total


@kernel
def odds(r, s, player):
    """Return `static`, scaled to a score, for searches that compare evaluations with scores."""
    return score(r, s, player) if s.phase == OVER else math.tanh(static(r, s, player) / SURE_LEAD)


@kernel
def stats(r, s, player):
    """Return `static` without the value of positions on the board."""
    if s.phase == OVER:
        return _final(r, s, player)
    total = 0.0
    for unit in range(1, s.units + 1):
        total += _stats(r, s, unit) if s.owner[unit] == player else -_stats(r, s, unit)
    return total


@kernel
def _final(r, s, player):
    """Return the value of a finished game, by the health of the winner's general."""
    result = score(r, s, player)
    if result == 0.0:
        return 0.0
    return result * VICTORY * health_of(r, s, general_of(s, player if result > 0.0 else 1 - player))


@kernel
def _stats(r, s, unit):
    """Return the value of a unit's attack and health, and, for a minion, of its abilities."""
    attack, health = attack_of(r, s, unit), health_of(r, s, unit)
    if is_general(s, unit):
        return attack + GENERALS_HEALTH * health
    return float(attack + health + r.ability_worth[s.card[unit]])


@kernel
def _place(r, s, unit):
    """Return the value of a unit's position.

    The value is higher near a spring, and near enemies that the unit could kill. The enemy general
    counts even if the unit could only damage the general.
    """
    worth, attack = -float(_to_spring(s, cell_of(s, unit))), attack_of(r, s, unit)
    for enemy in range(1, s.units + 1):
        if s.owner[enemy] != s.owner[unit] and _close(cell_of(s, unit), cell_of(s, enemy)):
            kills = attack >= health_of(r, s, enemy)
            if is_general(s, enemy):
                worth += KILLED_GENERAL if kills else attack
            elif kills:
                worth += 1.0
    return worth


@kernel
def _to_spring(s, cell):
    """Return the number of steps to the nearest spring, or 0 if no spring is left."""
    least = CELLS
    for other in range(CELLS):
        if s.tile[other] == SPRING:
            least = min(least, steps_between(cell, other))
    return least if least < CELLS else 0


@kernel
def _close(one, other):
    return abs(one % WIDTH - other % WIDTH) <= CLOSE and abs(one // WIDTH - other // WIDTH) <= CLOSE


@kernel
def kill(r, s, player):
    """Return the attack that can still reach the enemy general, minus the general's health.

    Each unit counts separately, as if no other unit were in its way.
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
    """Return whether a unit can attack the enemy general now, or in this turn after a move."""
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
