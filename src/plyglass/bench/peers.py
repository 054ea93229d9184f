"""This module runs equal searches in Plyglass, in hand-written C, in OpenSpiel and in pomdp_py.

Speeds are iterations per CPU second on one core.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from plyglass.arena.specs import game_from
from plyglass.bench.contenders import Contender, needed, race
from plyglass.bench.planner_peers import DEPTHS, ismcts, openspiel_ismcts, pomcp, pomdp_py
from plyglass.planners.uct import UCT, search
from plyglass.search.mcts.tree import Tree
from plyglass.search.mcts.workspace import Workspace

GAMES = ("connect-four", "tic-tac-toe")
ITERATIONS = 200_000
REPETITIONS = 5


def compare(repetitions: int = REPETITIONS) -> dict[str, dict[str, float]]:
    """Return the iterations per CPU second of Plyglass and its peers, and their ratios.

    A ratio above 1 means that Plyglass is faster.
    """
    with tempfile.TemporaryDirectory() as folder:
        contenders = {
            game: {
                "plyglass": plyglass(game),
                "c": c_program(game, Path(folder)),
                "openspiel": openspiel(game),
            }
            for game in GAMES
        }
        contenders["leduc-poker"] = {"plyglass": ismcts(), "openspiel": openspiel_ismcts()}
        for depth in DEPTHS:
            contenders[f"rocksample at depth {depth}"] = {
                "plyglass": pomcp(depth),
                "pomdp_py": pomdp_py(depth),
            }
        speeds = race(contenders, repetitions)
    summaries = {name: _summary(rates) for name, rates in speeds.items()}
    slowest = min(
        (summaries[f"rocksample at depth {depth}"] for depth in DEPTHS),
        key=lambda each: each["ratio_pomdp_py"],
    )
    return {**summaries, "rocksample": slowest}


def _summary(rates: dict[str, float]) -> dict[str, float]:
    ratios = {
        f"ratio_{name}": rates["plyglass"] / rate
        for name, rate in rates.items()
        if name != "plyglass"
    }
    return {**rates, **ratios}


def plyglass(name: str) -> Contender:
    """Return Plyglass's UCT kernel as a contender, with the tree capacity of the other programs."""
    game = game_from(name)
    start = game.start(1).row()

    def run(seed: int, iterations: int = ITERATIONS) -> float:
        tree, space = Tree(UCT().most_nodes), Workspace(game, seed, UCT().exploration, "range")
        tree.reserve(iterations * (game.most_actions + 2))
        space.root[:] = start
        began = time.process_time()
        search(game.table, space.work, space.trail, tree.nodes, tree.used, iterations)
        return iterations / (time.process_time() - began)

    run(1, 10)  # compile, or load from disk
    return run


def c_program(name: str, folder: Path) -> Contender:
    """Compile the C program that runs the same search, and return it as a contender."""
    if shutil.which("cc") is None:
        raise RuntimeError(
            "Cannot build the C programs, because this machine has no C compiler `cc`; install gcc "
            "or clang."
        )
    program = folder / name
    subprocess.run(["cc", "-O3", "-o", str(program), str(source(name)), "-lm"], check=True)

    def run(seed: int) -> float:
        return ITERATIONS / c_search(program, ITERATIONS, seed)[0]

    return run


def c_search(program: Path, iterations: int, seed: int) -> tuple[float, list[int]]:
    """Return the CPU seconds and root visits of a search by a C program."""
    words = subprocess.run(
        [str(program), str(iterations), str(seed)], check=True, capture_output=True, text=True
    ).stdout.split()
    return float(words[0]), [int(word) for word in words[1:]]


def source(name: str) -> Path:
    """Return the path of a game's C source, in the installed package or in a checkout."""
    file = name.replace("-", "_") + ".c"
    here = Path(__file__).resolve()
    found = [
        folder / file
        for folder in (here.parent / "c", here.parents[3] / "measurements" / "c")
        if (folder / file).is_file()
    ]
    if not found:
        raise RuntimeError(f"This installation lacks the C source {file}; install it again.")
    return found[0]


def openspiel(name: str) -> Contender:
    """Return OpenSpiel's C++ MCTS, with one random rollout per new leaf, as a contender."""
    pyspiel = needed("pyspiel", "OpenSpiel")
    game = pyspiel.load_game({"connect-four": "connect_four", "tic-tac-toe": "tic_tac_toe"}[name])

    def run(seed: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed & 0x7FFFFFFF)
        bot = pyspiel.MCTSBot(
            game, evaluator, 1.4, ITERATIONS, 1000, False, seed & 0x7FFFFFFF, False
        )
        began = time.process_time()
        bot.mcts_search(game.new_initial_state())
        return ITERATIONS / (time.process_time() - began)

    return run
