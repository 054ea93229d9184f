"""Duel as text."""

from typing import Any

from plyglass.games.duel.state import CARDS, NOBODY, READY, card_of, health_of


def creature_name(creature: int) -> str:
    """Return the name of a creature with its attack and health: `wolf 3/1`."""
    card = CARDS[card_of(creature)]
    return f"{card.name} {card.power}/{health_of(creature)}"


def text(record: Any, viewer: int) -> str:
    """Return the table as `viewer` sees it, the enemy on top; a star marks a ready creature."""
    enemy = 1 - viewer
    return "\n".join(
        [
            f"{_hero(record, enemy)}, {record['held'][enemy]} in hand",
            f"  {_hand_and_rest(record, enemy)}",
            f"  {_row(record, enemy)}",
            "  " + "─" * 40,
            f"  {_row(record, viewer)}",
            _hero(record, viewer),
            f"  {_hand_and_rest(record, viewer)}",
        ]
    )


def _hero(record: Any, player: int) -> str:
    crystals = int(record["crystals"][player])
    mana = f"{record['mana']} of {crystals}" if record["player"] == player else crystals
    return f"player {player + 1}: {record['hero'][player]} health, {mana} mana"


def _row(record: Any, player: int) -> str:
    row = [int(one) for one in record["board"][player] if one != NOBODY]
    return (
        "  ".join(creature_name(one) + ("*" if one & READY else "") for one in row)
        or "no creatures"
    )


def _hand_and_rest(record: Any, player: int) -> str:
    """Return a player's hand and deck, or all their cards as unseen cards if the hand is hidden."""
    hidden = record["held"][player] > record["hand"][player].sum()
    rest = _cards(record["deck"][player])
    return (
        f"not shown yet: {rest}"
        if hidden
        else f"hand: {_cards(record['hand'][player])}; deck: {rest}"
    )


def _cards(counts: Any) -> str:
    return (
        ", ".join(
            f"{count} {card.name}" for card, count in zip(CARDS, counts, strict=True) if count
        )
        or "none"
    )
