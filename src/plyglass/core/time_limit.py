"""A time limit for Python code that may never end, such as interpreted rules.

When the time is over, an error is raised in the thread that runs the code. The error arrives
between two instructions of Python, so it does not stop compiled code.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class NeverEnded(Exception):
    """Raised in the code that exceeded its time limit."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `NeverEnded` within the block if the block takes longer than `seconds`."""
    thread, lock, over = threading.get_ident(), threading.Lock(), threading.Event()

    def stop() -> None:
        with lock:
            if not over.is_set():
                _raise_in(thread, NeverEnded)

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over.set()
            _raise_in(thread, None)  # discard an error that has not arrived yet
        timer.cancel()


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    what = ctypes.py_object() if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


class CallLimit:
    """A limit for single calls: `NeverEnded` is raised in this thread if a call exceeds `seconds`.

    The caller must call `tell` with a name before each call, and with an empty name after it.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._thread = seconds, threading.get_ident()
        self._lock, self._over = threading.Lock(), threading.Event()
        self._name, self._since = "", 0.0

    def tell(self, name: str) -> None:
        self._name, self._since = name, time.monotonic()

    def __enter__(self) -> CallLimit:
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over.set()
            _raise_in(self._thread, None)

    def _watch(self) -> None:
        while not self._over.wait(self._seconds / 10):
            with self._lock:
                if self._name and time.monotonic() - self._since > self._seconds:
                    if not self._over.is_set():
                        _raise_in(self._thread, NeverEnded)
                    return
