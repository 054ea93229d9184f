"""Measure the CPU time of a served decision, and compare it with a search without a server.

    python -m measurements.serve_speed [REQUESTS]

Requests come one after another from one connection. The first lines show the CPU time of the front
and of the worker for a number of iterations. The next lines compare the decisions per second of CPU
time with those of a bare search, in a process without a server. `ratio` counts all processes of the
server. `checked` is the share of iterations that remain when rules check bounds. A bare search runs
the same agent on the same view with the same rules, checked and unchecked.

Other programs on the machine hardly change the CPU time, but they change the median wait.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
from tests.whole.servers import Server, serving

import plyglass as pg
from plyglass.arena.specs import agent_from
from plyglass.serve.client import fields

ITERATIONS = (1, 100, 1000)
BUDGETS = (0.001, 0.05)  # seconds
LONGEST = 5.0  # seconds of search in one measurement
AGENT = "uct:iterations=30"  # as `tests.whole.servers` serves it


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def asked() -> dict[str, Any]:
    world = pg.games.TicTacToe().start(1)
    return {
        "game": "tic-tac-toe", "seat": 0, "agent": "level:easy",
        "history": [{"own": None, "view": fields(world.hide(0))}],
    }  # fmt: skip


def served(server: Server, budget: dict[str, float], requests: int) -> dict[str, Any]:
    """CPU milliseconds of a decision in front and worker, and iterations per second of search."""
    front, worker = psutil.Process(server.process.pid), server.workers()[0]
    before = cpu(front), cpu(worker)
    waited, searched, iterations = [], 0.0, 0
    for seed in range(requests):
        began = time.perf_counter()
        found = server.client.decide({**asked(), "seed": seed, "budget": budget})
        waited.append(time.perf_counter() - began)
        searched += found["seconds"]
        iterations += found["iterations"]
    spent = [1000 * (cpu(each) - then) / requests
             for each, then in zip((front, worker), before, strict=True)]  # fmt: skip
    return {
        **budget, "requests": requests,
        "front_cpu_ms": round(spent[0], 3), "worker_cpu_ms": round(spent[1], 3),
        "search_ms": round(1000 * searched / requests, 3),
        "median_ms": round(1000 * sorted(waited)[requests // 2], 2),
        "decisions_a_cpu_second": round(1000 / sum(spent), 1),
        "iterations_a_cpu_second": round(1000 * iterations / requests / sum(spent)),
    }  # fmt: skip


def bare(seconds: float, decisions: int) -> dict[str, Any]:
    """The same decisions in this process, without a server."""
    game, agent = pg.games.TicTacToe(), agent_from(AGENT)
    view, budget, iterations = game.start(1).hide(0), pg.Budget(seconds=seconds), 0
    began = 0.0
    for seed in range(-20, decisions):
        if seed == 0:  # the first ones load code
            began, iterations = time.process_time(), 0
        seat = agent.take_seat(game, 0, abs(seed))
        seat.observe(None, view)
        iterations += seat.decide(budget).iterations
    spent = time.process_time() - began
    return {
        "decisions_a_cpu_second": round(decisions / spent, 1),
        "iterations_a_cpu_second": round(iterations / spent),
    }


def bare_elsewhere(seconds: float, decisions: int, checked: bool) -> dict[str, Any]:
    """`bare` in a separate process, with or without checked bounds."""
    done = subprocess.run(
        [sys.executable, "-m", "measurements.serve_speed", "bare", str(seconds), str(decisions)],
        env={**os.environ, **({"NUMBA_BOUNDSCHECK": "1"} if checked else {})},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def compared(server: Server, seconds: float, requests: int) -> dict[str, Any]:
    """Decisions a second of CPU time: served, bare, and bare with checked rules."""
    count = min(4 * requests, round(LONGEST / seconds))
    ours = served(server, {"seconds": seconds}, count)
    plain, checked = (bare_elsewhere(seconds, count, each) for each in (False, True))
    rates = [each["decisions_a_cpu_second"] for each in (ours, plain)]
    speeds = [each["iterations_a_cpu_second"] for each in (checked, plain)]
    return {
        "seconds": seconds, "served": ours, "bare": plain, "bare_checked": checked,
        "ratio": round(rates[0] / rates[1], 3), "checked": round(speeds[0] / speeds[1], 3),
    }  # fmt: skip


def main(requests: int) -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        server.wait()
        served(server, {"iterations": 1}, 20)
        for iterations in ITERATIONS:
            print(json.dumps(served(server, {"iterations": iterations}, requests)), flush=True)
        for seconds in BUDGETS:
            print(json.dumps(compared(server, seconds, requests)), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        print(json.dumps(bare(float(sys.argv[2]), int(sys.argv[3]))))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
