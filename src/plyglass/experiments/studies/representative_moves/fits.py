"""Count a search's leaves under many readings of the paper, and compare with the printed counts.

A reading is an answer to every point of the rules that the paper leaves open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

from plyglass.experiments.studies.representative_moves.leaves import Tree
from plyglass.experiments.studies.representative_moves.readings import PROPOSED, Reading, options
from plyglass.experiments.study import artifact_named

Cell = tuple[bool, int]
"""Whether the search uses representative moves, and its depth."""
Counts = Mapping[Cell, float]
TABLES = {True: "representative-moves/table-2", False: "representative-moves/table-3"}
DEPTHS = {True: (3, 4, 5), False: (3,)}
# the open points that the counts of both tables depend on
BOTH = ("acting", "idle", "useless", "battles", "fresh", "leaves", "searches")
WITH, WITHOUT = ("representatives", "standing_still"), ("draws", "placeable", "placing")
# these answers would make the grid too large; `open-points` changes them one at a time
LEFT_OUT = ("with five in hand", "after the next draw")


@dataclass(frozen=True)
class Fit:
    """A reading of the paper, and its counts of leaves."""

    reading: Reading
    counts: Counts

    def ratios(self, printed: Counts) -> dict[Cell, float]:
        """The ratios of our counts to the printed counts."""
        return {cell: self.counts[cell] / printed[cell] for cell in printed}

    def factor(self, printed: Counts) -> float:
        """Return the typical factor between our counts and the printed counts; 1 is a perfect fit.

        The factor is the exponential of the root mean square of the ratios' logarithms.
        """
        logs = [math.log(ratio) ** 2 for ratio in self.ratios(printed).values()]
        return math.exp(math.sqrt(sum(logs) / len(logs)))

    def hits(self, printed: Counts) -> int:
        """Return how many counts match if rounded to hundreds. All printed counts are rounded."""
        return sum(round(self.counts[cell], -2) == printed[cell] for cell in printed)


def printed() -> dict[Cell, float]:
    """Return the reported counts, from the study's file."""
    rows = {
        (with_them, row.name): row.reported
        for with_them, name in TABLES.items()
        for row in artifact_named(name).rows
    }
    found = {
        (with_them, depth): rows[with_them, f"depth {depth}"]
        for with_them in TABLES
        for depth in DEPTHS[with_them]
    }
    return {cell: value for cell, value in found.items() if value is not None}


def grid() -> list[Reading]:
    """Return all combinations of answers to the open points that the grid covers.

    If the whole deck can be placed, draws do not matter, so the grid has only one answer for draws.
    """
    return [
        reading
        for reading in _variants(BOTH + WITH + WITHOUT)
        if reading.placeable == "hand" or reading.draws == PROPOSED.draws
    ]


def _variants(points: Sequence[str]) -> Iterator[Reading]:
    for answers in product(
        *([each for each in options(point) if each not in LEFT_OUT] for point in points)
    ):
        chosen: dict[str, Any] = dict(zip(points, answers, strict=True))
        yield replace(PROPOSED, **chosen)


def fits(readings: Iterable[Reading], workers: int = 1) -> list[Fit]:
    """Count the leaves of all readings. Counts that several readings share are computed once."""
    readings = list(readings)
    wanted = {
        (with_them, _bare(reading, with_them)): None for reading in readings for with_them in TABLES
    }
    found = dict(zip(wanted, _mapped(_by_depth, list(wanted), workers), strict=True))
    return [
        Fit(reading, {cell: _count(found, reading, cell) for cell in _cells()})
        for reading in readings
    ]


def _cells() -> list[Cell]:
    return [(with_them, depth) for with_them in TABLES for depth in DEPTHS[with_them]]


def _bare(reading: Reading, with_them: bool) -> Reading:
    """Return the reading, reduced to the open points that a table's counts depend on.

    All other points get the answers of `PROPOSED`. These are the points that only the other table
    depends on, and the points whose effect follows from the counts of all plies.
    """
    others = WITHOUT if with_them else (*WITH, "spends")
    usual: dict[str, Any] = {name: getattr(PROPOSED, name) for name in (*others, "searches")}
    if (with_them and reading.spends != "best card, draws") or reading.leaves == "every ply":
        usual["leaves"] = "last ply"
    return replace(reading, **usual)


def _by_depth(wanted: tuple[bool, Reading]) -> list[int]:
    tree = Tree(wanted[1], wanted[0])
    return [tree.leaves(depth) for depth in range(1, max(DEPTHS[wanted[0]]) + 1)]


def _count(
    found: Mapping[tuple[bool, Reading], Sequence[int]], reading: Reading, cell: Cell
) -> int:
    with_them, depth = cell
    counts = found[with_them, _bare(reading, with_them)]
    return int(reading.searches) * (
        sum(counts[:depth]) if reading.leaves == "every ply" else counts[depth - 1]
    )


def _mapped(
    count: Callable[[tuple[bool, Reading]], list[int]],
    wanted: list[tuple[bool, Reading]],
    workers: int,
) -> list[list[int]]:
    if workers == 1:
        return [count(each) for each in wanted]
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(count, wanted, chunksize=8))


def nearest(found: Iterable[Fit], against: Counts, most: int = 1) -> list[Fit]:
    """Return the best fits. Of several fits with equal counts, only one is returned."""
    kept: dict[tuple[float, ...], Fit] = {}
    for fit in sorted(found, key=lambda each: (each.factor(against), _distance(each.reading))):
        kept.setdefault(tuple(fit.counts[cell] for cell in against), fit)
        if len(kept) == most:
            break
    return list(kept.values())


def _distance(reading: Reading) -> int:
    return len(differences(reading))


def differences(reading: Reading) -> dict[str, str]:
    """Return the answers in which a reading differs from `PROPOSED`, by open point."""
    return {
        point.name: getattr(reading, point.name)
        for point in fields(Reading)
        if getattr(reading, point.name) != getattr(PROPOSED, point.name)
    }
