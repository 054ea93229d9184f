"""How positions and decisions look in an interpreter and in a notebook."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plyglass.core.scene import Scene
from plyglass.core.state import HEADER

if TYPE_CHECKING:
    from plyglass.core.game import Game

MOST_NAMES = 12  # actions that a repr lists
MOST_VALUES = 12  # at most, of a number that has facts


def listed(game: Game, actions: Sequence[int], most: int = MOST_NAMES) -> str:
    """The names of the first actions, and how many more there are."""
    names = ", ".join(game.action_name(action) for action in actions[:most])
    return names + (f" and {len(actions) - most} more" if len(actions) > most else "")


def html_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A small table for a notebook; the cells are escaped."""
    lines = ["<tr>" + "".join(f"<th>{escape(each)}</th>" for each in header) + "</tr>"]
    lines += [
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    ]
    return "<table>" + "".join(lines) + "</table>"


def facts_of_fields(worlds: npt.NDArray[Any]) -> dict[str, npt.NDArray[np.bool_]]:
    """Facts such as "cell[3] is 1", each with the worlds in which it is true.

    There is a fact for each value of each number that differs between worlds. Numbers with many
    values, such as seeds, are left out.
    """
    facts: dict[str, npt.NDArray[np.bool_]] = {}
    for name in worlds.dtype.names or ():
        if name not in dict(HEADER):
            columns = worlds[name].reshape(len(worlds), -1)
            for place in range(columns.shape[1]):
                column = columns[:, place]
                values = np.unique(column)
                if 1 < len(values) <= MOST_VALUES:
                    label = name if columns.shape[1] == 1 else f"{name}[{place}]"
                    facts |= {f"{label} is {value}": column == value for value in values.tolist()}
    return facts


def svg(scene: Scene) -> str:
    """A scene as SVG.

    The drawing code is in a higher layer, so it is imported by name, and only when a notebook asks
    for a picture.
    """
    drawing = importlib.import_module("plyglass.report.drawing.svg")
    image: str = drawing.image(scene)
    return image
