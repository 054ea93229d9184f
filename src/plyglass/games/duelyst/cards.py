"""The cards, read from `cards.json` and `decks.json` into the tables that the rules read."""

import functools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyglass.games.duelyst import words
from plyglass.games.duelyst.advice import advice_for
from plyglass.games.duelyst.board import MOST_CARDS

HERE = Path(__file__).parent
Ability = Mapping[str, Any]


class Card(NamedTuple):
    """One card, as it is written in the file."""

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
    abilities: tuple[Ability, ...] = ()


@functools.cache
def cards() -> tuple[Card, ...]:
    """All cards, the first of which is none: numbers of cards begin with 1."""
    entries = json.loads((HERE / "cards.json").read_text(encoding="utf-8"))
    known = [Card(**entry) for entry in entries]
    return Card("", "none", "neutral", "spell", 0), *known


@functools.cache
def numbers() -> Mapping[str, int]:
    """The numbers of all cards by their ids."""
    return {card.id: number for number, card in enumerate(cards())}


@functools.cache
def tables() -> Mapping[str, Any]:
    """What the constants record holds of cards and their abilities."""
    rows = Rows()
    spans = [rows.add(card, card.abilities) for card in cards()]
    intended = [
        rows.add(card, [{"on": "cast", **intent} for intent in advice_for(card.id).intents])
        for card in cards()
    ]
    table: dict[str, Any] = {
        "cards": len(cards()),
        "type": [words.TYPES.index(card.type) for card in cards()],
        "tribe": [words.TRIBES.index(card.tribe) for card in cards()],
        "keywords": [bits_of(card.keywords) for card in cards()],
        **{
            name: [getattr(card, name) for card in cards()]
            for name in ("mana", "attack", "health", "backstab", "grow")
        },
        "first": [first for first, _ in spans],
        "last": [last for _, last in spans],
        "triggers": [rows.triggers(*span) for span in spans],
        "aura": [rows.aura(*span) for span in spans],
        "script": [rows.script(*span) for span in spans],
        "targeted": [rows.targeted(*span) for span in spans],
        "first_intent": [first for first, _ in intended],
        "last_intent": [last for _, last in intended],
        "style": [_number(words.STYLES, advice_for(card.id).style, "style") for card in cards()],
        "spared_with": [number_of(advice_for(card.id).spared_with) for card in cards()],
    }
    padded = {
        name: np.pad(values, (0, MOST_CARDS - len(cards())))
        for name, values in table.items()
        if name != "cards"
    }
    return {"cards": table["cards"], **padded, **rows.columns(), "egg": numbers()["chrysalis_egg"]}


def pool_of(faction: str) -> list[int]:
    """The cards that a deck of a faction may have."""
    fitting = (faction, "neutral")
    return [
        number
        for number, card in enumerate(cards())
        if number and card.faction in fitting and card.type != "general" and not card.token
    ]


def bits_of(keywords: Any) -> int:
    """Keywords as a set."""
    return sum(1 << _number(words.KEYWORDS, keyword, "keyword") for keyword in keywords)


class Rows:
    """The table of abilities, filled card by card. Row 0 is none."""

    def __init__(self) -> None:
        self._rows: list[dict[str, int]] = [dict.fromkeys(COLUMNS, 0)]
        self._grants: list[int] = []
        self._kept = 0

    def add(self, card: Card, abilities: Iterable[Ability]) -> tuple[int, int]:
        """Add abilities of a card; returns the first row of them, and the one after the last."""
        made = [self._row(card, ability) for ability in abilities]
        first = len(self._rows)
        self._rows += made
        return first, len(self._rows)

    def triggers(self, first: int, last: int) -> int:
        """What the rows of a card wait for, as a set."""
        return sum({1 << self._rows[row]["trigger"] for row in range(first, last)})

    def aura(self, first: int, last: int) -> int:
        """Whether a row always acts on others."""
        return int(
            any(
                row["trigger"] == words.ALWAYS and row["pick"] != words.SELF
                for row in self._rows[first:last]
            )
        )

    def script(self, first: int, last: int) -> int:
        """The first row that is carried out when the card is played, or 0."""
        played = (words.CAST, words.GAMBIT)
        return next((row for row in range(first, last) if self._rows[row]["trigger"] in played), 0)

    def targeted(self, first: int, last: int) -> int:
        """Whether the first row asks for a cell."""
        row = self._rows[self.script(first, last)]
        return int(row["pick"] == words.CHOSEN or row["near"] in (words.SQUARE_2, words.SQUARE_3))

    def columns(self) -> Mapping[str, Any]:
        """The table as the constants record holds it."""
        grants = np.pad(self._grants, (0, words.MOST_GRANTS - len(self._grants))).astype(np.int64)
        columns = {name: np.array([row[name] for row in self._rows]) for name in COLUMNS}
        padded = {
            name: np.pad(values, (0, words.MOST_ROWS - len(values)))
            for name, values in columns.items()
        }
        return {**padded, "granted_row": grants, "kept_grants": self._kept}

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
        """The number of the ability that this one gives away."""
        if "ability" not in ability:
            return 0
        self._rows.append(self._row(card, ability["ability"]))
        self._grants.append(len(self._rows) - 1)
        number = len(self._grants) - 1
        if ability.get("lasts") == "always":
            self._kept |= 15 << 4 * number
        return number


