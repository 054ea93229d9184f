"""A sheet drawn as a PNG image by matplotlib."""

from __future__ import annotations

import io

from plyglass.report.drawing.geometry import Area, Circle, Line, Mark, Sheet, Text
from plyglass.report.drawing.palette import LIGHT, PAPER, Palette

try:
    from matplotlib import patches
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
except ModuleNotFoundError:
    raise RuntimeError(
        "Pictures need matplotlib: pip install 'plyglass[plot]'. SVG and HTML need nothing."
    ) from None

INCH = 100.0  # pixels of a sheet per inch
POINT = 72.0 / INCH  # points per pixel


def png(sheet: Sheet, palette: Palette = LIGHT, scale: float = 2.0) -> bytes:
    """The bytes of a PNG file, with `scale` dots per pixel of the sheet."""
    figure = Figure(figsize=(sheet.width / INCH, sheet.height / INCH), facecolor=palette[PAPER])
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0, sheet.width), ylim=(sheet.height, 0))
    axes.set_axis_off()
    shapes = [mark for group in sheet.shapes for mark in group.marks]
    for order, mark in enumerate((*sheet.ground, *shapes, *sheet.writing)):
        _draw(axes, mark, palette, order)
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=scale * INCH, metadata={"Software": None})
    return written.getvalue()


def _draw(axes: Axes, mark: Mark, palette: Palette, order: int) -> None:
    if isinstance(mark, Text):
        _write(axes, mark, palette, order)
    elif isinstance(mark, Line):
        axes.add_line(_line(mark, palette, order))
    else:
        axes.add_patch(_patch(mark, palette, order))


def _patch(mark: Area | Circle, palette: Palette, order: int) -> patches.Patch:
    edge = palette[mark.edge] if mark.edge else "none"
    width = 1.5 * POINT if mark.edge else 0.0
    if isinstance(mark, Circle):
        shape: patches.Patch = patches.Circle((mark.x, mark.y), mark.radius)
    else:
        shape = patches.Polygon(mark.points, closed=True)
    shape.set(
        facecolor=palette[mark.role],
        edgecolor=edge,
        linewidth=width,
        alpha=mark.opacity,
        joinstyle="round",
        zorder=order,
    )
    return shape


def _line(line: Line, palette: Palette, order: int) -> Line2D:
    x, y = zip(*line.points, strict=True)
    made = Line2D(
        x,
        y,
        color=palette[line.role],
        linewidth=line.width * POINT,
        alpha=line.opacity,
        zorder=order,
    )
    made.set(
        solid_joinstyle="round",
        solid_capstyle="butt",
        linestyle=(0, (2.6, 2.2)) if line.dashed else "solid",
    )
    return made


def _write(axes: Axes, text: Text, palette: Palette, order: int) -> None:
    axes.text(
        text.x, text.y, text.text, fontsize=text.size * POINT * 0.95, color=palette[text.role],
        alpha=text.opacity, zorder=order,
        ha="center" if text.centred else "left", va="center_baseline",
        fontweight="bold" if text.bold else "normal",
        fontfamily="DejaVu Sans", parse_math=False,
    )  # fmt: skip
