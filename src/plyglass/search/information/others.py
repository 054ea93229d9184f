"""Other players as a part of the world: they act by a model, and a planner sees only what its own
player sees.

`plan` is a record with at least `observer`, who plans, and `policy`, the address of a policy by
which the others act, or 0 for at random.
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import below
from plyglass.core.memory import read_action
from plyglass.core.verbs import choose, legal, score, step
from plyglass.search.information.nodes import remember


@kernel
def act(table, work, here, memory, plan, action):
    """Play an action of the observer and let the others answer, until he decides again; notes
    what that earned him.
    """
    player = plan.observer
    here.factor = 1.0
    here.reward[player] = 0.0
    while player >= 0:
        here.reward[plan.observer] -= here.factor * score(table, work.world, plan.observer)
        mover = player
        player = step(table, work.world, mover, action)
        here.reward[plan.observer] += here.factor * score(table, work.world, plan.observer)
        here.factor *= work.discount
        remember(table, work.world, plan.observer, memory, mover, action)
        if player == plan.observer:
            break
        if player >= 0:
            action = answer(table, work, plan)
    return player


@kernel
def answer(table, work, plan):
    """What another player does."""
    if plan.policy != 0:
        return choose(table, work.world, work.stream, plan.policy)
    count = legal(table, work.world, work.actions)
    return np.int64(read_action(work.actions, below(work.stream, count)))
