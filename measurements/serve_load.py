"""Decisions on time under load: more requests than one worker can answer, at random times.

    python -m measurements.serve_load [FILE.json] [--budgets 50,20,5] [--loads 0.7,1.5,3,10]
        [--seconds 60] [--again]

Writes `measurements/data/serve-load.json` and prints a table. The script skips cells that the file
already has from the same code, so an interrupted run can be resumed.

Requests for decisions in Connect Four arrive as a Poisson process, whether or not earlier requests
were answered. Each request asks for a search of `budget` ms, and for an answer within 200 ms. The
load is a multiple of the capacity. The capacity is the number of requests that one worker could
answer if every search took its whole budget. The overhead of a decision is the time that a busy
worker needs in addition to the search. The script first measures the overhead, with several
connections that wait for their answers. If a server shortens every search to the shortest that it
grants, it can answer `seconds / (least + overhead)` requests. `answered` is the share of this
number that was answered, or the share of the requests sent, if these are fewer.

A reply is late if it comes after its deadline. The client counts from the planned time of its
request, and the server from when it has read the request. During each run, another process only
sleeps and wakes every 2 ms. A late reply counts as `excess` if it was later than this process was
during the request.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import hashlib
import json
import random
import re
import tempfile
import time
import urllib.request
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from measurements.machine_lateness import Machine
from tests.serve.requests import entries, until_decision
from tests.whole.fleet import free_ports
from tests.whole.servers import Server, serving

import plyglass as pg
from plyglass.serve.desk import LEAST

HERE = Path(__file__).parent
SERVE = Path(pg.__file__).parent / "serve"
SETTINGS = '[games]\nconnect-four = "connect-four"\n[levels.connect-four]\neasy = "uct"\n'
DEADLINE = 0.2
REQUESTS = 2000  # different ones, so the worker has not seen their views lately
BUSY = 4  # connections that measure the overhead
OVERHEAD_SECONDS = 5.0
IDLE = 3.0  # seconds; the server closes an idle connection after 5
LAST = 2.0  # seconds after the last request in which replies are still awaited


@dataclass
class Sent:
    """A request, and its reply. Times are in seconds by the monotonic clock."""

    planned: float
    sent: float = 0.0
    replied: float = 0.0
    status: int = 0
    code: str = ""
    granted: float = 0.0

    @property
    def late(self) -> float:
        """By how many seconds the reply came after its deadline."""
        return self.replied - self.planned - DEADLINE


class Line(asyncio.Protocol):
    """A connection to the server, with at most one request at a time."""

    def __init__(self, lines: Lines) -> None:
        self._lines, self._got = lines, bytearray()
        self.request: Sent | None = None
        self.used = time.monotonic()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def ask(self, request: Sent, data: bytes) -> None:
        self.request, request.sent = request, time.monotonic()
        self.transport.write(data)

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, body = bytes(self._got).partition(b"\r\n\r\n")
        length = re.search(rb"content-length: *(\d+)", head.lower()) if found else None
        if length is None or len(body) < int(length[1]):
            return
        request, self.request = self.request, None
        self._got.clear()
        self.used = time.monotonic()
        if request is not None:
            request.replied, request.status = self.used, int(head[9:12])
            _note(request, json.loads(body))
        self._lines.ended(self, request)

    def connection_lost(self, error: Exception | None) -> None:
        if self.request is not None:
            self.request.replied, self.request.code = time.monotonic(), "lost"
        self._lines.lost(self, self.request)


def _note(request: Sent, values: dict[str, Any]) -> None:
    if request.status == 200:
        request.granted = values["granted"]["seconds"]
    else:
        request.code = values.get("code", "")


@dataclass
class Lines:
    """All connections; a new one is opened if none is free."""

    port: int
    free: deque[Line] = field(default_factory=deque)
    waiting: set[int] = field(default_factory=set)
    on_end: Any = None

    async def open(self) -> Line:
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(lambda: Line(self), "127.0.0.1", self.port))[1]

    async def ask(self, request: Sent, data: bytes) -> None:
        """Send a request; its reply is noted when it comes."""
        self.waiting.add(id(request))
        while self.free:
            line = self.free.pop()
            if time.monotonic() - line.used < IDLE and not line.transport.is_closing():
                break
            line.transport.close()
        else:
            line = await self.open()
        line.ask(request, data)

    def ended(self, line: Line, request: Sent | None) -> None:
        self.free.append(line)
        self.waiting.discard(id(request))
        if self.on_end:
            self.on_end()

    def lost(self, line: Line, request: Sent | None) -> None:
        self.waiting.discard(id(request))
        if line in self.free:
            self.free.remove(line)

    def close(self) -> None:
        for line in [*self.free]:
            line.transport.close()


def requests(budget: float, count: int = REQUESTS) -> list[bytes]:
    """Requests at random decisions of random matches, as bytes to send."""
    game, chance, made = pg.games.ConnectFour(), random.Random(30), []
    for number in range(count):
        seat = chance.randrange(2)
        _, shown = until_decision(game, seat, number, chance.randint(1, 4))
        history = [{"own": each["own"], "view": each["view"]} for each in entries(shown)]
        values = {
            "game": "connect-four", "seat": seat, "seed": number, "agent": "level:easy",
            "history": history, "budget": {"seconds": budget},
            "deadline_ms": round(1000 * DEADLINE),
        }  # fmt: skip
        body = json.dumps(values).encode()
        head = (
            "POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        made.append(head.encode() + body)
    return made


# -- what is measured


async def overhead_of(port: int) -> float:
    """The seconds that a busy worker needs for a decision, beyond its search."""
    asked = requests(LEAST, 200)
    lines, sent, end = Lines(port), [], time.monotonic() + 1.0 + OVERHEAD_SECONDS
    tasks: set[asyncio.Task[None]] = set()

    def again() -> None:
        if time.monotonic() < end:
            sent.append(Sent(time.monotonic()))
            task = asyncio.ensure_future(lines.ask(sent[-1], asked[len(sent) % len(asked)]))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    lines.on_end = again
    for _ in range(BUSY):
        again()
    await asyncio.sleep(1.5 + OVERHEAD_SECONDS)
    lines.close()
    done = [
        each.replied
        for each in sent
        if each.status == 200 and each.replied > end - OVERHEAD_SECONDS
    ]
    return (max(done) - min(done)) / (len(done) - 1) - LEAST


async def loaded(port: int, asked: list[bytes], rate: float, seconds: float) -> list[Sent]:
    """Send requests at random times, and wait for their replies."""
    lines, sent, chance = Lines(port), [], random.Random(7)
    for _ in range(20):
        lines.free.append(await lines.open())
    tasks = set()
    planned = begin = time.monotonic() + 0.2
    while (planned := planned + chance.expovariate(rate)) < begin + seconds:
        if (wait := planned - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        sent.append(Sent(planned))
        task = asyncio.ensure_future(lines.ask(sent[-1], asked[len(sent) % len(asked)]))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    end = time.monotonic() + LAST
    while (tasks or lines.waiting) and time.monotonic() < end:
        await asyncio.sleep(0.02)
    lines.close()
    return sent


def counted(port: int, name: str) -> float:
    """The sum of a counter of the server."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as reply:
        lines = reply.read().decode().splitlines()
    return sum(float(each.split()[-1]) for each in lines if re.match(rf"{name}(\{{.*)? ", each))


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@dataclass
class Bench:
    """A server with one worker, and the overhead of its decisions."""

    server: Server
    metrics: int
    overhead: float

    def cell(self, budget: float, load: float, seconds: float) -> dict[str, Any]:
        """One run: requests at a multiple of the capacity."""
        rate = load / (budget + self.overhead)
        asked, before = requests(budget), self._counts()
        with Machine() as machine:
            sent = asyncio.run(loaded(self.server.port, asked, rate, seconds))
        spent = [now - was for now, was in zip(self._counts(), before, strict=True)]
        found = self._summary(sent, machine, seconds)
        found |= {"late_server": round(spent[3]), "workers_killed": round(spent[4])}
        return {
            "budget_ms": round(1000 * budget), "load": load, "rate": round(rate, 1),
            "seconds": seconds, "overhead_ms": round(1000 * self.overhead, 2), **found,
            "front_ms": round(1000 * spent[0] / len(sent), 3),
            "worker_busy": round(spent[1] / seconds, 3),
            "client_busy": round(spent[2] / seconds, 3),
        }  # fmt: skip

    def _counts(self) -> list[float]:
        """CPU seconds of front, template with workers, and client; late answers and kills."""
        front = psutil.Process(self.server.process.pid)
        workers = sum(cpu(each) for each in front.children(recursive=True))
        late, kills = (
            counted(self.metrics, f"plyglass_{name}") for name in ("late_total", "kills")
        )
        return [cpu(front), workers, cpu(psutil.Process()), late, kills]

    def _summary(self, sent: list[Sent], machine: Machine, seconds: float) -> dict[str, Any]:
        answered = [each for each in sent if each.status == 200]
        refused = [each for each in sent if each.status == 503]
        late = [each for each in answered if each.late > 0]
        excess = [each for each in late if each.late > machine.within(each.planned, each.replied)]
        possible = min(len(sent), seconds / (LEAST + self.overhead))
        return {
            "sent": len(sent), "answered": len(answered), "refused": len(refused),
            "others": dict(Counter(each.code or str(each.status) for each in sent
                                   if each.status not in (200, 503))),
            "answered_of_possible": round(len(answered) / possible, 4),
            "late_client": len(late), "late_excess": len(excess),
            "latest_ms": round(1000 * max((each.late for each in late), default=0.0), 1),
            "granted_ms": quantiles([each.granted for each in answered], (0.01, 0.5, 0.99)),
            "reply_ms": quantiles([each.replied - each.planned for each in answered]),
            "refusal_ms": quantiles([each.replied - each.planned for each in refused]),
            "client_late_ms": quantiles([each.sent - each.planned for each in sent]),
            "machine_late_ms": quantiles([late for _, late in machine.late], (0.5, 0.99, 0.999, 1)),
        }  # fmt: skip


