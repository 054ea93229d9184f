"""Measure the strength of the levels of games by matches of each level with the level before.

    python measurements/levels.py [GAME ...] [--games 200] [--levels hard] [--again]
    python measurements/levels.py --gate [GAME ...]
    python measurements/levels.py --table

The first command writes `src/plyglass/games/levels.json`, which is part of the package, and prints
a table. A step is a comparison of two neighbouring levels. The command skips steps that the file
already has for the same two agents, and resumes an interrupted run. `--table` only prints the table
of `docs/playing.md`.

In a game for two players, each deal is played twice, with the seats swapped. In poker, the level
that takes more chips in a deal wins the deal, because counting the hands won would favour a level
that never folds. In a game for one player, both levels play the same deals alone, and the result is
the difference of their scores.

`--gate` tests whether the hardest level, the game's shipped player, is still as strong as recorded.
On deals that the measurement did not use, a sequential test (SPRT) with error rates of 0.05 decides
between two shares of deals won against the level before: the lower end of the recorded interval,
and a tenth less. The command fails if a player is weaker, or if the test is still undecided after
all its deals. The gate does not notice a change that weakens both levels equally. But such a change
alters decisions, which `plyglass bench --signature` reports.

Limits in seconds count CPU time of the thread, so other load on the machine changes nothing.
"""

import argparse
import datetime
import json
import math
import sys
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
from plyglass.stats.sprt import Sprt

SEED = 3401
GATE_SEED, GATE_DEALS, BLOCK, MARGIN = 3402, 400, 10, 0.1
MOST_SHARE = 0.98  # of a test: nobody has infinite Elo
WEAKER, STRONGER = "weaker", "stronger"
WON_OR_LOST = -1.0, 1.0
DIGITS = 4


def settings_for(name, weaker, stronger, deals, seed=SEED):
    """The tournament of one step."""
    return Settings(
        (name,),
        {STRONGER: stronger, WEAKER: weaker},
        deals=deals,
        seed=seed,
        match_seconds=7200.0,
        hang_seconds=600.0,
    )


def played(settings, folder, deals=None):
    """The results of the first deals of a tournament, and how it ended."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_run(folder / f"{settings.run_id}.sqlite", settings) as store:
        runner = runner_named("serial", 1, settings.match_seconds)
        run = Tournament(settings, store, runner, deals=deals)
        outcome = run.run()
        rows = list(run.counted_rows())
    return list(Referee(settings).results(rows)), outcome


def step(name, weaker, stronger, number, folder):
    """The result of one level against another, over `number` games."""
    game = pg.game_from(name)
    alone = game.players == 1
    settings = settings_for(name, weaker, stronger, number if alone else -(-number // 2))
    results, outcome = played(settings, folder)
    found, ahead = gain(results) if alone else points(results), deals_won(results)
    if game.players == 2 and game.scores != WON_OR_LOST:
        found = interval_of_rate([[share] for share in ahead])  # chips, not hands
    return {
        "kind": GAIN if alone else POINTS,
        **dict(zip(("score", "low", "high"), _rounded(found), strict=True)),
        "games": outcome.counted // (2 if alone else 1),
        "deals_won": [*_rounded(interval_of_rate([[share] for share in ahead]))],
        "date": datetime.date.today().isoformat(),
        "seed": SEED,
        "code": code_of(settings.canonical),
        "digest": outcome.digest,
    }


def _rounded(values):
    return (round(value, DIGITS) for value in values)


def points(results):
    """The points of the stronger level, with their interval by deals."""
    deals = defaultdict(list)
    for result in results:
        deals[result.pair].append(result.points(result.agents.index(STRONGER)))
    return interval_of_rate([*deals.values()])


def deals_won(results):
    """For each deal, 1 if the stronger level has the larger score, and 0.5 if scores are equal.

    In a game for two players, a deal is played twice, with the seats swapped. In a game for one
    player, each level plays the deal once.
    """
    leads = defaultdict(float)
    for result in sorted(results, key=lambda each: each.number):
        for agent, score in zip(result.agents, result.scores, strict=True):
            leads[result.number // 2] += score if agent == STRONGER else -score
    return [(1 + (lead > 0) - (lead < 0)) / 2 for lead in leads.values()]


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


def measure(name, number, folder, levels, again):
    """Play the steps of a game that have no result yet; `levels` limits them to some levels."""
    kept = recorded()
    known = {(each["agent"], each["before"]): each for each in kept.get(name, ())}
    steps = list(pairwise(pg.game_from(name).levels.items()))
    for (weaker, weak), (level, strong) in steps:
        if (levels and level not in levels) or ((strong, weak) in known and not again):
            continue
        began = time.process_time()
        result = {"agent": strong, "before": weak, **step(name, weak, strong, number, folder)}
        known[strong, weak] = result
        print(
            f"{name}: {level} against {weaker}: {result['score']} ({result['low']} to "
            f"{result['high']}), {result['games']} games, {time.process_time() - began:.0f} CPU s"
            f"{'' if holds(result) else '; NOT SHOWN TO BE STRONGER'}",
            flush=True,
        )
        order = [(strong, weak) for (_, weak), (_, strong) in steps]
        kept[name] = [known[each] for each in order if each in known]
        FILE.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")


def gate(name, folder):
    """Whether the hardest level of a game is as strong as recorded, with the reason in words."""
    *_, weaker, stronger = pg.game_from(name).levels.values()
    known = {(each["agent"], each["before"]): each for each in recorded().get(name, ())}
    if (stronger, weaker) not in known:
        return False, "no result recorded: python measurements/levels.py " + name
    good = min(known[stronger, weaker]["deals_won"][1], MOST_SHARE)
    test = Sprt(elo_of(good - MARGIN), elo_of(good))
    settings = settings_for(name, weaker, stronger, GATE_DEALS, GATE_SEED)
    for deals in range(BLOCK, GATE_DEALS + 1, BLOCK):
        won = deals_won(played(settings, folder, deals)[0])
        stop = test.first_decision([2 * share for share in won])
        said = f"{sum(won) / len(won):.1%} of {len(won)} deals, recorded at least {good:.1%}"
        if stop:
            passed = stop.state.decision == "H1"
            return passed, f"{'not inferior' if passed else 'WEAKER'}: {said}"
    return False, f"UNDECIDED: {said}"


def elo_of(share):
    """The Elo difference that gives this share of points."""
    return 400 * math.log10(share / (1 - share))


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
        values = f"{result.score:+.4g} ({result.low:+.4g} to {result.high:+.4g}"
    else:
        values = f"{100 * result.score:.1f} % ({100 * result.low:.1f} to {100 * result.high:.1f}"
    return f"{values}; {result.games:,})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="GAME", default=games.names())
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path("results/levels"))
    parser.add_argument("--levels", nargs="*", default=(), metavar="LEVEL")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    clock.kind = time.CLOCK_THREAD_CPUTIME_ID
    if given.gate:
        passed = []
        for name in given.names:
            passed.append((said := gate(name, given.out))[0])
            print(f"{name}: {said[1]}", flush=True)
        return 0 if all(passed) else 1
    if not given.table:
        for name in given.names:
            measure(name, given.games, given.out, given.levels, given.again)
    print(table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
