"""What a served decision costs, in CPU time of the front and of its worker.

    python -m measurements.serve_speed [REQUESTS]

Requests come one after another from one connection. CPU time hardly depends on what else the
machine does; the median wait does.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import psutil
from tests.whole.servers import serving

import plyglass as pg
from plyglass.serve.client import fields

ITERATIONS = (1, 100, 1000)


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def main(requests: int) -> None:
    world = pg.games.TicTacToe().start(1)
    asked = {
        "game": "tic-tac-toe", "seat": 0, "agent": "level:easy",
        "history": [{"own": None, "view": fields(world.hide(0))}],
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        server.wait()
        front, worker = psutil.Process(server.process.pid), server.workers()[0]
        for iterations in ITERATIONS:
            before = cpu(front), cpu(worker)
            waited, searched = [], 0.0
            for seed in range(requests):
                began = time.perf_counter()
                values = {**asked, "seed": seed, "budget": {"iterations": iterations}}
                searched += server.client.decide(values)["seconds"]
                waited.append(time.perf_counter() - began)
            spent = [1000 * (cpu(each) - then) / requests
                     for each, then in zip((front, worker), before, strict=True)]  # fmt: skip
            waited.sort()
            print(json.dumps({
                "iterations": iterations, "requests": requests,
                "front_cpu_ms": round(spent[0], 3), "worker_cpu_ms": round(spent[1], 3),
                "search_ms": round(1000 * searched / requests, 3),
                "median_ms": round(1000 * waited[requests // 2], 2),
            }))  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
