"""What phantom games share: players try cells without seeing the opponent's pieces."""

from plyglass.core import chance, kernel

FAILED = 0


@kernel
def failed_tries(s, viewer, turns, cells):
    """How many of the viewer's pieces the opponent has hit in so many turns, drawn at random.

    The opponent is assumed to try `cells` cells in random order. A turn in progress counts as one
    that ended on one more, imaginary cell. This weighs every number of tries so far by the
    probability of getting that far.
    """
    failed = 0
    for turn in range(turns):
        visible = turn + 1 - viewer  # the viewer's pieces at the time
        while chance(s, (visible - failed, cells - turn - visible)) == FAILED:
            failed += 1
    return failed