PARTS = {
    *(
        "on",
        "if",
        "do",
        "to",
        "near",
        "where",
        "event",
        "count",
        "by",
        "amount",
        "attack",
        "health",
        "lasts",
        "token",
        "choices",
    ),
    *("keywords", "ability", "needs", "choice"),
}
COLUMNS = (
    *(
        "trigger",
        "condition",
        "effect",
        "pick",
        "side",
        "kind",
        "other",
        "near",
        "filter",
        "value",
        "event_filter",
        "event_value",
    ),
    *(
        "count",
        "choices",
        "needs",
        "measure",
        "amount",
        "raise_attack",
        "raise_health",
        "lasts",
        "token",
        "lends",
        "grant",
        "choice",
    ),
)


def _words_of(ability: Ability) -> dict[str, int]:
    """The columns that are words."""
    which, value = _filter_of(ability.get("where", {}))
    event_which, event_value = _filter_of(ability.get("event", {}))
    return {
        "trigger": _number(words.TRIGGERS, ability["on"], "occasion"),
        "condition": _number(words.CONDITIONS, ability.get("if", ""), "condition"),
        "effect": _number(words.EFFECTS, ability["do"], "effect"),
        **_target_of(ability),
        "near": _number(words.NEARS, ability.get("near", ""), "place"),
        "filter": which,
        "value": value,
        "event_filter": event_which,
        "event_value": event_value,
        "measure": _number(words.MEASURES, ability.get("by", ""), "measure"),
        "lasts": _number(words.LASTS, ability.get("lasts", ""), "duration"),
    }


def _numbers_of(ability: Ability) -> dict[str, int]:
    """The columns that are numbers."""
    return {
        "count": ability.get("count", 1),
        "choices": ability.get("choices", 1),
        "needs": ability.get("needs", 0),
        "choice": ability.get("choice", 0),
        "amount": ability.get("amount", 0),
        "raise_attack": ability.get("attack", 0),
        "raise_health": ability.get("health", 0),
        "token": number_of(ability["token"]) if "token" in ability else 0,
        "lends": bits_of(ability.get("keywords", ())),
    }


def _target_of(ability: Ability) -> dict[str, int]:
    """Whom an ability is for: `chosen enemy minion`, `every other own minion`, `self`; `own
    player` where nobody is named.
    """
    found = {"pick": words.EVERY, "side": words.ANY, "kind": words.A_UNIT, "other": 0}
    for word in ability.get("to", "own player").split():
        part = next((part for part, known in TARGET_WORDS.items() if word in known), None)
        if part is None:
            raise ValueError(f"there is no target {word!r}.")
        found[part] = 1 if part == "other" else TARGET_WORDS[part].index(word)
    return found


TARGET_WORDS: Mapping[str, tuple[str, ...]] = {
    "pick": words.PICKS,
    "side": words.SIDES,
    "kind": words.KINDS,
    "other": ("other",),
}


def _filter_of(asked: Mapping[str, Any]) -> tuple[int, int]:
    """A filter and its value."""
    for which, value in asked.items():
        number = _number(words.FILTERS, which, "filter")
        if which == "tribe":
            return number, _number(words.TRIBES, value, "tribe")
        if which == "type":
            return number, _number(words.TYPES, value, "type")
        if which == "card":
            return number, number_of(value)
        return number, bits_of(value) if which == "keyword" else int(value)
    return 0, 0


def number_of(name: str) -> int:
    """The number of a card by its id."""
    if name not in numbers():
        raise ValueError(f"there is no card {name!r}.")
    return numbers()[name]


def _number(known: tuple[str, ...], word: str, what: str) -> int:
    if word not in known:
        raise ValueError(f"the rules know no {what} {word!r}.")
    return known.index(word)
