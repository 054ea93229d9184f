"""The tables of cards and abilities that the rules read, as columns of the constants record."""

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from plyglass.games.duelyst.cards import vocabulary
from plyglass.games.duelyst.cards.catalog import (
    Ability,
    Card,
    advice_for,
    cards,
    number_of,
    numbers,
)
from plyglass.games.duelyst.state import MOST_CARDS

# The parts that an ability in `cards.json` may have, and the columns computed from these parts.
PARTS = {
    "on", "if", "do", "to", "near", "where", "event", "count", "by", "amount", "attack", "health",
    "lasts", "token", "choices", "keywords", "ability", "needs", "choice", "rarity",
}  # fmt: skip
COLUMNS = (
    "trigger", "condition", "effect", "pick", "side", "kind", "other", "near",
    "filter", "value", "event_filter", "event_value", "count", "choices", "needs", "measure",
    "amount", "raise_attack", "raise_health", "lasts", "token", "lends", "grant", "choice",
)  # fmt: skip
TARGET_WORDS: Mapping[str, tuple[str, ...]] = {
    "pick": vocabulary.PICKS,
    "side": vocabulary.SIDES,
    "kind": vocabulary.KINDS,
    "other": ("other",),
}


@functools.cache
def tables() -> Mapping[str, Any]:
    """Return all columns about cards and their abilities, by name."""
    abilities = AbilityTable()
    spans = [abilities.add(card, card.abilities) for card in cards()]
    intended = [
        abilities.add(card, [{"on": "cast", **intent} for intent in advice_for(card.id).intents])
        for card in cards()
    ]
    by_card: dict[str, Any] = {
        "type": [vocabulary.TYPES.index(card.type) for card in cards()],
        "tribe": [vocabulary.TRIBES.index(card.tribe) for card in cards()],
        "keywords": [bits_of(card.keywords) for card in cards()],
        **{
            name: [getattr(card, name) for card in cards()]
            for name in ("mana", "attack", "health", "backstab", "grow")
        },
        "first": [first for first, _ in spans],
        "last": [last for _, last in spans],
        "triggers": [abilities.triggers(*span) for span in spans],
        "aura": [abilities.aura(*span) for span in spans],
        "script": [abilities.script(*span) for span in spans],
        "targeted": [abilities.targeted(*span) for span in spans],
        "first_intent": [first for first, _ in intended],
        "last_intent": [last for _, last in intended],
        "style": [
            _number(vocabulary.STYLES, advice_for(card.id).style, "style") for card in cards()
        ],
        "spared_with": [number_of(advice_for(card.id).spared_with) for card in cards()],
        "for_decks": [card.for_decks for card in cards()],
        "rarity": [_number(vocabulary.RARITIES, card.rarity, "rarity") for card in cards()],
        "becomes": [number_of(card.becomes or card.id) for card in cards()],
        "version_of": [number_of(card.version_of or card.id) for card in cards()],
    }
    padded = {
        name: np.pad(values, (0, MOST_CARDS - len(cards()))) for name, values in by_card.items()
    }
    return {
        "cards": len(cards()),
        **padded,
        **abilities.columns(),
        "egg": numbers()["chrysalis_egg"],
    }


class AbilityTable:
    """The table of abilities, filled card by card; row 0 means no ability."""

    def __init__(self) -> None:
        self._rows: list[dict[str, int]] = [dict.fromkeys(COLUMNS, 0)]
        self._grants: list[int] = []
        self._kept = 0

    def add(self, card: Card, abilities: Iterable[Ability]) -> tuple[int, int]:
        """Add a card's abilities; return the first of their rows, and the row after the last."""
        made = [self._row(card, ability) for ability in abilities]
        first = len(self._rows)
        self._rows += made
        return first, len(self._rows)

    def triggers(self, first: int, last: int) -> int:
        """Return the set of triggers in the rows from `first` up to, but not including, `last`."""
        return sum({1 << self._rows[row]["trigger"] for row in range(first, last)})

    def aura(self, first: int, last: int) -> int:
        """Return whether any row is an aura: an ability that always acts on other units."""
        return int(
            any(
                row["trigger"] == vocabulary.ALWAYS and row["pick"] != vocabulary.SELF
                for row in self._rows[first:last]
            )
        )

    def script(self, first: int, last: int) -> int:
        """Return the first row that is carried out when the card is played, or 0 if none is."""
        played = (vocabulary.CAST, vocabulary.GAMBIT)
        return next((row for row in range(first, last) if self._rows[row]["trigger"] in played), 0)

    def targeted(self, first: int, last: int) -> int:
        """Return whether the player must choose a cell for the first row that is carried out."""
        row = self._rows[self.script(first, last)]
        squares = (vocabulary.SQUARE_2, vocabulary.SQUARE_3)
        return int(row["pick"] == vocabulary.CHOSEN or row["near"] in squares)

    def columns(self) -> Mapping[str, Any]:
        """Return the table as columns of the constants record, padded to their full length."""
        grants = np.pad(self._grants, (0, vocabulary.MOST_GRANTS - len(self._grants)))
        columns = {name: np.array([row[name] for row in self._rows]) for name in COLUMNS}
        padded = {
            name: np.pad(values, (0, vocabulary.MOST_ABILITIES - len(values)))
            for name, values in columns.items()
        }
        return {**padded, "granted_ability": grants.astype(np.int64), "kept_grants": self._kept}

    def _row(self, card: Card, ability: Ability) -> dict[str, int]:
        unknown = ability.keys() - PARTS
        if unknown:
            raise ValueError(
                f"The card {card.id!r} has an ability with {min(unknown)!r}; abilities have "
                f"{', '.join(sorted(PARTS))}."
            )
        try:
            return {
                **_words_of(ability),
                **_numbers_of(ability),
                "grant": self._grant(card, ability),
            }
        except ValueError as error:
            raise ValueError(f"The card {card.id!r} cannot be played: {error}") from error

    def _grant(self, card: Card, ability: Ability) -> int:
        """Return the number of the ability that an ability grants, or 0 if it grants none."""
        if "ability" not in ability:
            return 0
        self._rows.append(self._row(card, ability["ability"]))
        self._grants.append(len(self._rows) - 1)
        number = len(self._grants) - 1
        if ability.get("lasts") == "always":
            self._kept |= 15 << 4 * number
        return number


