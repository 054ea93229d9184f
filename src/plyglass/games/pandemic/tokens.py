"""The pieces of the drawing: tokens that tell colours apart by their shape too, stations, and
badges for pawns.
"""

from collections.abc import Iterator
from typing import Any

from plyglass.core.scene import Disc, Label, Polygon, Role, Shape, block, regular, star
from plyglass.games.pandemic import board
from plyglass.games.pandemic.cities import COLOURS
from plyglass.games.pandemic.view import seat_name

ROLES: tuple[Role, ...] = ("own", "goal", "ink", "danger")  # what draws blue, yellow, black and red
CORNERS = (4, 3, 0, 9)  # of their tokens; black ones are upright squares


def token(colour: int, x: float, y: float, radius: float, tip: str, opacity: float = 1.0) -> Shape:
    """A cube, a city or a card of a colour."""
    side = 0.8 * radius
    outline = (
        regular(x, y, CORNERS[colour], radius)
        if CORNERS[colour]
        else block(x - side, y - side, 2 * side, 2 * side)
    )
    return Polygon(outline, role=ROLES[colour], opacity=opacity, tip=tip)


def card_token(card: int, x: float, y: float, radius: float, tip: str) -> Shape:
    """The sign of a player card: the token of its colour, or a star for an event."""
    if card >= board.FIRST_EVENT:
        return Polygon(star(x, y, 1.2 * radius, 5), role="ally", tip=tip)
    return token(colour_of(card), x, y, radius, tip)


def colour_of(city: int) -> int:
    return city * len(COLOURS) // board.FIRST_EVENT


def station(x: float, y: float, size: float, tip: str) -> Iterator[Shape]:
    """A house with a roof."""
    half = size / 2
    walls = (
        (x - half, y + half),
        (x - half, y - 0.1 * size),
        (x, y - 0.7 * size),
        (x + half, y - 0.1 * size),
        (x + half, y + half),
    )
    yield Polygon(walls, role="sight", tip=tip)
    yield Polygon(
        block(x - 0.12 * size, y + 0.05 * size, 0.24 * size, 0.45 * size), role="grid", tip=tip
    )


def badge(record: Any, seat: int, x: float, y: float, radius: float) -> Iterator[Shape]:
    """A disc with the first letter of a role; that of whose turn it is stands out."""
    name = seat_name(record, seat)
    active = int(record["seat"]) == seat
    tip = f"{name}, player {seat + 1}{', whose turn it is' if active else ''}"
    yield Disc(x, y, radius, role="ally" if active else "neutral", tip=tip)
    yield Label(x, y, name[0].upper(), 1.25 * radius, role="grid", tip=tip)
