"""Validate `auto`: a grid of 6 planners in 12 games, then `auto` against the best of each game.

    python measurements/auto_grid.py grid [GAME ...] [--pairs 30] [--seconds 0.01]
    python measurements/auto_grid.py auto [GAME ...] [--pairs 530] [--seconds 0.01] [--seed 3305]
    python measurements/auto_grid.py table

`grid` lets all planners that can play a game play each other. The best planner has the most points
over all these meetings. `auto` plays the agent that `auto` picks against the best planner, on other
deals. If this agent is the best planner, no match is played. In games for one player, each planner
plays the same deals alone, and the scores are compared. `table` prints points with intervals, the
regret (50 % minus points), and a summary by family.

A game passes if `auto` is the best planner or the lower bound of its points is at least 45 %. We
fixed this threshold, the thresholds of `arena.auto.rules`, the planners and the games before the
first match of the grid. No threshold is fitted to results of the grid, so leaving out a family of
games would change no pick. The summary says how many games pass without each family.

The results in Skirmish then led to another rule. `auto skirmish skirmish:fog=true --seed 3306`
plays with this rule and other random seeds.

In Tiger, 530 deals decided nothing. `auto tiger --seed 3307 --pairs 1500` plays new deals, with the
same threshold. We fixed this number and this seed before the first of these deals, and count only
these deals.

Results are appended to `measurements/data/auto-grid.jsonl`, one line for each chunk of a meeting.
An interrupted run continues after the last chunk. Limits in seconds count CPU time of the thread,
so all planners have equal CPU time and other load on the machine changes nothing.
"""

import argparse
import itertools
import json
import time
from pathlib import Path

import plyglass as pg
from plyglass.arena.auto.trial import points_of_deal
from plyglass.arena.specs import resolved, text_of_agent
from plyglass.core.seeds import derive
from plyglass.search import clock
from plyglass.search.threads import one_thread
from plyglass.stats.pairs import Tally

FILE = Path(__file__).with_name("data") / "auto-grid.jsonl"
FAMILIES = {
    "lines": ("tic-tac-toe", "connect-four", "phantom-tic-tac-toe", "dark-hex"),
    "poker": ("kuhn-poker", "leduc-poker"),
    "dice": ("pig",),
    "cards": ("duel", "trading-cards"),
    "fields": ("skirmish", "skirmish:fog=true"),
    "one player": ("tiger",),
}
PLANNERS = (
    "uct:trees=4",
    "so-ismcts",
    "mo-ismcts",
    "one-ply-mcts",
    "plan-tournament:plans=8,worlds=8,turns=2",
    "pimc",
)
PASSES = 0.45
CHUNK = 10  # pairs
GRID_PAIRS, AUTO_PAIRS = 30, 530
GRID_SEED, AUTO_SEED, CHANGED_SEED, AGAIN_SEED = 3304, 3305, 3306, 3307


