"""Measure how strong the levels of games are: each level plays the level before.

    python measurements/levels.py [GAME ...] [--games 200] [--out results/levels] [--again]
    python measurements/levels.py --table

Writes `src/plyglass/games/levels.json`, which the package carries, and prints a table. A step
between two levels that the file has for the same two agents is not played again, and a run that was
interrupted resumes. `--table` only prints the table of `docs/playing.md`.

Two players meet on deals, each played in both seats. In poker, the level that takes more chips in a
deal wins the deal, because hands won would favour a level that never folds. In a game for one
player, both levels play the same deals alone, and the result is the difference of their scores.

Limits in seconds count CPU time of the thread, so other load on the machine changes nothing.
"""

import argparse
import datetime
import json
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import plyglass as pg
from plyglass import games
from plyglass.arena.code_version import code_of
from plyglass.arena.runners import runner_named
from plyglass.arena.tournament.driver import Tournament, open_run
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.settings import Settings
from plyglass.games.levels import FILE, GAIN, POINTS, measured_levels, recorded
from plyglass.search import clock
from plyglass.stats.paired import paired_t
from plyglass.stats.pairs import interval_of_rate

SEED = 3401
WEAKER, STRONGER = "weaker", "stronger"
WON_OR_LOST = -1.0, 1.0
LEAST_POINTS = 0.65
DIGITS = 4


def step(name, weaker, stronger, number, folder):
    """The result of one level against another, over `number` games."""
    game = pg.game_from(name)
    settings = Settings(
        (name,),
        {STRONGER: stronger, WEAKER: weaker},
        deals=number if game.players == 1 else -(-number // 2),
        seed=SEED,
        match_seconds=7200.0,
        hang_seconds=600.0,
    )
    folder.mkdir(parents=True, exist_ok=True)
    with open_run(folder / f"{settings.run_id}.sqlite", settings) as store:
        run = Tournament(settings, store, runner_named("serial", 1, settings.match_seconds))
        outcome = run.run()
        results = list(Referee(settings).results(run.counted_rows()))
    kind = GAIN if game.players == 1 else POINTS
    found = gain(results) if kind == GAIN else points(results, game.scores == WON_OR_LOST)
    return {
        "kind": kind,
        **dict(zip(("score", "low", "high"), (round(x, DIGITS) for x in found), strict=True)),
        "games": outcome.counted // (2 if kind == GAIN else 1),
        "date": datetime.date.today().isoformat(),
        "seed": SEED,
        "code": code_of(settings.canonical),
        "digest": outcome.digest,
    }


def points(results, by_match):
    """The points of the stronger level, with their interval by deals."""
    deals, totals = defaultdict(list), defaultdict(float)
    for result in results:
        seat = result.agents.index(STRONGER)
        deals[result.pair].append(result.points(seat))
        totals[result.pair] += result.scores[seat] - result.scores[1 - seat]
    if by_match:
        return interval_of_rate([*deals.values()])
    return interval_of_rate([[(1 + (x > 0) - (x < 0)) / 2] for x in totals.values()])


def gain(results):
    """The mean difference of scores on the same deals, with its interval."""
    alone = {STRONGER: [], WEAKER: []}
    for result in sorted(results, key=lambda each: each.number):
        alone[result.agents[0]].append(result.scores[0])
    found = paired_t([a - b for a, b in zip(alone[STRONGER], alone[WEAKER], strict=True)])
    if found.low is None:
        return found.mean, found.mean, found.mean
    return found.mean, found.low, found.high


def holds(result):
    """Whether a level is stronger than the level before, beyond chance."""
    return result["low"] > (0.0 if result["kind"] == GAIN else 0.5)


def measure(name, number, folder, again):
    """Play the steps of a game that have no result yet."""
    kept = recorded()
    game = pg.game_from(name)
    before = {(each["agent"], each["before"]): each for each in kept.get(name, ())}
    found = []
    for (weaker, weak), (level, strong) in pairwise(game.levels.items()):
        result = before.get((strong, weak))
        if result is None or again or result["games"] < number:
            began = time.process_time()
            result = {"agent": strong, "before": weak, **step(name, weak, strong, number, folder)}
            spent = time.process_time() - began
            print(
                f"{name}: {level} against {weaker}: {result['score']} ({result['low']} to "
                f"{result['high']}), {result['games']} games, {spent:.0f} CPU s"
                f"{'' if holds(result) else '; NOT SHOWN TO BE STRONGER'}",
                flush=True,
            )
        found.append(result)
        kept[name] = found + [each for each in before.values() if _later(each, found, game)]
        FILE.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")


def _later(each, found, game):
    """Whether a kept result is of a later step of the present levels."""
    steps = [(strong, weak) for weak, strong in pairwise(game.levels.values())]
    return (each["agent"], each["before"]) in steps[len(found) :]


def table():
    """All levels with their results, as Markdown."""
    lines = ["| game | levels, each against the one before (95 % interval; games) |", "|---|---|"]
    for name in games.names():
        game = pg.game_from(name)
        results = measured_levels(game)
        cells = [
            f"{level} {_told(results[level])}" if level in results else level
            for level in game.levels
        ]
        lines.append(f"| {name} | {', '.join(cells)} |")
    return "\n".join(lines)


def _told(result):
    if result.kind == GAIN:
        values = f"{result.score:+.3g} ({result.low:+.3g} to {result.high:+.3g}"
    else:
        values = f"{100 * result.score:.1f} % ({100 * result.low:.1f} to {100 * result.high:.1f}"
    return f"{values}; {result.games:,})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="GAME", default=games.names())
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path("results/levels"))
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    clock.kind = time.CLOCK_THREAD_CPUTIME_ID
    if not given.table:
        for name in given.names:
            measure(name, given.games, given.out, given.again)
    print(table())


if __name__ == "__main__":
    main()
