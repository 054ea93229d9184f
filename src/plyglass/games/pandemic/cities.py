"""The map: 48 cities in four colours, their coordinates, and 93 links between them.

Cities have the numbers of the thesis's program: first the twelve cities of one colour, then the
twelve cities of the next colour, and so on. A set of cities is an integer with one bit per city.
"""

from typing import NamedTuple

import numpy as np

COLOURS = ("blue", "yellow", "black", "red")
PER_COLOUR = 12
# The size of the sheet on which `x` and `y` place a city; x grows eastward, y southward.
WIDTH, HEIGHT = 1000, 520


class City(NamedTuple):
    """A city, with `population` in thousands; `onward` lists the neighbours with higher numbers."""

    name: str
    population: int
    x: float
    y: float
    onward: tuple[str, ...]


CITIES = (
    City("San Francisco", 5864, 21.0, 129.6, ("Chicago", "Los Angeles", "Manila", "Tokyo")),
    City("Chicago", 9121, 140.1, 113.4, ("Montreal", "Atlanta", "Los Angeles", "Mexico City")),
    City("Montreal", 3429, 191.0, 92.8, ("Washington", "New York")),
    City("Atlanta", 4715, 151.6, 160.6, ("Washington", "Miami")),
    City("Washington", 4679, 176.0, 129.8, ("New York", "Miami")),
    City("New York", 20464, 214.4, 124.7, ("London", "Madrid")),
    City("London", 8568, 440.6, 55.5, ("Madrid", "Paris", "Essen")),
    City("Madrid", 5427, 428.0, 125.2, ("Paris", "Sao Paulo", "Algiers")),
    City("Paris", 10755, 451.1, 92.9, ("Milan", "Essen", "Algiers")),
    City("Milan", 5232, 489.1, 103.4, ("Essen", "Istanbul")),
    City("Essen", 575, 479.0, 65.1, ("St. Petersburg",)),
    City("St. Petersburg", 4879, 549.9, 26.9, ("Istanbul", "Moscow")),
    City("Los Angeles", 14900, 45.7, 160.2, ("Mexico City", "Sydney")),
    City("Mexico City", 19463, 106.4, 224.2, ("Miami", "Bogota", "Lima")),
    City("Miami", 5582, 172.4, 194.8, ("Bogota",)),
    City("Bogota", 8702, 192.9, 295.1, ("Lima", "Sao Paulo", "Buenos Aires")),
    City("Lima", 9121, 182.6, 375.8, ("Santiago",)),
    City("Santiago", 6015, 204.6, 478.8, ()),
    City("Sao Paulo", 20186, 287.5, 431.2, ("Buenos Aires", "Lagos")),
    City("Buenos Aires", 13639, 247.0, 484.4, ()),
    City("Lagos", 11547, 459.9, 286.4, ("Kinshasa", "Khartoum")),
    City("Kinshasa", 9046, 501.1, 338.6, ("Khartoum", "Johannesburg")),
    City("Khartoum", 4887, 560.6, 243.1, ("Johannesburg", "Cairo")),
    City("Johannesburg", 3888, 545.0, 443.9, ()),
    City("Algiers", 2946, 463.3, 143.1, ("Istanbul", "Cairo")),
    City("Istanbul", 13576, 548.2, 120.3, ("Moscow", "Cairo", "Baghdad")),
    City("Moscow", 15512, 580.9, 51.6, ("Tehran",)),
    City("Cairo", 14718, 556.0, 173.1, ("Baghdad", "Riyadh")),
    City("Baghdad", 6204, 595.5, 160.1, ("Tehran", "Riyadh", "Karachi")),
    City("Tehran", 7419, 631.2, 143.2, ("Karachi", "Delhi")),
    City("Riyadh", 5037, 609.2, 198.8, ("Karachi",)),
    City("Karachi", 20711, 677.0, 194.9, ("Delhi", "Mumbai")),
    City("Delhi", 22242, 714.5, 180.0, ("Mumbai", "Kolkata", "Chennai")),
    City("Mumbai", 16910, 700.1, 227.2, ("Chennai",)),
    City("Kolkata", 14374, 753.0, 209.1, ("Chennai", "Bangkok", "Hong Kong")),
    City("Chennai", 8865, 726.8, 256.7, ("Jakarta", "Bangkok")),
    City("Sydney", 3785, 969.7, 480.9, ("Jakarta", "Manila")),
    City("Jakarta", 26063, 816.7, 347.7, ("Ho Chi Minh City", "Bangkok")),
    City("Manila", 20767, 865.4, 247.5, ("Ho Chi Minh City", "Hong Kong", "Taipei")),
    City("Ho Chi Minh City", 8314, 821.8, 269.6, ("Bangkok", "Hong Kong")),
    City("Bangkok", 7151, 789.0, 247.6, ("Hong Kong",)),
    City("Hong Kong", 7106, 836.4, 211.8, ("Taipei", "Shanghai")),
    City("Taipei", 8338, 874.6, 201.6, ("Shanghai", "Osaka")),
    City("Shanghai", 13482, 864.2, 163.5, ("Beijing", "Seoul", "Tokyo")),
    City("Osaka", 2871, 909.3, 163.1, ("Tokyo",)),
    City("Beijing", 17311, 847.3, 125.3, ("Seoul",)),
    City("Seoul", 22547, 886.8, 130.7, ("Tokyo",)),
    City("Tokyo", 13189, 939.3, 138.2, ()),
)
# These links cross the Pacific, so they are drawn off both edges of the sheet.
ACROSS_THE_DATE_LINE = (
    ("San Francisco", "Manila"),
    ("San Francisco", "Tokyo"),
    ("Los Angeles", "Sydney"),
)

NUMBER = {city.name: number for number, city in enumerate(CITIES)}
LINKS = tuple(
    (number, NUMBER[other]) for number, city in enumerate(CITIES) for other in city.onward
)


def neighbours() -> np.ndarray:
    """Return the neighbours of every city, as sets."""
    beside = np.zeros(len(CITIES), np.int64)
    for one, other in LINKS:
        beside[one] |= 1 << other
        beside[other] |= 1 << one
    return beside


def distances() -> np.ndarray:
    """Return the number of drives between every two cities."""
    reached = np.eye(len(CITIES), dtype=bool)
    linked = np.array(
        [[beside >> other & 1 for other in range(len(CITIES))] for beside in neighbours()], bool
    )
    away = np.zeros((len(CITIES), len(CITIES)), np.int64)
    while not reached.all():
        away += ~reached
        reached |= reached @ linked
    return away
