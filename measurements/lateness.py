"""Measure how late decisions are, for every planner and default player in every game.

    python measurements/lateness.py [FILE.json] [--games uct,pig] [--planners random,players]
        [--seconds 0.005,0.05,0.5] [--decisions 200,200,40] [--clock cpu] [--again]

Writes `measurements/data/lateness.json` and prints a table. The script skips cells that the file
already has from the same code, so an interrupted run can be resumed.

A cell is a planner in a game with a time limit for each decision. All seats have this planner.
Lateness is the time from the call of `decide` to its answer, minus the limit. `observe` is the
longest time that processing a view took between decisions. Before every decision, a loop does
nothing until its time is over. The lateness of this loop is caused by the machine. The CPU time of
the thread shows whether a decision worked too long or had to wait for the processor.

With `--clock cpu`, limits and lateness are CPU time of the thread. So the table shows the planners'
own lateness, even on a machine that others use.
"""

import argparse
import gc
import hashlib
import json
import time
from pathlib import Path

import numpy as np
from rich.progress import Progress

import plyglass as pg
from plyglass.arena.match.match import first_position
from plyglass.arena.specs import agent_from, resolved
from plyglass.core.seeds import derive
from plyglass.planners import PLANNERS
from plyglass.search import clock
from plyglass.search.clock import now
from plyglass.search.threads import one_thread

HERE = Path(__file__).parent
SOURCE = Path(pg.__file__).parent
PLAYERS = "players"  # in place of a planner: the default player of each game
BELIEFS = ("fresh", "particles", "tracks")
CLOCKS = {"cpu": time.CLOCK_THREAD_CPUTIME_ID, "wall": time.CLOCK_MONOTONIC}
MOST_LOOP = 0.005  # seconds of the loop before a decision
PATIENCE = 20  # a cell stops when it has taken so many times its planned time
FURTHER = {  # players with a setting that is known to be slow
    "duelyst": (
        "plan-tournament:evaluator=learned",
        "one-ply-mcts:rollout=greedy",
        "representative-moves:classes=clusters",
    ),
    "tubstap": ("whole-turns:turn=turn(beam=16)",),
}


def agents_of(name, planners):
    """Every agent that is measured in a game, without budgets."""
    game = pg.game_from(name)
    beliefs = [each for each in BELIEFS if each != "tracks" or game.trackers]
    tracks = f"tracks(others={next(iter(game.trackers))})" if game.trackers else ""
    beliefs = [tracks if each == "tracks" else each for each in beliefs]
    for number, planner in enumerate(planners):
        if planner == PLAYERS:
            yield without_budget(resolved(game.opponent, game))
            yield from FURTHER.get(name, ())
        else:
            belief = beliefs[number % len(beliefs)] if game.hides else "fresh"
            mark = "," if ":" in planner else ":"
            yield f"{planner}{mark}belief={belief}"


def without_budget(text):
    """An agent's text without its budget, which is its last parameter."""
    head, _, last = text.rpartition("," if "," in text else ":")
    return head if last.partition("=")[0] in ("seconds", "iterations", "turn_seconds") else text


def with_budget(text, seconds):
    """An agent that decides within this time."""
    return agent_from(f"{text}{',' if ':' in text else ':'}seconds={seconds}")


def measured(game, agent, seconds, decisions):
    """Milliseconds of lateness of decisions and of the loop, by wall clock and CPU time."""
    found = {"late": [], "cpu": [], "loop": [], "observe": []}
    most = time.perf_counter() + PATIENCE * seconds * decisions + 5
    match = 0
    while len(found["late"]) < decisions and time.perf_counter() < most:
        seed = derive(27, match)
        match += 1
        seats = [
            agent.take_seat(game, seat, derive(seed, seat + 1)) for seat in range(game.players)
        ]
        world, action, mover = first_position(game, seed), None, -1
        while len(found["late"]) < decisions and time.perf_counter() < most:
            show(world, agent, seats, action, mover, found)
            if world.over:
                break
            mover = world.to_move
            found["loop"].append(loop(min(seconds, MOST_LOOP)))
            began, worked = now(), time.thread_time_ns()
            action = seats[mover].decide().action
            ended, done = now(), time.thread_time_ns()
            found["late"].append(1e-6 * (ended - began) - 1e3 * seconds)
            found["cpu"].append(1e-6 * (done - worked) - 1e3 * seconds)
            world.apply(action)
    return found


def show(world, agent, seats, action, mover, found):
    """Give every seat its current view, and note how long the seats took."""
    for number, seat in enumerate(seats):
        view = world.hide(number)
        began = now()
        if agent.cheats:
            seat.reveal(world.copy())
        seat.observe(action if number == mover else None, view)
        found["observe"].append(1e-6 * (now() - began))


