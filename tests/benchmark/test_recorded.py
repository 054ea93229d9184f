"""The recorded results are read, and the package's tables are made from them."""

import csv
from pathlib import Path

from plyglass.benchmark.ratings import board
from plyglass.benchmark.recorded import recorded
from plyglass.benchmark.suite import SUITE_1

DATA = Path(__file__).parents[2] / "measurements" / "data" / "benchmark"


def test_recorded_results_are_those_of_the_suites_agents():
    results = recorded(SUITE_1)
    assert [each.name for each in results] == list(SUITE_1.agents)
    assert [each.agent for each in results] == list(SUITE_1.agents.values())
    assert not any(each.refused for each in results)


def test_the_recorded_table_is_made_from_the_recorded_results():
    ranked = board(SUITE_1, recorded(SUITE_1), "time", times=10)
    with (DATA / "ratings.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["mode"] == "time"]
    found = {
        (row["agent"], row["game"]): float(row["elo"]) for row in rows if row["game"] != "mean"
    }
    assert found.keys() == ranked.entries.keys()
    assert all(abs(ranked.entries[key].elo - elo) < 1e-6 for key, elo in found.items())
