"""A player's panel: a line with mana, deck and artifacts, and the player's hand."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from plyglass.core.scene import Disc, Imagined, Label, Points, Polygon, Role, Shape, block
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.state import HAND, MOST_CARDS, MOST_MANA, UNKNOWN
from plyglass.games.duelyst.view import Position, card_line

PANEL = 2  # height of a panel, in cells
CARD = 1.12  # height of a card, in cells
GAP = 0.05
SIDES: tuple[Role, Role] = ("red", "blue")
TYPES: dict[str, Role] = {"minion": "forest", "spell": "sea", "artifact": "goal"}
LETTERS, LINES = 15, 3  # most letters per line and lines of a name on a card


def player_panel(
    record: Any, position: Position, player: int, width: int, top: float, imagined: Imagined | None
) -> list[Shape]:
    """Return the panel of a player: a line next to the board, and the hand beyond the line."""
    line, hand = (
        (top + PANEL - 0.4, top + 0.1) if player else (top + 0.62, top + PANEL - CARD - 0.02)
    )
    held = [int(card) for card in record["hand"][player] if card]
    believed = (
        _likeliest(imagined, player, held.count(UNKNOWN))
        if imagined is not None and not imagined.true
        else []
    )
    shapes: list[Shape] = [
        Polygon(block(0, top, width, PANEL), role="board"),
        *_line(record, player, line),
    ]
    for slot, card in enumerate(int(card) for card in record["hand"][player]):
        place = block(slot * width / HAND + GAP, hand, width / HAND - 2 * GAP, CARD)
        if card == UNKNOWN:
            shapes += _back(place, player, believed.pop(0) if believed else None)
        elif card:
            shapes += _face(
                place, slot, card, position.cost(player, card), int(record["mana"][player])
            )
    return shapes


def _line(record: Any, player: int, y: float) -> Iterator[Shape]:
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
    yield Label(4.6, y, f"{mana} of {most}", 0.18, role="ink", tip="mana")
    yield Label(
        5.5,
        y,
        f"deck {int(record['left'][player])}",
        0.2,
        role="ink",
        tip=_contents(record["deck"][player]),
    )
    for slot, (card, left) in enumerate(
        zip(record["artifact"][player], record["durability"][player], strict=True)
    ):
        if card:
            yield Label(
                6.75 + 1.05 * slot,
                y,
                f"{cards()[int(card)].name.split()[0][:9]} {int(left)}",
                0.18,
                role="goal",
                tip=cards()[int(card)].name,
            )


def _contents(deck: Any) -> str:
    """Return the cards of a visible deck."""
    found = Counter(cards()[int(card)].name for card in deck if card > 0)
    return "; ".join(f"{count} {name}" for name, count in sorted(found.items())) or "not seen"


def _face(place: Points, slot: int, card: int, cost: int, mana: int) -> Iterator[Shape]:
    """Yield a visible card: its cost, name, and type or stats; pale if mana is lacking."""
    (left, top), (right, bottom), shown, tip = (
        place[0],
        place[2],
        cards()[card],
        card_line(card, cost),
    )
    opacity = 1.0 if cost <= mana else 0.45
    yield Polygon(place, role=TYPES[shown.type], opacity=round(0.4 * opacity, 3), tip=tip)
    yield Disc(left + 0.17, top + 0.17, 0.14, role="sea", opacity=opacity, tip=tip)
    yield Label(left + 0.17, top + 0.17, str(cost), 0.2, role="grid", tip=tip)
    yield Label(right - 0.14, top + 0.15, str(slot + 1), 0.15, role="muted", tip=tip)
    for number, words in enumerate(textwrap.wrap(shown.name, LETTERS)[:LINES]):
        yield Label(
            (left + right) / 2,
            top + 0.44 + 0.2 * number,
            words,
            0.18,
            role="ink",
            opacity=max(opacity, 0.7),
            tip=tip,
        )
    below = f"{shown.attack} / {shown.health}" if shown.type == "minion" else shown.type
    yield Label((left + right) / 2, bottom - 0.13, below, 0.17, role="muted", tip=tip)


def _back(place: Points, player: int, believed: tuple[int, float] | None) -> Iterator[Shape]:
    """Yield the back of a hidden card, which shows one of the likeliest cards of this hand."""
    (left, top), (right, bottom) = place[0], place[2]
    tip = "a card that is not seen"
    if believed is not None:
        tip = f"{cards()[believed[0]].name}: {believed[1]:.2f} in this hand, by what is believed"
    yield Polygon(place, role=SIDES[player], opacity=0.22, tip=tip)
    yield Label((left + right) / 2, top + 0.22, "?", 0.3, role=SIDES[player], tip=tip)
    if believed is not None:
        for number, words in enumerate(textwrap.wrap(cards()[believed[0]].name, LETTERS)[:2]):
            yield Label(
                (left + right) / 2, top + 0.5 + 0.19 * number, words, 0.16, role="muted", tip=tip
            )
        yield Label(
            (left + right) / 2, bottom - 0.13, f"{believed[1]:.2f}", 0.17, role="muted", tip=tip
        )


def _likeliest(imagined: Imagined, player: int, count: int) -> list[tuple[int, float]]:
    """Return the cards with the highest expected number in a hand, and that number."""
    hands = imagined.worlds["hand"][:, player].astype(np.int64)
    expected = imagined.expected((hands[:, :, None] == np.arange(MOST_CARDS)).sum(axis=1))
    expected[0] = 0.0
    return [
        (int(card), float(expected[card]))
        for card in np.argsort(-expected, kind="stable")[:count]
        if expected[card] > 0.0
    ]
