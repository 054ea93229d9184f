"""RockSample as text and as a scene: the map with north up, and what is known about each rock."""

from collections.abc import Sequence
from typing import Any

from plyglass.core.scene import (
    Bar,
    Disc,
    Imagined,
    Label,
    Polygon,
    Scene,
    Shape,
    Tile,
    regular,
    vessel,
)

Places = Sequence[tuple[int, int]]


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
    """Return the map with the exit in the east; likely good rocks are bluer, likely bad redder."""
    way_out = [Tile(size, y, role="goal", opacity=0.5, tip="the way out") for y in range(size)]
    odds = record["odds"][:, 1] if imagined is None else imagined.expected(imagined.worlds["value"])
    rocks = [
        shape
        for rock, (x, y) in enumerate(places)
        for shape in _drawn_rock(record, rock, x, size - 1 - y, float(odds[rock]))
    ]
    x, y = int(record["x"]) + 0.5, size - 0.5 - int(record["y"])
    rover = [
        Polygon(vessel(x, y, (1, 0), 0.76, 0.56), role="own", tip="the rover"),
        Disc(x, y, 0.11, role="grid", tip="the rover"),
    ]
    caption = (f"step {int(record['steps'])}, reward {int(record['reward'])}",)
    return Scene(size + 1, size, (*way_out, *rocks, *rover), "RockSample", caption)


def _drawn_rock(record: Any, rock: int, x: int, y: int, good: float) -> list[Shape]:
    tip = _rock(record, rock)
    outline = regular(x + 0.5, y + 0.46, 6)
    if record["collected"][rock]:
        return [Polygon(outline, role="ghost", opacity=0.3, tip=tip)]
    return [
        Polygon(outline, role="neutral", tip=tip),
        Polygon(
            outline, role="good" if good >= 0.5 else "bad", opacity=abs(2.0 * good - 1.0), tip=tip
        ),
        Label(x + 0.5, y + 0.46, rock_name(rock), 0.32, role="grid", tip=tip),
        Bar(x + 0.5, y + 0.91, good, role="good", tip=tip),
    ]
