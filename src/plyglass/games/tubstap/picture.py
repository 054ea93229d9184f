"""TUBSTAP as a scene: land, fog, units in sight, and possible cells of unseen enemies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.core.actions import unpack
from plyglass.core.scene import (
    Imagined,
    Path,
    Point,
    Polygon,
    Scene,
    Shape,
    Tile,
    coordinates,
    heat_map,
    named,
    spots,
    star,
)
from plyglass.games.tubstap.cells import SIDE
from plyglass.games.tubstap.map_tables import STEPS
from plyglass.games.tubstap.picture_land import Cell, edge_of_sight, grid, ground, signs
from plyglass.games.tubstap.picture_units import Token, certainty, ghost, unit
from plyglass.games.tubstap.state import DIRECTION_BITS, END, SHOOT, STRIKE
from plyglass.games.tubstap.tbsmap import Map
from plyglass.games.tubstap.units import KINDS, SIDES
from plyglass.games.tubstap.view import COLUMNS, cell_name, hidden, seen_cells, state_line


def scene(record: Any, constants: Any, land: Map, viewer: int, imagined: Imagined | None) -> Scene:
    """Return a scene of a side's view and belief, or of the true position without fog."""
    if imagined is not None and imagined.true:
        shapes, title = (
            [
                *ground(land, set()),
                *grid(land),
                *signs(land),
                *_units(imagined.worlds[0], constants),
            ],
            "TUBSTAP",
        )
    else:
        shapes, title = (
            _seen(record, constants, land, viewer, imagined),
            f"TUBSTAP, {SIDES[viewer]}",
        )
    names = coordinates(COLUMNS[: land.width], [str(y + 1) for y in range(land.height)])
    return Scene(
        land.width, land.height, (*shapes, *names), title, (state_line(record, constants),), "plain"
    )


def action_path(action: int) -> tuple[str, ...]:
    """Return the cells to click: the unit's cell, the goal of its move, and its target."""
    kind, source, _ = unpack(action)
    if kind == END:
        return ()
    goal, struck = _ways(action)
    if kind == SHOOT or (kind == STRIKE and goal == source):
        return cell_name(source), cell_name(struck)
    path = cell_name(source), cell_name(goal)
    return (*path, cell_name(struck)) if kind == STRIKE else path


def _ways(action: int) -> tuple[int, int]:
    """Return the cell where a unit goes, and the cell that the unit attacks.

    Without an attack, the two cells are equal.
    """
    kind, source, target = unpack(action)
    goal = source if kind == SHOOT else target % (1 << DIRECTION_BITS)
    if kind != STRIKE:
        return goal, target if kind == SHOOT else goal
    across, down = STEPS[target >> DIRECTION_BITS]
    return goal, goal + SIDE * down + across


def action_shapes(action: int) -> tuple[Shape, ...]:
    """Return an arrow along a unit's move, and a burst at the target of its attack."""
    kind, source, _ = unpack(action)
    if kind == END:
        return ()
    goal, struck = _ways(action)
    way = (
        [Path((_middle(source), _middle(goal)), False, True, 0.07, role="ink", opacity=0.75)]
        if goal != source
        else []
    )
    shot = (
        [Path((_middle(goal), _middle(struck)), True, False, 0.06, role="danger")]
        if struck != goal
        else []
    )
    return (
        *way,
        *shot,
        *(Polygon(star(*_middle(struck), 0.2), role="danger", tip="attacked") for _ in shot),
    )


