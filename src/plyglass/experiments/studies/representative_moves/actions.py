"""The ways to play a turn with a player's cards; ways with equal outcomes are merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from plyglass.experiments.studies.representative_moves.readings import Card, Number, Reading

Cards = tuple[Card, ...]
KINDS = ("heal", "attack", "battle")


class Moment(NamedTuple):
    """A moment within a turn.

    Attributes:
        own: the player's cards.
        ready: which of the player's cards may still act.
        opposing: the opponent's cards.
        healed, harmed: the changes of health so far.
        kind: the kind of action that all cards must take. Empty if each card may choose.
    """

    own: Cards
    ready: tuple[bool, ...]
    opposing: Cards
    healed: Number = 0
    harmed: Number = 0
    kind: str = ""

    def over(self) -> Moment:
        """End the turn, so no card acts any more."""
        return self._replace(ready=(False,) * len(self.own), kind="")

    def acted(self, place: int) -> Moment:
        """Mark a card as having acted."""
        return self._replace(ready=(*self.ready[:place], False, *self.ready[place + 1 :]))

    def lost(self, place: int) -> Moment:
        """Remove a card of the player."""
        return self._replace(
            own=_dropped(self.own, place), ready=self.ready[:place] + self.ready[place + 1 :]
        )

    def removed(self, place: int) -> Moment:
        """Remove an opposing card."""
        return self._replace(opposing=_dropped(self.opposing, place))


class Acting:
    """The actions of cards under one reading of the paper.

    If the order of placement matters, a player's field lists the cards in that order.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.in_order = reading.acting in ("each once", "alike")
        self.by_age = self.in_order and reading.sequence in ("oldest first", "newest first")
        self.last_first = reading.sequence in ("newest first", "strongest first")
        self._known: dict[tuple[Cards, Card | None, Cards], Counter[Moment]] = {}
        self._totals: dict[tuple[Cards, Card | None, Cards], int] = {}

    def outcomes(self, field: Cards, placed: Card | None, opposing: Cards) -> Counter[Moment]:
        """Return a turn's outcomes after a card is placed, and how many ways lead to each."""
        key = field, placed, opposing
        if key not in self._known:
            self._known[key] = self._ends(self.begin(*key))
        return self._known[key]

    def ways(self, field: Cards, placed: Card | None, opposing: Cards) -> int:
        """Return the number of ways to play a turn after a card is placed."""
        key = field, placed, opposing
        if key not in self._totals:
            self._totals[key] = self.outcomes(*key).total()
        return self._totals[key]

    def begin(self, field: Cards, placed: Card | None, opposing: Cards) -> Moment:
        """Return the moment after a card is placed."""
        cards = [(card, True) for card in field]
        if placed is not None:
            cards.append((placed, self.reading.fresh == "acts"))
        if not self.by_age:
            cards.sort()
        return Moment(
            tuple(card for card, _ in cards), tuple(ready for _, ready in cards), opposing
        )

    def paths(self, moment: Moment) -> Iterator[Moment]:
        """Yield the outcome of every way to play the rest of a turn, without merging equals."""
        if not any(moment.ready):
            yield moment.over()
        for each in self.following(moment):
            yield from self.paths(each)

    def _ends(self, begin: Moment) -> Counter[Moment]:
        ends: Counter[Moment] = Counter()
        moments = Counter([begin])
        while moments:
            following: Counter[Moment] = Counter()
            for moment, number in moments.items():
                if not any(moment.ready):
                    ends[moment.over()] += number
                for each in self.following(moment):
                    following[each] += number
            moments = following
        return ends

    def following(self, moment: Moment) -> list[Moment]:
        """Return the moment after each action: first doing nothing, then in the paper's order."""
        places = self.places(moment)
        if not places:
            return []
        if self.reading.acting == "alike":
            return self._alike(moment, places)
        if self.in_order or self.reading.acting == "all orders":
            return [each for place in places for each in self.actions(moment, place)]
        active = [
            each for place in places for kind in KINDS for each in self.of_kind(moment, place, kind)
        ]
        if self.reading.acting == "until stopped":
            return [moment.over(), *active]
        may_rest = self.reading.idle == "always" or not active
        return [moment.over()] * may_rest + [each.over() for each in active]

    def _alike(self, moment: Moment, places: list[int]) -> list[Moment]:
        """Return the next moments if all cards take the same kind of action, or all do nothing."""
        if moment.kind:
            return [
                each
                for place in places
                for each in list(self.of_kind(moment, place, moment.kind)) or [moment.acted(place)]
            ]
        everyone = [place for place, ready in enumerate(moment.ready) if ready]
        able = [
            kind
            for kind in KINDS
            if any(True for place in everyone for _ in self.of_kind(moment, place, kind))
        ]
        may_rest = self.reading.idle == "always" or not able
        return [moment.over()] * may_rest + [moment._replace(kind=kind) for kind in able]

    def places(self, moment: Moment) -> list[int]:
        """Return which cards can act next."""
        places = [place for place, ready in enumerate(moment.ready) if ready]
        return (
            places[-1:]
            if self.in_order and self.last_first
            else places[:1]
            if self.in_order
            else places
        )

    def actions(self, moment: Moment, place: int) -> Iterator[Moment]:
        """Yield the moment after each action of a card, including doing nothing if allowed."""
        active = [each for kind in KINDS for each in self.of_kind(moment, place, kind)]
        if self.reading.idle == "always" or not active:
            yield moment.acted(place)
        yield from active

    def of_kind(self, moment: Moment, place: int, kind: str) -> Iterator[Moment]:
        """Yield the moment after each action of one kind by a card."""
        card, acted, told_apart = (
            moment.own[place],
            moment.acted(place),
            self.reading.merged == "yes",
        )
        useless = self.reading.useless == "allowed"
        if kind == "heal" and (card.heal or useless):
            yield acted._replace(healed=acted.healed + card.heal) if told_apart else acted
        elif kind == "attack" and (card.attack or useless):
            yield acted._replace(harmed=acted.harmed + card.attack) if told_apart else acted
        elif kind == "battle":
            yield from self._battles(moment, place)

    def _battles(self, moment: Moment, place: int) -> Iterator[Moment]:
        mine = moment.own[place].fight
        for target, card in enumerate(moment.opposing):
            if self._allowed(mine, card.fight):
                after = moment.acted(place) if mine > card.fight else moment.lost(place)
                yield after.removed(target) if mine >= card.fight else after
        if self.reading.battles == "any other":
            for friend in range(len(moment.own)):
                if friend != place:
                    yield self._among_friends(moment, place, friend)

    @staticmethod
    def _among_friends(moment: Moment, place: int, friend: int) -> Moment:
        mine, theirs = moment.own[place].fight, moment.own[friend].fight
        after = moment.acted(place)
        for gone in sorted([place] * (mine <= theirs) + [friend] * (theirs <= mine), reverse=True):
            after = after.lost(gone)
        return after

    def _allowed(self, mine: Number, theirs: Number) -> bool:
        return {"beaten": mine > theirs, "beaten or tied": mine >= theirs}.get(
            self.reading.battles, True
        )


def _dropped(cards: Cards, place: int) -> Cards:
    return cards[:place] + cards[place + 1 :]
