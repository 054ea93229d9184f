"""Features of Duel: the terms of its evaluator, the mana left, and the creatures still ready."""

from plyglass.core import kernel
from plyglass.games.duel.state import MOST_BOARD, NOBODY, READY, card_of, health_of

EACH = 7
COUNT = 2 * EACH


@kernel
def features(r, s, player, values):
    """Write the features of the player's side, then the features of the enemy's side."""
    _side(r, s, player, values, 0)
    _side(r, s, 1 - player, values, EACH)
    return COUNT


@kernel
def _side(r, s, owner, values, at):
    """Write the features of one side.

    The features are the hero's health, cards held, mana left, number of creatures, the creatures'
    attack, the attack of ready creatures, and the creatures' health.
    """
    for i in range(at, at + EACH):
        values[i] = 0.0
    values[at] = s.hero[owner]
    values[at + 1] = s.held[owner]
    values[at + 2] = s.mana if s.player == owner else 0
    for place in range(MOST_BOARD):
        one = s.board[owner, place]
        if one != NOBODY:
            attack = r.power[card_of(one)]
            values[at + 3] += 1
            values[at + 4] += attack
            values[at + 5] += attack * (one & READY)
            values[at + 6] += health_of(one)
