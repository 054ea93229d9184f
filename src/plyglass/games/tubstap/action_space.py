"""Every action of TUBSTAP that can ever be legal on a map."""

from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.core import pack
from plyglass.games.tubstap.cells import CELLS, WORD
from plyglass.games.tubstap.state import DIRECTION_BITS, END, MOVE, NOWHERE, SHOOT, STRIKE
from plyglass.games.tubstap.units import AIR

Grid = npt.NDArray[np.bool_]


def vocabulary(r: Any) -> list[int]:
    """Return all actions of both sides, sorted; `r` is the record of constants.

    The list assumes that no unit blocks another, and that enemies may stand wherever they can go.
    """
    found = {pack(END, 0, 0)}
    for side in range(2):
        kinds = {int(kind) for kind in r["kind"][side, : r["units"][side]]}
        for kind in kinds:
            here = _standable(r, side, kind)
            reach = _reach(r, kind) & here[:, None]
            found.update(_packed(MOVE, reach, 0))
            prey = _prey(r, side, kind)
            if r["indirect"][kind]:
                found.update(_packed(SHOOT, _table(r["prey"][kind]) & here[:, None] & prey, 0))
                continue
            for direction in range(4):
                strikes = reach & _shifted(prey, r["next"][:, direction])
                found.update(_packed(STRIKE, strikes, direction << DIRECTION_BITS))
    return sorted(found)


def _packed(kind: int, pairs: Grid, more: int) -> list[int]:
    """Return an action for each pair (source, target) in `pairs`; `more` is added to targets."""
    return [pack(kind, source, target + more) for source, target in np.argwhere(pairs).tolist()]


def _standable(r: Any, side: int, kind: int) -> Grid:
    """Return the first cells of units of this kind, and all cells that they can enter."""
    way = r["way"][kind]
    cells = _members(r["easy"][way]) | _members(r["hard"][way])
    units = slice(0, int(r["units"][side]))
    cells[r["home"][side, units][r["kind"][side, units] == kind]] = True
    return cells


def _prey(r: Any, side: int, kind: int) -> Grid:
    """Return the possible cells of all enemies that a unit of this kind can harm."""
    cells = np.zeros(CELLS, np.bool_)
    for enemy in {int(each) for each in r["kind"][1 - side, : r["units"][1 - side]]}:
        if r["hits_air" if r["way"][enemy] == AIR else "hits_ground"][kind]:
            cells |= _standable(r, 1 - side, enemy)
    return cells


def _reach(r: Any, kind: int) -> Grid:
    """Return, for each cell, the cells that this kind of unit reaches from there on an empty map.

    The function computes the result of `movement.reach` for all cells.
    """
    easy, hard = _members(r["easy"][r["way"][kind]]), _members(r["hard"][r["way"][kind]])
    reached: Grid = np.eye(CELLS, dtype=np.bool_)
    before = np.zeros_like(reached)
    for _ in range(int(r["moves"][kind])):
        around = np.zeros_like(reached)
        for direction in range(4):
            around |= _shifted(reached, r["next"][:, direction])
        reached, before = reached | around & easy | before & hard, around
    return reached


def _shifted(cells: Grid, neighbour: npt.NDArray[Any]) -> Grid:
    """Return, as Booleans along the last axis, the cells whose `neighbour` is in `cells`."""
    found: Grid = cells[..., np.maximum(neighbour, 0)] & (neighbour != NOWHERE)
    return found


def _members(words: npt.NDArray[np.int64]) -> Grid:
    """Return a set of cells as one Boolean per cell."""
    cells = np.arange(CELLS)
    found: Grid = (words[cells // WORD] >> cells % WORD & 1).astype(np.bool_)
    return found


def _table(sets: npt.NDArray[np.int64]) -> Grid:
    return np.stack([_members(words) for words in sets])
