"""Tiger as text and as a scene."""

from typing import Any

from plyglass.core.scene import (
    Bar,
    Disc,
    Imagined,
    Label,
    Path,
    Points,
    Polygon,
    Ring,
    Scene,
    Shape,
    block,
    named,
    regular,
)
from plyglass.games.pieces import table

EAR, DOOR_KEYS = "ear", ("left door", "right door")

DOORS = {-1: "nothing", 0: "left", 1: "right"}


def text(record: Any) -> str:
    left, right = (int(count) for count in record["heard"])
    return "\n".join(
        [
            f"  ┌───┐ ┌───┐    heard just now: {DOORS[int(record['last'])]}",
            f"  │ {_count(left)} │ │ {_count(right)} │    since a door was opened: {left} left, "
            f"{right} right",
            f"  └───┘ └───┘    step {int(record['steps'])}, reward {int(record['reward'])}",
        ]
    )


def _count(hearings: int) -> str:
    return str(hearings) if hearings < 10 else "+"


def scene(record: Any, imagined: Imagined | None) -> Scene:
    """Return two doors with what was heard behind them, and an ear to listen with."""
    shapes: list[Shape] = [table(8, 7, "plain")]
    for door in range(2):
        x = 2.2 + 3.6 * door
        shapes += named(_door(record, door, x, imagined), DOOR_KEYS[door])
    shapes += named(_ear(4.0, 5.9), EAR)
    left, right = (int(count) for count in record["heard"])
    caption = (
        f"heard since a door was opened: {left} left, {right} right",
        f"step {int(record['steps'])}, reward {int(record['reward'])}",
    )
    return Scene(8, 7, tuple(shapes), "Tiger", caption)


def action_path(action: int) -> tuple[str, ...]:
    """Return the key to click: the ear, or a door."""
    return ((EAR, *DOOR_KEYS)[action],)


def _door(record: Any, door: int, x: float, imagined: Imagined | None) -> list[Shape]:
    """Return a door, how often the tiger was heard there, and the probability that it is there."""
    heard, tip = int(record["heard"][door]), f"open the {DOORS[door]} door"
    known = imagined is not None and imagined.true
    shapes: list[Shape] = [
        Polygon(block(x - 1.25, 0.9, 2.5, 3.7), role="neutral", tip=tip),
        Polygon(block(x - 1.05, 1.1, 2.1, 3.5), role="road" if known else "mountain", tip=tip),
    ]
    if imagined is not None:
        chance = float(imagined.expected(imagined.worlds["tiger"] == door))
        shapes += (
            [*(_tiger(x, 2.6) if chance else _treasure(x, 2.9))]
            if known
            else [
                Bar(x, 0.55, chance, 2.2, role="heat", tip=f"the tiger: {chance:.0%}"),
                Label(x, 0.25, f"tiger {chance:.0%}", 0.3, role="heat"),
            ]
        )
    if not known:
        shapes += [
            Label(x, 2.4, "?", 1.1, role="grid", tip=tip),
            Disc(x + 0.75, 3.0, 0.12, role="goal", tip=tip),
        ]
    shapes += [
        Label(x, 3.6, "heard" if heard else "", 0.26, role="grid"),
        Label(x, 4.1, f"{heard}x" if heard else "", 0.5, role="grid", tip=f"heard {heard} times"),
    ]
    if record["last"] == door:
        shapes.append(Ring(x - 1.4, 0.75, 2.8, 4.0, role="danger", tip="heard here just now"))
    return shapes


def _ear(x: float, y: float) -> list[Shape]:
    """Return an ear with waves of sound."""
    tip = "listen"
    return [
        Disc(x, y, 0.62, role="own", tip=tip),
        Disc(x, y - 0.08, 0.4, role="grid", tip=tip),
        Disc(x + 0.06, y, 0.28, role="own", tip=tip),
        *(
            Path(_wave(x + side * far, y, 0.14 * side), width=0.07, role="own", tip=tip)
            for side in (-1, 1)
            for far in (0.8, 1.1)
        ),
        Label(x, y + 0.85, "listen", 0.3, role="muted"),
    ]


def _wave(x: float, y: float, bulge: float) -> Points:
    return (x, y - 0.3), (x + bulge, y), (x, y + 0.3)


def _tiger(x: float, y: float) -> list[Shape]:
    tip = "the tiger"
    return [
        Disc(x - 0.5, y - 0.5, 0.24, role="bad", tip=tip),
        Disc(x + 0.5, y - 0.5, 0.24, role="bad", tip=tip),
        Disc(x, y, 0.72, role="bad", tip=tip),
        *(
            Path(((x + dx, y - 0.68), (x + 0.6 * dx, y - 0.3)), width=0.1, role="ink", tip=tip)
            for dx in (-0.3, 0.0, 0.3)
        ),
        Disc(x - 0.25, y - 0.1, 0.09, role="ink", tip=tip),
        Disc(x + 0.25, y - 0.1, 0.09, role="ink", tip=tip),
        Polygon(regular(x, y + 0.25, 3, 0.16), role="ink", tip=tip),
    ]


def _treasure(x: float, y: float) -> list[Shape]:
    tip = "the treasure"
    return [
        Polygon(block(x - 0.7, y - 0.3, 1.4, 0.8), role="mountain", tip=tip),
        Polygon(block(x - 0.7, y - 0.6, 1.4, 0.3), role="goal", tip=tip),
        Disc(x, y - 0.1, 0.14, role="goal", tip=tip),
    ]
