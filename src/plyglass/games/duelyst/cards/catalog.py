"""The cards from `cards.json`, and the starter AI's advice about them from `intents.json`."""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
EDITIONS = 2  # the number of the latest edition of cards
Ability = Mapping[str, Any]


class Card(NamedTuple):
    """One card, as `cards.json` describes it.

    Attributes:
        rarity: the rarity of a minion, if some card chooses minions by rarity; otherwise "".
        edition: the edition that added the card. Generated decks with a number below
            `generated_decks.ALL_CARDS` have only cards of edition 1.
        becomes: the id of the card that this card becomes when a player replaces it, or "".
        version_of: the id of the card that becomes this card when a player replaces it, or "".
    """

    id: str
    name: str
    faction: str
    type: str
    mana: int
    attack: int = 0
    health: int = 0
    tribe: str = ""
    keywords: tuple[str, ...] = ()
    backstab: int = 0
    grow: int = 0
    token: bool = False
    rarity: str = ""
    edition: int = 1
    becomes: str = ""
    version_of: str = ""
    abilities: tuple[Ability, ...] = ()

    @property
    def for_decks(self) -> bool:
        return bool(self.id) and self.type != "general" and not self.token


class Advice(NamedTuple):
    """The starter AI's advice on a card: intents, written like abilities, and other hints."""

    intents: tuple[Ability, ...] = ()
    style: str = ""
    spared_with: str = ""  # while this card is in play, the starter AI spares the unit


@functools.cache
def cards() -> tuple[Card, ...]:
    """Return all cards by number; number 0 means no card."""
    entries = json.loads((HERE / "cards.json").read_text(encoding="utf-8"))
    known = [Card(**entry) for entry in entries]
    return Card("", "none", "neutral", "spell", 0), *known


@functools.cache
def numbers() -> Mapping[str, int]:
    """Return the numbers of all cards by their ids."""
    return {card.id: number for number, card in enumerate(cards())}


def number_of(name: str) -> int:
    """Return the number of a card by its id."""
    if name not in numbers():
        raise ValueError(f"there is no card {name!r}.")
    return numbers()[name]


def pool_of(faction: str, edition: int = EDITIONS) -> list[int]:
    """Return the cards that a deck of a faction may have, up to and including an edition."""
    fitting = (faction, "neutral")
    return [
        number
        for number, card in enumerate(cards())
        if card.for_decks and card.faction in fitting and card.edition <= edition
    ]


@functools.cache
def all_advice() -> Mapping[str, Advice]:
    """Return the starter AI's advice by card id; most cards have no advice."""
    entries = json.loads((HERE / "intents.json").read_text(encoding="utf-8"))
    return {card: Advice(**entry) for card, entry in entries.items()}


def advice_for(card: str) -> Advice:
    """Return the starter AI's advice on a card, by its id."""
    return all_advice().get(card, Advice())
