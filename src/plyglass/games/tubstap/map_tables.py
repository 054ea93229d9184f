"""Tables that the rules read from the constants: the map, its units, and the options."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.games.tubstap.cells import CELLS, LOW, SIDE, WORDS, set_of
from plyglass.games.tubstap.state import MOST_UNITS, NOWHERE
from plyglass.games.tubstap.tbsmap import Map
from plyglass.games.tubstap.units import AIR, ANTIAIR, INFANTRY, KINDS, TERRAIN, Kind

Numbers = npt.NDArray[Any]
METRICS: Mapping[str, Callable[[Numbers, Numbers], Numbers]] = {
    "manhattan": lambda x, y: abs(x) + abs(y),
    "euclid": lambda x, y: np.sqrt(x * x + y * y),
    "chebyshev": lambda x, y: np.maximum(abs(x), abs(y)),
}
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # north, east, south, west


def land_of(terrain: Map) -> dict[str, Any]:
    """Return the map's constants: costs, protection, neighbours, and ranges of attack."""
    places = dict(terrain.places())
    stars, neighbours = np.zeros(CELLS, np.int8), np.full((CELLS, len(STEPS)), NOWHERE)
    for (x, y), number in places.items():
        stars[cell_at(x, y)] = TERRAIN[number].stars
        neighbours[cell_at(x, y)] = [
            cell_at(x + a, y + b) if (x + a, y + b) in places else NOWHERE for a, b in STEPS
        ]
    return {
        "stars": stars,
        "next": neighbours,
        "single": [set_of([cell]) for cell in range(CELLS)],
        "low": terrain.height <= LOW,
        "prey": [_around(terrain, "manhattan", *_distances(kind)) for kind in KINDS],
        "easy": [_costing(places, way, 1) for way in range(3)],
        "hard": [_costing(places, way, 2) for way in range(3)],
    }


def sight_of(terrain: Map, metric: str) -> list[Numbers]:
    """Return the cells that each kind of unit sees from each cell."""
    seen = {
        vision: _around(terrain, metric, 0, vision) for vision in {kind.vision for kind in KINDS}
    }
    return [seen[kind.vision] for kind in KINDS]


def armies_of(terrain: Map) -> dict[str, Any]:
    """Return the constants' fields for both armies at the start; each army is sorted by kind."""
    armies = [sorted(unit for unit in terrain.units if unit.side == side) for side in range(2)]

    def table(field: str) -> npt.NDArray[np.int64]:
        values = np.zeros((2, MOST_UNITS), np.int64)
        for side, army in enumerate(armies):
            values[side, : len(army)] = [getattr(unit, field) for unit in army]
        return values

    home = cell_at(table("x"), table("y"))
    return {
        "units": [len(army) for army in armies],
        "kind": table("kind"),
        "home": home,
        "health": table("health"),
        "acted": table("acted"),
    }


def kinds_of(antiair: int, harmless: bool) -> dict[str, Any]:
    """Return the fields of the constants that describe the kinds of units.

    With `harmless`, a unit may also attack enemies that it cannot harm.
    """
    power = np.array([kind.power for kind in KINDS])
    power[ANTIAIR, INFANTRY] = antiair
    flies = np.array([kind.way == AIR for kind in KINDS])
    return {
        "way": [kind.way for kind in KINDS],
        "moves": [kind.moves for kind in KINDS],
        "indirect": [kind.nearest > 1 for kind in KINDS],
        "power": power,
        "hits_air": -((power[:, flies] > 0).any(axis=1) | harmless).astype(np.int64),
        "hits_ground": -((power[:, ~flies] > 0).any(axis=1) | harmless).astype(np.int64),
    }


def cell_at(x: Any, y: Any) -> Any:
    """Return the number of a cell by its column and row, counted from 0."""
    return SIDE * y + x


def _costing(places: Mapping[tuple[int, int], int], way: int, cost: int) -> list[int]:
    """Return the cells that cost `cost` to enter for units with this way of moving."""
    return set_of(
        cell_at(*place) for place, number in places.items() if TERRAIN[number].cost[way] == cost
    )


def _distances(kind: Kind) -> tuple[int, int]:
    """Return the least and greatest distance of an attack, including the move before the attack."""
    return (kind.nearest, kind.farthest) if kind.nearest > 1 else (1, kind.moves + 1)


def _around(terrain: Map, metric: str, nearest: int, farthest: int) -> Numbers:
    """Return, for each cell, the cells at a distance from `nearest` to `farthest`."""
    x, y = np.array([place for place, _ in terrain.places()]).T
    distance = METRICS[metric](x[:, None] - x, y[:, None] - y)
    cells, found = cell_at(x, y), np.zeros((CELLS, WORDS), np.int64)
    for cell, near in zip(cells, (nearest <= distance) & (distance <= farthest), strict=True):
        found[cell] = set_of(cells[near].tolist())
    return found
