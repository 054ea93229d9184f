"""A small process that ends what a local Ray leaves behind when its driver is killed.

Ray's own servers and workers notice the end of their driver within seconds. Its agents
(`DashboardAgent`, `RuntimeEnvAgent`) notice it too, but then try for a minute to report it to a
server that is gone. This process remembers what runs below the driver's raylet, waits for the
driver to end, which closes the pipe between them, and ends what is left. Linux only.

It is run as a file, not as a module of the package, and imports nothing that takes time.
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

LOOK_SECONDS = 1.0  # between two looks at what runs


def start_guardian() -> subprocess.Popen[bytes] | None:
    """Watch over this process; keep what is returned for as long. None where the system is not
    Linux.
    """
    if sys.platform != "linux":
        return None
    command = [sys.executable, "-I", "-S", __file__, str(os.getpid())]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, start_new_session=True
    )  # not reached by a Ctrl-C for the driver


def guard(driver: int) -> None:
    """Remember what runs below the raylet of a driver until its end of the pipe closes, then end
    it.
    """
    known: dict[int, str] = {}
    while not select.select([sys.stdin], [], [], LOOK_SECONDS)[0]:
        for raylet in (
            child for child in _children(driver) if _name_and_start(child)[0] == "raylet"
        ):
            known |= {pid: _name_and_start(pid)[1] for pid in _descendants(raylet)}
    for pid, start in known.items():
        if (
            start and _name_and_start(pid)[1] == start
        ):  # otherwise the number belongs to somebody else by now
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
    """The name of a process and when it started, which no later process of the same number
    shares; empty where it is gone.
    """
    with suppress(OSError):
        name, _, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
        return name, rest.split()[19]
    return "", ""


if __name__ == "__main__":
    guard(int(sys.argv[1]))
