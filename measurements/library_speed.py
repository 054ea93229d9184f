"""Compare the libraries of a wheel with code that Numba compiles for this machine's processor.

    python measurements/library_speed.py OUT.json [GAME ...]

For each game, one process uses the library, and another process lets Numba compile the game. The
two processes measure in turn, 40 times each. OUT.json gets random actions per CPU second and UCT's
iterations per CPU second, both of the fastest run, and the ratios of the library to Numba's code.
Other programs can only slow a run down, and a short run is likely to be left alone once. So the
fastest of many short runs repeats better than a median. The script skips games that OUT.json
already has. In the first measurement of a game, Numba compiles for up to two minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from plyglass import games
from plyglass.core import library

REPEATS = 40
SECONDS = 0.03  # about the CPU time of random play, and of a decision of UCT
FEWEST, MOST = 200, 20_000  # iterations of a decision
SPEEDS = f"""
import sys
import plyglass as pg
from plyglass.bench import decide
from plyglass.bench.rules import rule_speeds
game = pg.game_from(sys.argv[1])
for line in sys.stdin:
    ((_, actions, _),) = rule_speeds([sys.argv[1]], {SECONDS})
    decision, seconds = decide(game, int(line))
    print(actions, decision.iterations / seconds, flush=True)
"""


class Measured:
    """A process that measures a game with one kind of machine code."""

    def __init__(self, game: str, processor: str) -> None:
        environment = {**os.environ, "PLYGLASS_PROCESSOR": processor}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        command = [sys.executable, "-c", SPEEDS, game]
        self._process = subprocess.Popen(command, env=environment, text=True, **pipes)

    def speeds(self, iterations: int) -> list[float]:
        """The random actions and UCT's iterations per CPU second."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{iterations}\n")
        self._process.stdin.flush()
        return [float(each) for each in self._process.stdout.readline().split()]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def compared(game: str) -> dict[str, Any]:
    """The fastest run of the library and of Numba's code, and the ratios of their speeds."""
    both = {
        "library": Measured(game, library.processor()),
        "numba": Measured(game, "none"),
    }
    for each in (*both.values(), *both.values()):  # the first round compiles or loads everything
        _, rate = each.speeds(FEWEST)
    iterations = max(FEWEST, min(MOST, int(rate * SECONDS)))
    runs: dict[str, list[list[float]]] = {kind: [] for kind in both}
    for _ in range(REPEATS):
        for kind, each in both.items():
            runs[kind].append(each.speeds(iterations))
    for each in both.values():
        each.close()
    fastest = {
        kind: [round(max(column)) for column in zip(*found, strict=True)]
        for kind, found in runs.items()
    }
    actions, simulated = (
        ours / theirs for ours, theirs in zip(fastest["library"], fastest["numba"], strict=True)
    )
    ratios = {"actions_ratio": round(actions, 3), "iterations_ratio": round(simulated, 3)}
    return {**fastest, "iterations": iterations, **ratios}


def main(out: Path, *names: str) -> None:
    table: dict[str, Any] = json.loads(out.read_text())["games"] if out.exists() else {}
    for game in names or games.names():
        if game in table:
            continue
        table[game] = compared(game)
        print(game, table[game]["actions_ratio"], table[game]["iterations_ratio"], flush=True)
        out.write_text(json.dumps({"processor": library.processor(), "games": table}, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
