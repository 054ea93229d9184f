"""Measure the time of an evaluation, by nets of several sizes and by the game's evaluators.

    python measurements/net_speed.py OUT.json [GAME ...]

Positions come from random games. Each evaluator judges all of them several times, in turn with the
others, and the smallest CPU time of a pass counts, because other programs use the machine, too. The
weights are random, because weights do not change the time.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from plyglass.arena.specs import game_from
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import address_of
from plyglass.core.nets.encoding import encoding_of
from plyglass.core.nets.file import Encoding, Net
from plyglass.core.nets.record import keep
from plyglass.search.values import evaluator_of, judge

GAMES = ("trading-cards", "connect-four", "duel", "dark-hex", "skirmish")
POSITIONS, PASSES = 2000, 15


@kernel
def judge_all(table, rows, evaluator, repeats):
    """The sum of the values of all states, so no compiler removes the evaluations."""
    total = 0.0
    for _ in range(repeats):
        for i in range(len(rows)):
            total += judge(table, address_of(rows) + i * rows.shape[1], 0, evaluator)
    return total


def positions(game: Game, count: int) -> np.ndarray:
    """Unfinished positions of random games."""
    choice, rows = np.random.default_rng(1), []
    while len(rows) < count:
        world = game.start(int(choice.integers(1 << 40)))
        while not world.over and len(rows) < count:
            rows.append(world.row())
            actions = world.legal()
            world.apply(actions[choice.integers(len(actions))])
    return np.array(rows)


def random_net(encoding: Encoding, units: int) -> Net:
    choice = np.random.default_rng(1)
    weights = choice.normal(0, 0.1, (encoding.rows + 1, units)).astype(np.float32)
    return Net(encoding, weights, choice.normal(0, 0.3, units + 1).astype(np.float32))


def measured(name: str) -> dict[str, object]:
    """Microseconds by evaluator."""
    game = game_from(name)
    rows = positions(game, POSITIONS)
    plain = encoding_of(game, rows, features=False)
    addresses = {each: evaluator_of(game, each) for each in game.evaluators}
    for units in (32, 64):
        addresses[f"net, {units} units"] = -keep(game, random_net(plain, units))
    if game.describes:
        both = encoding_of(game, rows)
        addresses["net, 32 units, with features"] = -keep(game, random_net(both, 32))
    if game.hides:
        view = encoding_of(game, rows, kind="view")
        addresses["net of views, 32 units"] = -keep(game, random_net(view, 32))
    least = dict.fromkeys(addresses, np.inf)
    for _ in range(PASSES):
        for each, address in addresses.items():
            least[each] = min(
                least[each], timed(lambda at=address: judge_all(game.table, rows, at, 3))
            )
    found = {each: round(1e6 * spent / (3 * len(rows)), 3) for each, spent in least.items()}
    return {"inputs": plain.inputs, "microseconds": found}


def timed(work: Callable[[], float]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    results = {name: measured(name) for name in sys.argv[2:] or GAMES}
    Path(sys.argv[1]).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))