def quantiles(seconds: list[float], parts: tuple[float, ...] = (0.5, 0.99, 1)) -> dict[str, float]:
    """Quantiles in milliseconds."""
    if not seconds:
        return {}
    values = np.quantile(seconds, parts)
    return {f"p{100 * part:g}": round(1000 * float(value), 2)
            for part, value in zip(parts, values, strict=True)}  # fmt: skip


# -- the file


def code() -> str:
    """A digest of the server's sources and of this file."""
    seal = hashlib.blake2b(digest_size=6)
    for file in (*sorted(SERVE.glob("*.py")), Path(__file__)):
        seal.update(file.name.encode() + b"\0" + file.read_bytes())
    return f"{pg.__version__}+{seal.hexdigest()}"


HEADS = (
    "budget", "load", "sent", "answered", "of what is possible", "late", "median search granted",
    "refusal p99", "CPU of the front a request", "machine late p99.9",
)  # fmt: skip


def table(cells: list[dict[str, Any]]) -> str:
    """The cells as a table in Markdown."""
    rows = ["| " + " | ".join(HEADS) + " |", "|" + "--:|" * len(HEADS)]
    for each in cells:
        late = f"{each['late_client']} ({each['late_excess']})"
        refusal = each["refusal_ms"].get("p99")
        values = (
            f"{each['budget_ms']} ms", f"{each['load']:g}", f"{each['sent']:,}",
            f"{each['answered']:,}", f"{100 * each['answered_of_possible']:.1f} %", late,
            f"{each['granted_ms'].get('p50', 0):.1f} ms",
            "-" if refusal is None else f"{refusal:.1f} ms", f"{each['front_ms']:.2f} ms",
            f"{each['machine_late_ms']['p99.9']:.1f} ms",
        )  # fmt: skip
        rows.append("| " + " | ".join(values) + " |")
    return "\n".join(rows)


