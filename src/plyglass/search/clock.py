"""The clock of a decision: kernels look at it, and a replay stops where the clock did.

Every loop that can be long asks `late(clock)` at each step. The answer is yes when the time is over
or the decision was cancelled, and stays yes until the next decision. The search then answers with
the best that it has.

Looks at the clock are counted. How many there are does not depend on time, so a count says exactly
where a search stopped, and a replay stops at the same look. The belief and the search have a count
each: an onlooker may bring a belief up to date before its seat decides.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import math
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np

from plyglass.core.compile import JIT, kernel
from plyglass.core.memory import call_int, callable_address, read_int, write_int

BELIEF, SEARCH = range(2)
STOPPED, LOOKS, LAST, CANCELLED, DEADLINE, FUNCTION, KIND, SECONDS, NANOSECONDS = range(9)
WORDS = 9
"""The words of a clock:

STOPPED      whether the time is over
LOOKS        how often it was looked at
LAST         the look at which a replay stops; 0 for none
CANCELLED    whether somebody wants an answer now
DEADLINE     when the time is over, in nanoseconds; 0 for never
FUNCTION     the address of the C function `clock_gettime`; 0 if there is none
KIND         its first argument: which clock
SECONDS, NANOSECONDS    what it returns
"""
BELIEF_SHARE = 0.5  # of the time of a decision that bringing the belief up to date may take
POLL_SECONDS = 0.002  # between two questions whether a decision was cancelled
NEVER = 0
kind = getattr(time, "CLOCK_MONOTONIC", 0)
"""Which clock measures time. Tests set CLOCK_THREAD_CPUTIME_ID, which other processes cannot
disturb."""

Stop = tuple[int, int]  # the looks of belief and search at which each was stopped; 0 if it was not


@kernel
def late(clock):
    """Look at the clock at this address; whether the time is over."""
    if read_int(clock, STOPPED) == 0:
        looks = read_int(clock, LOOKS) + 1
        write_int(clock, LOOKS, looks)
        if looks == read_int(clock, LAST) or read_int(clock, CANCELLED) != 0 or is_over(clock):
            write_int(clock, STOPPED, 1)
    return read_int(clock, STOPPED) != 0


@kernel
def is_stopped(clock):
    """Whether the time was over at the last look."""
    return read_int(clock, STOPPED) != 0


@kernel
def is_over(clock):
    """Whether the deadline has passed."""
    if read_int(clock, DEADLINE) == NEVER or read_int(clock, FUNCTION) == 0:
        return False
    call_int(read_int(clock, FUNCTION), (read_int(clock, KIND), clock + 8 * SECONDS))
    now = read_int(clock, SECONDS) * 1_000_000_000 + read_int(clock, NANOSECONDS)
    return now >= read_int(clock, DEADLINE)


class Clock:
    """The clock of one seat in one match.

    Attributes:
        belief, search: the addresses that kernels look at.
    """

    def __init__(self) -> None:
        self._words = np.zeros((2, WORDS), np.int64)
        self._words[:, FUNCTION] = _function()
        self.belief, self.search = (int(row.ctypes.data) for row in self._words)
        self._running, self._began = False, 0
        self._deadline = math.inf

    @contextlib.contextmanager
    def started(
        self,
        seconds: float | None,
        cancelled: Callable[[], bool] | None = None,
        stop: Stop = (0, 0),
    ) -> Iterator[None]:
        """Run until a time is over or `cancelled()`, or until the looks at which a replay stops.

        Within a decision that has begun, this changes nothing.
        """
        if self._running:
            yield
            return
        self._begin(seconds, stop)
        try:
            with _watched(cancelled, self._words[:, CANCELLED]):
                yield
        finally:
            self._running = False
            self._words[:, [STOPPED, LOOKS, LAST, CANCELLED, DEADLINE]] = 0

    def expect(self, stop: Stop) -> None:
        """Let the belief stop at a look before the decision begins, if somebody asks it earlier."""
        self._words[BELIEF, LAST] = stop[BELIEF]

    @property
    def running(self) -> bool:
        """Whether a decision is being made."""
        return self._running

    @property
    def stopped(self) -> bool:
        """Whether the search was stopped."""
        return bool(self._words[SEARCH, STOPPED])

    @property
    def belief_stopped(self) -> bool:
        """Whether the belief was stopped."""
        return bool(self._words[BELIEF, STOPPED])

    @property
    def seconds(self) -> float:
        """The time since the decision began."""
        return 1e-9 * (now() - self._began)

    @property
    def left(self) -> float:
        """The seconds that are left; infinite without a limit."""
        return math.inf if self._deadline == math.inf else 1e-9 * (self._deadline - now())

    @property
    def stop(self) -> Stop:
        """Where belief and search were stopped so far."""
        belief, search = (int(row[LOOKS]) if row[STOPPED] else 0 for row in self._words)
        return belief, search

    @property
    def cancelled(self) -> bool:
        """Whether the decision was cancelled."""
        return bool(self._words[SEARCH, CANCELLED])

    def cancel(self) -> None:
        """Let belief and search stop at their next looks."""
        self._words[:, CANCELLED] = 1

    def late(self) -> bool:
        """Look at the clock for the search; whether the time is over."""
        return bool(late(self.search))

    def _begin(self, seconds: float | None, stop: Stop) -> None:
        self._running, self._began, self._deadline = True, now(), math.inf
        words = self._words
        words[:, KIND], words[:, CANCELLED] = kind, 0
        words[SEARCH, [STOPPED, LOOKS]] = 0
        words[:, LAST] = stop
        if seconds is not None:
            self._deadline = self._began + int(1e9 * seconds)
            words[SEARCH, DEADLINE] = self._deadline
            words[BELIEF, DEADLINE] = self._began + int(1e9 * BELIEF_SHARE * seconds)


def now() -> int:
    """The time in nanoseconds, by the clock that kernels look at."""
    return time.clock_gettime_ns(kind) if hasattr(time, "clock_gettime_ns") else _counted()


@contextlib.contextmanager
def _watched(cancelled: Callable[[], bool] | None, words: np.ndarray) -> Iterator[None]:
    """Ask in a thread of its own whether the decision was cancelled, and tell the kernels."""
    if cancelled is None:
        yield
        return
    over = threading.Event()

    def watch() -> None:
        while not over.wait(POLL_SECONDS):
            if cancelled():
                words[:] = 1
                return

    thread = threading.Thread(target=watch, name="plyglass-clock", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _counted() -> int:
    return time.perf_counter_ns()


def _write_time(which: int, address: int) -> int:
    seconds, nanoseconds = divmod(time.clock_gettime_ns(which), 1_000_000_000)
    write_int(address, 0, seconds)
    write_int(address, 1, nanoseconds)
    return 0


@functools.cache
def _function() -> int:
    """The address of `clock_gettime`; 0 on a system without it."""
    if not hasattr(time, "clock_gettime_ns"):
        return 0
    if not JIT:
        return _interpreted
    return ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value or 0


_interpreted = 0 if JIT else callable_address(_write_time)
