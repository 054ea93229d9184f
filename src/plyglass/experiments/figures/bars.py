"""Bars with intervals, and the document's values as marks."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from plyglass.experiments.figures import labels
from plyglass.experiments.lines import NORMAL_95, Line
from plyglass.experiments.reproduction import Reproduction
from plyglass.report.style import INK, PALETTE, name_rows, sheet

ROW = 0.42  # inches for a bar
LOWER = 0.18  # where the document's mark stands in a bar, clear of our interval
MANY_TIMES = 10.0  # the largest over the smallest, from where on seconds need a logarithmic axis


def draw_bars(done: Reproduction) -> Figure:
    """A bar for every line that measures what the first one does: others would need another
    axis, and stand in the table.
    """
    return _draw(done, labels.of_one_kind(done))


def _draw(done: Reproduction, lines: tuple[Line, ...]) -> Figure:
    figure, (axes,) = sheet(done.artifact.title, labels.behind(done), 1.1 + ROW * len(lines))
    _bars(axes, lines)
    axes.set_xlabel(labels.length_of_bars(done))
    figure.legend(loc="outside lower center", ncols=2, fontsize=9)
    return figure


def draw_times(done: Reproduction) -> Figure:
    """The same for seconds, which may lie decades apart."""
    return _by_decades(done, [f"{line.ours:.3g} s" for line in done.lines])


def draw_counts(done: Reproduction) -> Figure:
    """The same for exact counts."""
    figure = _by_decades(done, [line.shown[0] for line in done.lines])
    (axes,) = figure.axes
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.tick_params(axis="x", rotation=20)
    axes.set_xlim(right=axes.get_xlim()[1] * 5)  # room for what is written beside the longest bar
    return figure


def _by_decades(done: Reproduction, written: Sequence[str]) -> Figure:
    figure = _draw(done, done.lines)
    (axes,), spent = figure.axes, [line.ours for line in done.lines]
    if min(spent) > 0 and max(spent) / min(spent) >= MANY_TIMES:
        axes.set_xscale("log")
        axes.set_xlim(
            min(spent) / 3, max(*spent, *(line.document or 0.0 for line in done.lines)) * 3
        )
        axes.set_xlabel(f"{labels.length_of_bars(done)} (logarithmic)".strip())
        axes.xaxis.set_major_formatter("{x:g}")
        axes.grid(axis="x")
    for place, line in enumerate(done.lines):
        at = (line.high or line.ours, place)
        raised = 0 if line.document is None else 6  # clear of the document's mark
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


def _bars(axes: Axes, lines: tuple[Line, ...]) -> None:
    below = [line.ours - line.low if line.low is not None else 0.0 for line in lines]
    above = [line.high - line.ours if line.high is not None else 0.0 for line in lines]
    exact = all(line.exact for line in lines)
    axes.barh(
        range(len(lines)), [line.ours for line in lines], xerr=None if exact else (below, above),
        height=0.62, color=PALETTE[5], ecolor=INK,
        error_kw={"elinewidth": 1.4, "capsize": 4},
        label="ours" if exact else "ours, 95 % interval",
    )  # fmt: skip
    told = [
        (line.document, place + LOWER, NORMAL_95 * (line.error or 0.0))
        for place, line in enumerate(lines)
        if line.document is not None
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
            label="document",
        )
    name_rows(axes, [line.name for line in lines])
    axes.grid(visible=False)
    axes.spines["left"].set_visible(True)