def loop(seconds):
    """Do nothing until the time is over; return by how many milliseconds the end was late."""
    end = now() + 1e9 * seconds
    while (at := now()) < end:
        pass
    return 1e-6 * (at - end)


def summary(found):
    """Quantiles of what was measured, in milliseconds."""
    row = {"decisions": len(found["late"])}
    for name, values in found.items():
        p50, p99, most = np.quantile(values, (0.5, 0.99, 1.0))
        row[name] = {"p50": round(p50, 2), "p99": round(p99, 2), "max": round(most, 2)}
    return row


def code():
    """A digest of the package's sources."""
    seal = hashlib.blake2b(digest_size=6)
    for file in sorted(SOURCE.rglob("*.py")):
        seal.update(file.relative_to(SOURCE).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{pg.__version__}+{seal.hexdigest()}"


def cell(name, text, seconds, decisions):
    """One row of the table, or the reason if the planner refuses the game."""
    row = {"game": name, "agent": text, "seconds": seconds}
    game = pg.game_from(name)
    try:
        agent = with_budget(text, seconds)
        agent.take_seat(game, 0, 0)
    except ValueError as refusal:
        return {**row, "refused": str(refusal)}
    began = time.perf_counter()
    try:
        agent.warm(game)
        row["warm_seconds"] = round(time.perf_counter() - began, 2)
        gc.collect()
        return {**row, **summary(measured(game, agent, seconds, decisions))}
    except RuntimeError as refusal:  # found out while it searches
        return {**row, "refused": str(refusal)}


def table(rows):
    """The rows as text, the latest first."""
    measured_rows = [row for row in rows if "late" in row]
    yield (
        f"{'game':20} {'ms':>4} {'n':>4} {'p50':>8} {'p99':>8} {'max':>8} {'cpu max':>8} "
        f"{'loop p99':>8} {'loop max':>8} {'observe':>8}  agent"
    )
    for row in sorted(measured_rows, key=lambda row: -row["late"]["p99"]):
        late, wheel = row["late"], row["loop"]
        yield (
            f"{row['game'][:20]:20} {1e3 * row['seconds']:4.0f} {row['decisions']:4} "
            f"{late['p50']:8.1f} {late['p99']:8.1f} {late['max']:8.1f} {row['cpu']['max']:8.1f} "
            f"{wheel['p99']:8.1f} {wheel['max']:8.1f} {row['observe']['max']:8.1f}  {row['agent']}"
        )
    refused = len(rows) - len(measured_rows)
    yield f"{len(measured_rows)} cells; {refused} more in which the planner refuses the game."


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=HERE / "data" / "lateness.json")
    parser.add_argument("--games", default=",".join(pg.games.names()))
    parser.add_argument("--planners", default=",".join([*PLANNERS, PLAYERS]))
    parser.add_argument("--seconds", default="0.005,0.05,0.5")
    parser.add_argument("--decisions", default="200,200,40")
    parser.add_argument("--clock", choices=CLOCKS, default="cpu")
    parser.add_argument("--again", action="store_true", help="measure what the file has, too")
    options = parser.parse_args()
    clock.kind = CLOCKS[options.clock]
    seconds = [float(each) for each in options.seconds.split(",")]
    decisions = [int(each) for each in options.decisions.split(",")]
    jobs = [
        (name, text, limit, count)
        for name in options.games.split(";" if ";" in options.games else ",")
        for text in agents_of(name, options.planners.split(";" if ";" in options.planners else ","))
        for limit, count in zip(seconds, decisions, strict=True)
    ]
    known = json.loads(options.file.read_text()) if options.file.exists() else {"cells": []}
    digest = code()
    rows = {
        (row["game"], row["agent"], row["seconds"], row["clock"]): row for row in known["cells"]
    }
    with Progress() as progress, one_thread():
        bar = progress.add_task("lateness", total=len(jobs))
        for name, text, limit, count in jobs:
            key = name, text, limit, options.clock
            progress.update(bar, advance=1, description=f"{name} {text[:40]} {limit}")
            if options.again or rows.get(key, {}).get("code") != digest:
                rows[key] = {
                    **cell(name, text, limit, count),
                    "clock": options.clock,
                    "code": digest,
                }
                options.file.write_text(json.dumps({"cells": [*rows.values()]}, indent=1) + "\n")
    for line in table([rows[*job[:3], options.clock] for job in jobs]):
        print(line)


if __name__ == "__main__":
    main()
