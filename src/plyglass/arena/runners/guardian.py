"""A small process that ends the processes that a killed driver leaves behind. Linux only.

In a pool of processes, workers end with their driver. But a worker that is just starting does not
know its driver yet, and a player may have started processes of its own. All these processes inherit
a mark in their environment. When the driver ends, the guardian ends every process with this mark.

Ray's servers and workers notice the end of their driver within seconds. Ray's agents
(`DashboardAgent`, `RuntimeEnvAgent`) also notice it, but for a minute they try to report to a
server that no longer exists. The guardian remembers which processes run below the driver's raylet
(Ray's process on this machine). When the driver ends, the pipe to the guardian closes, and the
guardian ends the remaining processes.

The guardian runs as a script, not as a module of the package, and imports only modules that load
quickly.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOOK_SECONDS = 1.0  # between two searches for processes
LAST_LOOKS, LAST_SECONDS = 8, 0.15  # searches at the end, as a process may have started another
MARK = "PLYGLASS_RUN"


def start_guardian() -> subprocess.Popen[bytes] | None:
    """Start a guardian of this process.

    The guardian lives as long as the returned object, so keep a reference to this object. The
    function returns None on systems other than Linux.
    """
    if sys.platform != "linux":
        return None
    command = [sys.executable, "-I", "-S", __file__, str(os.getpid())]
    # In its own session, Ctrl-C for the driver does not reach it.
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)


@contextmanager
def guarded_children() -> Iterator[None]:
    """If this process is killed within the block, end all processes that it started there."""
    if sys.platform != "linux":
        yield
        return
    mark = f"{os.getpid()}-{os.urandom(8).hex()}"
    command = [sys.executable, "-I", "-S", __file__, MARK, mark]
    guardian = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    former = os.environ.get(MARK)
    os.environ[MARK] = mark
    try:
        yield
    finally:
        if former is None:
            del os.environ[MARK]
        else:
            os.environ[MARK] = former
        guardian.kill()
        guardian.communicate()


def is_child(process: int) -> bool:
    """Return whether a process is a child of this process; True on systems other than Linux."""
    return sys.platform != "linux" or process in _children(os.getpid())


def guard_mark(mark: str) -> None:
    """Wait until the pipe closes, then end all processes with this mark."""
    wanted = f"{MARK}={mark}".encode()
    select.select([sys.stdin], [], [])
    for number in range(LAST_LOOKS):
        if number:
            time.sleep(LAST_SECONDS)
        found = [pid for pid in _processes() if pid != os.getpid() and wanted in _environment(pid)]
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _environment(pid: int) -> list[bytes]:
    with suppress(OSError):  # the process is gone, or belongs to another user
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return []


def guard(driver: int) -> None:
    """Remember the processes below a driver's raylet until the pipe closes, then end them."""
    known: dict[int, str] = {}
    while not select.select([sys.stdin], [], [], LOOK_SECONDS)[0]:
        for raylet in (
            child for child in _children(driver) if _name_and_start(child)[0] == "raylet"
        ):
            known |= {pid: _name_and_start(pid)[1] for pid in _descendants(raylet)}
    for pid, start in known.items():
        # If name and start time differ, another process has the number by now.
        if start and _name_and_start(pid)[1] == start:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _descendants(pid: int) -> Iterator[int]:
    for child in _children(pid):
        yield child
        yield from _descendants(child)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


def _name_and_start(pid: int) -> tuple[str, str]:
    """Return the name and start time of a process, because a later process may reuse its number.

    Name and time are empty if the process is gone.
    """
    with suppress(OSError):
        name, _, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
        return name, rest.split()[19]
    return "", ""


if __name__ == "__main__":
    if sys.argv[1] == MARK:
        guard_mark(sys.argv[2])
    else:
        guard(int(sys.argv[1]))
