"""Measure the CPU seconds of short commands, from the start of Python to its end.

    python measurements/warm_starts.py OUT.json ENVIRONMENT ...

Each ENVIRONMENT is the folder of an environment in which a wheel is installed. The commands run
nine times in turn, first in one environment, then in the next, so a busy machine slows all
environments equally. OUT.json gets the medians of user and system time, also for starting Python
and for importing NumPy.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

REPEATS = 9
COMMANDS = {
    "python": ["python", "-c", "pass"],
    "import numpy": ["python", "-c", "import numpy"],
    "import numpy, typer": ["python", "-c", "import numpy, typer"],
    "plyglass --help": ["plyglass", "--help"],
    "plyglass games": ["plyglass", "games"],
    "plyglass planners": ["plyglass", "planners"],
    "plyglass match connect-four random random": [
        "plyglass", "match", "connect-four", "random", "random",
    ],
    "the same with --games 2": [
        "plyglass", "match", "connect-four", "random", "random", "--games", "2",
    ],
}  # fmt: skip


def cpu_seconds(environment: Path, command: list[str]) -> float:
    """The user and system time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = [str(environment / "bin" / command[0]), *command[1:]]
    variables = {"PATH": os.environ["PATH"], "HOME": str(environment)}
    subprocess.run(program, env=variables, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(out: Path, *environments: Path) -> None:
    places = [(each, name) for name in COMMANDS for each in environments]
    runs: dict[tuple[Path, str], list[float]] = {place: [] for place in places}
    for number in range(REPEATS + 1):  # the first round fills the caches of Python and the system
        for each, name in places:
            seconds = cpu_seconds(each, COMMANDS[name])
            if number:
                runs[each, name].append(seconds)
    table = {
        each.name: {name: round(statistics.median(runs[each, name]), 3) for name in COMMANDS}
        for each in environments
    }
    for name in COMMANDS:
        print(f"{name:45}", *(f"{table[each.name][name]:7.3f}" for each in environments))
    out.write_text(json.dumps({"repeats": REPEATS, "cpu_seconds": table}, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(Path, sys.argv[2:]))
