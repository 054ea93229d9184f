"""A table of what each part of a search gains, from a run of `measurements/ablations.toml`.

    plyglass tournament measurements/ablations.toml --out results
    python measurements/ablations.py results/*.sqlite measurements/data/ablations.csv

The run may be unfinished. A row is one pair of agents in one game. It has the points per match of
the first agent, with an interval whose unit is the deal.
"""

from __future__ import annotations

import csv
import sqlite3
import sys
from collections import defaultdict
from pathlib import Path

from plyglass.arena.store import open_store
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.settings import Settings
from plyglass.stats.pairs import interval_of_rate


def table(store: Path) -> list[dict[str, str]]:
    """A row for each pair and game, in the order of the settings."""
    with sqlite3.connect(store) as database:
        run_id, canonical, *_ = database.execute("select * from run").fetchone()
    settings = Settings.from_canonical(canonical)
    names = list(settings.agents)
    firsts = names[::2]
    points: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    with open_store(store, run_id, canonical) as opened:
        for result in Referee(settings).results(opened.rows()):
            first = next(name for name in firsts if name in result.agents)
            points[first, settings.games[result.game]][result.pair].append(
                result.points(result.agents.index(first))
            )
    return [
        _row(first, names[names.index(first) + 1], game, points[first, game])
        for first in firsts
        for game in settings.games
    ]


def _row(first: str, second: str, game: str, pairs: dict[int, list[float]]) -> dict[str, str]:
    rate, low, high = interval_of_rate(list(pairs.values()))
    games = sum(map(len, pairs.values()))
    return {
        "with": first, "without": second, "game": game, "points of the first": f"{rate:.3f}",
        "low": f"{low:.3f}", "high": f"{high:.3f}",
        "games": str(games),
    }  # fmt: skip


def main() -> None:
    store, out = map(Path, sys.argv[1:])
    rows = table(store)
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    for row in rows:
        print("| " + " | ".join(row.values()) + " |")


if __name__ == "__main__":
    main()
