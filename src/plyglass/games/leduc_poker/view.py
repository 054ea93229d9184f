"""Leduc poker as text."""

from typing import Any

CARDS = {-1: "?", 0: "J♠", 1: "J♥", 2: "Q♠", 3: "Q♥", 4: "K♠", 5: "K♥"}
ACTIONS = ("fold", "call", "raise")


def text(record: Any) -> str:
    hands = zip(("player 1", "player 2"), record["card"], record["chips"], strict=True)
    lines = [f"{who}: {CARDS[int(card)]:2}  {chips:2} in the pot" for who, card, chips in hands]
    return "\n".join(
        [
            *lines,
            f"table:    {CARDS[int(record['public'])]}",
            f"round 1:  {_round(record, 0)}",
            f"round 2:  {_round(record, 1)}",
        ]
    )


def _round(record: Any, number: int) -> str:
    actions = record["history"][number][: record["turns"][number]]
    return ", ".join(ACTIONS[action] for action in actions) or "-"
