"""Changed requests to live servers: the servers' answers, and whether they survived.

One server seals matches in tickets, the other keeps them in a database. Every request is a function
of a seed and its number, except that tickets and names of matches are random.
"""

import contextlib
import dataclasses
import json
import random
import threading
import time
from collections import Counter

import hypothesis
import psutil
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from plyglass.planners import PLANNERS
from tests.fuzz.test_grammar import anything, texts
from tests.serve.fuzzing import (
    SETTINGS,
    Asked,
    Line,
    broken_head,
    changed_bytes,
    changed_values,
    changed_view,
    flaw_of,
    seeds,
    send_raw,
)
from tests.whole.servers import serving

THREADS = 4
WARM = 0.1  # the part of the changed requests after which memory should not grow


@dataclasses.dataclass(frozen=True)
class Plan:
    """How many requests of each kind are sent, in all to both servers."""

    schema: int  # by Schemathesis, from our own OpenAPI
    grammar: int  # by Hypothesis, around valid requests
    views: int  # decisions with changed views
    bytes_and_values: int  # valid requests with changed bytes, values or heads
    seed: int = 30


class Target:
    """A server under attack, and what it answered."""

    def __init__(self, server, kept):
        self.server, self.seeds = server, seeds(server, kept)
        self.decisions = [each for each in self.seeds if each.path == "/v1/decide"]
        self.front = psutil.Process(server.process.pid)
        self.answers, self.flaws = Counter(), []
        self.own, self.lines = threading.local(), []

    def ask(self, asked):
        """Send a request, and judge the answer."""
        if not hasattr(self.own, "line"):
            self.own.line = Line(self.server.port)
            self.lines.append(self.own.line)
        status, body = self.own.line.ask(asked)
        self.answers[status] += 1
        if flaw := flaw_of(asked, status, body):
            self.flaws.append((flaw, asked))

    def send(self, number, seed):
        """Send the changed request with this number."""
        chance = random.Random(f"{seed} {number}")
        chosen = chance.choice(self.seeds)
        kind = chance.random()
        if kind < 0.02:
            self.answers[
                send_raw(self.server.port, broken_head(chosen, chance))[9:12].decode()
            ] += 1
        elif kind < 0.5:
            self.ask(changed_bytes(chosen, chance))
        else:
            self.ask(changed_values(chosen, chance))

    def send_view(self, number, seed):
        chance = random.Random(f"view {seed} {number}")
        self.ask(changed_view(chance.choice(self.decisions), chance))

    def close(self):
        for line in self.lines:
            line.close()

    def gone(self):
        """How many workers ended and were replaced."""
        return self.server._log.read_text().count("a worker is gone")


def sent(send, strategy, count, seed):
    """Call a function with `count` examples of a strategy."""
    usual = hypothesis.settings(
        max_examples=max(1, count), deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip

    def one(example):
        send(example)

    hypothesis.seed(seed)(usual(given(strategy)(one)))()


def by_schema(target, count, seed):
    """Requests that Schemathesis makes from the server's own description, valid and invalid."""
    schema = schemathesis.openapi.from_dict(target.server.client.ask("GET", "/openapi.json"))
    operations = [each.ok() for each in schema.get_all_operations()]
    modes = [*schemathesis.GenerationMode]
    for operation in operations:
        for mode in modes:
            with contextlib.suppress(hypothesis.errors.Unsatisfiable):  # a GET without parameters
                strategy = operation.as_strategy(generation_mode=mode)
                each = count // len(operations) // len(modes)
                sent(lambda case: target.ask(_of_case(case)), strategy, each, seed)


def _of_case(case):
    request = case.as_transport_kwargs(base_url="http://127.0.0.1")
    body = request.get("data") or b""
    if request.get("json") is not None:
        return Asked.of(case.formatted_path, request["json"])
    body = body.encode("utf-8", "replace") if isinstance(body, str) else body
    return Asked(case.method, case.formatted_path, body if isinstance(body, bytes) else b"")


@st.composite
def around(draw, valid):
    """A valid request with one to three of its fields, at any depth, replaced by any value."""
    chosen = draw(st.sampled_from(valid))
    values = json.loads(chosen.body)
    for _ in range(draw(st.integers(1, 3))):
        at = values
        while True:
            keys = [*at] if isinstance(at, dict) else [*range(len(at))]
            key = draw(st.sampled_from(keys))
            if not isinstance(at[key], dict | list) or not at[key] or draw(st.booleans()):
                break
            at = at[key]
        agents = texts([*PLANNERS]).map(lambda text: text.decode("utf-8", "replace"))
        at[key] = draw(agents if key in ("agent", "advice", "seats") else anything)
    return Asked.of(chosen.path, values, chosen.accept)


def by_grammar(target, count, seed):
    """Requests that Hypothesis makes around valid ones."""
    valid = [each for each in target.seeds if each.body]
    sent(target.ask, around(valid), count, seed)


def in_threads(work, numbers):
    """Call `work(number)` for all numbers, in some threads."""
    faults = []

    def part(first):
        try:
            for number in numbers[first::THREADS]:
                work(number)
        except Exception as error:  # told by the main thread
            faults.append(error)

    threads = [threading.Thread(target=part, args=(first,)) for first in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def attacked(target, plan, share):
    """Send a share of the planned requests to a server; return what came of it."""
    began = time.monotonic()
    numbers = range(int(plan.bytes_and_values * share))
    warm = int(len(numbers) * WARM)
    by_grammar(target, int(plan.grammar * share * WARM), plan.seed)
    in_threads(lambda each: target.send(each, plan.seed), numbers[:warm])
    before = target.front.memory_info().rss
    in_threads(lambda each: target.send(each, plan.seed), numbers[warm:])
    in_threads(lambda each: target.send_view(each, plan.seed), range(int(plan.views * share)))
    by_grammar(target, int(plan.grammar * share * (1 - WARM)), plan.seed + 1)
    by_schema(target, int(plan.schema * share), plan.seed)
    after = target.front.memory_info().rss
    assert target.server.client.ask("GET", "/readyz")["ok"]
    return {
        "requests": sum(target.answers.values()),
        "answers": dict(sorted((str(status), n) for status, n in target.answers.items())),
        "flaws": [flaw for flaw, _ in target.flaws],
        "workers replaced": target.gone(),
        "front MB": [round(before / 1e6, 1), round(after / 1e6, 1)],
        "growth": round(after / before - 1, 4),
        "seconds": round(time.monotonic() - began),
    }


def run(plan, folder):
    """Attack both servers; what came of it, by server."""
    found = {}
    options = {"tickets": (), "kept": ("--store", f"sqlite:{folder / 'matches.db'}")}
    for name, words in options.items():
        with serving(folder, *words, settings=SETTINGS) as server:
            server.wait()
            target = Target(server, name == "kept")
            with contextlib.closing(target):
                found[name] = attacked(target, plan, 1 / len(options))
            for flaw, asked in target.flaws[:20]:
                print(flaw, asked, flush=True)
    return found
