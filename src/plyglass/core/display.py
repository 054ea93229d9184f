"""How positions and decisions look in an interpreter and in a notebook."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from plyglass.core.scene import Scene

if TYPE_CHECKING:
    from plyglass.core.game import Game

MOST_NAMES = 12  # actions that a repr lists


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


def svg(scene: Scene) -> str:
    """A scene as SVG.

    The drawing code is in a higher layer, so it is found by name, and only when a notebook asks for
    a picture.
    """
    drawing = importlib.import_module("plyglass.report.drawing.svg")
    image: str = drawing.image(scene)
    return image
