"""Turns as plans: rows of actions, each row beginning with how many they are."""

from plyglass.core.compile import kernel
from plyglass.search.whole_turns.pools import PLAN_LENGTH


@kernel
def write_plan(places, first, place, plan):
    """The actions that lead to a place of the level whose places begin at `first`; none if they
    are too many.
    """
    length, at = 0, place
    while at > 0:
        length, at = length + 1, places[first + at].parent
    plan[0], at = length if length <= PLAN_LENGTH else 0, place
    for i in range(plan[0], 0, -1):
        plan[i], at = places[first + at].action, places[first + at].parent


@kernel
def alike(one, other):
    """Whether two plans are the same."""
    for i in range(one[0] + 1):
        if one[i] != other[i]:
            return False
    return True


@kernel
def copy_plan(target, source):
    for i in range(source[0] + 1):
        target[i] = source[i]
