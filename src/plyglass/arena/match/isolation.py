"""Run a user's own players in a process that does not hold the true world.

Plyglass's own agents receive only views. A user's own code also receives only views, but runs in
the same process as the match. So this code could read the true world from memory, remember a deal
until the deal is played again with swapped seats, or open the store of the run. `Isolated` starts a
new process for every match. The process receives the game's name, its seat, a seed and views. The
operating system denies it access to files and to other processes (see `sandbox`). The process sends
back only JSON, which this module checks.
"""

from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import re
import subprocess
import sys
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from plyglass.arena.specs import text_of_game
from plyglass.core.game import Game
from plyglass.core.world import View
from plyglass.extensions import Kind, offered
from plyglass.search.interface import Budget, Decision

KINDS: tuple[Kind, ...] = ("planner", "belief")
KEPT = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV", "SYSTEMROOT")
KEPT_PREFIXES = ("PLYGLASS_", "NUMBA_", "LC_", "OMP_", "OPENBLAS_")
MOST_BYTES = 1 << 22  # the size limit of one answer


@dataclass(frozen=True)
class Isolated:
    """A user's own player, which runs in a new process for every match.

    >>> pg.play(game, [pg.Isolated("my_player.py@Mine"), pg.agent_from("uct")])

    `text` names the player as settings do: `file.py@Class:parameter=value`, or an agent with a
    user's own planner or belief.
    """

    text: str
    foreign: ClassVar[bool] = True

    @property
    def cheats(self) -> bool:
        if bool(_asked(self.text)["cheats"]):
            raise ValueError(
                f"{self.text} asks for more than its views, which an isolated player is never "
                "given; play it without isolation."
            )
        return False

    @property
    def budget(self) -> Budget | None:
        """The budget that the player declares and that the referee enforces."""
        limits = _asked(self.text)["budget"]
        return None if limits is None else Budget(**limits)

    def take_seat(self, game: Game, seat: int, seed: int) -> IsolatedSeat:
        return IsolatedSeat(self.text, game, seat, seed)


class IsolatedSeat:
    """A seat whose player runs in another process."""

    def __init__(self, text: str, game: Game, seat: int, seed: int) -> None:
        self._process = _Process(text)
        self._process.tell({"game": text_of_game(game), "seat": seat, "seed": seed, "player": text})
        self._process.answer()  # loading is not part of the first decision

    def observe(self, own_action: int | None, view: View) -> None:
        self._process.tell({"own": own_action, "view": view.row().tobytes().hex()})

    def decide(self) -> Decision:
        self._process.tell({"decide": True})
        return decision_from(self._process.answer())


class IsolationFailed(RuntimeError):
    """An isolated player raised an error, ended, or sent an invalid decision."""


class _Process:
    """A process of `isolated_seat` that exchanges lines of JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._running = subprocess.Popen(
            [sys.executable, "-m", "plyglass.arena.match.isolated_seat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                name: value
                for name, value in os.environ.items()
                if name in KEPT or name.startswith(KEPT_PREFIXES)
            },
        )
        self.end = weakref.finalize(self, _end, self._running)

    def tell(self, message: Mapping[str, Any]) -> None:
        assert self._running.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the next answer reports that the process ended
            self._running.stdin.write(json.dumps(message).encode() + b"\n")
            self._running.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self._running.stdout is not None
        line = self._running.stdout.readline(MOST_BYTES)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not line.endswith(b"\n") or not isinstance(answer, dict):
            raise IsolationFailed(f"The process of {self._text} ended without an answer.")
        if "error" in answer:
            raise IsolationFailed(f"{self._text} raised an error:\n{answer['error']}")
        return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


@functools.lru_cache(maxsize=256)
def _asked(text: str) -> dict[str, Any]:
    """Return what a player says about itself: whether it cheats, and its budget."""
    process = _Process(text)
    process.tell({"player": text})
    answer = process.answer()
    process.end()
    return answer


def decision_from(answer: Mapping[str, Any]) -> Decision:
    """Return the decision that another process sent; an invalid decision is refused."""
    try:
        return Decision(
            action=_whole(answer["action"]),
            actions=tuple(map(_whole, answer["actions"])),
            values=tuple(map(_number, answer.get("values", ()))),
            visits=tuple(map(_whole, answer.get("visits", ()))),
            line=tuple((_whole(player), _whole(each)) for player, each in answer.get("line", ())),
            spread=tuple(map(_number, answer.get("spread", ()))),
            depth=_whole(answer.get("depth", 0)),
            iterations=_whole(answer.get("iterations", 0)),
            evaluated=_whole(answer.get("evaluated", 0)),
            seconds=_number(answer.get("seconds", 0.0)) or 0.0,
            stop=_pair(answer.get("stop")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise IsolationFailed(
            f"An isolated player's answer is not a decision: {error!r}."
        ) from None


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{str(value)[:50]!r} is not a whole number")
    return value


def _pair(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    first, second = value
    return _whole(first), _whole(second)


def _number(value: Any) -> float | None:
    if value is None or (type(value) in (int, float) and math.isfinite(value)):
        return None if value is None else float(value)
    raise TypeError(f"{str(value)[:50]!r} is not a number")


def is_foreign_text(text: str) -> bool:
    """Return whether a text names a class in a file or another package, without importing it."""
    words = set(re.split(r"[:,=()]", text))
    return "@" in text or any(offer.name in words for kind in KINDS for offer in offered(kind))
