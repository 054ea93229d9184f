"""Scenes as marks (areas, circles, lines, texts) on a sheet of pixels.

PNG, SVG and HTML are all drawn from these marks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plyglass.core.scene import (
    Bar,
    Card,
    Disc,
    Label,
    Path,
    Points,
    Polygon,
    Ring,
    Scene,
    Shape,
    Tile,
    fitted,
)

BOARD = 460.0  # pixels of the longer side of a board, if cells stay within their limits
SMALLEST_CELL, LARGEST_CELL = 30.0, 72.0
MARGIN, TITLE, LINE = 34.0, 17.0, 13.0  # pixels: margin of a board, and sizes of texts
SPACING = 1.6  # distance between lines of text, relative to their size


@dataclass(frozen=True)
class Area:
    """A filled outline; `edge` is the role of the thin line around it."""

    points: Points
    role: str
    opacity: float = 1.0
    edge: str = ""


@dataclass(frozen=True)
class Circle:
    """A filled circle; `edge` is the role of the thin line around it."""

    x: float
    y: float
    radius: float
    role: str
    opacity: float = 1.0
    edge: str = ""


@dataclass(frozen=True)
class Line:
    """A line through points."""

    points: Points
    role: str
    width: float
    opacity: float = 1.0
    dashed: bool = False


@dataclass(frozen=True)
class Text:
    """A line of text. `x` is its centre or left end, and `y` is the middle of its height."""

    x: float
    y: float
    text: str
    size: float
    role: str
    opacity: float = 1.0
    centred: bool = True
    bold: bool = False


Mark = Area | Circle | Line | Text


@dataclass(frozen=True)
class Group:
    """The marks of one shape, and its tooltip."""

    marks: tuple[Mark, ...]
    tip: str = ""


@dataclass(frozen=True)
class Sheet:
    """A drawing in pixels: the ground, one group of marks per shape, and the text around boards."""

    width: float
    height: float
    ground: tuple[Mark, ...]
    shapes: tuple[Group, ...]
    writing: tuple[Mark, ...]


def sheet_of(scenes: Sequence[Scene], lines: Sequence[str] = ()) -> Sheet:
    """Scenes side by side on one sheet, with further lines of text below."""
    boards = [_Board(scene) for scene in scenes]
    lefts = [sum(board.width for board in boards[:number]) for number in range(len(boards))]
    bottom = max(board.height for board in boards)
    footer = tuple(
        Text(MARGIN, bottom + (number + 0.5) * SPACING * LINE, text, LINE, "ink", centred=False)
        for number, text in enumerate(lines)
    )
    placed = [board.placed(left) for board, left in zip(boards, lefts, strict=True)]
    return Sheet(
        width=sum(board.width for board in boards),
        height=bottom + len(lines) * SPACING * LINE + (LINE if lines else 0.0),
        ground=tuple(mark for ground, _, _ in placed for mark in ground),
        shapes=tuple(group for _, shapes, _ in placed for group in shapes),
        writing=(*(mark for _, _, writing in placed for mark in writing), *footer),
    )


class _Board:
    """One scene in pixels."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.cell = min(LARGEST_CELL, max(SMALLEST_CELL, BOARD / max(scene.width, scene.height)))
        self.top = MARGIN + (0.8 * TITLE if scene.title else 0.0)
        self.below = self.top + scene.height * self.cell + MARGIN + 0.6 * LINE
        self.width = scene.width * self.cell + 2 * MARGIN
        self.height = self.below + len(scene.caption) * SPACING * LINE

    def placed(self, left: float) -> tuple[list[Mark], list[Group], list[Mark]]:
        """The marks of ground, shapes and text, if the board's left margin begins at `left`."""
        self.left = left + MARGIN
        shapes = [
            Group(tuple(_MARKS[type(shape)](self, shape)), shape.tip)
            for shape in self.scene.shapes
            if shape.opacity or shape.tip  # invisible shapes without a tooltip only take clicks
        ]
        return list(self._ground()), shapes, list(self._writing())

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self.cell, self.top + y * self.cell

    def _ground(self) -> Iterator[Mark]:
        width, height = self.scene.width, self.scene.height
        yield Area(self.block(0, 0, width, height), self.scene.ground)
        for x in range(1, width):
            yield Line((self.at(x, 0), self.at(x, height)), "grid", 1.5)
        for y in range(1, height):
            yield Line((self.at(0, y), self.at(width, y)), "grid", 1.5)

    def _writing(self) -> Iterator[Mark]:
        if self.scene.title:
            yield Text(
                self.left,
                self.top - 0.9 * TITLE,
                self.scene.title,
                TITLE,
                "ink",
                centred=False,
                bold=True,
            )
        for number, text in enumerate(self.scene.caption):
            yield Text(
                self.left,
                self.below + (number + 0.2) * SPACING * LINE,
                text,
                LINE,
                "muted",
                centred=False,
            )

    def block(self, x: float, y: float, width: float, height: float, inset: float = 0.0) -> Points:
        low, high = self.at(x + inset, y + inset), self.at(x + width - inset, y + height - inset)
        return (low, (high[0], low[1]), high, (low[0], high[1]))

    # one method per shape

    def tile(self, tile: Tile) -> list[Mark]:
        gap = 0.75 / self.cell  # leaves the lines of the grid visible
        return [Area(self.block(tile.x, tile.y, 1, 1, gap), tile.role, tile.opacity)]

    def disc(self, disc: Disc) -> list[Mark]:
        return [
            Circle(
                *self.at(disc.x, disc.y), disc.radius * self.cell, disc.role, disc.opacity, "grid"
            )
        ]

    def polygon(self, polygon: Polygon) -> list[Mark]:
        return [Area(self.places(polygon.points), polygon.role, polygon.opacity, "grid")]

    def path(self, path: Path) -> list[Mark]:
        points, width = self.places(path.points), path.width * self.cell
        line = Line(points, path.role, width, path.opacity, path.dashed)
        return (
            [line, Area(_arrow_head(points[-2], points[-1], 2.4 * width), path.role, path.opacity)]
            if path.arrow
            else [line]
        )

    def ring(self, ring: Ring) -> list[Mark]:
        outline = _rounded(
            self.block(ring.x, ring.y, ring.width, ring.height, 0.05), 0.14 * self.cell
        )
        return [
            Area(outline, ring.role, 0.1 * ring.opacity),
            Line((*outline, *outline[:2]), ring.role, 0.045 * self.cell, ring.opacity),
        ]

    def label(self, label: Label) -> list[Mark]:
        return [
            Text(
                *self.at(label.x, label.y),
                label.text,
                label.size * self.cell,
                label.role,
                label.opacity,
            )
        ]

    def bar(self, bar: Bar) -> list[Mark]:
        left, height = bar.x - bar.width / 2, 0.09
        whole = Area(
            self.block(left, bar.y - height / 2, bar.width, height),
            "ghost",
            0.55 * bar.opacity,
            "grid",
        )
        share = min(1.0, max(0.0, bar.share))
        return [
            whole,
            Area(
                self.block(left, bar.y - height / 2, bar.width * share, height),
                bar.role,
                bar.opacity,
            ),
        ]

    def card(self, card: Card) -> list[Mark]:
        """A face with its cost, its name, a line of text and its numbers."""
        outline = _rounded(
            self.block(card.x, card.y, card.width, card.height, 0.04), 0.1 * self.cell
        )
        face: list[Mark] = [
            Area(outline, "grid", card.opacity),
            Area(outline, card.role, 0.12 * card.opacity),
            Line((*outline, *outline[:2]), card.role, 0.035 * self.cell, card.opacity),
        ]
        size = min(0.3, 0.2 * card.height)
        return [*face, *self._cost(card, size), *self._card_text(card, size)]

    def _cost(self, card: Card, size: float) -> list[Mark]:
        if not card.cost:
            return []
        place = self.at(card.x + 0.08 + 0.72 * size, card.y + 0.08 + 0.72 * size)
        radius = 0.72 * size * self.cell
        number = Text(*place, card.cost, size * self.cell, "grid", card.opacity, bold=True)
        return [Circle(*place, radius, card.role, card.opacity, "grid"), number]

    def _card_text(self, card: Card, size: float) -> list[Mark]:
        """The title in the middle, the text below it, and the numbers on the lower edge."""
        title = card.y + (0.51 if card.cost else 0.34) * card.height
        marks = self._lines_of_text(card, card.title, title, 0.84 * size, "ink")
        if card.text:
            middle = card.y + (0.72 if card.corner else 0.82) * card.height
            marks += self._lines_of_text(card, card.text, middle, 0.75 * size, "muted")
        if card.corner:
            down = card.y + card.height - 0.06 - 0.7 * size
            marks += self._lines_of_text(card, card.corner, down, size, card.role)
        return marks

    def _lines_of_text(self, card: Card, text: str, y: float, size: float, role: str) -> list[Mark]:
        """One or two lines of text around the height `y`.

        The lines are bold unless they are muted.
        """
        bold, room = role != "muted", card.width - 0.2
        lines, high = fitted(text, 0.9 * room if bold else room, size, 2)
        x, step = card.x + card.width / 2, 1.15 * high
        return [
            Text(
                *self.at(x, y + (number - (len(lines) - 1) / 2) * step),
                line,
                high * self.cell,
                role,
                card.opacity,
                bold=bold,
            )
            for number, line in enumerate(lines)
        ]

    def places(self, points: Points) -> Points:
        return tuple(self.at(*point) for point in points)


