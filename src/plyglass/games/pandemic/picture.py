"""Pandemic as a scene: the world with its pieces, counters in the oceans, and hands below the map.

Lengths on the map are in points, like the places of cities. Thirty points make one cell of the
scene.
"""

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.core.scene import (
    Disc,
    Label,
    Path,
    Point,
    Points,
    Polygon,
    Region,
    Role,
    Scene,
    Shape,
    block,
    named,
)
from plyglass.games.pandemic import picture_land, picture_panel, state
from plyglass.games.pandemic.cities import ACROSS_THE_DATE_LINE, CITIES, COLOURS, LINKS, NUMBER
from plyglass.games.pandemic.clicks import cubes_key
from plyglass.games.pandemic.picture_panel import badge, colour_of, station, token
from plyglass.games.pandemic.risk import infection_risk
from plyglass.games.pandemic.view import cubes_in, headline, parts_of_deck, seat_name

LEFT, TOP, RIGHT, BOTTOM = -40.0, -30.0, 1040.0, 540.0  # edges of the map, in points
CELL = 30.0  # points per cell of the scene
WIDTH, MAP_HEIGHT = round((RIGHT - LEFT) / CELL), round((BOTTOM - TOP) / CELL)
HEIGHT = MAP_HEIGHT + picture_panel.HANDS_HEIGHT
TOUCH = 0.62  # radius around a city in which a click selects it, in cells
MERIDIANS, PARALLELS = range(34, 1040, 104), range(30, 540, 144)  # thirty degrees apart
WORTH_A_NUMBER = 0.25  # the least risk that is written as a number
SHADE = 0.65  # opacity for a city that is certain to be infected
NAME_BELOW = (0.0, 16.0)
ASIDE = {  # offsets of names that would otherwise overlap cubes or other names
    "Montreal": (44.0, 0.0), "New York": (48.0, 4.0), "Washington": (32.0, 15.0),
    "London": (-38.0, 4.0), "Essen": (30.0, 4.0),
    "St. Petersburg": (-22.0, 15.0), "Santiago": (-18.0, 16.0), "Karachi": (-14.0, 16.0),
    "Mumbai": (-18.0, 16.0),
    "Shanghai": (-38.0, 4.0), "Seoul": (28.0, -8.0), "Hong Kong": (-4.0, 15.0),
    "Taipei": (24.0, 10.0), "Osaka": (8.0, 15.0),
    "Tokyo": (20.0, 15.0), "Beijing": (-34.0, 4.0), "Baghdad": (14.0, 16.0), "Delhi": (30.0, -5.0),
}  # fmt: skip
PAWN = 17.0  # points from one pawn to the next
LEGEND = (
    "Shades: how likely a city is infected before the active player's next turn. Numbers: from "
    f"{WORTH_A_NUMBER:.0%} on, and wherever an outbreak would follow.",
    "Names: purple if the card is on top of the infection deck, pale if it is on the discard pile.",
)


def scene(record: Any, constants: Any) -> Scene:
    """Return the position as everybody sees it."""
    risk = infection_risk(record, constants)
    players = int(constants["players"])
    shapes = [
        *_unchanging(),
        *_cities(record, risk),
        *_pieces(record),
        *_names(record, risk, players),
        *_pawns(record, players),
    ]
    shapes += [
        *picture_panel.counters(record, constants),
        *picture_panel.hands(record, players, WIDTH, MAP_HEIGHT),
    ]
    caption = (headline(record), *LEGEND)
    return Scene(WIDTH, HEIGHT, tuple(shapes), "Pandemic", caption, "water", _regions(players))


def _regions(players: int) -> tuple[Region, ...]:
    """Return the regions of the scene: the map, and the hand of each player."""
    each, high = WIDTH / players, picture_panel.HANDS_HEIGHT
    hands = [
        Region(f"hand {seat + 1}", seat * each, MAP_HEIGHT, each, high) for seat in range(players)
    ]
    return Region("board", 0, 0, WIDTH, MAP_HEIGHT), *hands


@functools.cache
def _unchanging() -> tuple[Shape, ...]:
    return *_world(), *_links()


def _at(x: float, y: float) -> Point:
    """Convert a point of the map to cells of the scene."""
    return round((x - LEFT) / CELL, 3), round((y - TOP) / CELL, 3)


def _world() -> Iterator[Shape]:
    """Yield sea, land and a net of meridians."""
    yield Polygon(block(0, 0, WIDTH, MAP_HEIGHT), role="water")
    for x in MERIDIANS:
        yield Path((_at(x, TOP), _at(x, BOTTOM)), width=0.03, role="grid", opacity=0.6)
    for y in PARALLELS:
        yield Path((_at(LEFT, y), _at(RIGHT, y)), width=0.03, role="grid", opacity=0.6)
    for land_mass in picture_land.OUTLINES:
        yield Polygon(_outline(land_mass), role="fog", opacity=0.9)
    for sea in picture_land.INLAND_SEAS:
        yield Polygon(_outline(sea), role="water")


def _outline(text: str) -> Points:
    return tuple(_at(float(x), float(y)) for x, y in (point.split(",") for point in text.split()))


def _links() -> Iterator[Shape]:
    across = {(NUMBER[one], NUMBER[other]) for one, other in ACROSS_THE_DATE_LINE}
    for one, other in LINKS:
        tip = f"{CITIES[one].name} - {CITIES[other].name}"
        for ends in (
            _off_both_edges(one, other)
            if (one, other) in across
            else ((_place(one), _place(other)),)
        ):
            yield Path(ends, width=0.05, role="muted", opacity=0.55, tip=tip)