def _words_of(ability: Ability) -> dict[str, int]:
    """Return, as numbers, the columns of an ability that `cards.json` gives as words."""
    which, value = _filter_of(ability.get("where", {}))
    event_which, event_value = _filter_of(ability.get("event", {}))
    return {
        "trigger": _number(vocabulary.TRIGGERS, ability["on"], "trigger"),
        "condition": _number(vocabulary.CONDITIONS, ability.get("if", ""), "condition"),
        "effect": _number(vocabulary.EFFECTS, ability["do"], "effect"),
        **_target_of(ability),
        "near": _number(vocabulary.NEARS, ability.get("near", ""), "place"),
        "filter": which,
        "value": value,
        "event_filter": event_which,
        "event_value": event_value,
        "measure": _number(vocabulary.MEASURES, ability.get("by", ""), "measure"),
        "lasts": _number(vocabulary.LASTS, ability.get("lasts", ""), "duration"),
    }


def _numbers_of(ability: Ability) -> dict[str, int]:
    """Return the columns of an ability that `cards.json` gives as numbers."""
    return {
        "count": ability.get("count", 1),
        "choices": ability.get("choices", 1),
        "needs": ability.get("needs", 0),
        "choice": ability.get("choice", 0),
        "amount": ability.get(
            "amount", _number(vocabulary.RARITIES, ability.get("rarity", ""), "rarity")
        ),
        "raise_attack": ability.get("attack", 0),
        "raise_health": ability.get("health", 0),
        "token": number_of(ability["token"]) if "token" in ability else 0,
        "lends": bits_of(ability.get("keywords", ())),
    }


def _target_of(ability: Ability) -> dict[str, int]:
    """Return the columns for an ability's target, such as `chosen enemy minion` or `self`.

    An ability without a target acts on its own player.
    """
    found = {
        "pick": vocabulary.EVERY,
        "side": vocabulary.ANY,
        "kind": vocabulary.A_UNIT,
        "other": 0,
    }
    for word in ability.get("to", "own player").split():
        part = next((part for part, known in TARGET_WORDS.items() if word in known), None)
        if part is None:
            raise ValueError(f"there is no target {word!r}.")
        found[part] = 1 if part == "other" else TARGET_WORDS[part].index(word)
    return found


def _filter_of(asked: Mapping[str, Any]) -> tuple[int, int]:
    """Return a filter, such as a tribe, and the value that the filter asks for."""
    for which, value in asked.items():
        number = _number(vocabulary.FILTERS, which, "filter")
        if which == "tribe":
            return number, _number(vocabulary.TRIBES, value, "tribe")
        if which == "type":
            return number, _number(vocabulary.TYPES, value, "type")
        if which == "card":
            return number, number_of(value)
        if which == "trigger":
            return number, _number(vocabulary.TRIGGERS, value, "trigger")
        return number, bits_of(value) if which == "keyword" else int(value)
    return 0, 0


def bits_of(keywords: Iterable[str]) -> int:
    """Return keywords as a set."""
    return sum(1 << _number(vocabulary.KEYWORDS, keyword, "keyword") for keyword in keywords)


def _number(known: tuple[str, ...], word: str, what: str) -> int:
    if word not in known:
        raise ValueError(f"the rules know no {what} {word!r}.")
    return known.index(word)
