"""Heat maps show means over two parameters as coloured cells, in panels by a third parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from plyglass.experiments.figures import labels
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import RowResult
from plyglass.experiments.study import TableRow
from plyglass.report.style import PALETTE, WIDTH, plain, readable_on, sheet

SHADES = LinearSegmentedColormap.from_list(
    "plyglass-shades", ("#f6f3ef", "#9ecae1", "#3f8fc4", "#00456f")
)
CELL = (0.74, 0.56)  # inches
MARK = PALETTE[1]

Cell = tuple[TableRow, RowResult]


def draw_heat_maps(done: Reproduction) -> Figure:
    """Draw a cell for every row at its `x` and `y`; rows without `x` or `y` are left out."""
    done = labels.placed(done)
    cells = list(zip(done.artifact.rows, done.results, strict=True))
    panels, across, down = (
        list(dict.fromkeys(getattr(row, name) for row, _ in cells)) for name in ("panel", "x", "y")
    )
    outlined = f"; outlined: {done.artifact.marked}" if done.artifact.marked else ""
    width = max(WIDTH, len(panels) * CELL[0] * len(across) + 2.0)
    figure, charts = sheet(
        done.artifact.title,
        labels.behind(done) + outlined,
        CELL[1] * len(down) + 1.0,
        len(panels),
        width,
        share_y=True,
    )
    means = [result.ours for _, result in cells]
    limits = min(means), max(means)
    for axes, panel in zip(charts, panels, strict=True):
        _panel(
            axes,
            [cell for cell in cells if cell[0].panel == panel],
            across,
            down,
            limits,
            done.artifact.marked,
        )
        axes.set_title(plain(panel), loc="left", fontsize=10, fontweight="bold")
        axes.set_xlabel(done.artifact.x_axis)
    charts[0].set_ylabel(done.artifact.y_axis)
    bar = figure.colorbar(
        ScalarMappable(Normalize(*limits), SHADES), ax=charts, fraction=0.03, pad=0.02
    )
    bar.outline.set_visible(False)
    bar.set_label(f"mean {labels.quantity(done)}".replace("mean mean", "mean"))
    return figure


def _panel(
    axes: Axes,
    cells: Sequence[Cell],
    across: list[str],
    down: list[str],
    limits: tuple[float, float],
    marked: str,
) -> None:
    digits = max(0, 3 - int(math.log10(max(abs(limits[0]), abs(limits[1]), 1.0))))
    values = np.full((len(down), len(across)), np.nan)
    for row, result in cells:
        at = down.index(row.y), across.index(row.x)
        values[at] = result.ours
        _annotate(
            axes,
            at,
            result,
            digits,
            readable_on(SHADES(float(np.interp(result.ours, limits, (0, 1))))),
        )
        if row.name == marked:
            axes.add_patch(
                Rectangle(
                    (at[1], at[0]),
                    1,
                    1,
                    fill=False,
                    edgecolor=MARK,
                    linewidth=2.6,
                    clip_on=False,
                    zorder=3,
                )
            )
    axes.pcolormesh(values, cmap=SHADES, vmin=limits[0], vmax=limits[1])
    axes.set_xticks(np.arange(len(across)) + 0.5, [plain(name) for name in across])
    axes.set_yticks(np.arange(len(down)) + 0.5, [plain(name) for name in down])
    axes.set_ylim(len(down), 0)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _annotate(axes: Axes, at: tuple[int, int], result: RowResult, digits: int, color: str) -> None:
    """Write the mean of a cell, with half the width of its interval below it."""
    axes.text(
        at[1] + 0.5,
        at[0] + 0.4,
        f"{result.ours:.{digits}f}",
        ha="center",
        va="center",
        color=color,
        fontsize=10,
        fontweight="bold",
    )
    if result.low is not None and result.high is not None:
        axes.text(
            at[1] + 0.5,
            at[0] + 0.75,
            f"± {(result.high - result.low) / 2:.2g}",
            ha="center",
            va="center",
            color=color,
            fontsize=7.5,
        )