def _off_both_edges(west: int, east: int) -> Iterator[Points]:
    """Yield a link across the Pacific in two lines.

    One line leads from the American city to the left edge, the other from the right edge to the
    Asian or Australian city.
    """
    (x, y), (far_x, far_y) = (CITIES[west].x, CITIES[west].y), (CITIES[east].x, CITIES[east].y)
    beyond = far_x - (RIGHT - LEFT)  # the other city, if the map continued to the left
    edge = y + (far_y - y) * (x - LEFT) / (x - beyond)
    yield _at(x, y), _at(LEFT, edge)
    yield _at(RIGHT, edge), _at(far_x, far_y)


def _place(city: int) -> Point:
    return _at(CITIES[city].x, CITIES[city].y)


def _cities(record: Any, risk: npt.NDArray[np.float64]) -> Iterator[Shape]:
    """Yield the cities, each on a shade that shows its risk."""
    for number, city in enumerate(CITIES):
        yield Disc(*_place(number), TOUCH, role="board", opacity=0.0, key=city.name)
    until = f"before the next turn of the {seat_name(record, int(record['seat']))}"
    for number, city in enumerate(CITIES):
        if risk[number] > 0.0:
            tip = f"{city.name}: infected {until} with {risk[number]:.0%}"
            yield Disc(
                *_place(number),
                0.65,
                role="heat",
                opacity=round(SHADE * float(risk[number]), 3),
                tip=tip,
                key=city.name,
            )
    for number, city in enumerate(CITIES):
        about = _description(record, number, float(risk[number]))
        yield from named([token(colour_of(number), *_place(number), 0.3, about)], city.name)


def _description(record: Any, city: int, risk: float) -> str:
    cubes = [
        f"{count} {COLOURS[colour]}"
        for colour in range(len(COLOURS))
        if (count := cubes_in(record, colour, city))
    ]
    return (
        f"{CITIES[city].name}, {COLOURS[colour_of(city)]}; cubes: {', '.join(cubes) or 'none'}; "
        f"risk {risk:.0%}"
    )


def _names(record: Any, risk: npt.NDArray[np.float64], players: int) -> Iterator[Shape]:
    """Yield high risks, and city names coloured by the place of the city's infection card."""
    # If the deck has one part only, no cards are known to be on top.
    *_, top = [0, *parts_of_deck(record)[1:]]
    for number, city in enumerate(CITIES):
        x, y = ASIDE.get(city.name, NAME_BELOW)
        if x > PAWN and abs(y) < PAWN / 2:  # the name is where pawns stand, so move it
            x += PAWN * sum(int(where) == number for where in record["pawn"][:players])
        discarded = int(record["discard"]) >> number & 1
        role: Role = "heat" if top >> number & 1 else "muted" if discarded else "ink"
        yield Label(
            *_at(city.x + x, city.y + y),
            city.name,
            0.36,
            role=role,
            opacity=0.75 if discarded else 1.0,
            key=city.name,
        )
        below = _at(city.x + x, city.y + y + 11.0)
        yield from named(_number(record, number, float(risk[number]), below), city.name)


def _number(record: Any, city: int, risk: float, place: Point) -> Iterator[Shape]:
    """Yield the risk of a city as a number, in larger type if an outbreak would follow."""
    if cubes_in(record, colour_of(city), city) == state.FULL and risk > 0.0:
        yield Label(
            *place,
            f"{risk:.0%}",
            0.42,
            role="danger",
            tip=f"an outbreak in {CITIES[city].name}: {risk:.0%}",
        )
    elif risk >= WORTH_A_NUMBER:
        yield Label(
            *place,
            f"{risk:.0%}",
            0.34,
            role="heat",
            tip=f"a cube on {CITIES[city].name}: {risk:.0%}",
        )


def _pieces(record: Any) -> Iterator[Shape]:
    """Yield cubes above the cities, and stations on the left of the cities."""
    for number, city in enumerate(CITIES):
        yield from _cubes(record, number)
        if int(record["stations"]) >> number & 1:
            tip = f"a research station in {city.name}"
            house = station(*_at(city.x - 16.0, city.y), 0.46, tip)
            yield from named(house, city.name, f"station in {city.name}")


def _pawns(record: Any, players: int) -> Iterator[Shape]:
    """Yield pawns side by side on the right of a city."""
    for seat in range(players):
        city = int(record["pawn"][seat])
        before = sum(int(record["pawn"][other]) == city for other in range(seat))
        place = _at(CITIES[city].x + PAWN * (1 + before), CITIES[city].y - 1.0)
        name = seat_name(record, seat)
        yield from named(badge(record, seat, *place, 0.28), name, name)


def _cubes(record: Any, city: int) -> Iterator[Shape]:
    """Yield one row of cubes for each colour in a city."""
    rows = [
        (colour, count)
        for colour in range(len(COLOURS))
        if (count := cubes_in(record, colour, city))
    ]
    for row, (colour, count) in enumerate(rows):
        tip = f"{count} {COLOURS[colour]} in {CITIES[city].name}"
        for number in range(count):
            x = CITIES[city].x + 11.0 * (number - (count - 1) / 2)
            cube = token(colour, *_at(x, CITIES[city].y - 15.5 - 11.0 * row), 0.22, tip)
            key = cubes_key(record, colour, city) or CITIES[city].name
            yield from named(
                [cube], key, f"{COLOURS[colour]} cube {number + 1} in {CITIES[city].name}"
            )
