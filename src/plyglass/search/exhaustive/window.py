"""What cannot matter any more: alpha-beta (Knuth and Moore 1975) for actions, Star1 (Ballard 1983)
for outcomes, bounds for costs.

The window of a position is what can still change the choice above it. A value at its edge or beyond
may be a bound in place of the true value. All this rests on values within the game's declared
scores; an evaluator must keep to them too.
"""

from plyglass.core.compile import kernel
from plyglass.core.verbs import score


@kernel
def set_window(look, here, there, results):
    """What can still matter below an outcome: the window of the action, less what its other
    outcomes can make of it (Star1).

    Where scores never rise, `results` holds what an action at the root is worth at most until it is
    judged.
    """
    if look.prunes == 0:
        return
    there.alpha, there.beta = look.low, look.high
    if here.share == 1.0 or look.star:
        rest = 1.0 - here.mass - here.share
        there.alpha = max(look.low, (here.alpha - here.sums[0] - look.high * rest) / here.share)
        there.beta = min(look.high, (here.beta - here.sums[0] - look.low * rest) / here.share)
    there.floor, there.ceiling = there.alpha, there.beta
    if look.costs and look.level == 0:
        there.beta = min(there.beta, results[here.next, 0])


@kernel
def narrow(here):
    """Alpha-beta: what the best action so far is worth bounds what can matter; if nothing is
    left, the other actions are skipped.
    """
    if here.sign > 0:
        here.alpha = max(here.alpha, here.best[0])
    else:
        here.beta = min(here.beta, here.best[0])
    if here.alpha >= here.beta:
        here.next = here.count


@kernel
def decided(look, here):
    """Star1: whether the outcomes left cannot bring the action back into the window; it is then
    worth no more, or no less, than its sum.
    """
    rest = 1.0 - here.mass
    if here.sums[0] + look.high * rest <= here.alpha:
        here.sums[0] += look.high * rest
        return True
    if here.sums[0] + look.low * rest >= here.beta:
        here.sums[0] += look.low * rest
        return True
    return False


@kernel
def hopeless(table, look, there):
    """Branch and bound: where scores never rise, a plan that has already cost as much as the best
    one is dropped.

    And one that costs nothing more need not be improved: no value is above the score so far.
    """
    if look.costs == 0 or look.prunes == 0:
        return False
    look.values[0] = score(table, there.state, look.seat)
    look.cut = 0
    there.beta = min(there.beta, look.values[0])
    return look.values[0] <= there.alpha


@kernel
def exact(look, here):
    """Whether the value is the true one and not merely known to lie outside of the window."""
    if look.prunes == 0:
        return True
    above = here.best[0] > here.floor or here.floor <= look.low
    return above and (here.best[0] < here.ceiling or here.ceiling >= look.high)
