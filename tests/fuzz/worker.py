"""Reads many changed inputs in a separate process, which a crash or a hang may end.

    python -m tests.fuzz.worker SEED FIRST LAST

prints every input on a line before the input is read, and everything that went wrong.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.fuzz.entries import ENTRIES, Entry
from tests.fuzz.judge import flaw_of

MEMORY = 8 << 30  # bytes of address space
ORDER = tuple(entry for entry in ENTRIES for _ in range(entry.share))


def entry_of(number: int) -> Entry:
    """The entry of an input; every 100 inputs have all entries in their shares."""
    return ORDER[
        Random(number // len(ORDER)).sample(range(len(ORDER)), len(ORDER))[number % len(ORDER)]
    ]


def input_of(seed: int, number: int, seeds: list[bytes], entry: Entry) -> bytes:
    """The input of a number. Seed and number determine it."""
    chance = Random(f"{seed} {number}")
    return entry.change(chance.choice(seeds), chance)


def main(seed: int, first: int, last: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory(prefix="plyglass-fuzz-") as top:
        folders, seeds = {}, {}
        for entry in ENTRIES:
            folders[entry.name] = Path(top) / entry.name.replace(" ", "-")
            folders[entry.name].mkdir()
            seeds[entry.name] = entry.seeds(folders[entry.name])
        _warm(seeds, folders)
        for number in range(first, last):
            entry = entry_of(number)
            print(json.dumps({"number": number, "entry": entry.name}), flush=True)
            data = input_of(seed, number, seeds[entry.name], entry)
            if flaw := flaw_of(entry, data, folders[entry.name]):
                told = {"number": number, "entry": entry.name, "flaw": flaw, "data": data.hex()}
                print(json.dumps(told), flush=True)
    print(json.dumps({"done": last - first}), flush=True)


def _warm(seeds: dict[str, list[bytes]], folders: dict[str, Path]) -> None:
    """Read every true input, which compiles or loads what the changed ones need."""
    for entry in ENTRIES:
        for data in seeds[entry.name]:
            entry.read(data, folders[entry.name])
            print(json.dumps({"warm": entry.name}), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