def _seen(
    record: Any, constants: Any, land: Map, viewer: int, imagined: Imagined | None
) -> list[Shape]:
    """Return the land with fog, the belief, and on top of these the units in sight."""
    seen = seen_cells(record, constants, viewer)
    unseen = {place for place, _ in land.places() if SIDE * place[1] + place[0] not in seen}
    heat, sure = (
        _believed(constants, land, 1 - viewer, unseen, imagined)
        if imagined is not None and unseen
        else ([], [])
    )
    found = {token.place for token in sure}
    ghosts = [
        shape
        for token, ago in _memories(record, constants, viewer)
        if token.place not in found
        for shape in ghost(token, ago)
    ]
    below = [*ground(land, unseen), *heat, *grid(land), *signs(land), *edge_of_sight(land, unseen)]
    return [
        *below,
        *spots(land.width, land.height, lambda x, y: cell_name(SIDE * y + x)),
        *ghosts,
        *(shape for token in sure for shape in certainty(token)),
        *_units(record, constants),
    ]


def _units(record: Any, constants: Any) -> Iterator[Shape]:
    for side in range(2):
        for slot, cell in enumerate(record["cell"][side]):
            if cell >= 0:
                token = _token(record, constants, side, slot, int(cell))
                shapes = unit(token, bool(record["acted"][side, slot]))
                kind = KINDS[token.kind].name
                yield from named(shapes, cell_name(int(cell)), f"{SIDES[side]} {kind} {slot + 1}")


def _memories(record: Any, constants: Any, viewer: int) -> Iterator[tuple[Token, int]]:
    """Yield each unseen enemy where it was last seen, and the number of turns since then.

    The enemies that have been unseen for the longest time come first.
    """
    enemy = 1 - viewer
    for slot in sorted(hidden(record, viewer), key=lambda slot: record["last_turn"][enemy, slot]):
        ago = int(record["turn"] - record["last_turn"][enemy, slot])
        yield _token(record, constants, enemy, slot, int(record["last_cell"][enemy, slot])), ago


def _believed(
    constants: Any, land: Map, side: int, unseen: set[Cell], imagined: Imagined
) -> tuple[list[Shape], list[Token]]:
    """Return shapes for the possible cells of unseen units, and the units whose cell is certain."""
    counts = _counts(constants, land, side, unseen, imagined)
    certain = (counts == counts[:1]).all(axis=(0, 1)) & counts[0].any(axis=0)
    expected, first = imagined.expected(counts), imagined.worlds[0]
    heat: list[Shape] = [
        replace(tile, tip=f"{tile.tip} ({_kinds(expected[:, int(tile.y), int(tile.x)])})")
        for tile in heat_map(imagined, counts.sum(axis=1) * ~certain, "enemies")
        if isinstance(tile, Tile)
    ]
    places = [
        (slot, int(cell))
        for slot, cell in enumerate(first["cell"][side])
        if cell >= 0 and certain[cell // SIDE, cell % SIDE]
    ]
    return heat, [_token(first, constants, side, slot, cell) for slot, cell in places]


def _counts(
    constants: Any, land: Map, side: int, unseen: set[Cell], imagined: Imagined
) -> npt.NDArray[np.int64]:
    """Return the number of a side's units in the fog, by world, kind, row and column."""
    fogged = np.array([[(x, y) in unseen for x in range(land.width)] for y in range(land.height)])
    cells = SIDE * np.arange(land.height)[:, None] + np.arange(land.width)
    there = (imagined.worlds["cell"][:, side, :, None, None] == cells) & fogged
    return np.stack(
        [there[:, constants["kind"][side] == kind].sum(axis=1) for kind in range(len(KINDS))],
        axis=1,
    )


def _kinds(expected: npt.NDArray[np.float64]) -> str:
    """Return the expected number of units of each possible kind, as text."""
    return ", ".join(
        f"{kind.name} {count:.2f}" for kind, count in zip(KINDS, expected, strict=True) if count > 0
    )


def _token(record: Any, constants: Any, side: int, slot: int, cell: int) -> Token:
    return Token(
        int(constants["kind"][side, slot]),
        side,
        int(record["health"][side, slot]),
        (cell % SIDE, cell // SIDE),
    )


def _middle(cell: int) -> Point:
    return cell % SIDE + 0.5, cell // SIDE + 0.5
