"""A player's panel: a line with mana, deck and artifacts, and the player's hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from plyglass.core.scene import (
    Card,
    Disc,
    Imagined,
    Label,
    Path,
    Points,
    Polygon,
    Role,
    Shape,
    block,
    fitted,
    named,
)
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.engine.board import HEIGHT
from plyglass.games.duelyst.show.clicks import REPLACE, hand_key
from plyglass.games.duelyst.state import HAND, MOST_CARDS, MOST_MANA, UNKNOWN
from plyglass.games.duelyst.view import Position, card_line

PANEL = 2  # height of a panel, in cells
CARD = 1.12  # height of a card, in cells
GAP = 0.06  # free width on either side of a card
SIDES: tuple[Role, Role] = ("red", "blue")
PALE = 0.62  # opacity of a card for which mana is lacking
TYPES: dict[str, Role] = {"minion": "forest", "spell": "sea", "artifact": "goal"}


def player_panel(
    record: Any, position: Position, player: int, width: int, viewer: int, imagined: Imagined | None
) -> list[Shape]:
    """Return the panel of a player: a line next to the board, and the hand beyond the line."""
    own = player == viewer
    top = float(PANEL + HEIGHT) if own else 0.0
    line, hand = (top + 0.62, top + PANEL - CARD - 0.02) if own else (top + PANEL - 0.4, top + 0.1)
    held = [int(card) for card in record["hand"][player] if card]
    believed = (
        _likeliest(imagined, player, held.count(UNKNOWN))
        if imagined is not None and not imagined.true
        else []
    )
    shapes: list[Shape] = [
        Polygon(block(0, top, width, PANEL), role="board"),
        *_line(record, player, line, own),
    ]
    for slot, card in enumerate(int(card) for card in record["hand"][player]):
        left, across = slot * width / HAND + GAP, width / HAND - 2 * GAP
        if card == UNKNOWN:
            shapes += _back(left, hand, across, player, believed.pop(0) if believed else None)
        elif card:
            face = _face(left, hand, across, card, position.cost(player, card))
            if position.cost(player, card) > record["mana"][player]:
                face = replace(face, opacity=PALE)
            key = hand_key(record, player, slot) if own else ""
            shapes += named([face], key, _thing(record, player, slot))
    return shapes


def _thing(record: Any, player: int, slot: int) -> str:
    """Return the name of a card in hand as a `thing`; a number tells equal cards apart."""
    hand = record["hand"][player].tolist()
    copy = hand[: slot + 1].count(hand[slot])
    return f"card {cards()[hand[slot]].name} {copy} of player {player + 1}"


def _line(record: Any, player: int, y: float, own: bool) -> Iterator[Shape]:
    """Yield a line with the player's name, mana as drops, deck and artifacts."""
    general = cards()[int(record["card"][record["general"][player]])].name
    yield Label(
        1.0, y, f"player {player + 1}: {general.split()[0]}", 0.22, role=SIDES[player], tip=general
    )
    mana, most = int(record["mana"][player]), int(record["most_mana"][player])
    for number in range(MOST_MANA):
        role: Role = "sea" if number < max(mana, most) else "fog"
        yield Disc(
            2.35 + 0.22 * number,
            y,
            0.09,
            role=role,
            opacity=1.0 if number < mana else 0.3,
            tip=f"mana {mana} of {most}",
        )
    yield Label(4.6, y, f"{mana} of {most}", 0.2, role="ink", tip="mana")
    deck = _deck(record, player, y, own)
    yield from named(deck, REPLACE if own else "", f"deck of player {player + 1}")
    for slot, (card, left) in enumerate(
        zip(record["artifact"][player], record["durability"][player], strict=True)
    ):
        if card:
            worn = _artifact(6.15 + 0.96 * slot, y, cards()[int(card)].name, int(left))
            yield from named(worn, thing=f"artifact {slot + 1} of player {player + 1}")


