"""RockSample as text: the map with north above, and what is known of each rock."""

from collections.abc import Sequence
from typing import Any

Places = Sequence[tuple[int, int]]


def text(record: Any, size: int, places: Places) -> str:
    rows = [" ".join(_cell(record, x, y, places) for x in range(size)) + " ▒" for y in reversed(range(size))]
    rocks = [_rock(record, rock) for rock in range(len(places))]
    return "\n".join([*rows, f"step {int(record['steps'])}, reward {int(record['reward'])}", *rocks])


def _cell(record: Any, x: int, y: int, places: Places) -> str:
    if (record["x"], record["y"]) == (x, y):
        return "@"
    rocks = [rock for rock, place in enumerate(places) if place == (x, y) and not record["collected"][rock]]
    return rock_name(rocks[0]) if rocks else "·"


def _rock(record: Any, rock: int) -> str:
    if record["collected"][rock]:
        return f"{rock_name(rock)}: collected, it was {'good' if record['value'][rock] else 'bad'}"
    bad, good = record["readings"][rock]
    return f"{rock_name(rock)}: good with {record['odds'][rock, 1]:4.0%} (read good {good}, bad {bad})"


def rock_name(rock: int) -> str:
    return chr(ord("A") + rock)
