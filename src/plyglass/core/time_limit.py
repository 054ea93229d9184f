"""A time limit for Python code that may never end, such as interpreted rules.

An error is raised in the thread that runs the code. It arrives between two instructions of Python,
so compiled code is not stopped.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class NeverEnded(Exception):
    """Raised in the code that exceeded its time limit."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `NeverEnded` within the block if it takes longer than `seconds`."""
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
            _raise_in(thread, None)  # an error that has not arrived yet comes too late
        timer.cancel()


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    what = ctypes.py_object() if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
