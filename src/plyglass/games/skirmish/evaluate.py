"""The value of a position of Skirmish."""

from plyglass.core import kernel
from plyglass.games.skirmish.rules import army_health, score


@kernel
def material(r, s, player):
    """Return the player's lead in health, divided by the two armies' total health.

    So 2 health against 1 counts more than 6 health against 5.
    """
    if s.over:
        return score(r, s, player)
    mine, theirs = army_health(s, player), army_health(s, 1 - player)
    return (mine - theirs) / (mine + theirs)
