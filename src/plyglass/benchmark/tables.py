"""Tables of a benchmark, made from results of one suite."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from plyglass.benchmark.contests import Cell
from plyglass.benchmark.ratings import Board, Entry, Place, outcomes, unique_names
from plyglass.benchmark.result import Result
from plyglass.benchmark.suite import MODES, Mode, Suite
from plyglass.report.tables import Table
from plyglass.stats.intervals import mean_interval
from plyglass.stats.pairs import Tally, interval_of_means

MEANS = {"time": "equal time", "iterations": "equal iterations"}
RATED = (
    "Bradley-Terry ratings in Elo; the mean of the two references is 0 in every game. In brackets: "
    "95 % interval from resampled deals, and the number of matches. A bound (below or above) is "
    "given where every match was lost or won. Intervals from fewer than 20 "
    "deals (80 matches) are too narrow."
)


def short(game: str) -> str:
    """Return the name of a game without its parameters."""
    return game.partition(":")[0]


def told(entry: Entry | None) -> str:
    """Return a rating as text, with its interval and number of matches."""
    if entry is None:
        return ""
    if entry.one_sided:
        lost = entry.high > entry.elo
        bound = f"below {round(entry.high):+d}" if lost else f"above {round(entry.low):+d}"
        return f"{bound} ({entry.games})"
    value, low, high = (round(each) for each in (entry.elo, entry.low, entry.high))
    return f"{value:+d} ({low:+d} to {high:+d}; {entry.games})"


def rating_grid(ranked: Board) -> Table:
    """The ratings as a grid for papers: a row for each agent, a column for each game."""
    columns = ("agent", f"mean of {len(ranked.whole)} games", *map(short, ranked.games))
    rows = tuple(
        (
            agent,
            told(ranked.overall.get(agent)),
            *(told(ranked.entries.get((agent, game))) for game in ranked.games),
        )
        for agent in ranked.agents
    )
    title = f"Ratings at {MEANS[ranked.mode]}"
    return Table(f"ratings-{ranked.mode}", title, columns, rows, RATED)


def rating_list(boards: Sequence[Board]) -> Table:
    """All ratings as a list, for programs."""
    rows = tuple(
        (ranked.mode, agent, game, each.elo, each.low, each.high, each.one_sided * 1, each.games)
        for ranked in boards
        for agent in ranked.agents
        for game, each in [
            *([("mean", ranked.overall[agent])] if agent in ranked.overall else []),
            *((g, ranked.entries[agent, g]) for g in ranked.games if (agent, g) in ranked.entries),
        ]
    )
    columns = ("mode", "agent", "game", "elo", "low", "high", "one_sided", "matches")
    return Table("ratings", "Ratings", columns, rows)


def point_table(suite: Suite, results: Sequence[Result]) -> Table:
    """Points against each reference, and the mean score in games that are scored in chips."""
    rows = tuple(
        (mode, contest.game, name, reference, *rate_of(cell), *_chips(cell), cell.faults)
        for mode in MODES
        for contest in suite.contests
        for name, result in zip(unique_names(results), results, strict=True)
        for reference in suite.references
        if (cell := result.cell(mode, contest.game, reference))
    )
    columns = (
        "mode", "game", "agent", "reference", "points", "low", "high", "matches", "mean_score",
        "score_low", "score_high", "faults",
    )  # fmt: skip
    note = (
        "Points per match; a draw is a half. 95 % intervals: Wilson's for points, Student's t for "
        "chips, with the deal as unit."
    )
    digits = dict.fromkeys(("mean_score", "score_low", "score_high"), 3)
    percent = frozenset(("points", "low", "high"))
    return Table("points", "Points against each reference", columns, rows, note, percent, digits)


def rate_of(cell: Cell) -> tuple[float, float, float, int]:
    """Return the points per match with the interval and the number of matches."""
    tally = Tally()
    for matches in outcomes(Cell(cell.results), "match"):
        if matches:
            tally.add(math.fsum(points for _, points in matches), len(matches))
    return *tally.interval(), tally.games


def _chips(cell: Cell) -> tuple[float | None, float | None, float | None]:
    deals = [
        cell.scores[start : start + 2]
        for start in range(0, len(cell.scores), 2)
        if "?" not in cell.results[start : start + 2]
    ]
    return interval_of_means(deals) if deals else (None, None, None)


def exploit_table(results: Sequence[Result]) -> Table:
    """Exploitability of each agent, by its played actions and by the visits of its search."""
    rows = tuple(
        (
            game, name, each.value, each.low, each.high, each.seeds, each.sets,
            math.fsum(each.by_visits) / len(each.by_visits) if each.by_visits else None,
        )
        for name, result in zip(unique_names(results), results, strict=True)
        for game, each in result.exploited.items()
    )  # fmt: skip
    columns = (
        "game", "agent", "exploitability", "low", "high", "seeds", "information_sets", "by_visits",
    )  # fmt: skip
    note = (
        "What a best response gains, in the game's scores. The policy is how often each action is "
        "played over all seeds; few seeds make it look more exploitable than it is. 95 % interval: "
        "jackknife over seeds, none if all seeds play alike. By visits: the policy that plays "
        "actions in proportion to their visits, mean over seeds."
    )
    digits = dict.fromkeys(("exploitability", "low", "high", "by_visits"), 3)
    ordered = tuple(sorted(rows, key=lambda row: (str(row[0]), float(row[2] or 0))))
    return Table("exploitability", "Exploitability", columns, ordered, note, digits=digits)


def regret_table(suite: Suite, results: Sequence[Result]) -> Table:
    """Regret in games whose values are known."""
    units = {**dict.fromkeys(suite.enumerated, "seed"), **dict.fromkeys(suite.solved, "position")}
    rows = [
        (game, name, *mean_interval(values, scale=(0.0, math.inf)), len(values), units[game])
        for name, result in zip(unique_names(results), results, strict=True)
        for game, values in result.regret.items()
        if values
    ]
    columns = ("game", "agent", "regret", "low", "high", "n", "unit")
    note = (
        "How much less than the best policy or action is earned, in the game's scores. 95 % "
        "interval by Student's t, none if all regrets are equal."
    )
    ordered = tuple(sorted(rows, key=lambda row: (row[0], row[2])))
    digits = dict.fromkeys(("regret", "low", "high"), 3)
    return Table("regret", "Regret in solved games", columns, ordered, note, digits=digits)


def belief_table(results: Sequence[Result]) -> Table:
    """Calibration of every belief that an agent has."""
    seen: dict[tuple[str, str], tuple[float | int | str | None, ...]] = {}
    for result in results:
        for game, each in result.beliefs.items():
            if len(each.brier) and (game, result.belief) not in seen:
                pairs = zip(each.brier, each.expected, strict=True)
                excess = mean_interval([brier - expected for brier, expected in pairs])
                mean = math.fsum(each.brier) / len(each.brier)
                seen[game, result.belief] = mean, *excess, len(each.brier), each.questions
    rows = tuple((*key, *values) for key, values in seen.items())
    columns = ("game", "belief", "brier", "excess", "low", "high", "batches", "questions")
    note = (
        "Brier score, and its excess over the score that right probabilities would have; a "
        "calibrated belief has excess 0. 95 % interval by Student's t over batches of games."
    )
    digits = dict.fromkeys(("brier", "excess", "low", "high"), 4)
    return Table("beliefs", "Calibration of beliefs", columns, rows, note, digits=digits)


def pace_table(results: Sequence[Result]) -> Table:
    """The budget of every agent in every game, and what a decision costs."""
    rows = tuple(
        (game, name, each.iterations, each.ms, each.reference_ms, each.equal_ms, len(each.tries))
        for name, result in zip(unique_names(results), results, strict=True)
        for game, each in result.pace.items()
    )
    columns = (
        "game", "agent", "iterations", "ms", "reference_ms", "ms_at_equal_iterations", "tries",
    )  # fmt: skip
    note = (
        "Iterations at equal time, and CPU milliseconds of a decision of the agent and of the "
        "first reference in the same matches. Planners that stop by themselves take less."
    )
    digits = dict.fromkeys(("ms", "reference_ms", "ms_at_equal_iterations"), 2)
    return Table("pace", "CPU time of decisions", columns, rows, note, digits=digits)


def frontier_table(places: Sequence[Place]) -> Table:
    """Speed and strength at equal iterations, the fastest first."""
    rows = tuple(
        (
            each.agent, each.ms, each.entry.elo, each.entry.low, each.entry.high, each.entry.games,
            "on the frontier"
            if not each.beaten_by
            else f"{'' if each.surely else 'perhaps '}beaten by {each.beaten_by}",
        )
        for each in places
    )  # fmt: skip
    columns = ("agent", "ms", "elo", "low", "high", "matches", "place")
    note = (
        "CPU milliseconds of a decision: geometric mean over games. An agent is beaten if a faster "
        "one has a higher rating. It is only perhaps beaten if the interval of the difference "
        "contains 0 or a cell has fewer than 80 matches."
    )
    digits = {"ms": 2, "elo": 0, "low": 0, "high": 0}
    return Table("frontier", "Speed and strength", columns, rows, note, digits=digits)


def missing_table(suite: Suite, results: Sequence[Result]) -> Table:
    """What each result lacks: games that the agent refused, and matches that another result has."""
    rows = tuple(_missing(suite, results))
    columns = ("agent", "what", "why")
    return Table("missing", "What is missing", columns, rows)


def _missing(suite: Suite, results: Sequence[Result]) -> Iterator[tuple[str, str, str]]:
    most = {mode: _most(results, mode) for mode in MODES}
    for name, result in zip(unique_names(results), results, strict=True):
        for contest in suite.contests:
            if contest.game in result.refused:
                yield name, contest.game, result.refused[contest.game]
                continue
            for mode in MODES:
                has = min(
                    cell.games if (cell := result.cell(mode, contest.game, each)) else 0
                    for each in suite.references
                )
                if has < most[mode]:
                    what = f"{contest.game} at {MEANS[mode]}"
                    yield name, what, f"{has} of {most[mode]} matches a reference"


def _most(results: Sequence[Result], mode: Mode) -> int:
    return max(
        (
            cell.games
            for result in results
            for cells in result.contests[mode].values()
            for cell in cells.by_reference.values()
        ),
        default=0,
    )
