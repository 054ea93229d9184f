"""Pig as text and as a scene: the points of both players, plus the turn total."""

from typing import Any

from plyglass.core.scene import Disc, Label, Polygon, Role, Scene, Shape, block, named
from plyglass.games.pieces import state_line, table

WIDTH = 40
DIE, BANK = "die", "bank"


def text(record: Any, goal: int) -> str:
    return "\n".join(_line(record, player, goal) for player in range(2))


def _line(record: Any, player: int, goal: int) -> str:
    points = int(record["points"][player])
    total = int(record["total"]) if record["player"] == player else 0
    banked, hoped = (min(WIDTH, WIDTH * part // goal) for part in (points, points + total))
    bar = "█" * banked + "▒" * (hoped - banked) + "·" * (WIDTH - hoped)
    return f"player {player + 1} {bar} {points}" + (f" + {total}" if total else "")


def scene(record: Any, goal: int, viewer: int) -> Scene:
    """Return both players' points as bars, with the die, the turn total and a bank between them."""
    player, total = int(record["player"]), int(record["total"])
    role: Role = "own" if player == viewer else "enemy"
    shapes = [
        table(10, 7),
        *_bar(record, 1 - viewer, "enemy", 0.4, goal),
        *named(_die(2.2, 3.5), DIE, DIE),
        Label(2.2, 4.75, "roll", 0.34, role="muted", key=DIE),
        Label(5.0, 3.3, f"+{total}", 1.1, role=role, tip="points of this turn"),
        Label(5.0, 4.2, f"player {player + 1}'s turn", 0.34, role="muted"),
        *named(_bank(7.8, 3.5), BANK, BANK),
        Label(7.8, 4.75, "hold", 0.34, role="muted", key=BANK),
        *_bar(record, viewer, "own", 5.4, goal),
    ]
    state = state_line(int(record["winner"]), player)
    return Scene(10, 7, tuple(shapes), "Pig", (state,))


def _bar(record: Any, player: int, role: Role, y: float, goal: int) -> list[Shape]:
    """Return a player's points as a bar, with the turn total in a paler shade."""
    points = int(record["points"][player])
    total = int(record["total"]) if record["player"] == player else 0
    banked, hoped = (9.0 * min(1.0, part / goal) for part in (points, points + total))
    tip = f"player {player + 1}: {points} of {goal} points"
    return [
        Label(1.6, y + 0.3, f"player {player + 1}", 0.4, role=role, tip=tip),
        Label(8.2, y + 0.3, f"{points} of {goal}", 0.45, role="ink", tip=tip),
        Polygon(block(0.5, y + 0.65, 9.0, 0.45), role="ghost", opacity=0.35, tip=tip),
        *([Polygon(block(0.5, y + 0.65, hoped, 0.45), role=role, opacity=0.45)] if total else []),
        *([Polygon(block(0.5, y + 0.65, banked, 0.45), role=role, tip=tip)] if points else []),
    ]


def _die(x: float, y: float) -> list[Shape]:
    pips = ((-0.4, -0.4), (0.4, -0.4), (0.0, 0.0), (-0.4, 0.4), (0.4, 0.4))
    return [
        Polygon(block(x - 0.8, y - 0.8, 1.6, 1.6), role="ink", tip="roll the die"),
        Polygon(block(x - 0.74, y - 0.74, 1.48, 1.48), role="grid", tip="roll the die"),
        *(Disc(x + across, y + down, 0.14, role="ink") for across, down in pips),
    ]


def _bank(x: float, y: float) -> list[Shape]:
    """Return a piggy bank."""
    tip = "hold: bank the points of this turn"
    legs = (-0.55, -0.15, 0.25)
    return [
        *(Polygon(block(x + leg, y + 0.4, 0.24, 0.4), role="heat", tip=tip) for leg in legs),
        Disc(x - 0.05, y, 0.68, role="heat", tip=tip),
        Polygon(((x + 0.3, y - 0.6), (x + 0.75, y - 0.75), (x + 0.6, y - 0.3)), role="heat"),
        Disc(x + 0.6, y + 0.02, 0.27, role="heat", tip=tip),
        Disc(x + 0.55, y + 0.05, 0.05, role="grid"),
        Disc(x + 0.7, y + 0.05, 0.05, role="grid"),
        Disc(x + 0.3, y - 0.22, 0.07, role="ink"),
        Polygon(block(x - 0.4, y - 0.5, 0.5, 0.09), role="ink", tip=tip),
    ]
