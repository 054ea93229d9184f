"""`representative-moves/open-points`: how near every reading of the grid comes to the printed
counts, and what each open point changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from plyglass.experiments.lines import Line, Listing
from plyglass.experiments.representative_moves.fits import (
    Cell,
    Counts,
    Fit,
    differences,
    fits,
    grid,
    nearest,
    printed,
)
from plyglass.experiments.representative_moves.pruned import ORDERS, Pruned
from plyglass.experiments.representative_moves.readings import LITERAL, PROPOSED, Reading, changes

SHOWN = 10
PLACES = ("2: depth 3", "2: depth 4", "2: depth 5", "3: depth 3")
DEPTH_3, DEPTH_4, DEPTH_5 = ((True, depth) for depth in (3, 4, 5))


def run(scale: float, runner: str, workers: int, folder: Path) -> Sequence[Line | Listing]:
    """The grid, and from the proposed, literal and nearest readings one point at a time; every
    count is exact at any scale.
    """
    del scale, folder
    document = printed()
    found = fits(grid(), workers if runner == "processes" else 1)
    proposed, best = fits([PROPOSED])[0], refined(nearest(found, document)[0], document)
    targets = _targets(document)
    chosen = {name: nearest([*found, best], against)[0] for name, against in targets.items()}
    lines = [
        _line("as proposed", proposed.factor(document)),
        *(_line(name, chosen[name].factor(targets[name])) for name in targets),
    ]
    best_of_all = [
        (str(place), fit, document)
        for place, fit in enumerate(nearest([best, *found], document, SHOWN), 1)
    ]
    return [
        *lines,
        _listing(
            f"The nearest of {len(found):,} readings, counted without pruning",
            best_of_all,
            document,
        ),
        _listing(
            "The nearest to other targets, and by which factor",
            [(name, chosen[name], targets[name]) for name in targets],
            document,
        ),
        hits(found, document),
        one_at_a_time("proposed", PROPOSED, document),
        one_at_a_time("literal", LITERAL, document),
        pruned({"proposed": PROPOSED, "literal": LITERAL}, document),
    ]


def hits(found: Sequence[Fit], document: Counts) -> Listing:
    """How many readings give a printed count once it is rounded to hundreds, as all printed
    counts are; chance alone gives some.
    """
    each = [str(sum(fit.hits({cell: count}) for fit in found)) for cell, count in document.items()]
    most = str(max(fit.hits(document) for fit in found))
    return Listing(
        "Readings that give a printed count to the hundred",
        ("", *PLACES, "most by one"),
        (("readings", *each, most),),
    )


def refined(fit: Fit, document: Counts) -> Fit:
    """The reading improved by one point at a time, those outside of the grid included, until no
    change helps.
    """
    while True:
        quick = [
            each
            for _, _, each in changes(fit.reading)
            if each.merged == "no" and each.spends != "best card, draws"
        ]
        better = nearest([fit, *fits(quick)], document)[0]
        if better.factor(document) >= fit.factor(document):
            return fit
        fit = better


def one_at_a_time(name: str, reading: Reading, document: Counts) -> Listing:
    """What each answer to each open point changes."""
    changed = [("nothing", "", reading), *changes(reading)]
    found = fits(each for _, _, each in changed)
    names = [
        f"{point.replace('_', ' ')}: {answer}" if answer else point for point, answer, _ in changed
    ]
    rows = [
        (name, *_cells(fit, document, document)) for name, fit in zip(names, found, strict=True)
    ]
    return Listing(
        f"One point changed in the {name} reading", ("changed", *PLACES, "factor"), tuple(rows)
    )


def pruned(readings: dict[str, Reading], document: Counts) -> Listing:
    """Leaves with alpha-beta, which table 3 cannot have: its draws are chance nodes."""
    rows = []
    for name, reading in readings.items():
        for order in ORDERS:
            search = Pruned(reading, order)
            rows.append(
                (
                    f"{name}, {order}",
                    *(
                        _told(search.leaves(cell[1]), document[cell])
                        for cell in (DEPTH_3, DEPTH_4, DEPTH_5)
                    ),
                )
            )
    return Listing(
        "Table 2 with alpha-beta, by the order of moves",
        ("reading and order", *PLACES[:3]),
        tuple(rows),
    )


def _targets(document: Counts) -> dict[str, Counts]:
    def only(cells: Iterable[Cell]) -> Counts:
        return {cell: document[cell] for cell in cells}

    return {
        "nearest to both tables": document,
        "nearest to table 2": only(cell for cell in document if cell[0]),
        "nearest to table 3": only(cell for cell in document if not cell[0]),
        **{
            f"nearest without depth {out[1]} of table 2": only(document.keys() - {out})
            for out in (DEPTH_3, DEPTH_4, DEPTH_5)
        },
        "nearest if depth 4 of table 2 is ten times too large": {
            **document,
            DEPTH_4: document[DEPTH_4] / 10,
        },
        "nearest if depth 5 of table 2 is ten times too small": {
            **document,
            DEPTH_5: document[DEPTH_5] * 10,
        },
    }


def _line(name: str, factor: float) -> Line:
    return Line(name, factor, factor, factor, 1)


def _listing(title: str, named: Sequence[tuple[str, Fit, Counts]], document: Counts) -> Listing:
    rows = [
        (name, *_cells(fit, document, against), _text(fit.reading)) for name, fit, against in named
    ]
    return Listing(
        title, ("", *PLACES, "factor", "differs from the proposed reading in"), tuple(rows)
    )


def _cells(fit: Fit, document: Counts, against: Counts) -> list[str]:
    return [
        *(_told(fit.counts[cell], document[cell]) for cell in document),
        f"{fit.factor(against):.3g}",
    ]


def _told(count: float, document: float) -> str:
    return f"{count:,.0f} (x {count / document:.3g})"


def _text(reading: Reading) -> str:
    return (
        "; ".join(
            f"{point.replace('_', ' ')}: {answer}" for point, answer in differences(reading).items()
        )
        or "nothing"
    )
