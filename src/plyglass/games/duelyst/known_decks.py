"""What all players know about decks, as the constants record has it: which cards are usual, and
which decks a faction is known to have.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.games.duelyst.board import MOST_CARDS, MOST_DECKS
from plyglass.games.duelyst.deck_shape import USUAL, card_odds
from plyglass.games.duelyst.decks import Deck, load, starters


def beliefs_of(factions: Sequence[str], archetypes: str) -> Mapping[str, Any]:
    """Columns of the constants record for the factions of both players; `archetypes` are decks
    beside those that players begin with.
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
    """How many of each card every deck has, after one that has none."""
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
