"""Play all games in one process for hours, and resume a tournament 20 times.

    python measurements/soak.py [FILE.json] [--minutes 120]

Writes `measurements/data/soak.json` after every round. Memory, open descriptors, temporary files,
shared memory, threads and child processes must not grow. A round plays matches of every game, and
the agents change from round to round. Twenty times, at equal intervals, the same process resumes a
tournament with two workers and stops it after some matches, as Ctrl-C does. At the end, the digest
of the tournament is compared with that of a serial run.

Growth is the median of the last quarter of the run minus the median of the second quarter. The
first quarter does not count, because it loads code. Only temporary files in the folder of this
process and its workers are counted. Shared memory is measured on the whole machine, so other
programs may change it.
"""

import argparse
import gc
import hashlib
import json
import os
import statistics
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import psutil

import plyglass as pg
from plyglass.arena.runners import runner_named
from plyglass.arena.tournament.driver import Tournament, open_run
from plyglass.arena.tournament.settings import Settings
from plyglass.core.compile import compilations

HERE = Path(__file__).parent
SOURCE = Path(pg.__file__).parent
AGENTS = (
    "uct:iterations=40",
    "random",
    "so-ismcts:iterations=40",
    "greedy:worlds=4",
    "uct:belief=particles(worlds=40),iterations=40",
    "mo-ismcts:iterations=40",
    "pimc:worlds=2,inner=uct(),iterations=20",
    "pomcp:iterations=40",
)
RESUMED = 20
SECONDS = 0.5  # for the matches of a game in a round; one is always played
PART = 40  # matches until the tournament is stopped again
TOURNAMENT = Settings(
    games=("tic-tac-toe", "kuhn-poker", "connect-four"),
    agents={"a": "uct:iterations=60", "b": "random"},
    deals=RESUMED * PART // 6 + 1,
    seed=29,
)
LEVELS = ("resident_mb", "descriptors", "temporary_files", "shared_memory", "threads", "children")


def code():
    """A digest of the package's sources."""
    seal = hashlib.blake2b(digest_size=6)
    for file in sorted(SOURCE.rglob("*.py")):
        seal.update(file.relative_to(SOURCE).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{pg.__version__}+{seal.hexdigest()}"


def sample(began, matches):
    """The current memory, descriptors, files, threads and child processes of this process."""
    gc.collect()
    own = psutil.Process()
    shared = Path("/dev/shm")
    return {
        "minute": round((time.monotonic() - began) / 60, 2),
        "matches": matches,
        "resident_mb": round(own.memory_info().rss / 1e6, 1),
        "descriptors": own.num_fds(),
        "temporary_files": sum(1 for _ in Path(tempfile.gettempdir()).rglob("*")),
        "shared_memory": len(list(shared.iterdir())) if shared.is_dir() else 0,
        "threads": threading.active_count(),
        "children": len(own.children(recursive=True)),
    }


def agents_for(game, text, turn):
    """Agents for a match; a planner that refuses the game is passed over."""
    found = []
    for step in range(len(AGENTS)):
        agent = pg.agent_from(AGENTS[(turn + step) % len(AGENTS)])
        try:
            agent.take_seat(game, 0, 0)
        except (ValueError, TypeError):
            continue
        found.append(agent)
        if len(found) == game.players:
            return found
    raise RuntimeError(f"Not enough agents play {text}.")


def play_round(turn, played):
    """Play a match of every game, and several matches of quick games."""
    for number, text in enumerate((*pg.games.names(), "skirmish:fog=true", "tubstap:fog=true")):
        game = pg.game_from(text)
        agents = agents_for(game, text, turn + number)
        until = time.monotonic() + SECONDS
        while True:
            match = pg.play(game, agents, seed=played[text])
            played[text] += 1
            if time.monotonic() > until:
                break
        pg.record_of(match).save(Path(tempfile.gettempdir()) / "record.json")


class Enough(Exception):
    """The tournament has played enough for now."""


def resume(path):
    """Resume the tournament, and stop it after some matches; return the outcome if it is over."""
    with open_run(path, TOURNAMENT) as store:
        tournament = Tournament(TOURNAMENT, store, runner_named("processes", 2, 60.0), 4)
        first = len(store.numbers())

        def stop(progress):
            if progress.stored >= first + PART:
                raise Enough

        try:
            return tournament.run(stop).digest
        except Enough:
            return ""


def growth(samples):
    """The median of the last quarter minus that of the second quarter, for each counted thing."""
    part = len(samples) // 4
    found = {}
    for name in LEVELS:
        values = [each[name] for each in samples]
        second, last = values[part : 2 * part], values[3 * part :]
        if second and last:
            found[name] = round(statistics.median(last) - statistics.median(second), 2)
    return found


def thinned(samples, most=40):
    step = -(-len(samples) // most)
    return samples[::step]


def write(file, about, samples):
    about = {**about, "growth": growth(samples), "samples": thinned(samples)}
    text = json.dumps({key: value for key, value in about.items() if key != "samples"}, indent=1)
    rows = ",\n".join(f"  {json.dumps(each)}" for each in about["samples"])
    file.write_text(f'{text[:-2]},\n "samples": [\n{rows}\n ]\n}}\n', encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=HERE / "data" / "soak.json")
    parser.add_argument("--minutes", type=float, default=120.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plyglass-soak-") as top:
        tempfile.tempdir = os.environ["TMPDIR"] = str(Path(top) / "temporary")
        Path(tempfile.tempdir).mkdir()
        results = Path(top) / "run.sqlite"
        began, samples, played, resumed, digest = time.monotonic(), [], Counter(), 0, ""
        about = {"code": code()}
        while (minutes := (time.monotonic() - began) / 60) < options.minutes or resumed < RESUMED:
            play_round(len(samples), played)
            if resumed < RESUMED and minutes >= resumed * options.minutes / RESUMED:
                digest, resumed = resume(results), resumed + 1
            samples.append(sample(began, sum(played.values())))
            about.update(
                minutes=round(samples[-1]["minute"], 1),
                matches=sum(played.values()),
                by_game=dict(played),
                resumed=resumed,
                **compilations(),
            )
            write(options.file, about, samples)
        with open_run(Path(top) / "again.sqlite", TOURNAMENT) as store:
            again = Tournament(TOURNAMENT, store, runner_named("serial", 1, 60.0)).run()
        while not digest:
            digest, resumed = resume(results), resumed + 1
        about.update(resumed=resumed, matches_resumed=again.counted)
        about["one_digest"] = digest == again.digest
        write(options.file, about, samples)
    print(json.dumps({**about, "growth": growth(samples)}, indent=1))


if __name__ == "__main__":
    main()
