"""The land of TUBSTAP as shapes.

Terrains differ by shade and by sign, so a reader can tell terrains apart without colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TypeVar

from plyglass.core.scene import Path, Points, Polygon, Role, Shape
from plyglass.games.tubstap.map_tables import STEPS
from plyglass.games.tubstap.tbsmap import Map
from plyglass.games.tubstap.units import TERRAIN

Cell = tuple[int, int]  # column and row
Value = TypeVar("Value")

NO_ENTRY, PLAIN, SEA, FOREST, MOUNTAIN, ROAD, FORTRESS = range(len(TERRAIN))
# The fill and opacity of each terrain. Terrains that are not listed (plain and road) have the fill
# "plain".
GROUND: dict[int, tuple[Role, float]] = {
    NO_ENTRY: ("muted", 0.9),
    SEA: ("sea", 0.5),
    FOREST: ("forest", 0.3),
    MOUNTAIN: ("mountain", 0.34),
    FORTRESS: ("neutral", 0.3),
}
TREES = ((0.17, 0.3), (0.5, 0.2), (0.83, 0.3), (0.17, 0.82), (0.5, 0.9))
TREE = (
    (0.0, -0.17),
    (0.08, -0.04),
    (0.05, -0.04),
    (0.12, 0.08),
    (-0.12, 0.08),
    (-0.05, -0.04),
    (-0.08, -0.04),
)
PEAK = ((0.05, 0.92), (0.4, 0.2), (0.55, 0.45), (0.68, 0.3), (0.95, 0.92))
SNOW = ((0.3, 0.41), (0.4, 0.2), (0.52, 0.4), (0.45, 0.36), (0.4, 0.44), (0.36, 0.37))
TOWERS = ((0.04, 0.04), (0.76, 0.04), (0.04, 0.76), (0.76, 0.76))
# The widths of the road and of the line along its middle, in cells.
ROAD_LINES: tuple[tuple[Role, float], ...] = (("road", 0.4), ("grid", 0.04))
WAVES, WAVE = (0.24, 0.76), 8  # heights of the waves in a cell; points per wave and cell


def ground(land: Map, unseen: set[Cell]) -> Iterator[Shape]:
    """Yield the ground of all cells, and fog over the cells out of sight.

    Adjacent cells of a row that look the same share one shape.
    """
    for y, row in enumerate(land.rows):
        for (terrain, fogged), first, count in _runs(
            (terrain, (x, y) in unseen) for x, terrain in enumerate(row)
        ):
            tip = terrain_tip(terrain) + (", out of sight" if fogged else "")
            role, opacity = GROUND.get(terrain, ("plain", 1.0))
            yield Polygon(block(first, y, count), role=role, opacity=opacity, tip=tip)
            if fogged:
                yield Polygon(block(first, y, count), role="fog", opacity=0.8, tip=tip)


def signs(land: Map) -> Iterator[Shape]:
    """Yield the sign of every terrain except plain."""
    for (x, y), terrain in land.places():
        yield from SIGNS.get(terrain, _nothing)(x, y, terrain_tip(terrain))
        if terrain == ROAD:
            yield from _road(land, x, y)
    for y, row in enumerate(land.rows):
        seas = [(first, count) for terrain, first, count in _runs(row) if terrain == SEA]
        yield from (
            Path(_wave(first, count, y + at), role="sea", width=0.035)
            for first, count in seas
            for at in WAVES
        )


def grid(land: Map) -> Iterator[Shape]:
    """Yield the lines between cells, above the ground."""
    for x in range(1, land.width):
        yield Path(((x, 0), (x, land.height)), role="grid", width=0.025)
    for y in range(1, land.height):
        yield Path(((0, y), (land.width, y)), role="grid", width=0.025)


def edge_of_sight(land: Map, unseen: set[Cell]) -> Iterator[Shape]:
    """Yield the lines between cells in sight and cells out of sight."""
    for y in range(1, land.height):
        borders = [((x, y) in unseen) != ((x, y - 1) in unseen) for x in range(land.width)]
        yield from (
            _border((first, y), (first + count, y))
            for border, first, count in _runs(borders)
            if border
        )
    for x in range(1, land.width):
        borders = [((x, y) in unseen) != ((x - 1, y) in unseen) for y in range(land.height)]
        yield from (
            _border((x, first), (x, first + count))
            for border, first, count in _runs(borders)
            if border
        )


def terrain_tip(terrain: int) -> str:
    """Return the name of a terrain, its protection, and who can enter it."""
    name, _, stars, costs = TERRAIN[terrain]
    ways = [
        f"{way} {cost}"
        for way, cost in zip(("planes", "vehicles", "infantry"), costs, strict=True)
        if cost
    ]
    return f"{name}: {stars} stars; to enter: {', '.join(ways) or 'nobody'}"


def block(x: float, y: float, width: float = 1.0, height: float = 1.0) -> Points:
    """Return the corners of a rectangle."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def _runs(values: Iterable[Value]) -> Iterator[tuple[Value, int, int]]:
    """Yield each run of equal values: the value, and the run's first index and length."""
    first = 0
    for value, same in groupby(values):
        count = len(list(same))
        yield value, first, count
        first += count


