"""Pieces that several games draw: tables, crosses and noughts, discs, and playing cards."""

from collections.abc import Sequence
from typing import Any

from plyglass.core.scene import (
    Bar,
    Disc,
    Imagined,
    Label,
    Path,
    Polygon,
    Role,
    Shape,
    block,
    named,
)

SIGNS = "XO"  # of the first and the second player
PLAYERS = ("player 1", "player 2")
REACH = 0.26  # from the middle of a cross to its ends, in x and in y
SUITS: dict[str, Role] = {"♠": "ink", "♥": "danger", "": "ink"}


def state_line(winner: int, player: int, names: Sequence[str] = PLAYERS) -> str:
    """Return who has won, or whose turn it is; `winner` is 0 before the end and 3 for a draw."""
    if winner == 3:
        return "a draw"
    return f"{names[winner - 1]} has won" if winner else f"{names[player]} to move"


def sign_on(cell: int, sets: Sequence[int], empty: str) -> str:
    """Return, as text, the sign of the player whose set of cells contains this cell."""
    owners = [sign for sign, cells in zip(SIGNS, sets, strict=True) if int(cells) >> cell & 1]
    return owners[0] if owners else empty


def table(width: float, height: float, role: Role = "board") -> Shape:
    """Return a background without grid lines."""
    return Polygon(block(0, 0, width, height), role=role)


def mark(player: int, x: float, y: float, role: Role, tip: str, size: float = 1.0) -> list[Shape]:
    """Return the first player's cross or the second player's nought."""
    reach = REACH * size
    if player:
        return [
            Disc(x, y, 1.3 * reach, role=role, tip=tip),
            Disc(x, y, 0.75 * reach, role="board", tip=tip),
        ]
    ends = (((-reach, -reach), (reach, reach)), ((reach, -reach), (-reach, reach)))
    return [
        Path(
            tuple((round(x + across, 3), round(y + down, 3)) for across, down in line),
            width=0.15 * size,
            role=role,
            tip=tip,
        )
        for line in ends
    ]


def signed_disc(player: int, x: float, y: float, radius: float, role: Role) -> list[Shape]:
    """Return a disc with the cross or the nought of its player."""
    tip = SIGNS[player]
    disc = Disc(x, y, radius, role=role, tip=tip)
    if not player:
        return [disc, *mark(0, x, y, "grid", tip, 1.65 * radius)]
    return [
        disc,
        Disc(x, y, round(0.58 * radius, 3), role="grid", tip=tip),
        Disc(x, y, round(0.34 * radius, 3), role=role, tip=tip),
    ]


def playing_card(x: float, y: float, name: str, role: Role, tip: str) -> list[Shape]:
    """Return a card around a point, with its rank and suit, or an outline if `name` is empty."""
    place = block(x - 0.6, y - 0.85, 1.2, 1.7)
    if not name:
        return [Path((*place, place[0]), True, width=0.03, role="muted", tip=tip)]
    colour = SUITS[name[1:]]
    return [
        Polygon(block(x - 0.66, y - 0.91, 1.32, 1.82), role=role, tip=tip),
        Polygon(place, role="grid", tip=tip),
        Label(x, y - (0.2 if name[1:] else 0.0), name[0], 0.8, role=colour, tip=tip),
        *([Label(x, y + 0.45, name[1:], 0.5, role=colour, tip=tip)] if name[1:] else []),
    ]


def card_back(x: float, y: float, role: Role, tip: str) -> list[Shape]:
    """Return the back of a card."""
    frame = block(x - 0.5, y - 0.75, 1.0, 1.5)
    return [
        Polygon(block(x - 0.66, y - 0.91, 1.32, 1.82), role=role, opacity=0.75, tip=tip),
        Path((*frame, frame[0]), True, width=0.04, role="grid", tip=tip),
        Label(x, y, "?", 0.7, role="grid", tip=tip),
    ]


def card_of(owner: str, name: str, x: float, y: float, role: Role) -> list[Shape]:
    """Return an owner's card as one thing; the name "?" stands for a hidden card."""
    tip = f"the card of {owner}"
    shapes = card_back(x, y, role, tip) if name == "?" else playing_card(x, y, name, role, tip)
    return named(shapes, thing=tip)


def believed(
    imagined: Imagined, values: Any, names: Sequence[str], x: float, y: float
) -> list[Shape]:
    """Return a bar with the probability of each name.

    `values` gives, for each world, the index of the name that is true in this world.
    """
    shapes: list[Shape] = []
    for number, name in enumerate(names):
        chance = float(imagined.expected(values == number))
        down, tip = y + 0.42 * number, f"{name}: {chance:.0%}, by what is believed"
        shapes += [
            Label(x, down, name, 0.3, role="heat", tip=tip),
            Bar(x + 1.05, down, chance, 1.1, role="heat", tip=tip),
            Label(x + 2.05, down, f"{chance:.0%}", 0.26, role="heat", tip=tip),
        ]
    return shapes


def chips(x: float, y: float, count: int, role: Role, tip: str) -> list[Shape]:
    """Return chips of a bet, in piles of five."""
    return [
        Disc(x + 0.5 * (chip // 5), y - 0.13 * (chip % 5), 0.22, role=role, tip=tip)
        for chip in range(count)
    ]
