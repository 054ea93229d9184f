"""Decks: those that players begin with, decks in files of users, and decks that are built by a
number.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from plyglass.games.duelyst.cards import HERE, cards, number_of, pool_of
from plyglass.games.duelyst.deck_building import COPIES, SIZE, built

BUILT = re.compile(r"([a-z]+)#(\d+)")


class Deck(NamedTuple):
    """A general and his cards, by their numbers, the largest first."""

    general: int
    cards: tuple[int, ...]

    @property
    def faction(self) -> str:
        return cards()[self.general].faction


def starters() -> Mapping[str, Mapping[str, object]]:
    """The decks that players begin with, by faction."""
    found: Mapping[str, Mapping[str, object]] = json.loads(
        (HERE / "decks.json").read_text(encoding="utf-8")
    )
    return found


def both_decks(text: str) -> tuple[Deck, Deck]:
    """The decks of both players: `lyonar+songhai`, `lyonar#1+songhai#2`, or paths of files."""
    names = text.split("+")
    if len(names) != 2:
        raise ValueError(
            "decks are two names or files with a + between them, as in lyonar+songhai, not "
            f"{text!r}."
        )
    return load(names[0].strip()), load(names[1].strip())


def load(name: str) -> Deck:
    """A deck by its name, or from a JSON file with a "general" and "cards", which says how many
    there are of each.
    """
    known = starters()
    if name in known:
        return _deck(name, known[name])
    if (found := BUILT.fullmatch(name)) and found[1] in known:
        return _deck(name, built(found[1], int(found[2])))
    if not Path(name).is_file():
        raise ValueError(
            f"There is no deck {name!r}; there are {', '.join(known)}, each with a number as in "
            "lyonar#1, or give the path of a JSON file."
        )
    return _deck(name, json.loads(Path(name).read_text(encoding="utf-8")))


def _deck(name: str, written: Mapping[str, object]) -> Deck:
    match written:
        case {"general": str(general), "cards": dict(counts)}:
            pass
        case _:
            raise ValueError(
                f'The deck {name!r} needs a "general" and "cards", a number for each card.'
            )
    for card, count in counts.items():
        if not 1 <= count <= COPIES:
            raise ValueError(
                f"The deck {name!r} has {count} of {card!r}; 1 to {COPIES} are possible."
            )
    if sum(counts.values()) != SIZE:
        raise ValueError(f"The deck {name!r} has {sum(counts.values())} cards; a deck has {SIZE}.")
    deck = Deck(
        _known(name, general),
        tuple(
            sorted(
                (_known(name, card) for card, count in counts.items() for _ in range(count)),
                reverse=True,
            )
        ),
    )
    if cards()[deck.general].type != "general":
        raise ValueError(f"The deck {name!r} is led by {general!r}, who is no general.")
    strange = sorted(set(deck.cards) - set(pool_of(deck.faction)))
    if strange:
        raise ValueError(
            f"The deck {name!r} may not have {cards()[strange[0]].id!r}: it is of another "
            "faction, or no card for decks."
        )
    return deck


def _known(deck: str, card: str) -> int:
    try:
        return number_of(card)
    except ValueError:
        raise ValueError(
            f"The deck {deck!r} has a card {card!r}, which is not in the game yet; its README "
            "lists those that are."
        ) from None
