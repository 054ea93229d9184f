"""The evaluator of Duel."""

from plyglass.core import kernel
from plyglass.games.duel.rules import score, to_move
from plyglass.games.duel.state import MOST_BOARD, NOBODY, card_of, health_of


@kernel
def material(r, s, player):
    """Return the player's lead in material, divided by both players' total material."""
    if to_move(r, s) < 0:
        return score(r, s, player)
    mine, theirs = _worth(r, s, player), _worth(r, s, 1 - player)
    return (mine - theirs) / (mine + theirs)


@kernel
def _worth(r, s, player):
    """Return a player's material: the hero's health, creatures' stats, and two per card held."""
    worth = s.hero[player] + 2 * s.held[player]
    for place in range(MOST_BOARD):
        one = s.board[player, place]
        if one != NOBODY:
            worth += r.power[card_of(one)] + health_of(one)
    return worth
