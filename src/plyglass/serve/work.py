"""A worker process, which reads jobs from its pipe and answers them one at a time.

Workers are forked from a template process, which has every game compiled or loaded. Workers run
rules with checked bounds if callers may send views. Workers hold no keys and no tokens, and they
end when the process that answers HTTP ends. A message consists of the job's number, a letter for
the message's kind, and JSON.
"""

from __future__ import annotations

import functools
import gc
import json
import logging
import os
import signal
import sys
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from plyglass.arena.match.record import rules_of
from plyglass.core.compile import CHECKED
from plyglass.core.failures import noticed
from plyglass.serve.analysis import analyse, watch
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.decisions import Cancelled, Tell, decide, until
from plyglass.serve.matches import HostedMatch, new_match
from plyglass.serve.protocol import Refused
from plyglass.serve.reviews import review_ply, why_not
from plyglass.serve.settings import Settings
from plyglass.serve.tickets import room_for

TEMPLATE = "PLYGLASS_SERVE_TEMPLATE"
"""The environment variable with the settings for the template that forks workers."""
PROGRESS = "PLYGLASS_SERVE_PROGRESS"
"""The environment variable with the file in which the template writes what it loads."""
FINAL, PART, READY, PROBLEM, COMPILES, COMPILED = b"f", b"p", b"r", b"!", b"c", b"d"
HEAD = 9  # bytes of a message before its JSON
log = logging.getLogger("plyglass.serve")


@functools.lru_cache(maxsize=1)
def warm(settings: str) -> Catalogue:
    """The catalogue for these settings, with everything compiled or loaded."""
    given = Settings.of_front(settings)
    if given.decide and not CHECKED:
        raise RuntimeError("A worker needs NUMBA_BOUNDSCHECK=1, because callers send views.")
    catalogue = Catalogue(given)
    catalogue.warm(_tell_progress)
    return catalogue


def _tell_progress(game: str, done: int, count: int) -> None:
    """Write which game is loaded now; readers never find a half-written line."""
    if file := os.environ.get(PROGRESS):
        written = Path(f"{file}.{os.getpid()}")
        written.write_text(json.dumps({"game": game, "done": done, "count": count}))
        written.replace(file)


if text := os.environ.get(TEMPLATE):
    warm(text)


def run(pipe: Connection, cancel: Any, settings: str) -> None:
    """Answer jobs until the front is gone; `cancel.value` is the number of a job to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the front lets workers finish
    catalogue = warm(settings)
    _limit_memory(Settings.of_front(settings).worker_bytes)
    pipe.send_bytes(message(0, READY, catalogue.described()))
    freeze_garbage()
    number = 0
    if compiler := sys.modules.get("plyglass.core.jit"):  # an agent that no level names may need it
        compiler.tell_compiling(
            lambda begins: pipe.send_bytes(message(number, COMPILES if begins else COMPILED, {}))
        )
    while True:
        try:
            job = pipe.recv_bytes()
        except EOFError:
            return
        number = int.from_bytes(job[:8], "big")

        def tell(event: str, values: dict[str, Any], number: int = number) -> None:
            pipe.send_bytes(message(number, PART, {"event": event, "data": values}))

        def cancelled(number: int = number) -> bool:
            return bool(cancel.value == number)

        kind, values = answer(catalogue, json.loads(job[HEAD:]), tell, cancelled)
        pipe.send_bytes(message(number, kind, values))


def freeze_garbage() -> None:
    """Exclude all present objects from garbage collection; with them, a collection takes 0.1 s."""
    gc.collect()
    gc.freeze()


def answer(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> tuple[bytes, dict[str, Any]]:
    """Do a job; return the kind of the answer, and the answer."""
    try:
        with noticed() as failures:
            answered = JOBS[job["kind"]](catalogue, job, tell, cancelled)
    except Refused as refused:
        return PROBLEM, refused.problem()
    except MemoryError:
        return PROBLEM, Refused("too-large", "The request needs too much memory.").problem()
    except Exception:
        log.exception("a job failed")
        return PROBLEM, Refused("failed", "The server failed; the fault was logged.").problem()
    if failures.count:
        failed = Refused("impossible", f"A rule failed on this position: {failures.first}.")
        return PROBLEM, failed.problem()
    return FINAL, answered


def message(number: int, kind: bytes, values: Any) -> bytes:
    """A message from or to a worker."""
    return number.to_bytes(8, "big") + kind + json.dumps(values).encode()


def _about(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    return catalogue.game(job["game"]).described()


def _decide(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    served = catalogue.game(job["game"], job["rules"])
    found = decide(served, job, job["grant"], tell, cancelled)
    return {**found, "rules": rules_of(served.game)}


def _start(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    served = catalogue.game(job["game"])
    return _went_on(HostedMatch(served, new_match(served, job)), job, tell, cancelled)


def _act(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    match = _match(catalogue, job)
    if job["ply"] == match.ply - 1 and job["kept"] and job["action"] == match.last_action():
        return _went_on(match, job, tell, cancelled)  # the client missed the answer to this action
    if job["ply"] != match.ply:
        raise Refused("other-ply", f"The next decision is number {match.ply}.", "ply")
    match.act(job["action"])
    # so a person sees their own action before others think
    tell("position", match.position(job["kept"]))
    return _went_on(match, job, tell, cancelled)


def _look(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    return _went_on(_match(catalogue, job), job, tell, cancelled)


def _back(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    match = _match(catalogue, job)
    return _went_on(match.take_back(job["to_ply"]), job, tell, cancelled)


def _resign(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    match = _match(catalogue, job)
    match.resign()
    return _went_on(match, job, tell, cancelled)


def _record(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    return _match(catalogue, job).record()


def _match(catalogue: Catalogue, job: Mapping[str, Any]) -> HostedMatch:
    hosted = job["hosted"]
    return HostedMatch(catalogue.game(hosted["game"]), hosted, job["seat"], job["handle"])


def _standings(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    from plyglass.serve.runs import standings_at  # only servers with --runs need it

    return standings_at(Path(job["path"]))


def _played(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    from plyglass.serve.runs import matches_at

    return {"matches": matches_at(Path(job["path"]))}


def _replayed(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    from plyglass.serve.runs import record_at

    over = until(cancelled, job["left"])
    return record_at(catalogue, Path(job["path"]), job["number"], over)


JOBS = {
    "about": _about, "decide": _decide, "start": _start, "act": _act, "look": _look, "back": _back,
    "resign": _resign, "record": _record, "analyse": analyse, "watch": watch,
    "standings": _standings, "played": _played, "replayed": _replayed,
    "review": review_ply, "why": why_not,
}  # fmt: skip


def _went_on(
    match: HostedMatch, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    match.go_on(tell, until(cancelled, job["grant"]), job["kept"])
    placed = {"position": match.position(job["kept"]), "mover": match.mover}
    room = {"ticket_bytes": room_for(match.served.game)}
    return {"hosted": match.match, "ply": match.ply, **placed, **room}


def _limit_memory(size: int) -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (size, size))
