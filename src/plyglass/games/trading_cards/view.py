"""Trading cards as text: both players' decks, hands and fields, with the viewer at the bottom."""

import textwrap
from typing import Any

from plyglass.games.trading_cards.cards import (
    ATTRIBUTES,
    CARDS,
    REMOVAL,
    STAND_IN,
    card_name,
    members,
    values_of,
)
from plyglass.games.trading_cards.state import POINT

PHASES = ("draws a card", "may place a card before cards act", "lets cards act")
COLUMNS = 74  # columns of text; with a frame, the text fits into 80 columns
INDENT = 9
LEGEND = "A card is Fight/Heal/Attack; * can act."


def text(record: Any, constants: Any, viewer: int) -> str:
    """Return the table as `viewer` sees it, the enemy on top; a star marks a card that can act."""
    above, below = (_lines(record, player) for player in (1 - viewer, viewer))
    return "\n".join(
        [moment(record, constants), *above, "  " + "─" * (COLUMNS - 4), *reversed(below), LEGEND]
    )


def events(before: Any, after: Any) -> list[str]:
    """Return sentences about the cards that were drawn."""
    return [
        f"player {player + 1} draws {', '.join(card_name(card) for card in drawn)}"
        for player in range(2)
        if (drawn := members(int(before["deck"][player]) & ~int(after["deck"][player])))
    ]


def moment(record: Any, constants: Any) -> str:
    """Return the player to move and what they may do, or how the game ended."""
    turn, mover = int(record["turn"]), to_move(record, constants)
    if mover is not None:
        return (
            f"turn {turn + 1} of {int(constants['turns'])}: player {mover + 1} "
            f"{PHASES[int(record['phase'])]}"
        )
    if (record["health"] > 0).all():
        return f"a draw after {turn} turns"
    return f"player {int(record['health'].argmax()) + 1} has won in turn {turn + 1}"


def to_move(record: Any, constants: Any) -> int | None:
    """Return the player to move, or None if the game is over."""
    over = (record["health"] <= 0).any() or record["turn"] >= constants["turns"]
    return None if over else int(record["player"])


def health_of(record: Any, player: int) -> str:
    """Return a player's health in points, without trailing zeros."""
    return f"{int(record['health'][player]) / POINT:g}"


def face_of(record: Any, owner: int, card: int) -> tuple[float, ...]:
    """Return Fight, Heal and Attack of a card or stand-in, in points."""
    if card < CARDS:
        return values_of(card)
    own = (card - STAND_IN) % len(ATTRIBUTES)
    return tuple(
        float(record["stand_in" if each == own else "average"][owner, each]) / POINT
        for each in range(len(ATTRIBUTES))
    )


def arranged(record: Any, owner: int, pile: str) -> list[int]:
    """Return the cards of a pile, the strongest first and Removals last."""
    cards = members(record[pile][owner])
    return sorted(
        cards, key=lambda card: (REMOVAL <= card < CARDS, -sum(face_of(record, owner, card)), card)
    )


def can_act(record: Any, owner: int, card: int) -> bool:
    """Return whether a card on the field can still act in this turn."""
    return bool(record["player"] == owner and int(record["fresh"]) >> card & 1)


def _lines(record: Any, player: int) -> list[str]:
    """Return the lines of text for a player, from the edge of the table to its middle."""
    deck, hand, field = (arranged(record, player, pile) for pile in ("deck", "hand", "field"))
    left = f"{len(deck)} left:" if deck else "empty"
    acting = [card_name(card) + ("*" if can_act(record, player, card) else "") for card in field]
    return [
        f"player {player + 1}: {health_of(record, player)} health",
        _row("deck", [left, *map(card_name, deck)]),
        _row("hand", list(map(card_name, hand)) or ["no cards"]),
        _row("field", acting or ["no cards"]),
    ]


def _row(name: str, words: list[str]) -> str:
    head = f"  {name}".ljust(INDENT)
    return textwrap.fill(
        "  ".join(words),
        COLUMNS,
        initial_indent=head,
        subsequent_indent=" " * INDENT,
        break_on_hyphens=False,
    )
