"""Scenes: positions as shapes on a grid.

A scene is plain data. A game makes the scene, and programs draw the scene as a picture, in a film
or in a browser. Lengths are in cells, and coordinates count from the top left corner, so the middle
of the first cell is (0.5, 0.5). A shape has a role instead of a colour, and the drawing program
chooses the role's colour. A scene can be written as JSON and read again without loss.

A shape may have a key. A click on the shape selects its key, and `Game.action_path` lists the keys
that select an action. A shape may be a part of a thing. A thing keeps its name from scene to scene,
so a program can show how the thing moves. Screen readers read keys and things aloud, so keys and
things have short names such as "b3" or "hand 2". Like everything in a scene, these names depend
only on the view.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from plyglass.core.refusals import refuse_unknown
from plyglass.core.state import Bytes

Role = Literal[
    "board", "water", "fog", "grid",  # the ground below all other shapes
    # terrain: at full opacity for signs, faint for ground
    "plain", "sea", "forest", "mountain", "road",
    # the owner of a piece; a ghost is a piece that is lost, or only believed to be there
    "own", "ally", "enemy", "neutral", "ghost",
    "red", "blue",  # the owner of a piece, in games whose sides have colours
    "good", "bad", "heat", "danger", "sight", "goal",  # the meaning of a shape
    "ink", "muted",  # text
]  # fmt: skip
ROLES: tuple[str, ...] = get_args(Role)
_ROLES = frozenset(ROLES)
Point = tuple[float, float]
Points = tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The base class of shapes.

    Attributes:
        role: what the shape stands for, which decides the colour.
        opacity: from 0, invisible, to 1.
        tip: the text of the tooltip.
        key: what a click on the shape selects; shapes may share a key. A shape without a key lets
            clicks through to the shapes below.
        thing: the name of the thing that the shape is a part of; empty if the shape belongs to no
            thing. A thing with the same name in the next scene is the same thing, perhaps moved.
    """

    role: Role
    opacity: float = 1.0
    tip: str = ""
    key: str = ""
    thing: str = ""

    def __post_init__(self) -> None:
        if self.role not in _ROLES:  # tested here, because `refuse_unknown` takes longer
            refuse_unknown("A scene", "colour role", (self.role,), ROLES)
        if not 0.0 <= self.opacity <= 1.0:
            raise ValueError(f"The opacity of a shape is from 0 to 1, not {self.opacity}.")


@dataclass(frozen=True)
class Tile(Shape):
    """A filled cell: terrain, or a part of a heat map with its value."""

    x: float
    y: float
    value: float | None = None


@dataclass(frozen=True)
class Disc(Shape):
    """A filled circle around a point."""

    x: float
    y: float
    radius: float = 0.3


@dataclass(frozen=True)
class Polygon(Shape):
    """A filled polygon.

    `block`, `regular`, `star` and `vessel` compute the corners of common shapes.
    """

    points: Points


@dataclass(frozen=True)
class Path(Shape):
    """A line from point to point, solid or dashed, with or without an arrowhead at its end."""

    points: Points
    dashed: bool = False
    arrow: bool = False
    width: float = 0.05


@dataclass(frozen=True)
class Ring(Shape):
    """The outline of a block of cells, for example cells that are seen, reached or chosen."""

    x: float
    y: float
    width: float = 1.0
    height: float = 1.0


@dataclass(frozen=True)
class Label(Shape):
    """Text centred on a point; `size` is the height of a line."""

    x: float
    y: float
    text: str
    size: float = 0.35


@dataclass(frozen=True)
class Bar(Shape):
    """A small bar at a point, for health or progress, with a share that is filled from the left."""

    x: float
    y: float
    share: float
    width: float = 0.6


@dataclass(frozen=True)
class Card(Shape):
    """A card, given by its upper left corner; its role colours its edge and its numbers.

    Attributes:
        title: the card's name, which is shrunk and broken into two lines if necessary.
        cost: a number in the card's upper left corner.
        corner: numbers on the card's lower edge, such as attack and health.
        text: a short line below the title.
    """

    x: float
    y: float
    width: float
    height: float
    title: str
    cost: str = ""
    corner: str = ""
    text: str = ""


SHAPES: dict[str, type[Shape]] = {
    shape.__name__: shape for shape in (Tile, Disc, Polygon, Path, Ring, Label, Bar, Card)
}
OPTIONAL = ("tip", "key", "thing")  # left out of JSON if empty: most shapes have none


