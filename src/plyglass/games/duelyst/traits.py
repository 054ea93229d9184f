"""What evaluators and the starter AI read of cards, beyond what the rules need."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from plyglass.games.duelyst.board import MOST_CARDS
from plyglass.games.duelyst.cards import Card, cards

WHEN_PLAYED_OR_DEAD = {"cast", "gambit", "dying wish"}
LUCKY_EFFECTS = {
    *(
        "lend one",
        "summon from deck",
        "draw",
        "fill hand",
        "draw kind",
        "recall",
        "overhear",
        "equip",
        "break artifacts",
        "wake",
    ),
    *(
        "grant",
        "scatter",
        "unleash",
        "hatch",
        "copy",
        "transform",
    ),  # what becomes of it may be chancy in turn
}
RISING = {"on": ("deathwatch", "own spell"), "do": ("raise",), "to": ("self",)}


def traits() -> Mapping[str, Any]:
    """Columns of the constants record, by their names."""
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
    """What a minion's abilities are worth by document 000: what its card has less of attack and
    health than mana could buy.
    """
    return (
        0
        if "opening gambit" in card.keywords
        else math.floor(card.mana**1.4 + 4) - card.attack - card.health
    )


def _effects(card: Card) -> int:
    """How many effects the starter AI counts: an occasion of abilities is one, and zeal one
    more.
    """
    return len({ability["on"] for ability in card.abilities} - WHEN_PLAYED_OR_DEAD) + _zealous(card)


def _chancy(card: Card) -> bool:
    """Whether an ability that acts later than when the card is played may draw luck."""
    later = [
        ability for ability in card.abilities if ability["on"] not in ("cast", "gambit", "always")
    ]
    return any(
        "random" in each.get("to", "") or each.get("choices", 1) > 1 or each["do"] in LUCKY_EFFECTS
        for each in later
    )


def _zealous(card: Card) -> bool:
    return any(ability.get("if") == "zeal" for ability in card.abilities)


def _rises(card: Card) -> bool:
    """Whether it raises itself when somebody dies or a spell is cast."""
    return any(
        all(ability.get(part) in known for part, known in RISING.items())
        for ability in card.abilities
    )
