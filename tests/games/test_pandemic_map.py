"""Pandemic's map as text shows every city with its pieces, however many there are."""

import numpy as np
import pytest

from plyglass.games.pandemic.cities import CITIES, COLOURS, LINKS
from plyglass.games.pandemic.state import MOST_PLAYERS, State
from plyglass.games.pandemic.world_map import COLUMNS, CUBE, EMPTY, PLACES, map_lines


def position(**fields):
    record = np.zeros(1, State)[0]
    record["pawn"] = 63
    for name, value in fields.items():
        record[name] = value
    return record


def test_an_empty_world_has_every_city_once_in_its_row():
    lines = map_lines(position(), 4)
    for number, city in enumerate(CITIES):
        sign = EMPTY[number // 12]
        assert f"{sign}{city.name}" in lines[PLACES[city.name][0]]
    assert max(map(len, lines)) <= COLUMNS
    assert not set("".join(lines)) & set(CUBE)


@pytest.mark.parametrize("number", range(len(CITIES)))
def test_a_crowded_city_hides_no_other(number):
    every = (1 << len(CITIES)) - 1
    crowded = position(
        pawn=[number] * MOST_PLAYERS,
        stations=1 << number,
        low=[every if colour == number // 12 else 1 << number for colour in range(len(COLOURS))],
        high=[every if colour == number // 12 else 1 << number for colour in range(len(COLOURS))],
    )
    lines = map_lines(crowded, 4)
    assert f"{CITIES[number].name}⌂①②③④" in lines[PLACES[CITIES[number].name][0]]
    assert all(city.name in lines[PLACES[city.name][0]] for city in CITIES)
    assert max(map(len, lines)) <= COLUMNS
    assert sum(line.count(sign) for line in lines for sign in CUBE) == 3 * (len(CITIES) + 3)


def test_neighbours_are_near_each_other():
    """The map keeps west and east, north and south, as far as the cities are apart."""
    for one, other in LINKS:
        west, east = sorted((one, other), key=lambda city: CITIES[city].x)
        if 100 < CITIES[east].x - CITIES[west].x < 600:
            assert PLACES[CITIES[west].name][1] < PLACES[CITIES[east].name][1]
        north, south = sorted((one, other), key=lambda city: CITIES[city].y)
        if CITIES[south].y - CITIES[north].y > 60:
            assert PLACES[CITIES[north].name][0] < PLACES[CITIES[south].name][0]
