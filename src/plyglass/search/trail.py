"""The trail of an iteration: the nodes it goes through and what is earned between them."""

from plyglass.core.compile import kernel
from plyglass.core.verbs import score, step


@kernel
def take(table, work, here, player, action):
    """Play the action in the world; where the game discounts, note what it earned. Returns who
    moves next, or -1.
    """
    if work.discount == 1.0:
        return step(table, work.world, player, action)
    here.factor = work.discount
    for each in range(work.players):
        here.reward[each] = -score(table, work.world, each)
    mover = step(table, work.world, player, action)
    for each in range(work.players):
        here.reward[each] += score(table, work.world, each)
    return mover


@kernel
def pass_through(work, here, node):
    """Note a node that the trail goes through without an action, so that nothing is earned or
    discounted there.
    """
    here.node = node
    here.factor = 1.0
    for each in range(work.players):
        here.reward[each] = 0.0
