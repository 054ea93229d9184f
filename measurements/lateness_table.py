"""Print the table of docs/comparing-planners.md from the recorded cells of `lateness.py`.

    python measurements/lateness.py
    python measurements/lateness_table.py

A cell is an agent in a game with a time limit. `--late` lists the cells that miss the goal.
"""

import argparse
import json
from pathlib import Path

KEPT = Path(__file__).parent / "data" / "lateness.json"
MOST_P99, MOST = 5.0, 20.0  # milliseconds beyond those of the loop


def measured():
    """Every cell in which the agent decided."""
    return [row for row in json.loads(KEPT.read_text())["cells"] if "late" in row]


def beyond(row, quantile):
    """The lateness of a cell in milliseconds, minus the lateness of the idle loop."""
    return row["late"][quantile] - row["loop"][quantile]


def misses(row):
    """Whether the decisions of a cell are later than the goal allows."""
    return beyond(row, "p99") > MOST_P99 or beyond(row, "max") > MOST


def table() -> str:
    """The table as Markdown, with a row for each time limit."""
    head = "| limit | cells | decisions | median of medians | latest decision | cells above |"
    cells = measured()
    limits = sorted({row["seconds"] for row in cells})
    rows = [_row(limit, [row for row in cells if row["seconds"] == limit]) for limit in limits]
    return "\n".join([head, "|---|--:|--:|--:|--:|--:|", *rows])


def _row(limit, cells):
    middle = sorted(row["late"]["p50"] for row in cells)[len(cells) // 2]
    latest = max(row["late"]["max"] for row in cells)
    decisions = sum(row["decisions"] for row in cells)
    above = sum(map(misses, cells))
    return (
        f"| {1e3 * limit:.0f} ms | {len(cells)} | {decisions:,} | {middle:.1f} ms "
        f"| {latest:.1f} ms | {above} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--late", action="store_true", help="list the cells that miss the goal")
    if parser.parse_args().late:
        for row in sorted(filter(misses, measured()), key=lambda row: -row["late"]["max"]):
            late, limit = row["late"], 1e3 * row["seconds"]
            print(f"{row['game']}, {row['agent']}, {limit:.0f} ms, {row['decisions']} decisions:")
            print(f"    p50 {late['p50']}, p99 {late['p99']}, max {late['max']}")
    else:
        print(table())


if __name__ == "__main__":
    main()
