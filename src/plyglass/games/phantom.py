"""What phantom games share: players try cells without seeing the opponent's pieces."""

from plyglass.core import chance, kernel

FAILED = 0


@kernel
def failed_tries(s, viewer, turns, cells):
    """A random number of the viewer's pieces that the opponent has hit in this many turns.

    The opponent is assumed to try `cells` cells in random order. A turn in progress counts as if it
    ended on one more, imaginary cell. This weights every number of tries by the probability of
    getting that far.
    """
    failed = 0
    for turn in range(turns):
        visible = turn + 1 - viewer  # the viewer's pieces at the time
        while chance(s, (visible - failed, cells - turn - visible)) == FAILED:
            failed += 1
    return failed
