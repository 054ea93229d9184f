"""How positions and decisions look in an interpreter and in a notebook."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plyglass.core.state import HEADER

if TYPE_CHECKING:
    from plyglass.core.game import Game
    from plyglass.core.scene import Scene

MOST_NAMES = 12  # actions that a repr lists
MOST_VALUES = 12  # a number with more values gets no facts


def listed(game: Game, actions: Sequence[int], most: int = MOST_NAMES) -> str:
    """The names of the first actions, and how many more there are."""
    names = ", ".join(game.action_name(action) for action in actions[:most])
    return names + (f" and {len(actions) - most} more" if len(actions) > most else "")


class Markup(str):
    """A cell of a table that is HTML already."""


def html_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A small table for a notebook; all cells are escaped except `Markup`."""
    lines = ["<tr>" + "".join(f"<th>{escape(each)}</th>" for each in header) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return "<table>" + "".join(lines) + "</table>"


def _cell(cell: object) -> str:
    return cell if isinstance(cell, Markup) else escape(str(cell))


def bar(share: float) -> Markup:
    """A bar for a share from 0 to 1, in colours that fit light and dark notebooks."""
    return Markup(
        '<div style="width:8em;height:.6em;border-radius:.3em;background:#8885">'
        f'<div style="width:{100 * share:.0f}%;height:100%;border-radius:.3em;background:#2b8cc4">'
        "</div></div>"
    )


def shares(values: Sequence[float | None]) -> list[float]:
    """The length of a bar for each value: full for the highest, short for the lowest."""
    known = [value for value in values if value is not None]
    if not known:
        return [0.0] * len(values)
    low, high = min(known), max(known)
    return [
        0.0 if value is None else 0.04 + 0.96 * (value - low) / (high - low) if high > low else 1.0
        for value in values
    ]


def facts_of_fields(worlds: npt.NDArray[Any]) -> dict[str, npt.NDArray[np.bool_]]:
    """Facts such as "cell[3] is 1", each with the worlds in which it is true.

    If a number of a field differs between worlds, each of the number's values gives one fact.
    Numbers with many values, such as seeds, give no facts.
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


def player_page(match: object) -> str:
    """A framed page that replays a match; empty if the game of the match cannot be drawn."""
    drawing = importlib.import_module("plyglass.report.drawing.notebook")
    shown: str = drawing.player(match)
    return shown
