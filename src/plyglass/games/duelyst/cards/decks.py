"""Decks: the starter decks of the factions, decks in users' files, and generated decks."""

import functools
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.games.duelyst.cards.catalog import HERE, cards, number_of, pool_of
from plyglass.games.duelyst.cards.generated_decks import COPIES, SIZE, USUAL, card_odds, generate
from plyglass.games.duelyst.state import MOST_CARDS, MOST_DECKS
from plyglass.trust import refuse_as_data

GENERATED = re.compile(r"([a-z]+)#([0-9]{1,9})")
MOST_BYTES = 1_000_000  # most bytes of a deck file


class Deck(NamedTuple):
    """A general, and the numbers of the cards in the deck, the largest number first."""

    general: int
    cards: tuple[int, ...]

    @property
    def faction(self) -> str:
        return cards()[self.general].faction


@functools.cache
def starters() -> Mapping[str, Mapping[str, object]]:
    """Return the starter decks, by faction."""
    found: Mapping[str, Mapping[str, object]] = json.loads(
        (HERE / "decks.json").read_text(encoding="utf-8")
    )
    return found


def both_decks(text: str) -> tuple[Deck, Deck]:
    """Return both players' decks: `lyonar+songhai`, `lyonar#1+songhai#2`, or paths of files."""
    names = text.split("+")
    if len(names) != 2:
        raise ValueError(
            "decks are two names or files with a + between them, as in lyonar+songhai, not "
            f"{text!r}."
        )
    return load(names[0].strip()), load(names[1].strip())


def load(name: str) -> Deck:
    """Return a deck by its name, or from a JSON file.

    The file names a "general", and lists "cards" with the number of copies of each card.
    """
    known = starters()
    if name in known:
        return _deck(name, known[name])
    if (found := GENERATED.fullmatch(name)) and found[1] in known:
        return _generated(name, found[1], int(found[2]))
    refuse_as_data(name)
    if not Path(name).is_file():
        raise ValueError(
            f"There is no deck {name!r}. Give a faction ({', '.join(known)}), a faction with a "
            "number as in lyonar#1, or the path of a JSON file."
        )
    if Path(name).stat().st_size > MOST_BYTES:
        raise ValueError(f"The file {name!r} has more than {MOST_BYTES:,} bytes; it is no deck.")
    try:
        written = json.loads(Path(name).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"The deck {name!r} is not valid JSON: {error}.") from None
    return _deck(name, written)


@functools.lru_cache(maxsize=1024)
def _generated(name: str, faction: str, number: int) -> Deck:
    return _deck(name, generate(faction, number))


def _deck(name: str, written: Mapping[str, object]) -> Deck:
    """Return a checked deck, from the format of deck files."""
    match written:
        case {"general": str(general), "cards": dict(counts)}:
            pass
        case _:
            raise ValueError(
                f'The deck {name!r} needs a "general", and "cards" with a number for each card.'
            )
    for card, count in counts.items():
        if type(count) is not int or not 1 <= count <= COPIES:
            raise ValueError(
                f"The deck {name!r} has {str(count)[:20]} copies of {card!r}; 1 to {COPIES} are "
                "possible."
            )
    if sum(counts.values()) != SIZE:
        raise ValueError(f"The deck {name!r} has {sum(counts.values())} cards; a deck has {SIZE}.")
    listed = [_known(name, card) for card, count in counts.items() for _ in range(count)]
    deck = Deck(_known(name, general), tuple(sorted(listed, reverse=True)))
    if cards()[deck.general].type != "general":
        raise ValueError(f"The deck {name!r} is led by {general!r}, who is no general.")
    strange = sorted(set(deck.cards) - set(pool_of(deck.faction)))
    if strange:
        raise ValueError(
            f"The deck {name!r} may not have {cards()[strange[0]].id!r}: this card is of another "
            "faction, or is not a card for decks."
        )
    return deck


def _known(deck: str, card: str) -> int:
    try:
        return number_of(card)
    except ValueError:
        raise ValueError(
            f"The deck {deck!r} has a card {card!r}, which is not in the game; its README lists "
            "all cards."
        ) from None


def public_knowledge(factions: Sequence[str], archetypes: str) -> Mapping[str, Any]:
    """Return the public information about decks, as fields of the game's constants.

    Args:
        factions: the factions of both players.
        archetypes: names or files, joined by +, of decks that are known besides the starter decks.
    """
    odds = np.array([_usual_odds(faction) for faction in factions])
    known = [load(name.strip()) for name in (*starters(), *archetypes.split("+")) if name.strip()]
    decks = [[deck for deck in known if deck.faction == faction] for faction in factions]
    return {
        "card_odds": odds,
        "card_odds_up_to": odds.cumsum(axis=1),
        "copies": USUAL.copies,
        "known_decks": [1 + len(each) for each in decks],
        "known_deck": [_counts(each) for each in decks],
    }


def _counts(decks: Sequence[Deck]) -> npt.NDArray[np.int64]:
    """Return the copies of each card in each deck; row 0, the unknown deck, has no cards."""
    if len(decks) >= MOST_DECKS:
        raise ValueError(f"A faction has at most {MOST_DECKS - 1} known decks, not {len(decks)}.")
    found = np.zeros((MOST_DECKS, MOST_CARDS), np.int64)
    for number, deck in enumerate(decks, 1):
        np.add.at(found[number], list(deck.cards), 1)
    return found


@functools.cache
def _usual_odds(faction: str) -> npt.NDArray[np.float64]:
    odds = card_odds(faction)
    return np.pad(odds, (0, MOST_CARDS - len(odds)))
