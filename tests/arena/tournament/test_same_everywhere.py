"""A tournament's digest is independent of hash seed, optimisation, cache and workers."""

import json
import os
import subprocess
import sys

import pytest

from plyglass.core.compile import JIT
from tests.sizes import NIGHTLY, sized

pytestmark = pytest.mark.skipif(not JIT, reason="about compiled code and its cache")

GAMES = sized(
    ("tic-tac-toe", "leduc-poker"),
    ("tic-tac-toe", "leduc-poker", "connect-four", "skirmish:fog=true", "pig", "dark-hex:size=3"),
)
SETTINGS = f"""
games = {json.dumps(GAMES)}
deals = {sized(4, 25)}
seed = 7
[agents]
a = "uct:iterations=30"
b = "so-ismcts:iterations=20,belief=particles(worlds=30)"
c = "random"
"""
OWN = """
import numpy as np
from plyglass.core import Game, draw, kernel, state_dtype

State = state_dtype(("sum", np.int16), ("steps", np.int8))

@kernel
def start(r, setup, s):
    s.sum = draw(s, 5)

@kernel
def to_move(r, s):
    return -1 if s.steps == 6 else s.steps % 2

@kernel
def legal(r, s, out):
    for action in range(3):
        out[action] = action
    return 3

@kernel
def apply(r, s, action):
    s.sum += (action + 1) * draw(s, 4)
    s.steps += 1

@kernel
def score(r, s, player):
    return 1.0 if s.sum % 2 == player else 0.0

class Mine(Game):
    name, state, rules = "mine", State, (start, to_move, legal, apply, score)

    def __init__(self):
        super().__init__(players=2, most_actions=3, most_steps=6, scores=(0.0, 1.0))
"""


def digest(settings, out, *options, flags=(), **environment):
    """The digest of a tournament that a new process plays from the beginning."""
    done = subprocess.run(
        [sys.executable, *flags, "-m", "plyglass", "tournament", settings, "--out", out, "--json",
         *options],
        capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)["digest"]


def processes(workers):
    return "--runner", "processes", "--workers", str(workers)


def test_a_tournament_has_one_digest(tmp_path):
    settings = tmp_path / "run.toml"
    settings.write_text(SETTINGS)
    ways = {
        "usual": digest(settings, tmp_path / "0"),
        "one worker, hash seed 1": digest(
            settings, tmp_path / "1", *processes(1), PYTHONHASHSEED="1"
        ),
        "two workers, -O": digest(settings, tmp_path / "2", *processes(2), flags=("-O",)),
        "four workers, hash seed 4242": digest(
            settings, tmp_path / "4", *processes(4), "--chunk", "1", PYTHONHASHSEED="4242"
        ),
    }
    assert len(set(ways.values())) == 1, ways


@pytest.mark.nightly
def test_a_game_from_a_file_has_one_digest_with_a_cold_a_warm_and_no_cache(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    settings = tmp_path / "run.toml"
    settings.write_text(
        f'games = ["{tmp_path / "mine.py"}"]\ndeals = 8\n[agents]\n'
        f'a = "{sized("random", "uct:iterations=20")}"\nb = "random"\n'
    )
    cache = {"PLYGLASS_CACHE": str(tmp_path / "cache")}
    ways = {
        "cold": digest(settings, tmp_path / "0", "--unchecked", **cache),
        "warm, -O": digest(settings, tmp_path / "1", "--unchecked", flags=("-O",), **cache),
        "warm, hash seed 5": digest(
            settings, tmp_path / "2", "--unchecked", PYTHONHASHSEED="5", **cache
        ),
    }
    if NIGHTLY:
        ways["none"] = digest(settings, tmp_path / "3", "--unchecked", PLYGLASS_CACHE="0")
    assert len(set(ways.values())) == 1, ways
