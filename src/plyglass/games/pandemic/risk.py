"""The exact probability that each city is infected before the active player's next turn.

The risk depends only on what everybody knows. Each player card is an epidemic with a known
probability, so all sequences of epidemics can be enumerated. The infection deck consists of parts.
The cards of each part are known, and all orders of these cards are equally likely. So, given a
sequence of epidemics, counting gives the probability that an infection card is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.games.pandemic.cities import CITIES, PER_COLOUR
from plyglass.games.pandemic.state import DRAWS, INFECTING, INTENSIFYING, PLAYING


class Part(NamedTuple):
    """Infection cards in unknown order.

    At first, the part had one card for each of the `cities`. Now `cards` cards are left. `unturned`
    is the probability that the card of a given city is among the cards left.
    """

    cards: int
    cities: int
    unturned: float = 1.0

    def turned(self, count: int) -> Part:
        """Return the part after `count` of its cards are turned over."""
        return Part(
            self.cards - count, self.cities, self.unturned * (self.cards - count) / self.cards
        )


class Deck(NamedTuple):
    """The infection deck, lowest part first, and its discard pile."""

    parts: tuple[Part, ...]
    discard: Part

    def drawn(self, count: int) -> Deck:
        """Return the deck after `count` cards are drawn from the top."""
        deck = self
        for _ in range(count):
            deck = deck._refilled()
            *below, top = deck.parts
            deck = Deck(_without_empty((*below, top.turned(1))), deck._discard_grown())
        return deck

    def epidemic(self) -> Deck:
        """Return the deck after an epidemic.

        The bottom card is gone, and the discard pile lies on top of the deck.
        """
        bottom, *above = self._refilled().parts
        return Deck(
            _without_empty((bottom.turned(1), *above)), self._refilled()._discard_grown()
        ).shuffled()

    def shuffled(self) -> Deck:
        """Return the deck with the discard pile on top."""
        return Deck(_without_empty((*self.parts, self.discard)), Part(0, 0))

    def _refilled(self) -> Deck:
        return self if self.parts else self.shuffled()

    def _discard_grown(self) -> Part:
        return self.discard._replace(cards=self.discard.cards + 1)


class Moment(NamedTuple):
    """A point in time of a game.

    `turns` is the number of turns before the active player's next turn, including the current turn.
    `draws` player cards are still to be drawn in the current turn. `left` player cards are in the
    deck, and `epidemics` epidemics have been drawn. `quiet` says whether the next infection is
    skipped.
    """

    turns: int
    draws: int
    left: int
    epidemics: int
    quiet: bool


def infection_risk(record: Any, constants: Any) -> npt.NDArray[np.float64]:
    """Return each city's probability that its card is drawn before the active player's next turn.

    The risk ignores events that may still be played, and assumes that the game does not end
    earlier. A city whose colour is eradicated has the risk 0.
    """
    risk = np.zeros(len(CITIES))
    if record["result"] != PLAYING:
        return risk
    for probability, deck in _futures(constants, *_now(record, constants)):
        risk += probability * (1.0 - _unturned(deck))
    for city in range(len(CITIES)):
        if record["eradicated"] >> city // PER_COLOUR & 1:
            risk[city] = 0.0
    return np.minimum(risk, 1.0)  # rounding may exceed 1


def _now(record: Any, constants: Any) -> tuple[Deck, Moment]:
    """Return the deck and the `Moment` from which to enumerate.

    An infection or an epidemic in progress is completed first.
    """
    sets = [
        int(cities)
        for cities in (*record["layer"][: int(record["top"]) + 1], record["foreseen"])
        if cities
    ]
    deck = Deck(tuple(_part(cities) for cities in sets), _part(int(record["discard"])))
    turns, turned, epidemics, phase = (
        int(value)
        for value in (constants["players"], record["turned"], record["epidemics"], record["phase"])
    )
    moment = Moment(turns, DRAWS, int(record["left"]), epidemics, bool(record["quiet"]))
    if phase == INFECTING and turned > 0:
        return deck.drawn(int(constants["rate"][epidemics]) - turned), moment._replace(
            turns=turns - 1
        )
    if phase == INFECTING:
        return _infected(constants, deck, moment)
    return deck.shuffled() if phase == INTENSIFYING else deck, moment._replace(draws=DRAWS - turned)


def _futures(constants: Any, deck: Deck, moment: Moment) -> Iterator[tuple[float, Deck]]:
    """Yield the possible decks at the active player's next turn, with their probabilities.

    If the player cards run out earlier, the game ends, and the function yields the deck of that
    moment.
    """
    if moment.turns == 0 or (moment.draws > 0 and moment.left == 0):
        yield 1.0, deck
    elif moment.draws == 0:
        yield from _futures(constants, *_infected(constants, deck, moment))
    else:
        for chance, become, then in _after_card(constants, deck, moment):
            yield from (
                (chance * probability, end)
                for probability, end in _futures(constants, become, then)
            )


def _after_card(constants: Any, deck: Deck, moment: Moment) -> list[tuple[float, Deck, Moment]]:
    """Return the possible outcomes of the next player card: probability, deck and `Moment`."""
    chance = _epidemic_chance(constants, moment.left, moment.epidemics)
    after = moment._replace(draws=moment.draws - 1, left=moment.left - 1)
    epidemic = (
        [(chance, deck.epidemic(), after._replace(epidemics=moment.epidemics + 1))]
        if chance > 0.0
        else []
    )
    return [*epidemic, *([(1.0 - chance, deck, after)] if chance < 1.0 else [])]


def _epidemic_chance(constants: Any, left: int, epidemics: int) -> float:
    """Return the probability that the next player card is an epidemic (one per pile)."""
    return (
        1.0 / float(constants["pile_left"][left])
        if left > 0 and constants["pile"][left] == epidemics
        else 0.0
    )


def _infected(constants: Any, deck: Deck, moment: Moment) -> tuple[Deck, Moment]:
    """Return the deck and the `Moment` at the start of the next turn, after an infection."""
    count = 0 if moment.quiet else int(constants["rate"][moment.epidemics])
    return deck.drawn(count), moment._replace(turns=moment.turns - 1, draws=DRAWS, quiet=False)


def _unturned(deck: Deck) -> npt.NDArray[np.float64]:
    """Return, for each city, the probability that its card is still unturned.

    If no part has the card, the probability is 0.
    """
    chances = np.zeros(len(CITIES))
    for part in (*deck.parts, deck.discard):
        for city in range(len(CITIES)):
            if part.cities >> city & 1:
                chances[city] = part.unturned
    return chances


def _part(cities: int) -> Part:
    return Part(cities.bit_count(), cities)


def _without_empty(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(part for part in parts if part.cards > 0)
