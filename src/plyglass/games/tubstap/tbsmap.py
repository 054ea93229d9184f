"""Maps: reading and writing TUBSTAP's `.tbsmap` format, and loading Plyglass's own maps.

A file consists of items `KEY[value];`. Coordinates on the board begin at 1, because row 0 and
column 0 belong to a border that no unit can enter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from plyglass.games.tubstap.cells import SIDE
from plyglass.games.tubstap.state import MOST_TURNS, MOST_UNITS
from plyglass.games.tubstap.units import FULL_HEALTH, KINDS, SIDES, TERRAIN
from plyglass.trust import refuse_as_data

FOLDER = Path(__file__).with_name("maps")
ENDING = ".tbsmap"
MOST_BYTES = 100_000  # most bytes of a map file; files of the largest maps have about 10,000
MOST_DIGITS = 9
NUMBERS = ("SIZEX", "SIZEY", "TURNLIMIT", "HPTHRESHOLD", "UNITNUMRED", "UNITNUMBLUE")
TEXTS = ("AUTHOR", "MAPCOM")
NAMES = [kind.name for kind in KINDS]
NO_ENTRY = 0


ITEM = re.compile(r"\s*(\w+)\s*\[([^\[\]]*)\]\s*;")


class Unit(NamedTuple):
    """A unit at the start, on column `x` and row `y`, counted from 0."""

    kind: int
    x: int
    y: int
    side: int
    health: int
    acted: int = 0


class Item(NamedTuple):
    """One `KEY[value];` of a file."""

    key: str
    value: str
    line: int


@dataclass(frozen=True)
class Map:
    """A map: rows of terrain without the border, units, number of turns, and threshold of a win."""

    rows: tuple[tuple[int, ...], ...]
    units: tuple[Unit, ...]
    turns: int
    threshold: int
    author: str = ""
    comment: str = ""

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    def places(self) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield ((column, row), terrain) for every cell."""
        for y, row in enumerate(self.rows):
            for x, terrain in enumerate(row):
                yield (x, y), terrain

    def turned(self) -> Map:
        """Return the map rotated by 180 degrees, with the two sides exchanged."""
        units = [
            replace_place(unit, self.width - 1 - unit.x, self.height - 1 - unit.y)
            for unit in self.units
        ]
        return replace(self, rows=tuple(row[::-1] for row in self.rows[::-1]), units=tuple(units))


def replace_place(unit: Unit, x: int, y: int) -> Unit:
    """Return a copy of the unit that is on column `x` and row `y` and belongs to the other side."""
    return unit._replace(x=x, y=y, side=1 - unit.side)


def names() -> list[str]:
    """Return the names of the maps that come with the game."""
    return sorted(path.stem for path in FOLDER.glob(f"*{ENDING}"))


def load(name: str) -> Map:
    """Load a map by its name or by the path of a file."""
    if name.endswith(ENDING):
        refuse_as_data(name)
    path = Path(name) if name.endswith(ENDING) else FOLDER / f"{Path(name).name}{ENDING}"
    if not path.is_file():
        known = f"choose from {', '.join(names())}, or give the path of a {ENDING} file"
        raise ValueError(
            f"There is no map {name!r}; {known}."
            if path.parent == FOLDER
            else f"There is no file {name}."
        )
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} has more than {MOST_BYTES:,} bytes; it is no map.")
    return parsed(_decoded(path.read_bytes()), path.name)


def parsed(text: str, name: str = "the map") -> Map:
    """Return the map that a text describes."""
    items = list(_items(text, name))
    numbers = {key: _number(_only(items, key, name), name) for key in NUMBERS}
    texts = {key: next((item.value for item in items if item.key == key), "") for key in TEXTS}
    width, height = numbers["SIZEX"] - 2, numbers["SIZEY"] - 2
    if not 1 <= width <= SIDE or not 1 <= height <= SIDE:
        raise ValueError(
            f"{name}: a board has 1 to {SIDE} columns and rows within its border; SIZEX and SIZEY "
            f"make it {width} x {height}."
        )
    rows = _rows([item for item in items if item.key == "MAP"], width, height, name)
    units = _units([item for item in items if item.key == "UNIT"], rows, name)
    _refuse_odd_armies(units, numbers, name)
    if not 1 <= numbers["TURNLIMIT"] <= MOST_TURNS or numbers["HPTHRESHOLD"] < 0:
        raise ValueError(f"{name}: TURNLIMIT is 1 to {MOST_TURNS} and HPTHRESHOLD 0 or more.")
    return Map(
        rows, units, numbers["TURNLIMIT"], numbers["HPTHRESHOLD"], texts["AUTHOR"], texts["MAPCOM"]
    )


