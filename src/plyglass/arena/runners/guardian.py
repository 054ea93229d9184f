"""A small process that ends what a local Ray leaves behind when its driver is killed. Linux only.

Ray's servers and workers notice the end of their driver within seconds. Ray's agents
(`DashboardAgent`, `RuntimeEnvAgent`) also notice it, but then try for a minute to report it to a
server that is gone. The guardian remembers which processes run below the driver's raylet. When the
driver ends, the pipe to the guardian closes, and the guardian ends the remaining processes.

The guardian runs as a file, not as a module of the package, and imports nothing that takes time.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LOOK_SECONDS = 1.0  # between two looks at the processes


def start_guardian() -> subprocess.Popen[bytes] | None:
    """Start a guardian of this process; keep the result alive.

    The result is None on systems other than Linux.
    """
    if sys.platform != "linux":
        return None
    command = [sys.executable, "-I", "-S", __file__, str(os.getpid())]
    # In its own session, Ctrl-C for the driver does not reach it.
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)


def guard(driver: int) -> None:
    """Remember the processes below a driver's raylet until the pipe closes, then end them."""
    known: dict[int, str] = {}
    while not select.select([sys.stdin], [], [], LOOK_SECONDS)[0]:
        for raylet in (
            child for child in _children(driver) if _name_and_start(child)[0] == "raylet"
        ):
            known |= {pid: _name_and_start(pid)[1] for pid in _descendants(raylet)}
    for pid, start in known.items():
        # Otherwise another process has the number by now.
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
    """Return the name and start time of a process, as a later process may reuse its number.

    Name and time are empty if the process is gone.
    """
    with suppress(OSError):
        name, _, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
        return name, rest.split()[19]
    return "", ""


if __name__ == "__main__":
    guard(int(sys.argv[1]))
