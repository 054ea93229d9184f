"""Pass mutated positions to the gate, and run unchecked rules on the admitted positions.

    python measurements/mutated_states.py [FILE.json] [--count 100000] [--games pig+tiger]

Writes `measurements/data/mutated-states.json` after every part of 1,000 positions of a game, and
resumes where it was stopped, as long as the code is the same. For each game the file counts the
gate's answers, and what happened in further play from the admitted positions. `hung` counts
positions for which checked rules took more than 5 CPU seconds. A signal or "written outside" is a
defect.

Each part runs in two processes of `tests/core/mutated_states.py`. The first runs the gate with
checked machine code, and the second plays with the usual machine code. Compiling the checked code
of a large game takes minutes, but only once.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import plyglass as pg

HERE = Path(__file__).parent
SOURCE = Path(pg.__file__).parent
GAMES = (*pg.games.names(), "skirmish:fog=true", "tubstap:fog=true")
LARGE = ("pandemic", "tubstap", "tubstap:fog=true", "duelyst")  # last: they take long to compile
PART = 1000


def code():
    """A digest of the sources of games, core and gate."""
    seal = hashlib.blake2b(digest_size=6)
    for folder in ("core", "games"):
        for file in sorted((SOURCE / folder).rglob("*.py")):
            seal.update(file.relative_to(SOURCE).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{pg.__version__}+{seal.hexdigest()}"


def run(*words, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.mutated_states", *map(str, words)],
        cwd=HERE.parent,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout)


def examine(text, seed, count):
    """One part of a game: the gate's answers, and what happened after admitted positions."""
    with tempfile.TemporaryDirectory() as folder:
        asked = run("gate", text, folder, count, seed, NUMBA_BOUNDSCHECK="1")[text]
        return asked, run("play", text, folder)[text]


def write(file, found):
    total = sum(sum(each["gate"].values()) for each in found["games"].values())
    defects = sum(each["defects"] for each in found["games"].values())
    found = {"code": found["code"], "positions": total, "defects": defects, "games": found["games"]}
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in
                      sorted(found["games"].items()))  # fmt: skip
    head = json.dumps({key: found[key] for key in ("code", "positions", "defects")}, indent=1)
    file.write_text(f'{head[:-2]},\n "games": {{\n{rows}\n }}\n}}\n', encoding="utf-8")


def defects(gate, play):
    """How many positions crashed a process, or made rules write outside."""
    wrong = [n for word, n in gate.items() if word not in ("admitted", "hung") and ":" not in word]
    return sum(wrong) + sum(n for word, n in play.items() if word != "in bounds")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=HERE / "data" / "mutated-states.json")
    parser.add_argument("--count", type=int, default=100_000, help="positions over all games")
    parser.add_argument("--games", default="+".join(GAMES))
    options = parser.parse_args()
    found = {"code": code(), "games": {}}
    if options.file.is_file():
        kept = json.loads(options.file.read_text(encoding="utf-8"))
        found = kept if kept["code"] == found["code"] else found
    names = sorted(options.games.split("+"), key=lambda text: (text in LARGE, text))
    each = -(-options.count // len(GAMES))
    for part in range(-(-each // PART)):
        for text in names:
            about = found["games"].setdefault(text, {"gate": {}, "play": {}, "defects": 0})
            done = sum(about["gate"].values())
            if done > part * PART or done >= each:
                continue
            began = time.monotonic()
            gate, play = examine(text, 29 + part, min(PART, each - done))
            about["gate"] = dict(sorted((Counter(about["gate"]) + Counter(gate)).items()))
            about["play"] = dict(sorted((Counter(about["play"]) + Counter(play)).items()))
            about["defects"] = defects(about["gate"], about["play"])
            write(options.file, found)
            print(f"{text} {part}: {gate} {play} {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
