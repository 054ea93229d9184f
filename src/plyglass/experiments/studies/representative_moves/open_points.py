"""Protocol of `representative-moves/open-points`: how well readings fit the printed counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from plyglass.experiments.results import Listing, RowResult
from plyglass.experiments.studies.representative_moves.fits import (
    Cell,
    Counts,
    Fit,
    differences,
    fits,
    grid,
    nearest,
    printed,
)
from plyglass.experiments.studies.representative_moves.pruned import ORDERS, Pruned
from plyglass.experiments.studies.representative_moves.readings import (
    LITERAL,
    PROPOSED,
    Reading,
    changes,
)

SHOWN = 10
PLACES = ("2: depth 3", "2: depth 4", "2: depth 5", "3: depth 3")
DEPTH_3, DEPTH_4, DEPTH_5 = ((True, depth) for depth in (3, 4, 5))


def run(scale: float, runner: str, workers: int, folder: Path) -> Sequence[RowResult | Listing]:
    """Return the nearest readings of the grid, and the effect of each open point.

    Counts are exact at any scale.
    """
    del scale, folder
    reported = printed()
    found = fits(grid(), workers if runner == "processes" else 1)
    proposed, best = fits([PROPOSED])[0], refined(nearest(found, reported)[0], reported)
    targets = _targets(reported)
    chosen = {name: nearest([*found, best], against)[0] for name, against in targets.items()}
    results = [
        _result("as proposed", proposed.factor(reported)),
        *(_result(name, chosen[name].factor(targets[name])) for name in targets),
    ]
    best_of_all = [
        (str(place), fit, reported)
        for place, fit in enumerate(nearest([best, *found], reported, SHOWN), 1)
    ]
    return [
        *results,
        _listing(
            f"The nearest of {len(found):,} readings, counted without pruning",
            best_of_all,
            reported,
        ),
        _listing(
            "The nearest to other targets, and by which factor",
            [(name, chosen[name], targets[name]) for name in targets],
            reported,
        ),
        hits(found, reported),
        one_at_a_time("proposed", PROPOSED, reported),
        one_at_a_time("literal", LITERAL, reported),
        pruned({"proposed": PROPOSED, "literal": LITERAL}, reported),
    ]


def hits(found: Sequence[Fit], reported: Counts) -> Listing:
    """Return, for each printed count, how many readings match this count.

    A reading matches a printed count if the two counts are equal to the nearest hundred. Some
    readings match by chance.
    """
    each = [str(sum(fit.hits({cell: count}) for fit in found)) for cell, count in reported.items()]
    most = str(max(fit.hits(reported) for fit in found))
    return Listing(
        "Readings that give a printed count to the hundred",
        ("", *PLACES, "most by one"),
        (("readings", *each, most),),
    )


def refined(fit: Fit, reported: Counts) -> Fit:
    """Improve a reading by changing one answer at a time, also to answers outside the grid."""
    while True:
        quick = [
            each
            for _, _, each in changes(fit.reading)
            if each.merged == "no" and each.spends != "best card, draws"
        ]
        better = nearest([fit, *fits(quick)], reported)[0]
        if better.factor(reported) >= fit.factor(reported):
            return fit
        fit = better


def one_at_a_time(name: str, reading: Reading, reported: Counts) -> Listing:
    """Return the counts of a reading after each change of a single answer."""
    changed = [("nothing", "", reading), *changes(reading)]
    found = fits(each for _, _, each in changed)
    names = [
        f"{point.replace('_', ' ')}: {answer}" if answer else point for point, answer, _ in changed
    ]
    rows = [
        (name, *_cells(fit, reported, reported)) for name, fit in zip(names, found, strict=True)
    ]
    return Listing(
        f"One point changed in the {name} reading", ("changed", *PLACES, "factor"), tuple(rows)
    )


def pruned(readings: dict[str, Reading], reported: Counts) -> Listing:
    """Return the leaf counts of alpha-beta for table 2.

    Alpha-beta cannot prune the chance nodes of table 3.
    """
    rows = []
    for name, reading in readings.items():
        for order in ORDERS:
            search = Pruned(reading, order)
            rows.append(
                (
                    f"{name}, {order}",
                    *(
                        _told(search.leaves(cell[1]), reported[cell])
                        for cell in (DEPTH_3, DEPTH_4, DEPTH_5)
                    ),
                )
            )
    return Listing(
        "Table 2 with alpha-beta, by the order of moves",
        ("reading and order", *PLACES[:3]),
        tuple(rows),
    )


def _targets(reported: Counts) -> dict[str, Counts]:
    def only(cells: Iterable[Cell]) -> Counts:
        return {cell: reported[cell] for cell in cells}

    return {
        "nearest to both tables": reported,
        "nearest to table 2": only(cell for cell in reported if cell[0]),
        "nearest to table 3": only(cell for cell in reported if not cell[0]),
        **{
            f"nearest without depth {out[1]} of table 2": only(reported.keys() - {out})
            for out in (DEPTH_3, DEPTH_4, DEPTH_5)
        },
        "nearest if depth 4 of table 2 is ten times too large": {
            **reported,
            DEPTH_4: reported[DEPTH_4] / 10,
        },
        "nearest if depth 5 of table 2 is ten times too small": {
            **reported,
            DEPTH_5: reported[DEPTH_5] * 10,
        },
    }


def _result(name: str, factor: float) -> RowResult:
    return RowResult(name, factor, factor, factor, 1)


def _listing(title: str, named: Sequence[tuple[str, Fit, Counts]], reported: Counts) -> Listing:
    rows = [
        (name, *_cells(fit, reported, against), _text(fit.reading)) for name, fit, against in named
    ]
    return Listing(
        title, ("", *PLACES, "factor", "differs from the proposed reading in"), tuple(rows)
    )


def _cells(fit: Fit, reported: Counts, against: Counts) -> list[str]:
    return [
        *(_told(fit.counts[cell], reported[cell]) for cell in reported),
        f"{fit.factor(against):.3g}",
    ]


def _told(count: float, reported: float) -> str:
    return f"{count:,.0f} (x {count / reported:.3g})"


def _text(reading: Reading) -> str:
    return (
        "; ".join(
            f"{point.replace('_', ' ')}: {answer}" for point, answer in differences(reading).items()
        )
        or "nothing"
    )
