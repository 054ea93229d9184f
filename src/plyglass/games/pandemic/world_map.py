"""Pandemic's map as text: cities in their places, with cubes, pawns and stations.

Each colour of cubes has its own sign, so the map can be read without colours. A hollow sign marks a
city without cubes. Each filled sign is one cube.
"""

from collections.abc import Iterator
from typing import Any

from plyglass.games.pandemic.cities import ACROSS_THE_DATE_LINE, CITIES, LINKS, NUMBER, PER_COLOUR

COLUMNS, ROWS = 96, 21
CUBE, EMPTY = "▲■●◆", "△□○◇"  # by colour
PAWNS = "①②③④"  # by seat
STATION = "⌂"
ROAD = "·"
LEGEND = "▲ blue  ■ yellow  ● black  ◆ red: a cube each; hollow: a city without cubes.  ⌂ station"
COLOURS_OF_SIGNS = {
    "[▲△]": "bright_blue",
    "[■□]": "yellow",
    "[◆◇]": "red",
    "[①②③④⌂]": "bold",
    ROAD: "dim",
}
# The row and the column where a city's name begins; its cubes are written before the name.
PLACES = {
    "San Francisco": (5, 4), "Chicago": (4, 15), "Montreal": (3, 25), "Atlanta": (7, 19),
    "Washington": (6, 23), "New York": (5, 29), "London": (1, 39), "Madrid": (5, 40),
    "Paris": (3, 42), "Milan": (4, 50), "Essen": (2, 48), "St. Petersburg": (0, 54),
    "Los Angeles": (8, 6), "Mexico City": (10, 10), "Miami": (9, 23), "Bogota": (12, 22),
    "Lima": (15, 20), "Santiago": (19, 18), "Sao Paulo": (17, 32), "Buenos Aires": (20, 29),
    "Lagos": (12, 43), "Kinshasa": (14, 48), "Khartoum": (11, 54), "Johannesburg": (18, 50),
    "Algiers": (7, 43), "Istanbul": (5, 54), "Moscow": (2, 61), "Cairo": (8, 52),
    "Baghdad": (7, 58), "Tehran": (5, 66), "Riyadh": (9, 61), "Karachi": (8, 67),
    "Delhi": (6, 72), "Mumbai": (10, 69), "Kolkata": (8, 77), "Chennai": (12, 69),
    "Sydney": (20, 86), "Jakarta": (16, 75), "Manila": (12, 85), "Ho Chi Minh City": (13, 75),
    "Bangkok": (11, 75), "Hong Kong": (9, 80), "Taipei": (10, 87), "Shanghai": (6, 82),
    "Osaka": (8, 89), "Beijing": (4, 76), "Seoul": (4, 86), "Tokyo": (5, 90),
}  # fmt: skip


def map_lines(record: Any, players: int) -> list[str]:
    """Return the lines of the map, from north to south."""
    canvas = [[" "] * COLUMNS for _ in range(ROWS)]
    for row, column in _roads():
        canvas[row][column] = ROAD
    for row, line in enumerate(canvas):
        cities = [number for number, city in enumerate(CITIES) if PLACES[city.name][0] == row]
        for first, text in _spread(
            [_city(record, city, players) for city in sorted(cities, key=_column)]
        ):
            line[first : first + len(text)] = text
    return ["".join(line).rstrip() for line in canvas]


def _column(city: int) -> int:
    return PLACES[CITIES[city].name][1]


def _city(record: Any, city: int, players: int) -> tuple[int, str]:
    """Return the column where a city's text begins, and the text: its cubes, name and pieces."""
    cubes = _cubes(record, city)
    return _column(city) - len(cubes), f"{cubes}{_label(record, city, players)}"


def _spread(row: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the cities of a row, moved so their texts neither overlap nor leave the map."""
    firsts, least = [], 0
    for first, text in row:
        firsts.append(max(first, least))
        least = firsts[-1] + len(text) + 1
    most = COLUMNS
    for place in reversed(range(len(row))):
        firsts[place] = min(firsts[place], most - len(row[place][1]))
        most = firsts[place] - 1
    return [(first, text) for first, (_, text) in zip(firsts, row, strict=True)]


def _cubes(record: Any, city: int) -> str:
    """Return the signs of the cubes in a city, with the cubes of the city's own colour last."""
    own = city // PER_COLOUR
    colours = [*(colour for colour in range(len(CUBE)) if colour != own), own]
    return "".join(CUBE[colour] * _count(record, colour, city) for colour in colours) or EMPTY[own]


def _count(record: Any, colour: int, city: int) -> int:
    return (int(record["low"][colour]) >> city & 1) + 2 * (int(record["high"][colour]) >> city & 1)


def _label(record: Any, city: int, players: int) -> str:
    pawns = "".join(PAWNS[seat] for seat in range(players) if int(record["pawn"][seat]) == city)
    station = STATION if int(record["stations"]) >> city & 1 else ""
    return f"{CITIES[city].name}{station}{pawns}"


def _roads() -> Iterator[tuple[int, int]]:
    """Yield the text cells between linked cities; links across the Pacific end at the map edge."""
    across = {(NUMBER[one], NUMBER[other]) for one, other in ACROSS_THE_DATE_LINE}
    for one, other in LINKS:
        (row, column), (far_row, far) = (_middle(city) for city in (one, other))
        if (one, other) not in across:
            yield from _line(row, column, far_row, far)
        else:
            yield from _line(row, column, row, 0)
            yield from _line(far_row, far, far_row, COLUMNS - 1)


def _middle(city: int) -> tuple[int, int]:
    row, column = PLACES[CITIES[city].name]
    return row, column + len(CITIES[city].name) // 2


def _line(row: int, column: int, far_row: int, far: int) -> Iterator[tuple[int, int]]:
    """Yield dots between two cells: one dot in each row, or in every fourth column."""
    steps = max(abs(far_row - row), abs(far - column) // 4, 1)
    for step in range(steps + 1):
        share = step / steps
        yield round(row + share * (far_row - row)), round(column + share * (far - column))