def measure(options: argparse.Namespace, cells: dict[str, Any], todo: list[str], now: str) -> None:
    """Measure cells on one server, and write each as soon as it is done."""
    with tempfile.TemporaryDirectory() as folder:
        (metrics,) = free_ports(1)
        words = ("--metrics-port", str(metrics))
        with serving(Path(folder), *words, settings=SETTINGS) as server:
            server.wait()
            bench = Bench(server, metrics, asyncio.run(overhead_of(server.port)))
            for name in todo:
                budget, load = name.split(" ms x ")
                cell = bench.cell(float(budget) / 1000, float(load), options.seconds)
                today = datetime.date.today().isoformat()
                cells[name] = {**cell, "date": today, "code": now}
                options.file.write_text(json.dumps({"cells": cells}, indent=1) + "\n")
                print(json.dumps(cell), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=HERE / "data" / "serve-load.json")
    parser.add_argument("--budgets", default="50,20,5", help="milliseconds")
    parser.add_argument("--loads", default="0.7,1.5,3,10")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--again", action="store_true", help="measure cells that are there, too")
    options = parser.parse_args()
    cells: dict[str, Any] = {}
    if options.file.is_file():
        cells = json.loads(options.file.read_text())["cells"]
    now = code()
    names = [f"{budget} ms x {load}" for budget in options.budgets.split(",")
             for load in options.loads.split(",")]  # fmt: skip
    todo = [name for name in names if options.again or cells.get(name, {}).get("code") != now]
    if todo:
        measure(options, cells, todo, now)
    print(table([*cells.values()]))


if __name__ == "__main__":
    main()
