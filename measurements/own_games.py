"""Measure the time until a user's game is ready, with an empty cache and with a filled cache.

    python measurements/own_games.py PYTHON OUT.json [NAME ...]

PYTHON is the interpreter of an environment in which the wheel is installed. The games are the
tutorial's game (docs/adding-a-game.md), Liar's Dice from the tests, and a generated card game with
300 effects. OUT.json gets the CPU seconds from the start of Python to the first legal actions, as
medians of three runs. The card game runs only once. For the two small games, OUT.json also gets the
CPU seconds of `plyglass match GAME random random --games 2`. On its first run with a game, this
command also examines the rules in another process.
"""

from __future__ import annotations

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))
from tests.size import generate_card_game  # noqa: E402

READY = """
import sys, time
import plyglass as pg
pg.game_from(sys.argv[1]).start(1).legal()
print(time.process_time())
"""


def tutorial(folder: Path) -> Path:
    """Write the game of the tutorial."""
    page = (TOP / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- file: poison_nim.py -->\n```python\n(.*?)```", page, re.DOTALL)
    file = folder / "poison_nim.py"
    file.write_text("\n\n".join(blocks))
    return file


def liars_dice(folder: Path) -> Path:
    """Copy the game of the tests."""
    file = folder / "liars_dice.py"
    file.write_bytes((TOP / "tests" / "arena" / "auto" / "liars_dice.py").read_bytes())
    return file


def card_game(folder: Path) -> Path:
    """Write the card game with 300 effects."""
    return generate_card_game.write(folder)


GAMES = {"tutorial": (tutorial, 3), "liars-dice": (liars_dice, 3), "card-game": (card_game, 1)}


def ready(python: str, file: Path, cache: Path) -> float:
    """The CPU seconds until the game's first legal actions."""
    done = subprocess.run(
        [python, "-c", READY, str(file)],
        env=variables(cache), cwd=file.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return float(done.stdout)


def match(python: str, file: Path, cache: Path) -> float:
    """The CPU seconds of a short match on the command line."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [python, "-m", "plyglass", "match", str(file), "random", "random", "--games", "2"]
    subprocess.run(command, env=variables(cache), cwd=file.parent, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def variables(cache: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PLYGLASS_CACHE": str(cache), "HOME": str(cache.parent)}


def measured(python: str, name: str) -> dict[str, Any]:
    """The medians of a game."""
    write, repeats = GAMES[name]
    runs: dict[str, list[float]] = {}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            file = write(Path(folder))
            for what, how in (("ready", ready), ("match", match)):
                if what == "match" and name == "card-game":
                    continue
                for state in ("cold", "warm"):
                    cache = Path(folder) / f"cache-{what}"
                    runs.setdefault(f"{what} {state}", []).append(how(python, file, cache))
    return {"repeats": repeats} | {
        what: round(statistics.median(each), 2) for what, each in runs.items()
    }


def main(python: str, out: Path, *names: str) -> None:
    table = json.loads(out.read_text()) if out.exists() else {}
    for name in names or GAMES:
        table[name] = measured(python, name)
        print(name, table[name], flush=True)
        out.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
