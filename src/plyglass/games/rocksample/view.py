"""RockSample as text and as a scene: the map with north up, and the evidence about each rock."""

from collections.abc import Sequence
from typing import Any

from plyglass.core.actions import unpack
from plyglass.core.scene import (
    Bar,
    Disc,
    Imagined,
    Label,
    Polygon,
    Scene,
    Shape,
    Tile,
    named,
    regular,
    spots,
    vessel,
)
from plyglass.games.rocksample.rules import CHECK, SAMPLE

Places = Sequence[tuple[int, int]]
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # north, east, south and west
WAY_OUT = "way out"


def text(record: Any, size: int, places: Places) -> str:
    rows = [
        " ".join(_cell(record, x, y, places) for x in range(size)) + " ▒"
        for y in reversed(range(size))
    ]
    rocks = [_rock(record, rock) for rock in range(len(places))]
    return "\n".join(
        [*rows, f"step {int(record['steps'])}, reward {int(record['reward'])}", *rocks]
    )


def _cell(record: Any, x: int, y: int, places: Places) -> str:
    if (record["x"], record["y"]) == (x, y):
        return "@"
    return _cell_without_rover(record, x, y, places)


def _cell_without_rover(record: Any, x: int, y: int, places: Places) -> str:
    rocks = [
        rock
        for rock, place in enumerate(places)
        if place == (x, y) and not record["collected"][rock]
    ]
    return rock_name(rocks[0]) if rocks else "·"


def _rock(record: Any, rock: int) -> str:
    if record["collected"][rock]:
        return f"{rock_name(rock)}: collected, it was {'good' if record['value'][rock] else 'bad'}"
    bad, good = record["readings"][rock]
    return (
        f"{rock_name(rock)}: good with {record['odds'][rock, 1]:4.0%} (read good {good}, bad {bad})"
    )


def rock_name(rock: int) -> str:
    return chr(ord("A") + rock)


def scene(record: Any, size: int, places: Places, imagined: Imagined | None) -> Scene:
    """Return the map with the exit in the east.

    Rocks that are probably good are bluer, and rocks that are probably bad are redder.
    """
    way_out = [
        Tile(size, y, role="goal", opacity=0.5, tip="the way out", key=WAY_OUT) for y in range(size)
    ]
    ground = spots(size, size, lambda x, y: place_name(record, x, size - 1 - y, size, places))
    odds = record["odds"][:, 1] if imagined is None else imagined.expected(imagined.worlds["value"])
    rocks = [
        shape
        for rock, (x, y) in enumerate(places)
        for shape in _drawn_rock(record, rock, x, size - 1 - y, float(odds[rock]))
    ]
    x, y = int(record["x"]) + 0.5, size - 0.5 - int(record["y"])
    rover = named(
        [
            Polygon(vessel(x, y, (1, 0), 0.76, 0.56), role="own", tip="the rover"),
            Disc(x, y, 0.11, role="grid", tip="the rover"),
        ],
        place_name(record, int(record["x"]), int(record["y"]), size, places),
        "rover",
    )
    caption = (f"step {int(record['steps'])}, reward {int(record['reward'])}",)
    return Scene(size + 1, size, (*way_out, *ground, *rocks, *rover), "RockSample", caption)


def place_name(record: Any, x: int, y: int, size: int, places: Places) -> str:
    """Return the key of a place: its rock, or its column and its row from the south."""
    if x == size:
        return WAY_OUT
    sign = _cell_without_rover(record, x, y, places)
    return f"rock {sign}" if sign.isalpha() else f"{chr(ord('a') + x)}{y + 1}"


def action_path(record: Any, size: int, places: Places, action: int) -> tuple[str, ...]:
    """Return the place to go to, or the rock to check or sample."""
    kind, _, target = unpack(action)
    if kind == CHECK:
        return (f"rock {rock_name(target)}",)
    across, up = (0, 0) if kind == SAMPLE else STEPS[target]
    return (place_name(record, int(record["x"]) + across, int(record["y"]) + up, size, places),)


def _drawn_rock(record: Any, rock: int, x: int, y: int, good: float) -> list[Shape]:
    tip = _rock(record, rock)
    outline = regular(x + 0.5, y + 0.46, 6)
    if record["collected"][rock]:
        return [Polygon(outline, role="ghost", opacity=0.3, tip=tip)]
    shapes = [
        Polygon(outline, role="neutral", tip=tip),
        Polygon(
            outline, role="good" if good >= 0.5 else "bad", opacity=abs(2.0 * good - 1.0), tip=tip
        ),
        Label(x + 0.5, y + 0.46, rock_name(rock), 0.32, role="grid", tip=tip),
        Bar(x + 0.5, y + 0.91, good, role="good", tip=tip),
    ]
    return named(shapes, f"rock {rock_name(rock)}", f"rock {rock_name(rock)}")