@dataclass(frozen=True)
class Region:
    """A named part of a scene, such as "board" or "hand"; a narrow screen may show it alone."""

    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Scene:
    """A position as shapes; each shape is drawn above the shapes before it.

    Attributes:
        width, height: the size of the board, in cells.
        shapes: the shapes on the board.
        title: the text above the board.
        caption: the lines of text below the board.
        ground: the role of the board's cells.
        regions: parts that may be shown separately; without regions, the scene is one part.
    """

    width: int
    height: int
    shapes: tuple[Shape, ...] = ()
    title: str = ""
    caption: tuple[str, ...] = field(default=())
    ground: Role = "board"
    regions: tuple[Region, ...] = ()

    def __post_init__(self) -> None:
        refuse_unknown("A scene", "colour role", (self.ground,), ROLES)

    def to_json(self) -> str:
        """The scene as JSON, with each shape's kind, but without empty tips, keys and things."""
        shapes = [_values(shape) for shape in self.shapes]
        regions = [vars(region) for region in self.regions]
        values = {**vars(self), "shapes": shapes, "regions": regions}
        return json.dumps(values, default=lambda number: number.item())

    @staticmethod
    def from_json(text: str) -> Scene:
        """The scene that `to_json` wrote."""
        values = _with_tuples(json.loads(text))
        shapes = tuple(_shape(**each) for each in values["shapes"])
        regions = tuple(Region(**each) for each in values.get("regions", ()))
        return Scene(**{**values, "shapes": shapes, "regions": regions})


