"""What a position of Skirmish is worth."""

from plyglass.core import kernel
from plyglass.games.skirmish.rules import army_health, score


@kernel
def material(r, s, player):
    """How much more health one's army has, as a part of the health on the board: 2 against 1 is
    worth more than 6 against 5.
    """
    if s.over:
        return score(r, s, player)
    mine, theirs = army_health(s, player), army_health(s, 1 - player)
    return (mine - theirs) / (mine + theirs)
