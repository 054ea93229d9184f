"""A sheet drawn as SVG."""

from __future__ import annotations

from html import escape

from plyglass.core.scene import Points, Scene
from plyglass.report.drawing.geometry import (
    Area,
    Circle,
    Group,
    Line,
    Mark,
    Sheet,
    Text,
    sheet_of,
)
from plyglass.report.drawing.palette import LIGHT, PAPER, Palette

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
NAMESPACE = 'xmlns="http://www.w3.org/2000/svg" '


def svg_file(sheet: Sheet, palette: Palette = LIGHT) -> str:
    """The text of an SVG file, with a background."""
    paper = f'<rect width="100%" height="100%" fill="{palette[PAPER]}"/>\n'
    layers = zip(("ground", "shapes", "writing"), parts(sheet, palette), strict=True)
    content = "\n".join(
        "\n".join((f'<g class="{name}">', *elements, "</g>")) for name, elements in layers
    )
    return f"<svg {NAMESPACE}{frame(sheet)}>\n{paper}{content}\n</svg>\n"


def image(scene: Scene) -> str:
    """A scene as SVG with a fixed size, because a notebook would otherwise stretch it."""
    sheet = sheet_of([scene])
    size = f'width="{_number(sheet.width)}" height="{_number(sheet.height)}" '
    return svg_file(sheet).replace("<svg ", f"<svg {size}", 1)


def frame(sheet: Sheet) -> str:
    """The attributes of the SVG element that contains a sheet."""
    return f'viewBox="0 0 {_number(sheet.width)} {_number(sheet.height)}" font-family="{FONT}"'


def parts(sheet: Sheet, palette: Palette) -> tuple[list[str], list[str], list[str]]:
    """The SVG elements of a sheet in three lists: its ground, its shapes and its text."""
    ground, writing = (
        [_element(mark, palette) for mark in marks] for marks in (sheet.ground, sheet.writing)
    )
    return ground, [_group(group, palette) for group in sheet.shapes], writing


def _group(group: Group, palette: Palette) -> str:
    tip = f"<title>{escape(group.tip)}</title>" if group.tip else ""
    return f"<g>{tip}{''.join(_element(mark, palette) for mark in group.marks)}</g>"


def _element(mark: Mark, palette: Palette) -> str:
    opacity = f' opacity="{_number(mark.opacity)}"' if mark.opacity < 1.0 else ""
    if isinstance(mark, Line):
        return _line(mark, palette, opacity)
    if isinstance(mark, Text):
        return _text(mark, palette, opacity)
    look = f'fill="{palette[mark.role]}"{_edge(mark, palette)}{opacity}'
    if isinstance(mark, Circle):
        place = f'cx="{_number(mark.x)}" cy="{_number(mark.y)}" r="{_number(mark.radius)}"'
        return f"<circle {place} {look}/>"
    return f'<polygon points="{_points(mark.points)}" {look}/>'


def _line(line: Line, palette: Palette, opacity: str) -> str:
    dashes = (
        f' stroke-dasharray="{_number(2.6 * line.width)} {_number(2.2 * line.width)}"'
        if line.dashed
        else ""
    )
    stroke = f'stroke="{palette[line.role]}" stroke-width="{_number(line.width)}"'
    look = f'fill="none" {stroke} stroke-linejoin="round"{dashes}{opacity}'
    return f'<polyline points="{_points(line.points)}" {look}/>'


def _text(text: Text, palette: Palette, opacity: str) -> str:
    anchor = ' text-anchor="middle"' if text.centred else ""
    weight = ' font-weight="650"' if text.bold else ""
    place = (
        f'x="{_number(text.x)}" y="{_number(text.y)}" dy="0.35em" font-size="{_number(text.size)}"'
    )
    look = f'fill="{palette[text.role]}"{anchor}{weight}{opacity}'
    return f"<text {place} {look}>{escape(text.text)}</text>"


def _edge(mark: Area | Circle, palette: Palette) -> str:
    return (
        f' stroke="{palette[mark.edge]}" stroke-width="1.5" stroke-linejoin="round"'
        if mark.edge
        else ""
    )


def _points(points: Points) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """A number with two decimals (hundredths of a pixel), without trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