def written(terrain: Map) -> str:
    """Return the text of a `.tbsmap` file with this map."""
    counts = [sum(unit.side == side for unit in terrain.units) for side in range(2)]
    border = (NO_ENTRY,) * (terrain.width + 2)
    rows = [border, *((NO_ENTRY, *row, NO_ENTRY) for row in terrain.rows), border]
    lines = [
        f"SIZEX[{terrain.width + 2}];SIZEY[{terrain.height + 2}];",
        f"TURNLIMIT[{terrain.turns}];HPTHRESHOLD[{terrain.threshold}];",
        f"UNITNUMRED[{counts[0]}];UNITNUMBLUE[{counts[1]}];",
        f"AUTHOR[{terrain.author}];",
        f"MAPCOM[{terrain.comment}];",
        *(
            f"UNIT[{u.x + 1},{u.y + 1},{NAMES[u.kind]},{u.side},{u.health},{u.acted}];"
            for u in terrain.units
        ),
        *(f"MAP[{','.join(map(str, row))}];" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def _decoded(data: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark, or Shift-JIS."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp932", errors="replace")


def _items(text: str, name: str) -> Iterator[Item]:
    at, line, counted = 0, 1, 0
    while found := ITEM.match(text, at):
        at = found.end()
        line += text.count("\n", counted, found.start(1))
        counted = found.start(1)
        yield Item(found[1], found[2].strip(), line)
    if text[at:].strip():
        line = 1 + text.count("\n", 0, at + len(text[at:]) - len(text[at:].lstrip()))
        raise ValueError(
            f"{name}, line {line}: {text[at:].strip().splitlines()[0][:40]!r} is not an item. "
            "An item has the form KEY[value]; without anything else."
        )


def _only(items: list[Item], key: str, name: str) -> Item:
    found = [item for item in items if item.key == key]
    if len(found) != 1:
        raise ValueError(
            f"{name} has {len(found)} items {key}[...]; but a map must have exactly one."
        )
    return found[0]


def _number(item: Item, name: str) -> int:
    return _integers(item, [item.value], name)[0]


def _integers(item: Item, texts: list[str], name: str) -> list[int]:
    wrong = [text for text in texts if not re.fullmatch(rf"\s*-?[0-9]{{1,{MOST_DIGITS}}}\s*", text)]
    if wrong:
        raise ValueError(
            f"{name}, line {item.line}: {wrong[0].strip()!r} in {item.key}[...]; is not a whole "
            "number."
        )
    return [int(text) for text in texts]


def _rows(items: list[Item], width: int, height: int, name: str) -> tuple[tuple[int, ...], ...]:
    """Return the terrain within the border."""
    if len(items) != height + 2:
        raise ValueError(f"{name} has {len(items)} rows MAP[...]; but SIZEY says {height + 2}.")
    rows = [_integers(item, item.value.split(","), name) for item in items]
    for number, (item, row) in enumerate(zip(items, rows, strict=True)):
        inner = row[1:-1] if 0 < number < height + 1 else []
        if len(row) != width + 2:
            raise ValueError(
                f"{name}, line {item.line}: {len(row)} cells in a row, but SIZEX says {width + 2}."
            )
        if not set(row) <= set(range(len(TERRAIN))):
            raise ValueError(
                f"{name}, line {item.line}: terrain has a number from 0 to {len(TERRAIN) - 1}, "
                f"not {max(row, key=abs)}."
            )
        if sum(row) != sum(inner):
            raise ValueError(
                f"{name}, line {item.line}: the border of a map is {NO_ENTRY}, where no unit goes."
            )
    return tuple(tuple(row[1:-1]) for row in rows[1:-1])


def _units(items: list[Item], rows: tuple[tuple[int, ...], ...], name: str) -> tuple[Unit, ...]:
    units: list[Unit] = []
    for item in items:
        unit = _unit(item, name)
        where = f"{name}, line {item.line}: the {NAMES[unit.kind]} at {unit.x + 1},{unit.y + 1}"
        if not 0 <= unit.x < len(rows[0]) or not 0 <= unit.y < len(rows):
            raise ValueError(
                f"{where} is not on the board, whose columns go from 1 to {len(rows[0])} and rows "
                f"from 1 to {len(rows)}."
            )
        terrain = TERRAIN[rows[unit.y][unit.x]]
        if not terrain.cost[KINDS[unit.kind].way]:
            raise ValueError(f"{where} cannot be there: the terrain is {terrain.name}.")
        if any((unit.x, unit.y) == (other.x, other.y) for other in units):
            raise ValueError(f"{where} shares its cell with another unit.")
        units.append(unit)
    return tuple(units)


def _unit(item: Item, name: str) -> Unit:
    values = [value.strip() for value in item.value.split(",")]
    where = f"{name}, line {item.line}"
    if len(values) != 6:
        raise ValueError(
            f"{where}: a unit is UNIT[column,row,name,side,health,acted]; not {item.value!r}."
        )
    if values[2] not in NAMES:
        raise ValueError(
            f"{where}: there is no unit {values[2]!r}; choose from {', '.join(NAMES)}."
        )
    x, y, side, health, acted = _integers(item, [*values[:2], *values[3:]], name)
    if side not in (0, 1) or acted not in (0, 1) or not 1 <= health <= FULL_HEALTH:
        raise ValueError(
            f"{where}: side is 0 (red) or 1 (blue), health 1 to {FULL_HEALTH}, acted 0 or 1; not "
            f"{side}, {health}, {acted}."
        )
    return Unit(NAMES.index(values[2]), x - 1, y - 1, side, health, acted)


def _refuse_odd_armies(units: tuple[Unit, ...], numbers: dict[str, int], name: str) -> None:
    for side, key in enumerate(("UNITNUMRED", "UNITNUMBLUE")):
        count = sum(unit.side == side for unit in units)
        if count != numbers[key]:
            raise ValueError(
                f"{name} has {count} units of {SIDES[side]}, but {key} says {numbers[key]}."
            )
        if not 1 <= count <= MOST_UNITS:
            raise ValueError(
                f"{name} has {count} units of {SIDES[side]}; a side has 1 to {MOST_UNITS}."
            )
