"""Compare the libraries of a wheel with code that Numba compiles for this very processor.

    python measurements/library_speed.py OUT.json [GAME ...]

Both play each game in turn, five times, in processes of their own. Written are the medians of the
random actions per CPU second and of UCT's iterations per CPU second, and the ratios of the library
to Numba's code. The first process of a game compiles it, which takes up to two minutes.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from plyglass import games
from plyglass.core import library

REPEATS = 5
ITERATIONS = 20_000
SPEEDS = f"""
import json, sys
import plyglass as pg
from plyglass.bench import decide
from plyglass.bench.rules import rule_speeds
((_, actions, _),) = rule_speeds([sys.argv[1]])
game = pg.game_from(sys.argv[1])
decide(game, 1000)
decision, seconds = decide(game, {ITERATIONS})
print(json.dumps([actions, decision.iterations / seconds]))
"""


def speeds(game: str, processor: str) -> list[float]:
    """The random actions and the iterations per CPU second of a game."""
    environment = {**os.environ, "PLYGLASS_PROCESSOR": processor}
    command = [sys.executable, "-c", SPEEDS, game]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout)
    return found


def compared(game: str) -> dict[str, Any]:
    """The medians of both, and the ratios."""
    kinds = {"library": library.processor(), "numba": "none"}
    runs: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    for _ in range(REPEATS):
        for kind, processor in kinds.items():
            runs[kind].append(speeds(game, processor))
    medians = {
        kind: [statistics.median(column) for column in zip(*each, strict=True)]
        for kind, each in runs.items()
    }
    actions, iterations = (
        ours / theirs for ours, theirs in zip(medians["library"], medians["numba"], strict=True)
    )
    return {**medians, "actions_ratio": round(actions, 3), "iterations_ratio": round(iterations, 3)}


def main(out: Path, *names: str) -> None:
    table: dict[str, Any] = {}
    for game in names or games.names():
        table[game] = compared(game)
        print(game, table[game]["actions_ratio"], table[game]["iterations_ratio"], flush=True)
        out.write_text(json.dumps({"processor": library.processor(), "games": table}, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