def _deck(record: Any, player: int, y: float, own: bool) -> Iterator[Shape]:
    """Yield the deck as a pile with its number of cards; to replace a card, click the pile."""
    tip = _contents(record["deck"][player])
    if own:
        tip = f"the deck; choose a card and then the deck to replace the card. {tip}"
    for back in range(3):
        pile = block(5.15 + 0.04 * back, y - 0.19 - 0.03 * back, 0.3, 0.4)
        yield Polygon(pile, role=SIDES[player], opacity=0.8, tip=tip)
    yield Label(5.8, y, str(int(record["left"][player])), 0.24, role="ink", tip=tip)


def _artifact(x: float, y: float, name: str, left: int) -> Iterator[Shape]:
    """Yield an artifact that a general wears, with its durability."""
    tip = f"{name}, durability {left}"
    yield Polygon(block(x, y - 0.2, 0.92, 0.4), role="goal", opacity=0.35, tip=tip)
    lines, size = fitted(name, 0.62, 0.15, 2)
    for number, line in enumerate(lines):
        middle = y + (number - (len(lines) - 1) / 2) * 1.1 * size
        yield Label(x + 0.34, middle, line, size, role="ink", tip=tip)
    yield Label(x + 0.79, y, str(left), 0.24, role="ink", tip=tip)


def _contents(deck: Any) -> str:
    """Return the cards of a visible deck, as text."""
    found = Counter(cards()[int(card)].name for card in deck if card > 0)
    return "; ".join(f"{count} {name}" for name, count in sorted(found.items())) or "not seen"


def _face(x: float, y: float, width: float, card: int, cost: int) -> Card:
    """Return a visible card: its cost, name, and type or stats."""
    shown, tip = cards()[card], card_line(card, cost)
    numbers = f"{shown.attack}/{shown.health}" if shown.type == "minion" else ""
    kind = "" if shown.type == "minion" else shown.type
    role = TYPES[shown.type]
    return Card(x, y, width, CARD, shown.name, str(cost), numbers, kind, role=role, tip=tip)


def _back(
    x: float, y: float, width: float, player: int, believed: tuple[int, float] | None
) -> Iterator[Shape]:
    """Yield the back of a hidden card, or, as a guess, one of the likeliest cards of this hand."""
    side, middle, tip = SIDES[player], x + width / 2, "a card that is not seen"
    if believed is None:
        yield Polygon(block(x, y, width, CARD), role=side, opacity=0.4, tip=tip)
        yield Path(_frame(x, y, width, 0.1), True, width=0.03, role="grid", tip=tip)
        yield Label(middle, y + CARD / 2, "?", 0.5, role="grid", tip=tip)
        return
    name = cards()[believed[0]].name
    tip = f"{name}: {believed[1]:.2f} in this hand, by what is believed"
    yield Polygon(block(x, y, width, CARD), role="heat", opacity=0.12, tip=tip)
    yield Path(_frame(x, y, width, 0.03), True, width=0.03, role="heat", tip=tip)
    yield Label(middle, y + 0.2, "?", 0.3, role="heat", tip=tip)
    lines, size = fitted(name, width - 0.16, 0.2, 2)
    for number, line in enumerate(lines):
        down = y + 0.56 + (number - (len(lines) - 1) / 2) * 1.1 * size
        yield Label(middle, down, line, size, role="heat", tip=tip)
    yield Label(middle, y + CARD - 0.16, f"{believed[1]:.2f}", 0.22, role="heat", tip=tip)


def _frame(x: float, y: float, width: float, inset: float) -> Points:
    outline = block(x + inset, y + inset, width - 2 * inset, CARD - 2 * inset)
    return *outline, outline[0]


def _likeliest(imagined: Imagined, player: int, count: int) -> list[tuple[int, float]]:
    """Return the cards with the highest expected number in a hand, each with this number."""
    hands = imagined.worlds["hand"][:, player].astype(np.int64)
    expected = imagined.expected((hands[:, :, None] == np.arange(MOST_CARDS)).sum(axis=1))
    expected[0] = 0.0
    return [
        (int(card), float(expected[card]))
        for card in np.argsort(-expected, kind="stable")[:count]
        if expected[card] > 0.0
    ]
