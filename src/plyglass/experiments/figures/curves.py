"""Curves: each series is a curve, with intervals as bands and reported values as marks."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from plyglass.experiments.figures import labels
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import RowResult
from plyglass.experiments.study import TableRow
from plyglass.report.style import MARKERS, MUTED, PALETTE, PAPER, WIDTH, plain, sheet

PANEL = 2.7  # inches across
DECADES = 50.0  # the axis is logarithmic if the largest x is this many times the smallest

Point = tuple[TableRow, RowResult]


def draw_curves(done: Reproduction) -> Figure:
    """Draw a point for every row at its `x`; in each `panel`, rows with equal `y` form a curve.

    Only the table shows a row without `x`.
    """
    done = labels.placed(done)
    points = sorted(zip(done.artifact.rows, done.results, strict=True), key=_place)
    panels, series = (
        list(dict.fromkeys(getattr(row, name) for row in done.artifact.rows))
        for name in ("panel", "y")
    )
    width = max(WIDTH, PANEL * len(panels) + 0.8)
    figure, charts = sheet(
        done.artifact.title, labels.behind(done), 3.6, len(panels), width, share_y=True
    )
    for axes, panel in zip(charts, panels, strict=True):
        for number, name in enumerate(series):
            _curve(
                axes,
                [point for point in points if (point[0].panel, point[0].y) == (panel, name)],
                number,
            )
        axes.set_title(plain(panel), loc="left", fontsize=10, fontweight="bold")
        _number(axes, done.artifact.x_axis, [_place(point) for point in points])
    charts[0].set_ylabel(done.artifact.y_axis or labels.quantity(done))
    told = any(result.reported is not None for result in done.results)
    figure.legend(
        handles=_keys(series, told),
        loc="outside lower center",
        ncols=min(4, len(series) + told),
        fontsize=9,
    )
    return figure


def _place(point: Point) -> float:
    return float(point[0].x.replace(",", ""))


def _look(number: int) -> tuple[str, str]:
    """Return the colour and marker of a series."""
    return PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]


def _curve(axes: Axes, points: Sequence[Point], number: int) -> None:
    """Draw a series: our values as a line, intervals as a band, reported values as hollow marks."""
    color, marker = _look(number)
    axes.plot(
        [_place(point) for point in points],
        [result.ours for _, result in points],
        color=color,
        marker=marker,
        markersize=4.5,
    )
    spread = [
        (_place(point), point[1].low, point[1].high) for point in points if point[1].low is not None
    ]
    if spread:
        axes.fill_between(*zip(*spread, strict=True), color=color, alpha=0.16, linewidth=0)  # type: ignore[arg-type]
    for point in points:
        if point[1].reported is not None:
            axes.plot(
                _place(point),
                point[1].reported,
                marker="D",
                markersize=6,
                color=color,
                markerfacecolor=PAPER,
                zorder=4,
            )


def _number(axes: Axes, name: str, places: Sequence[float]) -> None:
    """Set the horizontal axis, which is logarithmic if the numbers lie far apart."""
    if min(places) > 0 and max(places) / min(places) >= DECADES:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel(name)
    axes.grid(axis="y")


def _keys(series: Sequence[str], told: bool) -> list[Line2D]:
    found = [
        Line2D([], [], color=_look(number)[0], marker=_look(number)[1], label=plain(name))
        for number, name in enumerate(series)
    ]
    reported = Line2D(
        [], [], color=MUTED, marker="D", markerfacecolor=PAPER, linestyle="none", label="reported"
    )
    return [*found, reported] if told else found
