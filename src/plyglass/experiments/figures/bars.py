"""Bar charts: our values as bars with intervals, and the reported values as marks."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from plyglass.experiments.figures import labels
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import NORMAL_95, RowResult
from plyglass.report.style import INK, PALETTE, name_rows, sheet

ROW = 0.42  # inches for a bar
LOWER = 0.18  # the height of the reported mark in a bar, below our interval
MANY_TIMES = 10.0  # the axis is logarithmic if the largest value is this many times the smallest


def draw_bars(done: Reproduction) -> Figure:
    """Draw a bar for every row that measures the same quantity as the first row.

    Other rows would need another axis, so only the table shows them.
    """
    return _draw(done, labels.of_one_kind(done))


def _draw(done: Reproduction, results: tuple[RowResult, ...]) -> Figure:
    figure, (axes,) = sheet(done.artifact.title, labels.behind(done), 1.1 + ROW * len(results))
    _bars(axes, results)
    axes.set_xlabel(labels.length_of_bars(done))
    figure.legend(loc="outside lower center", ncols=2, fontsize=9)
    return figure


def draw_times(done: Reproduction) -> Figure:
    """Draw bars for seconds on a logarithmic axis."""
    return _by_decades(done, [f"{result.ours:.3g} s" for result in done.results])


def draw_counts(done: Reproduction) -> Figure:
    """Draw bars for exact counts."""
    figure = _by_decades(done, [result.shown[0] for result in done.results])
    (axes,) = figure.axes
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.tick_params(axis="x", rotation=20)
    axes.set_xlim(right=axes.get_xlim()[1] * 5)  # room for the text beside the longest bar
    return figure


def _by_decades(done: Reproduction, written: Sequence[str]) -> Figure:
    figure = _draw(done, done.results)
    (axes,), spent = figure.axes, [result.ours for result in done.results]
    if min(spent) > 0 and max(spent) / min(spent) >= MANY_TIMES:
        axes.set_xscale("log")
        axes.set_xlim(
            min(spent) / 3, max(*spent, *(result.reported or 0.0 for result in done.results)) * 3
        )
        axes.set_xlabel(f"{labels.length_of_bars(done)} (logarithmic)".strip())
        axes.xaxis.set_major_formatter("{x:g}")
        axes.grid(axis="x")
    for place, result in enumerate(done.results):
        at = (result.high or result.ours, place)
        raised = 0 if result.reported is None else 6  # clear of the reported mark
        axes.annotate(
            written[place],
            at,
            (6, raised),
            textcoords="offset points",
            va="center",
            fontsize=9,
            color=INK,
        )
    return figure


def _bars(axes: Axes, results: tuple[RowResult, ...]) -> None:
    below = [result.ours - result.low if result.low is not None else 0.0 for result in results]
    above = [result.high - result.ours if result.high is not None else 0.0 for result in results]
    exact = all(result.exact for result in results)
    axes.barh(
        range(len(results)), [result.ours for result in results],
        xerr=None if exact else (below, above), height=0.62, color=PALETTE[5], ecolor=INK,
        error_kw={"elinewidth": 1.4, "capsize": 4},
        label="ours" if exact else "ours, 95 % interval",
    )  # fmt: skip
    told = [
        (result.reported, place + LOWER, NORMAL_95 * (result.error or 0.0))
        for place, result in enumerate(results)
        if result.reported is not None
    ]
    if told:
        values, heights, errors = zip(*told, strict=True)
        axes.errorbar(
            values,
            heights,
            xerr=errors,
            fmt="D",
            color=PALETTE[1],
            capsize=2,
            zorder=3,
            label="reported",
        )
    name_rows(axes, [result.name for result in results])
    axes.grid(visible=False)
    axes.spines["left"].set_visible(True)
