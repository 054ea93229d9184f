"""A seat for a user's own player, which protects the match from errors and closed files.

A user's code runs in the process of the match. This code may try to end or interrupt the process,
close its files, or return something that is not a decision. Each of these events is the fault of
that player alone, and the match reports it. Commands separate the text that a player prints from
their own output (see `cli.aside`).
"""

from __future__ import annotations

import math
import numbers
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from plyglass.arena.match.agent import CheatingSeat, Player, Seat
from plyglass.arena.match.descriptors import Descriptors
from plyglass.core.game import Game
from plyglass.core.world import View, World
from plyglass.search.interface import Decision

WHOLE = ("depth", "iterations", "evaluated")
LISTS = {"actions": "whole numbers", "visits": "whole numbers", "values": "numbers"}


class SeatFailed(Exception):
    """A user's own player did something forbidden; if an error was the cause, it is chained.

    Attributes:
        kind: as in `AgentFault`.
    """

    def __init__(self, why: str, kind: Literal["crashed", "illegal"] = "crashed") -> None:
        super().__init__(why)
        self.kind = kind


class GuardedSeat:
    """A seat of a user's own player, which raises no error except `SeatFailed`."""

    def __init__(self, seat: Seat, kept: Descriptors) -> None:
        self._seat, self._kept = seat, kept

    def observe(self, own_action: int | None, view: View) -> None:
        guarded(self._kept, self._seat.observe, own_action, view)

    def reveal(self, world: World) -> None:
        if isinstance(self._seat, CheatingSeat):
            guarded(self._kept, self._seat.reveal, world)

    def decide(self) -> Decision:
        decision = guarded(self._kept, self._seat.decide)
        refuse_no_decision(decision)
        return decision  # type: ignore[no-any-return]


def take_guarded(player: Player, game: Game, number: int, seed: int, kept: Descriptors) -> Seat:
    """Return the seat that a user's own player takes."""
    seat: Seat = guarded(kept, player.take_seat, game, number, seed)
    for name in ("observe", "decide"):
        if not callable(getattr(seat, name, None)):
            raise SeatFailed(f"returned {_shown(seat)} from take_seat, which has no method {name}")
    return seat


def guarded(kept: Descriptors, function: Callable[..., Any], *words: Any) -> Any:
    """Call a function of a player; every error becomes `SeatFailed`."""
    kept.look()
    with _interrupts() as pressed:
        try:
            result = function(*words)
        except BaseException as error:
            # Ctrl-C by the person at the terminal comes as a signal; a player's interrupt does not
            if pressed and isinstance(error, KeyboardInterrupt):
                raise
            lost = kept.restore()
            also = f"; it also closed {lost}" if lost else ""
            raise SeatFailed(f"{described(error)}{also}") from error
    if lost := kept.restore():
        raise SeatFailed(f"closed {lost}, which belong to the match")
    return result


def described(error: BaseException) -> str:
    """Describe an error, with the last line of the user's code in its traceback."""
    try:
        said = " ".join(str(error).split())[:300]
    except Exception:
        said = "(its text cannot be made)"
    frames = traceback.extract_tb(error.__traceback__)
    place = ""
    for frame in reversed(frames):
        if "plyglass" not in frame.filename or "/tests/" in frame.filename:
            place = f" ({frame.filename}, line {frame.lineno})"
            break
    name = type(error).__name__
    return f"raised {name}: {said}{place}" if said else f"raised {name}{place}"


def refuse_no_decision(decision: Any) -> None:
    """Refuse a value that is not a decision, or a decision with invalid parts."""
    if not isinstance(decision, Decision):
        raise SeatFailed(
            f"returned {_shown(decision)} from decide; return a Decision(action, actions) with one "
            "of view.legal()"
        )
    if not _is_whole(decision.action):
        raise SeatFailed(
            f"decided for {_shown(decision.action)}, which is no whole number", "illegal"
        )
    for name, kind in LISTS.items():
        values = getattr(decision, name)
        if not isinstance(values, tuple | list) or not all(
            _is_whole(each) if name != "values" else each is None or _is_finite(each)
            for each in values
        ):
            raise SeatFailed(f"returned a decision whose {name} are not {kind}: {_shown(values)}")
    for name in WHOLE:
        if not _is_whole(getattr(decision, name)):
            raise SeatFailed(
                f"returned a decision whose {name} is no whole number: "
                f"{_shown(getattr(decision, name))}"
            )


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _is_finite(value: Any) -> bool:
    return isinstance(value, numbers.Real) and math.isfinite(value)


def _shown(value: Any) -> str:
    try:
        return f"{value!r}"[:80]
    except Exception:
        return f"an object of {type(value).__name__}"


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Yield a list that gets an element when somebody presses Ctrl-C within the block."""
    pressed: list[int] = []
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield pressed
        return

    def note(number: int, frame: Any) -> Any:
        pressed.append(number)
        return handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, handler)