def _border(start: tuple[float, float], end: tuple[float, float]) -> Shape:
    return Path((start, end), role="sight", width=0.06, tip="the edge of what is seen")


def _moved(points: Points, x: float, y: float) -> Points:
    return tuple((round(x + across, 3), round(y + down, 3)) for across, down in points)


def _nothing(x: int, y: int, tip: str) -> Iterator[Shape]:
    yield from ()


def _forest(x: int, y: int, tip: str) -> Iterator[Shape]:
    yield from (
        Polygon(_moved(TREE, x + across, y + down), role="forest", tip=tip)
        for across, down in TREES
    )


def _mountain(x: int, y: int, tip: str) -> Iterator[Shape]:
    yield Polygon(_moved(PEAK, x, y), role="mountain", tip=tip)
    yield Polygon(_moved(SNOW, x, y), role="grid", tip=tip)


def _fortress(x: int, y: int, tip: str) -> Iterator[Shape]:
    """Yield four walls with towers, seen from above, so a unit inside stays visible."""
    yield Path(
        _moved((*block(0.14, 0.14, 0.72, 0.72), (0.14, 0.14), (0.2, 0.14)), x, y),
        role="neutral",
        width=0.08,
        tip=tip,
    )
    yield from (
        Polygon(block(x + across, y + down, 0.2, 0.2), role="neutral", tip=tip)
        for across, down in TOWERS
    )


def _no_entry(x: int, y: int, tip: str) -> Iterator[Shape]:
    yield Path(((x + 0.2, y + 0.2), (x + 0.8, y + 0.8)), role="grid", width=0.08, tip=tip)
    yield Path(((x + 0.8, y + 0.2), (x + 0.2, y + 0.8)), role="grid", width=0.08, tip=tip)


SIGNS: dict[int, Callable[[int, int, str], Iterator[Shape]]] = {
    FOREST: _forest,
    MOUNTAIN: _mountain,
    FORTRESS: _fortress,
    NO_ENTRY: _no_entry,
}


def _wave(x: int, count: int, y: float) -> Points:
    points = range(WAVE * count + 1)
    return tuple(
        (round(x + point / WAVE, 3), round(y + 0.05 * math.sin(math.tau * point / WAVE), 3))
        for point in points
    )


def _road(land: Map, x: int, y: int) -> Iterator[Shape]:
    """Yield a stretch of road towards every neighbour that is road.

    A road with one such neighbour also continues to the opposite edge of its cell.
    """
    ways = [(across, down) for across, down in STEPS if _is_road(land, x + across, y + down)]
    if len(ways) <= 1:
        across, down = ways[0] if ways else STEPS[1]
        ways = [(across, down), (-across, -down)]
    middle = (x + 0.5, y + 0.5)
    points = [
        place
        for across, down in ways
        for place in ((x + 0.5 + across / 2, y + 0.5 + down / 2), middle)
    ]
    for role, width in ROAD_LINES:
        yield Path(
            tuple(points[: 2 * len(ways) - 1]), role=role, width=width, tip=terrain_tip(ROAD)
        )


def _is_road(land: Map, x: int, y: int) -> bool:
    return 0 <= x < land.width and 0 <= y < land.height and land.rows[y][x] == ROAD
