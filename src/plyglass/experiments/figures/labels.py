"""What figures say in words: what is measured, of how many games, and what the intervals are."""

from __future__ import annotations

from dataclasses import replace

from plyglass.experiments.lines import Line
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.studies import Measure

NAMES = {
    "rate": "points for each match",
    "mean": "mean score",
    "cost": "cost of a match",
    "seconds": "seconds for a match",
    "pace": "seconds for a decision",
    "exact": "",
}


def quantity(done: Reproduction) -> str:
    """What the axis of values shows; nothing where rows measure different things."""
    found = {_name(row) for row in done.artifact.rows}
    return found.pop() if len(found) == 1 else ""


def length_of_bars(done: Reproduction) -> str:
    """What bars show: what the artifact calls it, or else what its first row measures."""
    return done.artifact.x_axis or _name(done.artifact.rows[0])


def of_one_kind(done: Reproduction) -> tuple[Line, ...]:
    """The lines that measure what the first one does."""
    rows = done.artifact.rows
    return tuple(
        line for line, row in zip(done.lines, rows, strict=True) if _name(row) == _name(rows[0])
    )


def placed(done: Reproduction) -> Reproduction:
    """The same with those lines only that have a place in the figure."""
    kept = [(row, line) for row, line in zip(done.artifact.rows, done.lines, strict=True) if row.x]
    artifact = replace(done.artifact, rows=tuple(row for row, _ in kept), claims=())
    return replace(done, artifact=artifact, lines=tuple(line for _, line in kept))


def behind(done: Reproduction) -> str:
    """The games behind each value, and the kind of interval."""
    if all(line.exact for line in done.lines):
        return "computed, not sampled"
    counts = sorted({line.n for line in done.lines})
    games = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    if done.artifact.protocol:
        return f"{games} samples each; 95 % intervals"
    rates = any(row.quantity == "rate" for row in done.artifact.rows)
    return (
        f"{games} games each; 95 % intervals {'(Wilson)' if rates else '(Student’s t)'} over deals"
    )


def _name(row: Measure) -> str:
    return str(row.measure) if row.of_measure else NAMES[row.quantity]
