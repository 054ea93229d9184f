"""Measure the CPU time of a request to a trivial deployment of Ray Serve and to our server.

    python -m measurements.serve_ray [REQUESTS]

Needs `pip install "ray[serve]"`, which no extra of Plyglass includes. Both servers get the same
requests, one after another from one connection. The deployment reads the body and answers a
constant. Our server decides with one iteration, so its worker does more. The CPU time of processes
that work in the background is counted, too. `idle` is the CPU time that all processes of a server
use in a second without requests.
"""

from __future__ import annotations

import http.client
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from tests.whole.fleet import free_ports
from tests.whole.servers import serving

import plyglass as pg
from plyglass.serve.client import fields

IDLE = 3.0  # seconds; servers close a connection that is idle for 5
WARM = 100  # requests before the measurement


def body() -> bytes:
    world = pg.games.TicTacToe().start(1)
    values = {
        "game": "tic-tac-toe", "seat": 0, "agent": "level:easy", "seed": 1,
        "history": [{"own": None, "view": fields(world.hide(0))}], "budget": {"iterations": 1},
    }  # fmt: skip
    return json.dumps(values).encode()


@contextmanager
def deployed(port: int) -> Iterator[None]:
    """A deployment of Ray Serve with one replica."""
    import ray
    from ray import serve
    from starlette.requests import Request

    @serve.deployment(num_replicas=1, ray_actor_options={"num_cpus": 0})
    class Trivial:
        async def __call__(self, request: Request) -> dict[str, Any]:
            return {"best": len(json.loads(await request.body()))}

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    serve.start(http_options={"host": "127.0.0.1", "port": port})
    serve.run(Trivial.bind(), route_prefix="/v1/decide")
    try:
        yield
    finally:
        serve.shutdown()
        ray.shutdown()


Used = dict[int, tuple[str, float]]  # the name and the CPU seconds of a process, by its id


def used(top: psutil.Process) -> Used:
    """The CPU seconds of all processes below one, by their id."""
    found = {}
    for each in top.children(recursive=True):
        try:
            times = each.cpu_times()
            name = each.cmdline()[0] if each.cmdline() else each.name()
        except psutil.NoSuchProcess:
            continue
        found[each.pid] = (Path(name).name.split()[0], times.user + times.system)
    return found


def spent(
    before: dict[int, tuple[str, float]], after: dict[int, tuple[str, float]]
) -> dict[str, float]:
    """The CPU seconds between two measurements, by the name of the process."""
    found: dict[str, float] = {}
    for process, (name, seconds) in after.items():
        was = before.get(process, ("", 0.0))[1]
        found[name] = found.get(name, 0.0) + seconds - was
    return found


def measured(port: int, requests: int) -> dict[str, Any]:
    """Milliseconds of CPU time of a request, and of a second without requests."""
    data, line = body(), http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(count: int) -> list[float]:
        waited = []
        for _ in range(count):
            began = time.perf_counter()
            line.request("POST", "/v1/decide", data, {"content-type": "application/json"})
            reply = line.getresponse()
            text = reply.read()
            assert reply.status == 200, text
            waited.append(time.perf_counter() - began)
        return sorted(waited)

    top = psutil.Process()
    ask(WARM)
    start = used(top)
    time.sleep(IDLE)
    idle = used(top)
    began = time.monotonic()
    waited = ask(requests)
    took = time.monotonic() - began
    end = used(top)
    rest = sum(spent(start, idle).values()) / IDLE
    parts = {name: round(1000 * seconds / requests, 3)
             for name, seconds in sorted(spent(idle, end).items()) if seconds > 0}  # fmt: skip
    total = sum(spent(idle, end).values())
    return {
        "requests": requests, "cpu_ms": round(1000 * total / requests, 3),
        "cpu_ms_without_idle": round(1000 * (total - rest * took) / requests, 3),
        "idle_ms_a_second": round(1000 * rest, 1), "parts_ms": parts,
        "median_ms": round(1000 * waited[len(waited) // 2], 2),
    }  # fmt: skip


def main(requests: int) -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        server.wait()
        print(json.dumps({"plyglass": measured(server.port, requests)}), flush=True)
    (port,) = free_ports(1)
    with deployed(port):
        print(json.dumps({"ray serve": measured(port, requests)}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
