"""Failed tries in phantom games, where players try cells without seeing enemy pieces."""

from plyglass.core import chance, kernel

FAILED = 0


@kernel
def failed_tries(s, viewer, turns, cells):
    """Draw the number of the viewer's pieces that the opponent has hit in `turns` turns.

    The opponent is assumed to try `cells` cells in random order. For a turn in progress, `cells`
    includes one more, imaginary cell, on which the turn ends. So each number of failed tries in
    this turn gets its true probability.
    """
    failed = 0
    for turn in range(turns):
        visible = turn + 1 - viewer  # the viewer's pieces in this turn
        if turn + visible >= cells:
            break  # only a position made by a user has so many pieces; no try could succeed
        while chance(s, (visible - failed, cells - turn - visible)) == FAILED:
            failed += 1
    return failed
