"""What tests of turn planners share: positions, and a slow exact twin of the search of a turn."""

import numpy as np

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from plyglass.core.tape import outcomes
from plyglass.search.values import evaluator_of, judge
from tests.planners.searches import begin, decide


def positions(game, count, seed=5):
    """Positions with something to choose, from random games."""
    choice, start = np.random.default_rng(seed), 0
    while count > 0:
        start += 1
        world = game.start(derive(seed, start))
        for _ in range(int(choice.integers(5, 60))):
            if world.to_move >= 0:
                world.apply(int(choice.choice(world.legal())))
        if world.to_move >= 0 and len(world.legal()) > 3:
            count -= 1
            yield world


def exact_turn(world, evaluator=""):
    """The value of every action if the best turn follows, over all chance outcomes.

    For games that hide nothing.
    """
    game, player = world.game, world.to_move
    judged, known = evaluator_of(game, evaluator), {}

    def worth(here):
        if here.to_move != player:
            return float(judge(game.table, here.address, player, judged))
        if here not in known:
            known[here] = max(after(here, action) for action in here.legal())
        return known[here]

    def after(here, action):
        return sum(probability * worth(there) for probability, there in outcomes(here, action))

    return {action: after(world, action) for action in world.legal()}


def won(game, strong, weak, pairs):
    """The share of games that `strong` wins, each deal with seats swapped; a draw counts half."""
    total = 0.0
    for seed in range(pairs):
        for agents, seat in (([strong, weak], 0), ([weak, strong], 1)):
            score = pg.play(game, agents, seed=seed).scores[seat]
            total += (score > 0) + 0.5 * (score == 0)
    return total / (2 * pairs)


def same_whole_or_in_parts(game, planner, parts):
    """Whether the budget in parts leads to the decision of the whole."""
    whole, live = decide(game, planner, sum(parts)), begin(game, planner)
    for part in parts:
        live.run(pg.Budget(iterations=part))
    return live.decision() == whole


def keeps_time(game, planner, seconds=0.2):
    """Whether a time budget is kept, and its iterations told."""
    live = begin(game, planner)
    live.run(pg.Budget(iterations=1))
    live.run(pg.Budget(seconds=seconds))
    decision = live.decision()
    return (
        seconds / 2 <= decision.seconds  # no slice begins that would end late
        and (decision.seconds < 5 * seconds or not JIT)
        and decision.iterations > 1
    )
