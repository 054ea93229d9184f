"""Pig as text: the points of both players, plus the turn total."""

from typing import Any

WIDTH = 40


def text(record: Any, goal: int) -> str:
    return "\n".join(_line(record, player, goal) for player in range(2))


def _line(record: Any, player: int, goal: int) -> str:
    points = int(record["points"][player])
    total = int(record["total"]) if record["player"] == player else 0
    banked, hoped = (min(WIDTH, WIDTH * part // goal) for part in (points, points + total))
    bar = "█" * banked + "▒" * (hoped - banked) + "·" * (WIDTH - hoped)
    return f"player {player + 1} {bar} {points}" + (f" + {total}" if total else "")
