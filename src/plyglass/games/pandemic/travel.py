"""How many moves it takes to get somewhere, without cards."""

from plyglass.core import kernel
from plyglass.core.bits import lowest_one

NEVER = 99  # more moves than any way takes


@kernel
def way_to_station(r, s, city):
    """The moves to the nearest station."""
    stations, best = s.stations, NEVER
    while stations != 0:
        best = min(best, r.distance[city, lowest_one(stations)])
        stations &= stations - 1
    return best


@kernel
def way(r, s, pawn, city, city_to_station):
    """The moves of a pawn to a city, by drives and one flight between stations."""
    direct = r.distance[s.pawn[pawn], city]
    return (
        direct
        if direct <= 2
        else min(direct, way_to_station(r, s, s.pawn[pawn]) + 1 + city_to_station)
    )
