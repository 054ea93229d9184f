"""A small process that ends a match if the match has made no step for too long.

The process of the match writes a note at each step (see `arena.tournament.note`). The watchdog
reads the note. If the note has not changed for too long, the watchdog says in one sentence what
hangs, and ends the process. It needs no answer from that process, so no player and no rule can stop
the watchdog. The watchdog runs as a script and imports only modules that load quickly.
"""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

LAYOUT = struct.Struct("<qqqq")  # as in `arena.tournament.note`
LOOKS = 20  # readings of the note in the time after which a match counts as hung
GRACE = 1.0  # seconds from asking the process to end until killing it


@contextmanager
def watched(seconds: float, advice: str, rules: Sequence[str] = ()) -> Iterator[IO[bytes]]:
    """Start a watchdog of this process; yield the file with the note that the watchdog reads.

    `advice` is a sentence that the watchdog adds: how to give a match more time. If `rules` are
    given, the note holds the number of one of these rules instead of the number of a match.
    """
    with tempfile.TemporaryFile() as note:
        told = [str(os.getpid()), str(note.fileno()), str(seconds), advice, *rules]
        # In its own session, Ctrl-C for this process does not reach it.
        watchdog = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, *told], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, pass_fds=[note.fileno()], start_new_session=True,
        )  # fmt: skip
        try:
            yield note
        finally:
            watchdog.kill()
            watchdog.wait()
            if watchdog.stdin is not None:
                watchdog.stdin.close()


def watch(process: int, note: int, seconds: float, advice: str, *rules: str) -> None:
    """Read the note until it has not changed for `seconds`, or until the pipe closes."""
    beats, since = 0, time.monotonic()
    while not select.select([sys.stdin], [], [], min(1.0, seconds / LOOKS))[0]:
        try:
            number, seat, now, _ = LAYOUT.unpack(os.pread(note, LAYOUT.size, 0))
        except (OSError, struct.error):
            continue
        if now != beats or number < 0:
            beats, since = now, time.monotonic()
        elif time.monotonic() - since >= seconds:
            who = f"Seat {seat + 1}" if seat >= 0 else "The start"
            what = f"{who} of game {number + 1} has made no step for {seconds:g} s, so the match"
            if rules:
                what = f"The rule {rules[number]} has not ended for {seconds:g} s, so the check"
            sys.stderr.write(f"error: {what} was ended. {advice}\n")
            sys.stderr.flush()
            _end(process)
            return


def _end(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGTERM)
        time.sleep(GRACE)
        os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    watch(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:])