def played():
    """All chunks so far."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.is_file() else []
    return [json.loads(line) for line in lines]


def keep(name, first, second, seed, points, seconds):
    """Append a chunk to the file."""
    chunk = {"game": name, "first": first, "second": second, "seed": seed, "points": points}
    with FILE.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**chunk, "cpu_seconds": round(seconds, 2)}) + "\n")


def tally_of(chunks, game, first, second, seed):
    """The points of the first agent in the chunks of a meeting."""
    tally = Tally()
    for chunk in chunks:
        if [chunk[key] for key in ("game", "first", "second", "seed")] == [
            game,
            first,
            second,
            seed,
        ]:
            for points in chunk["points"]:
                tally.add(sum(points), len(points))
    return tally


def meet(name, first, second, pairs, seed):
    """Play the missing matches of a meeting, and append their results to the file."""
    game, agents = pg.game_from(name), tuple(map(pg.agent_from, (first, second)))
    done = tally_of(played(), name, first, second, seed).pairs
    if done < pairs:
        for agent in agents:
            agent.warm(game)
    while done < pairs:
        began, deals = time.process_time(), range(done, min(pairs, done + CHUNK))
        with one_thread():
            points = [points_of_deal(game, agents, derive(seed, deal)) for deal in deals]
        keep(name, first, second, seed, points, time.process_time() - began)
        done += len(deals)


def able(name, seconds):
    """The planners of the grid that can play a game, as agents with a budget."""
    game, found = pg.game_from(name), []
    for planner in PLANNERS:
        text = f"{planner}{',' if ':' in planner else ':'}seconds={seconds}"
        try:
            pg.agent_from(text).take_seat(game, 0, 0)
        except ValueError:
            continue
        found.append(text_of_agent(pg.agent_from(text)))
    return found


def best_of(name, seconds):
    """The planner with the most points in the grid of a game; None if matches are missing."""
    points, chunks = dict.fromkeys(able(name, seconds), 0.0), played()
    for first, second in itertools.combinations(points, 2):
        tally = tally_of(chunks, name, first, second, GRID_SEED)
        if tally.pairs < GRID_PAIRS:
            return None
        points[first] += tally.rate
        points[second] += 1 - tally.rate
    return max(points, key=points.get)


def validate(name, pairs, seconds, seed):
    """Let `auto` play the best planner of a game; without a match if it is that planner."""
    best, auto = best_of(name, seconds), resolved(f"auto:seconds={seconds}", pg.game_from(name))
    if best == auto:
        if not any(each["game"] == name and each["seed"] == seed for each in played()):
            keep(name, auto, best, seed, [], 0.0)
    elif best is None:
        print(f"{name} is left out: its grid needs {GRID_PAIRS} pairs a meeting.")
    else:
        meet(name, auto, best, pairs, seed)


def outcomes(seed):
    """For each validated game: its name, the best planner, `auto` and the points of `auto`."""
    chunks = played()
    for name in itertools.chain(*FAMILIES.values()):
        met = [each for each in chunks if each["game"] == name and each["seed"] == seed]
        if met:
            ((auto, best),) = {(each["first"], each["second"]) for each in met}
            yield name, best, auto, tally_of(chunks, name, auto, best, seed)


def results(seed):
    """A row for each validated game, as Markdown, and whether each game passes."""
    rows, passed = [], {}
    for name, best, auto, tally in outcomes(seed):
        if auto == best:
            said, passed[name] = "the same agent | | 0 |", True
        else:
            rate, low, high = (100 * each for each in tally.interval())
            said = f"{rate:.1f} % ({low:.1f} to {high:.1f}) | {tally.games:,} | {50 - rate:.1f} |"
            passed[name] = low >= 100 * PASSES
        rows.append(f"| {name} | `{best}` | `{auto}` | {said} {'yes' if passed[name] else 'no'} |")
    head = "| game | best of the grid | `auto` | points of `auto` | games | regret | passes |"
    return "\n".join([head, "|---|---|---|---:|---:|---:|---|", *rows]), passed


def families(passed):
    """How many games pass without each family, as Markdown."""
    lines = ["| family left out | games that pass |", "|---|---:|"]
    for family, names in {"none": (), **FAMILIES}.items():
        rest = [fine for name, fine in passed.items() if name not in names]
        lines.append(f"| {family} | {sum(rest)} of {len(rest)} |")
    return "\n".join(lines)


def tables():
    """The validation, its summary by family, the games of the changed rule, and more deals."""
    rows, passed = results(AUTO_SEED)
    return rows, families(passed), results(CHANGED_SEED)[0], results(AGAIN_SEED)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=("grid", "auto", "table"))
    parser.add_argument("games", nargs="*")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--seconds", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=AUTO_SEED)
    given = parser.parse_args()
    clock.kind = time.CLOCK_THREAD_CPUTIME_ID
    if given.part == "table":
        print("\n\n".join(tables()))
        return
    for name in given.games or itertools.chain(*FAMILIES.values()):
        if given.part == "auto":
            validate(name, given.pairs or AUTO_PAIRS, given.seconds, given.seed)
        else:
            for first, second in itertools.combinations(able(name, given.seconds), 2):
                meet(name, first, second, given.pairs or GRID_PAIRS, GRID_SEED)
        print(name, "done", flush=True)


if __name__ == "__main__":
    main()