@dataclass(frozen=True)
class Imagined:
    """Worlds that may be true, and their probabilities.

    Worlds are given by field: `worlds["cell"]` has one row per world. The true world is given in
    the same way, as a single world, with `true` set. Then a game draws no fog.
    """

    worlds: np.ndarray[Any, Any]
    weights: npt.NDArray[np.float64]
    true: bool = False

    @staticmethod
    def of(rows: Bytes, weights: npt.NDArray[np.float64], state: np.dtype[Any]) -> Imagined:
        """Worlds given as bytes, one per row."""
        return Imagined(np.ascontiguousarray(rows).view(state)[:, 0], weights)

    @staticmethod
    def truth(row: Bytes, state: np.dtype[Any]) -> Imagined:
        """The true world, given as bytes."""
        return replace(Imagined.of(row[None], np.ones(1), state), true=True)

    def expected(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The mean of `values`, an array with one value for each world."""
        return np.tensordot(self.weights, np.asarray(values, np.float64), 1)


def heat_map(
    imagined: Imagined, counts: npt.NDArray[Any], what: str, sure: Role = "enemy"
) -> list[Shape]:
    """A tile for each cell where things may be; a cell has the role `sure` if all worlds agree.

    `counts` is the number of things, by world, row and column of the board. The opacity grows with
    the square root of the expected number, so small numbers stay visible. Equal opacities mean
    equal numbers in every scene.
    """
    expected = imagined.expected(counts)
    agreed = (counts == counts[:1]).all(axis=0)
    return [
        Tile(
            int(x),
            int(y),
            float(value),
            role=sure if agreed[y, x] else "heat",
            opacity=_shade(value),
            tip=f"{what}: {value:.2f}",
        )
        for (y, x), value in np.ndenumerate(expected)
        if value > 0.0
    ]


def spots(
    width: int, height: int, name: Callable[[int, int], str], left: float = 0.0, top: float = 0.0
) -> list[Shape]:
    """Invisible tiles with keys, so empty cells can be clicked.

    `name` gives the key of a cell from its column and its row, counted from the top. A cell with an
    empty key gets no tile. `left` and `top` are the position of the first cell.
    """
    return [
        Tile(left + x, top + y, role="board", opacity=0.0, key=key)
        for y in range(height)
        for x in range(width)
        if (key := name(x, y))
    ]


def named(shapes: Iterable[Shape], key: str = "", thing: str = "") -> list[Shape]:
    """Copies of the shapes with this key, as parts of this thing."""
    return [replace(shape, key=key, thing=thing) for shape in shapes]


def text_width(text: str, size: float) -> float:
    """The width of a line of text, estimated for a wide font, so other fonts fit too."""
    return size * sum(map(_letter_width, text))


def fitted(text: str, width: float, size: float, lines: int = 1) -> tuple[tuple[str, ...], float]:
    """Break a text into at most `lines` lines; return the lines and the size at which they fit.

    The size is `size` or smaller. Nothing is cut off.
    """
    tries = (_broken(text.split() or [""], count) for count in range(1, lines + 1))
    sizes = [
        (min(size, width / max(text_width(line, 1.0) or 1.0 for line in broken)), broken)
        for broken in tries
    ]
    best = max(found for found, _ in sizes)
    return next((broken, math.floor(1e4 * found) / 1e4) for found, broken in sizes if found == best)


def coordinates(columns: Sequence[str], rows: Sequence[str]) -> list[Shape]:
    """Labels of a board's columns, below the board, and of its rows, on the left of the board."""
    below = [
        Label(x + 0.5, len(rows) + 0.25, name, 0.24, role="muted") for x, name in enumerate(columns)
    ]
    return [
        *below,
        *(Label(-0.25, y + 0.5, name, 0.24, role="muted") for y, name in enumerate(rows)),
    ]


def regular(x: float, y: float, corners: int, radius: float = 0.34) -> Points:
    """A regular polygon around a point, with a corner on top."""
    return _around(x, y, [(radius, number / corners) for number in range(corners)])


def block(x: float, y: float, width: float, height: float) -> Points:
    """A rectangle, given by its upper left corner."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def star(x: float, y: float, radius: float = 0.34, spikes: int = 8) -> Points:
    """A star around a point, to show that something was hit there."""
    return _around(
        x,
        y,
        [
            (radius * (0.5 if number % 2 else 1.0), number / (2 * spikes))
            for number in range(2 * spikes)
        ],
    )


def vessel(x: float, y: float, heading: Point, length: float = 0.8, width: float = 0.36) -> Points:
    """The hull of a ship from above, around a point; `heading` points from stern to bow.

    A ship that does not move has the heading (0, 0), and points up.
    """
    size = math.hypot(*heading)
    ahead, aside = (heading[0] / size, heading[1] / size) if size else (0.0, -1.0)
    outline = (
        (0.5, 0.0),
        (0.3, 0.36),
        (0.05, 0.5),
        (-0.4, 0.46),
        (-0.5, 0.32),
        (-0.5, -0.32),
        (-0.4, -0.46),
        (0.05, -0.5),
        (0.3, -0.36),
    )
    scaled = [(along * length, across * width) for along, across in outline]
    return tuple(
        (_short(x + a * ahead - c * aside), _short(y + a * aside + c * ahead)) for a, c in scaled
    )


def _shade(value: float) -> float:
    return min(1.0, math.sqrt(value))


def _around(x: float, y: float, polar: Sequence[Point]) -> Points:
    """Points around a centre, each given by its distance and its angle.

    The angle is a share of a full turn, clockwise from the top.
    """
    return tuple(
        (
            _short(x + radius * math.sin(math.tau * turn)),
            _short(y - radius * math.cos(math.tau * turn)),
        )
        for radius, turn in polar
    )


def _short(value: float) -> float:
    return round(value, 4)


def _letter_width(letter: str) -> float:
    """The width of a letter as a share of the font size, in DejaVu Sans, a wide font."""
    if letter in " .,:;'|!ijlI()[]-ft":
        return 0.37
    if letter in "mwMW@%—":
        return 0.95
    return 0.7 if letter.isupper() else 0.63


def _broken(words: Sequence[str], lines: int) -> tuple[str, ...]:
    """Break words into at most `lines` lines, so the widest line is as narrow as possible."""
    if lines == 1 or len(words) == 1:
        return (" ".join(words),)
    return min(
        ((" ".join(words[:cut]), *_broken(words[cut:], lines - 1)) for cut in range(1, len(words))),
        key=lambda found: max(text_width(line, 1.0) for line in found),
    )


def _values(shape: Shape) -> dict[str, Any]:
    values = {"kind": type(shape).__name__, **vars(shape)}
    for name in OPTIONAL:
        if not values[name]:
            del values[name]
    return values


def _shape(kind: str, **values: Any) -> Shape:
    if kind not in SHAPES:
        raise ValueError(f"There is no shape {kind!r}; there are {', '.join(SHAPES)}.")
    return SHAPES[kind](**values)


def _with_tuples(value: Any) -> Any:
    """A value from JSON with tuples instead of lists, so it equals the original."""
    if isinstance(value, dict):
        return {name: _with_tuples(each) for name, each in value.items()}
    return tuple(_with_tuples(each) for each in value) if isinstance(value, list) else value
