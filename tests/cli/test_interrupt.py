"""Ctrl-C in a terminal prints the results so far, and leaves no process and no traceback."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import psutil
import pytest

from plyglass.core.compile import JIT

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals are different there"),
    pytest.mark.skipif(not JIT, reason="too long for interpreted code"),
]
COUNTS = """
from pathlib import Path
import plyglass as pg

class Counts(pg.planners.Random):
    def begin(self, game, seat, belief, seed):
        with Path(__file__).with_suffix(".txt").open("a") as file:
            file.write("match\\n")
        return super().begin(game, seat, belief, seed)
"""
PATIENCE = 120.0  # seconds; other programs may have the processor


def start(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "plyglass", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a shell starts jobs in the background with Ctrl-C ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def interrupt(process, ready):
    """Press Ctrl-C once `ready()`; return what was printed, and the processes that are left."""
    until = time.monotonic() + PATIENCE
    while not ready() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    family = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to the whole group
    try:
        printed, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    _, left = psutil.wait_procs(family, timeout=10)
    return printed, " ".join(said.split()), left


def test_an_interrupted_match_prints_the_games_so_far(tmp_path):
    (tmp_path / "counts.py").write_text(COUNTS)
    seats = tmp_path / "counts.txt"
    process = start(
        "match", "tic-tac-toe", f"{tmp_path / 'counts.py'}@Counts", "random", "--games", 10**6
    )
    printed, said, left = interrupt(
        process, lambda: seats.is_file() and seats.read_text().count("\n") > 20
    )
    assert process.returncode == 130, said
    assert "games of tic-tac-toe" in printed
    assert "Stopped after" in said
    assert "of 1000000 games" in said
    assert "Traceback" not in said
    assert not left


def test_an_interrupted_tournament_keeps_its_matches_and_leaves_no_worker(tmp_path):
    (tmp_path / "run.toml").write_text(
        'games = ["tic-tac-toe"]\ndeals = 1000000\n[agents]\na = "random"\nb = "uct:iterations=9"\n'
    )
    out = tmp_path / "out"
    process = start(
        "tournament", tmp_path / "run.toml", "--out", out,
        "--runner", "processes", "--workers", 2, "--chunk", 5,
    )  # fmt: skip
    _, said, left = interrupt(process, lambda: stored(out) > 0)
    assert process.returncode == 130, said
    assert "of 2000000 matches. The same command resumes." in said
    assert "Traceback" not in said
    assert not left
    assert stored(out) > 0


def stored(folder):
    """The number of matches in the store of a run."""
    for file in folder.glob("*.sqlite") if folder.is_dir() else ():
        try:
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
                return database.execute("SELECT count(*) FROM matches").fetchone()[0]
        except sqlite3.Error:
            return 0
    return 0
