"""Violins: the distribution over matches, with dashed quartiles and the mean with its interval."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plyglass.experiments.figures import labels
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import RowResult
from plyglass.report.style import INK, PALETTE, PAPER, name_rows, sheet

ROW = 0.78  # inches for a distribution
HALF = 0.42  # half the width of a violin at its widest, in rows
DASHED = (0, (3, 2))


def draw_violins(done: Reproduction) -> Figure:
    """Draw a violin for every row, with a white bar for the interval of the mean."""
    figure, (axes,) = sheet(done.artifact.title, labels.behind(done), 1.1 + ROW * len(done.results))
    for place, result in enumerate(done.results):
        _violin(axes, place, result)
    name_rows(axes, [result.name for result in done.results])
    axes.grid(visible=False, axis="y")
    axes.grid(axis="x")
    axes.set_xlabel(labels.quantity(done))
    mean = Patch(facecolor=PAPER, edgecolor=INK, label="mean with 95 % interval")
    quartile = Line2D([], [], color=INK, linestyle=DASHED, linewidth=1.2, label="quartiles")
    figure.legend(handles=[mean, quartile], loc="outside lower center", ncols=2, fontsize=9)
    return figure


def _violin(axes: Axes, place: int, result: RowResult) -> None:
    if len(set(result.values)) > 1:  # equal values have no width to estimate
        made = axes.violinplot(
            [result.values],
            positions=[place],
            orientation="horizontal",
            widths=2 * HALF,
            showextrema=False,
        )
        body: Any = made["bodies"][0]  # type: ignore[index]
        body.set(facecolor=PALETTE[5], alpha=0.75, edgecolor=PALETTE[0], linewidth=1)
        for quartile in np.quantile(result.values, (0.25, 0.5, 0.75)):
            (dashes,) = axes.plot(
                [quartile, quartile],
                [place - HALF, place + HALF],
                color=INK,
                linestyle=DASHED,
                linewidth=1.2,
            )
            dashes.set_clip_path(body.get_paths()[0], axes.transData)
    if result.low is not None and result.high is not None:
        for color, width in ((INK, 8.0), (PAPER, 5.5)):
            axes.plot(
                [result.low, result.high],
                [place, place],
                color=color,
                linewidth=width,
                solid_capstyle="butt",
                zorder=3,
            )
    axes.plot(
        [result.ours], [place], color=INK, marker="|", markersize=8, markeredgewidth=1.6, zorder=4
    )
