"""What a position is worth: the static evaluator of document 000, with and without what places
are worth.
"""

import math

from plyglass.core import kernel
from plyglass.games.duelyst.board import OVER, SPRING
from plyglass.games.duelyst.cells import CELLS, WIDTH, steps_between
from plyglass.games.duelyst.rules import score
from plyglass.games.duelyst.units import attack_of, cell_of, general_of, health_of, is_general

VICTORY, GENERALS_HEALTH, KILLED_GENERAL = 10_000.0, 3.0, 100.0
SURE_LEAD = 50.0  # about two good minions and half of a general's health
CLOSE = 2  # cells in any direction


@kernel
def static(r, s, player):
    """What one's units are worth more than the enemy's, by their stats, abilities and places;
    when all is over, by the winner's health.
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
    """The same between a loss and a win, for searches that compare it with scores."""
    return score(r, s, player) if s.phase == OVER else math.tanh(static(r, s, player) / SURE_LEAD)


@kernel
def stats(r, s, player):
    """What one's units are worth more than the enemy's, wherever they are."""
    if s.phase == OVER:
        return _final(r, s, player)
    total = 0.0
    for unit in range(1, s.units + 1):
        total += _stats(r, s, unit) if s.owner[unit] == player else -_stats(r, s, unit)
    return total


@kernel
def _final(r, s, player):
    """A victory is worth the more the healthier the winner's general is."""
    result = score(r, s, player)
    if result == 0.0:
        return 0.0
    return result * VICTORY * health_of(r, s, general_of(s, player if result > 0.0 else 1 - player))


@kernel
def _stats(r, s, unit):
    """Attack and health, and for a minion what its abilities are worth: what its card has less
    of both than mana could buy.
    """
    attack, health = attack_of(r, s, unit), health_of(r, s, unit)
    if is_general(s, unit):
        return attack + GENERALS_HEALTH * health
    return float(attack + health + r.ability_worth[s.card[unit]])


@kernel
def _place(r, s, unit):
    """Springs attract, and so do enemies who are close and could be killed; the general even if
    he could only be hurt.
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
    """The steps to the nearest spring; 0 where none is left."""
    least = CELLS
    for other in range(CELLS):
        if s.tile[other] == SPRING:
            least = min(least, steps_between(cell, other))
    return least if least < CELLS else 0


@kernel
def _close(one, other):
    return abs(one % WIDTH - other % WIDTH) <= CLOSE and abs(one // WIDTH - other // WIDTH) <= CLOSE
