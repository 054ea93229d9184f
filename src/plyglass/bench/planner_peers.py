"""This module runs searches in games with hidden information, by Plyglass and by other libraries.

pomdp_py runs POMCP on RockSample(7, 8), and OpenSpiel runs ISMCTS in C++ on Leduc poker.
"""

from __future__ import annotations

import random
import time
from typing import Any

from plyglass.arena.specs import game_from
from plyglass.beliefs import Fresh
from plyglass.bench.contenders import Contender, needed
from plyglass.core.game import Game
from plyglass.planners import POMCP, SOISMCTS
from plyglass.search.interface import Budget, Planner

SIMULATIONS = 50_000
PYTHON_SIMULATIONS = 500  # for pomdp_py, which is a hundred times slower than Plyglass
DISCOUNT = 0.95
LEDUC_RANGE = 26.0  # the best score minus the worst; OpenSpiel does not scale values
EXPLORATION = 5.0
DEPTHS = (20, 90)


def pomcp(depth: int) -> Contender:
    """Return Plyglass's POMCP as a contender, with legal actions only and a new tree."""
    return _planner(game_from("rocksample"), POMCP(precision=DISCOUNT**depth))


def ismcts() -> Contender:
    """Return Plyglass's ISMCTS as a contender, with nodes by mover and OpenSpiel's exploration."""
    return _planner(
        game_from("leduc-poker"), SOISMCTS(key="mover", exploration=EXPLORATION / LEDUC_RANGE)
    )


def _planner(game: Game, planner: Planner) -> Contender:
    def run(seed: int, simulations: int = SIMULATIONS) -> float:
        view = game.start(1).hide(0)
        search = planner.begin(game, 0, Fresh().begin(game, 0, seed), seed)
        search.observe(None, view)
        began = time.process_time()
        search.run(Budget(iterations=simulations))
        return simulations / (time.process_time() - began)

    run(1, 10)  # compile, or load from disk
    return run


def pomdp_py(depth: int) -> Contender:
    """Return pomdp_py's POMCP as a contender, on its RockSample with our map and start position."""
    library: Any = needed("pomdp_py", "pomdp_py")
    problem: Any = needed("pomdp_py.problems.rocksample.rocksample_problem", "pomdp_py")
    game: Any = game_from("rocksample")
    places = {place: rock for rock, place in enumerate(game.places)}

    def run(seed: int) -> float:
        random.seed(seed)
        kinds = [tuple(problem.RockType.random() for _ in places) for _ in range(1000)]
        belief = library.Particles(
            [problem.State((0, game.size // 2), each, False) for each in kinds]
        )
        agent = problem.RockSampleProblem(
            game.size, len(places), belief.particles[0], places, belief
        ).agent
        planner = library.POMCP(
            max_depth=depth,
            discount_factor=DISCOUNT,
            num_sims=PYTHON_SIMULATIONS,
            exploration_const=20,
            rollout_policy=agent.policy_model,
        )
        began = time.process_time()
        planner.plan(agent)
        return PYTHON_SIMULATIONS / (time.process_time() - began)

    return run


def openspiel_ismcts() -> Contender:
    """Return OpenSpiel's ISMCTS as a contender, with one random rollout for each new leaf."""
    pyspiel: Any = needed("pyspiel", "OpenSpiel")
    game = pyspiel.load_game("leduc_poker")

    def run(seed: int) -> float:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed & 0x7FFFFFFF)
        bot = pyspiel.ISMCTSBot(
            seed & 0x7FFFFFFF,
            evaluator,
            EXPLORATION,
            SIMULATIONS,
            -1,
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            False,
        )
        began = time.process_time()
        bot.step(state)
        return SIMULATIONS / (time.process_time() - began)

    return run
