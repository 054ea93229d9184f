"""Measure CPU seconds from the start of Python to the first move, for every game's own player.

    python measurements/first_moves.py PYTHON OUT.json

PYTHON is the interpreter of an environment in which the wheel is installed. Each game is started
three times with an empty cache, in a new process. OUT.json gets the median CPU seconds until a
person can type a move (`prompt`), the median CPU seconds until the game's own player, with 0.1 s to
think, has moved (`move`), and the number of functions that were compiled.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

REPEATS = 3
NAMES = "import plyglass as pg; print(*pg.games.names())"
FIRST_MOVE = """
import json, sys, time
import plyglass as pg
game = pg.game_from(sys.argv[1])
agent = pg.agent_from(game.opponent, game)
world = game.start(1)
view = world.hide(world.to_move)
view.text, world.legal()
prompt = time.process_time()
seat = agent.take_seat(game, world.to_move, 1)
seat.observe(None, view)
seat.decide(pg.Budget(seconds=0.1))
move = time.process_time()
from plyglass.core.compile import compilations
print(json.dumps([prompt, move, compilations()["compiled"]]))
"""


def first_move(python: str, game: str) -> list[float]:
    """The CPU seconds until prompt and move, and the number of functions compiled."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": os.environ["PATH"], "PLYGLASS_CACHE": folder, "HOME": folder}
        command = [python, "-c", FIRST_MOVE, game]
        done = subprocess.run(
            command, env=environment, cwd=folder, capture_output=True, text=True, check=True
        )
    found: list[float] = json.loads(done.stdout)
    return found


def main(python: str, out: Path) -> None:
    listed = subprocess.run([python, "-c", NAMES], capture_output=True, text=True, check=True)
    table: dict[str, Any] = {}
    for game in listed.stdout.split():
        runs = [first_move(python, game) for _ in range(REPEATS)]
        prompt, move, compiled = (statistics.median(column) for column in zip(*runs, strict=True))
        table[game] = {
            "prompt": round(prompt, 2),
            "move": round(move, 2),
            "compiled": int(compiled),
        }
        print(f"{game:20} {prompt:6.2f} {move:6.2f} {int(compiled):4}", flush=True)
    out.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
