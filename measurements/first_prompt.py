"""Measure how long a person waits in `plyglass play`, in a terminal, with an empty cache (Linux).

    python measurements/first_prompt.py ENVIRONMENT OUT.json [GAME ACTION ...]

ENVIRONMENT is the folder of an environment in which a wheel is installed. Without GAME, the game is
Duelyst, and the person keeps all cards and ends the first turn. The script starts the game five
times. OUT.json gets medians of three times, in seconds and in CPU seconds where possible: from the
start to the first prompt, from each action to the next prompt, and the longest time without output.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pexpect

REPEATS = 5
PROMPT = "? for help): "
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(process: int) -> float:
    """The user and system time of a process and of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def until_prompt(terminal: pexpect.spawn) -> float:
    """Wait for the prompt; return the longest time without any output."""
    text, longest, last = "", 0.0, time.monotonic()
    while PROMPT not in text:
        text += terminal.read_nonblocking(65536, timeout=600)
        now = time.monotonic()
        longest, last = max(longest, now - last), now
    return longest


def waits(command: Path, game: str, actions: Sequence[str]) -> dict[str, list[float]]:
    """The times that a person waits after starting a game and after each action; see `main`."""
    with tempfile.TemporaryDirectory() as folder:
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "PLYGLASS_CACHE": f"{folder}/cache",
        }
        began, used, found = time.monotonic(), 0.0, {}
        terminal = pexpect.spawn(
            str(command), ["play", game, "--seed", "1"], env={**variables, "TERM": "xterm"},
            cwd=folder, encoding="utf-8", dimensions=(50, 120),
        )  # fmt: skip
        for action in ("", *actions):
            if action:
                terminal.sendline(action)
            silent = until_prompt(terminal)
            now, cpu = time.monotonic(), cpu_seconds(terminal.pid)
            found[action or "start"] = [now - began, cpu - used, silent]
            began, used = now, cpu
        terminal.close(force=True)
    return found


def main(environment: Path, out: Path, game: str = "duelyst", *actions: str) -> None:
    """Write the seconds, the CPU seconds and the longest silence until each prompt."""
    played = actions or ("keep all", "end turn")
    command = environment / "bin" / "plyglass"
    runs = [waits(command, game, played) for _ in range(REPEATS)]
    table = {
        name: [round(statistics.median(column), 2) for column in zip(*each, strict=True)]
        for name, *each in ((name, *(run[name] for run in runs)) for name in runs[0])
    }
    print(table)
    out.write_text(json.dumps({"game": game, "repeats": REPEATS, "waits": table}, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
