"""Traits of cards that evaluators and the starter AI read, beyond what the rules need."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from plyglass.games.duelyst.cards.catalog import Card, cards
from plyglass.games.duelyst.state import MOST_CARDS

NOT_WHILE_ON_BOARD = {"cast", "gambit", "dying wish", "replaced", "one of"}
CHANCY_EFFECTS = {
    "lend one", "summon from deck", "draw", "fill hand", "draw kind", "recall", "overhear",
    "equip", "break artifacts", "wake", "one of",
    # What follows from these effects may depend on chance.
    "grant", "scatter", "unleash", "hatch", "copy", "transform",
}  # fmt: skip
RISING = {"on": ("deathwatch", "own spell"), "do": ("raise",), "to": ("self",)}


def traits() -> Mapping[str, Any]:
    """Return columns of the constants record, by their names."""
    columns: dict[str, list[int]] = {
        "ability_worth": [_ability_worth(card) for card in cards()],
        "effects": [_effects(card) for card in cards()],
        "chancy": [_chancy(card) for card in cards()],
        "zealous": [_zealous(card) for card in cards()],
        "rising": [_rises(card) for card in cards()],
    }
    return {
        name: np.pad(np.array(values, np.int64), (0, MOST_CARDS - len(values)))
        for name, values in columns.items()
    }


def _ability_worth(card: Card) -> int:
    """Return the value of a minion's abilities, as McKenney 2023a defines this value.

    The value is the attack and health that the card's mana could buy, minus the card's own attack
    and health.
    """
    if any(ability["on"] == "gambit" for ability in card.abilities):
        return 0
    bought: int = math.floor(card.mana**1.4 + 4)
    return bought - card.attack - card.health


def _effects(card: Card) -> int:
    """Return how many effects the starter AI counts on a card: one per trigger, one for zeal."""
    return len({ability["on"] for ability in card.abilities} - NOT_WHILE_ON_BOARD) + _zealous(card)


def _chancy(card: Card) -> bool:
    """Return whether a card has an ability that may need chance after the card is played."""
    later = [
        ability
        for ability in card.abilities
        if ability["on"] not in ("cast", "gambit", "always", "replaced")
    ]
    return any(
        "random" in each.get("to", "") or each.get("choices", 1) > 1 or each["do"] in CHANCY_EFFECTS
        for each in later
    )


def _zealous(card: Card) -> bool:
    return any(ability.get("if") == "zeal" for ability in card.abilities)


def _rises(card: Card) -> bool:
    """Return whether a unit raises its own stats when a unit dies or a spell is cast."""
    return any(
        all(ability.get(part) in known for part, known in RISING.items())
        for ability in card.abilities
    )
