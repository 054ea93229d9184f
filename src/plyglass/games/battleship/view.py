"""Battleship as text and as a scene: a sea with hits, misses and open cells."""

from typing import Any

import numpy as np

from plyglass.core.scene import (
    Disc,
    Imagined,
    Polygon,
    Scene,
    Shape,
    Tile,
    coordinates,
    heat_map,
    spots,
    star,
)

HIT, MISS, UNKNOWN, SHIP = "X", "~", "·", "#"


def text(record: Any, size: int) -> str:
    header = "   " + " ".join(_letter(column) for column in range(size))
    rows = [
        f"{row + 1:2} {' '.join(_cell(record, row, column) for column in range(size))}"
        for row in range(size)
    ]
    return "\n".join(
        [header, *rows, f"{int(record['fired'])} shots, {int(record['left'])} cells of ships left"]
    )


def _cell(record: Any, row: int, column: int) -> str:
    ship, shot = (int(record[name][row]) >> column & 1 for name in ("fleet", "shots"))
    if shot:
        return HIT if ship else MISS
    return SHIP if ship else UNKNOWN


def cell_name(cell: int, size: int) -> str:
    return f"{_letter(cell % size)}{cell // size + 1}"


def _letter(column: int) -> str:
    return chr(ord("a") + column)


def scene(record: Any, size: int, imagined: Imagined | None) -> Scene:
    """Return the sea with hits as bursts, misses as dots, and shades where ships may be."""
    shots = _bits(record["shots"], size)
    hits = shots & _bits(record["fleet"], size)
    heat = (
        []
        if imagined is None
        else heat_map(
            imagined,
            _bits(imagined.worlds["fleet"], size) & (1 - shots),
            "cells of ships not hit",
            "neutral",
        )
    )
    fired = [
        shape
        for row, column in np.argwhere(shots).tolist()
        for shape in _shot(column, row, bool(hits[row, column]), size)
    ]
    names = coordinates(
        [_letter(column) for column in range(size)], [str(row + 1) for row in range(size)]
    )
    caption = (f"{int(record['fired'])} shots, {int(record['left'])} cells of ships left",)
    sea = spots(size, size, lambda x, y: cell_name(y * size + x, size))
    return Scene(size, size, (*heat, *fired, *sea, *names), "Battleship", caption, ground="water")


def _bits(rows: Any, size: int) -> Any:
    """Unpack rows of bits into cells of 0 and 1, along a new last dimension."""
    return rows[..., :size, None] >> np.arange(size) & 1


def _shot(column: int, row: int, hit: bool, size: int) -> list[Shape]:
    tip = f"{cell_name(row * size + column, size)}: {'hit' if hit else 'miss'}"
    if not hit:
        return [Disc(column + 0.5, row + 0.5, 0.12, role="ghost", tip=tip)]
    return [
        Tile(column, row, role="neutral", tip=tip),
        Polygon(star(column + 0.5, row + 0.5), role="danger", tip=tip),
    ]
