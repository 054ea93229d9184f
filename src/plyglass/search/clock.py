"""The clock limits the time of a decision, and lets a replay stop at the same point.

Every loop that may take long checks the clock by `late(clock)` at each step. Once the time is over
or the decision was cancelled, `late` returns True until the next decision begins. The search then
plays the best action found so far.

The clock counts the calls to `late`, which the code calls looks. After a given number of looks, a
search has done the same work on every machine. So the count at which a search stopped is recorded,
and a replay stops at the same count. The belief and the search have separate counts, because
watching a match may update a seat's belief before this seat decides.
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
LOOKS        how often the clock was checked
LAST         the number of the check at which a replay stops; 0 for no replay
CANCELLED    whether the decision was cancelled
DEADLINE     when the time is over, in nanoseconds; 0 for never
FUNCTION     the address of the C function `clock_gettime`; 0 if there is none
KIND         the first argument of `clock_gettime`, which selects one of the system's clocks
SECONDS, NANOSECONDS    the time that `clock_gettime` returns
"""
BELIEF_SHARE = 0.5  # the share of a decision's time that an update of the belief may take
POLL_SECONDS = 0.002  # time between two checks whether a decision was cancelled
NEVER = 0
kind = getattr(time, "CLOCK_MONOTONIC", 0)
"""The system's clock that measures time. Tests set CLOCK_THREAD_CPUTIME_ID, a clock that other
processes cannot disturb."""

Stop = tuple[int, int]  # the counts at which belief and search were stopped, each 0 if not stopped


@kernel
def late(clock):
    """Check the clock at this address, count the check, and return whether the time is over."""
    if read_int(clock, STOPPED) == 0:
        looks = read_int(clock, LOOKS) + 1
        write_int(clock, LOOKS, looks)
        if looks == read_int(clock, LAST) or read_int(clock, CANCELLED) != 0 or is_over(clock):
            write_int(clock, STOPPED, 1)
    return read_int(clock, STOPPED) != 0


@kernel
def is_stopped(clock):
    """Return whether the time was over at the last check of the clock."""
    return read_int(clock, STOPPED) != 0


@kernel
def is_over(clock):
    """Return whether the deadline has passed."""
    if read_int(clock, DEADLINE) == NEVER or read_int(clock, FUNCTION) == 0:
        return False
    call_int(read_int(clock, FUNCTION), (read_int(clock, KIND), clock + 8 * SECONDS))
    now = read_int(clock, SECONDS) * 1_000_000_000 + read_int(clock, NANOSECONDS)
    return now >= read_int(clock, DEADLINE)


class Clock:
    """The clock of one seat in one match.

    Attributes:
        belief, search: the addresses of the clock data that the kernels read.
    """

    def __init__(self) -> None:
        words = np.zeros((2, WORDS), np.int64)
        words[:, FUNCTION] = _function()
        self.belief = int(words.ctypes.data)
        self.search = self.belief + words.strides[0]
        self._words = words.data  # reads and writes single words faster than the array
        self._running, self._began = False, 0
        self._deadline = math.inf

    @contextlib.contextmanager
    def started(
        self,
        seconds: float | None,
        cancelled: Callable[[], bool] | None = None,
        stop: Stop = (0, 0),
    ) -> Iterator[None]:
        """Run the clock until the time is over, `cancelled()` is true, or a replay must stop.

        If a decision has begun already, this context changes nothing.
        """
        if self._running:
            yield
            return
        self._begin(seconds, stop)
        try:
            with _watched(cancelled, self.cancel):
                yield
        finally:
            self._running = False
            self._write((BELIEF, SEARCH), (STOPPED, LOOKS, LAST, CANCELLED, DEADLINE), 0)

    def expect(self, stop: Stop) -> None:
        """Set the count at which a replayed belief stops; the decision need not have begun."""
        self._words[BELIEF, LAST] = stop[BELIEF]

    @property
    def running(self) -> bool:
        """Return whether a decision is being made."""
        return self._running

    @property
    def stopped(self) -> bool:
        """Return whether the search was stopped."""
        return bool(self._words[SEARCH, STOPPED])

    @property
    def belief_stopped(self) -> bool:
        """Return whether the belief was stopped."""
        return bool(self._words[BELIEF, STOPPED])

    @property
    def seconds(self) -> float:
        """Return the seconds since the decision began."""
        return 1e-9 * (now() - self._began)

    @property
    def left(self) -> float:
        """Return the remaining seconds, or infinity without a limit."""
        return math.inf if self._deadline == math.inf else 1e-9 * (self._deadline - now())

    @property
    def stop(self) -> Stop:
        """Return the counts at which the belief and the search were stopped, 0 if not stopped."""
        words = self._words
        return (
            words[BELIEF, LOOKS] if words[BELIEF, STOPPED] else 0,
            words[SEARCH, LOOKS] if words[SEARCH, STOPPED] else 0,
        )

    @property
    def cancelled(self) -> bool:
        """Return whether the decision was cancelled."""
        return bool(self._words[SEARCH, CANCELLED])

    def cancel(self) -> None:
        """Make belief and search stop at their next check of the clock."""
        self._write((BELIEF, SEARCH), (CANCELLED,), 1)

    def late(self) -> bool:
        """Check the clock for the search, count the check, and return whether the time is over."""
        return bool(late(self.search))

    def _begin(self, seconds: float | None, stop: Stop) -> None:
        self._running, self._began, self._deadline = True, now(), math.inf
        words = self._words
        self._write((BELIEF, SEARCH), (KIND,), kind)
        self._write((BELIEF, SEARCH), (CANCELLED,), 0)
        self._write((SEARCH,), (STOPPED, LOOKS), 0)
        words[BELIEF, LAST], words[SEARCH, LAST] = stop
        if seconds is not None:
            self._deadline = self._began + int(1e9 * seconds)
            words[SEARCH, DEADLINE] = self._deadline
            words[BELIEF, DEADLINE] = self._began + int(1e9 * BELIEF_SHARE * seconds)

    def _write(self, whose: tuple[int, ...], which: tuple[int, ...], value: int) -> None:
        for each in whose:
            for word in which:
                self._words[each, word] = value


def now() -> int:
    """Return the time in nanoseconds, by the clock that kernels read."""
    return time.clock_gettime_ns(kind) if hasattr(time, "clock_gettime_ns") else _counted()


@contextlib.contextmanager
def _watched(cancelled: Callable[[], bool] | None, cancel: Callable[[], None]) -> Iterator[None]:
    """Poll `cancelled` in a separate thread, and call `cancel` when it is true."""
    if cancelled is None:
        yield
        return
    over = threading.Event()

    def watch() -> None:
        while not over.wait(POLL_SECONDS):
            if cancelled():
                cancel()
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
    """Return the address of the C function `clock_gettime`, or 0 on a system without it."""
    if not hasattr(time, "clock_gettime_ns"):
        return 0
    if not JIT:
        return _interpreted
    return ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value or 0


_interpreted = 0 if JIT else callable_address(_write_time)