_MARKS: dict[type[Shape], Callable[[_Board, Any], list[Mark]]] = {
    Tile: _Board.tile,
    Disc: _Board.disc,
    Polygon: _Board.polygon,
    Path: _Board.path,
    Ring: _Board.ring,
    Label: _Board.label,
    Bar: _Board.bar,
    Card: _Board.card,
}


def _arrow_head(before: tuple[float, float], tip: tuple[float, float], size: float) -> Points:
    """A triangle that points in the direction of a line, centred at the line's end."""
    across, along = tip[0] - before[0], tip[1] - before[1]
    length = math.hypot(across, along) or 1.0
    x, y = size * across / length, size * along / length
    return (
        (tip[0] + x, tip[1] + y),
        (tip[0] - x - y, tip[1] - y + x),
        (tip[0] - x + y, tip[1] - y - x),
    )


def _rounded(block: Points, radius: float, steps: int = 4) -> Points:
    """The outline of a rectangle with round corners."""
    (left, top), (right, bottom) = block[0], block[2]
    centres = (
        (right - radius, top + radius),
        (right - radius, bottom - radius),
        (left + radius, bottom - radius),
        (left + radius, top + radius),
    )
    turns = [
        (x, y, (corner + step / steps) / 4)
        for corner, (x, y) in enumerate(centres)
        for step in range(steps + 1)
    ]
    return tuple(
        (x + radius * math.sin(math.tau * turn), y - radius * math.cos(math.tau * turn))
        for x, y, turn in turns
    )
