"""Labels of figures: the quantity, the number of games and the kind of interval."""

from __future__ import annotations

from dataclasses import replace

from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import RowResult
from plyglass.experiments.study import TableRow

NAMES = {
    "rate": "points per match",
    "mean": "mean score",
    "cost": "cost per match",
    "seconds": "seconds per match",
    "pace": "seconds per decision",
    "exact": "",
}


def quantity(done: Reproduction) -> str:
    """Return the label of the value axis, or "" if rows measure different things."""
    found = {_name(row) for row in done.artifact.rows}
    return found.pop() if len(found) == 1 else ""


def length_of_bars(done: Reproduction) -> str:
    """Return the label of the bars' axis: the artifact's own, or the first row's quantity."""
    return done.artifact.x_axis or _name(done.artifact.rows[0])


def of_one_kind(done: Reproduction) -> tuple[RowResult, ...]:
    """Return the results that measure the same quantity as the first result."""
    rows = done.artifact.rows
    return tuple(
        result
        for result, row in zip(done.results, rows, strict=True)
        if _name(row) == _name(rows[0])
    )


def placed(done: Reproduction) -> Reproduction:
    """Return the reproduction with only the rows that have an `x` in the figure."""
    kept = [
        (row, result) for row, result in zip(done.artifact.rows, done.results, strict=True) if row.x
    ]
    artifact = replace(done.artifact, rows=tuple(row for row, _ in kept), claims=())
    return replace(done, artifact=artifact, results=tuple(result for _, result in kept))


def behind(done: Reproduction) -> str:
    """Return a text about the number of games behind each value and the kind of interval."""
    if all(result.exact for result in done.results):
        return "computed, not sampled"
    counts = sorted({result.n for result in done.results})
    games = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    if done.artifact.protocol:
        return f"{games} samples each; 95 % intervals"
    rates = any(row.quantity == "rate" for row in done.artifact.rows)
    return (
        f"{games} games each; 95 % intervals {'(Wilson)' if rates else '(Student’s t)'} over deals"
    )


def _name(row: TableRow) -> str:
    return str(row.measure) if row.of_measure else NAMES[row.quantity]
