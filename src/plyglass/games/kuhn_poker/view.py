"""Kuhn poker as text."""

from typing import Any

NAMES = {-1: "?", 0: "J", 1: "Q", 2: "K"}


def text(record: Any) -> str:
    moves = ["bet" if action else "pass" for action in record["history"][: record["length"]]]
    lines = [
        f"{who}: {NAMES[int(card)]}"
        for who, card in zip(("player 1", "player 2"), record["card"], strict=True)
    ]
    return "\n".join([*lines, "play: " + (", ".join(moves) or "none yet")])
