"""Leaf counts of searches without pruning: tables 2 and 3 of Taucer, Polk and Oommen 2018.

Equivalent positions are searched only once, so the count does not visit every leaf.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from plyglass.experiments.results import RowResult
from plyglass.experiments.studies.representative_moves.actions import Acting, Cards, Moment
from plyglass.experiments.studies.representative_moves.readings import (
    LITERAL,
    PROPOSED,
    REMOVAL,
    Card,
    Reading,
    Side,
    start,
)

FULL_HAND = 5
Placing = tuple[Side, Card | None, Cards]


def table_2(scale: float, runner: str, workers: int, folder: Path) -> Sequence[RowResult]:
    """Count the leaves with representative moves; counts are exact at any scale."""
    del scale, runner, workers, folder
    return _counted(representative=True, depths=(3, 4, 5))


def table_3(scale: float, runner: str, workers: int, folder: Path) -> Sequence[RowResult]:
    """Count the leaves without representative moves; counts are exact at any scale."""
    del scale, runner, workers, folder
    return _counted(representative=False, depths=(3, 4))


def _counted(representative: bool, depths: Sequence[int]) -> list[RowResult]:
    """Return two results for every depth: with our game's rules, and with the literal reading."""
    results = []
    for name, reading in {"": PROPOSED, ", literal reading": LITERAL}.items():
        tree = Tree(reading, representative)
        for depth in depths:
            leaves = float(tree.leaves(depth))
            results.append(RowResult(f"depth {depth}{name}", leaves, leaves, leaves, 1))
    return results


@dataclass
class Tree:
    """The search tree under one reading of the paper, with or without representative moves.

    A position consists of the cards of the player to move and of the other player. Positions leave
    out everything that no count depends on, such as health and unused attributes of cards.
    """

    reading: Reading
    representative: bool
    acting: Acting = field(init=False)
    counted: dict[tuple[Side, Side, int], int] = field(default_factory=dict, repr=False)
    of_card: dict[tuple[Card, Cards, Cards], int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.acting = Acting(self.reading)

    def leaves(self, depth: int, side: Side | None = None) -> int:
        """Return the count that the paper would have printed for this depth.

        Both players begin with the cards `side`. By default, these come from the quoted hand.
        """
        side = side or start(self.reading.hand)
        root = side if self.representative else self._bare(side)
        first = 1 if self.reading.leaves == "every ply" else depth
        return int(self.reading.searches) * sum(
            self.below(root, root, plies) for plies in range(first, depth + 1)
        )

    def below(self, own: Side, other: Side, plies: int) -> int:
        """Return the number of leaves in the tree below a position, `plies` deep."""
        if plies == 1:  # the player who no longer moves needs no cards, except for a final draw
            drawn = (
                len(other.deck)
                if self.reading.leaves == "after the next draw" and self.draws(other)
                else 1
            )
            return drawn * self._below(own, Side((), (), other.field), 1)
        return self._below(own, other, plies)

    def _below(self, own: Side, other: Side, plies: int) -> int:
        key = own, other, plies
        if key not in self.counted:
            if plies == 1:
                self.counted[key] = self._ways(own, other)
            else:
                ends = self.turns(own, other)
                self.counted[key] = sum(
                    number * self.below(then, now, plies - 1)
                    for (now, then), number in ends.items()
                )
        return self.counted[key]

    def _ways(self, own: Side, other: Side) -> int:
        """Return the number of leaves if the next turn is the last."""
        if self.reading.merged == "yes":
            return self.turns(own, other).total()
        if not self.representative:
            return self._by_card(own, other)
        return sum(
            times
            * sum(
                self.acting.ways(placed.field, card, opposing)
                for placed, card, opposing in self.placings(drawn, other)
            )
            for drawn, times in self.drawings(own).items()
        )

    def _by_card(self, own: Side, other: Side) -> int:
        """Return the number of leaves if the next turn is the last, without representative moves.

        The number of ways to use a card is the same in every hand, so the hands after a draw need
        not be built.
        """
        held, total = self.playable(own), 0
        in_hand = sum(self._of_card(card, own.field, other.field) for card in held)
        for card, times in Counter(own.deck if self.draws(own) else [None]).items():
            same = card in held and card == REMOVAL and self.reading.removals == "one move"
            ways = (
                in_hand
                if card is None or same
                else in_hand + self._of_card(card, own.field, other.field)
            )
            still = self.reading.placing == "optional" or not ways
            total += times * (
                ways + (self.acting.ways(own.field, None, other.field) if still else 0)
            )
        return total

    def _of_card(self, card: Card, own: Cards, opposing: Cards) -> int:
        key = card, own, opposing
        if key not in self.of_card:
            self.of_card[key] = sum(
                self.acting.ways(own, soldier, left) for soldier, left in self.uses(card, opposing)
            )
        return self.of_card[key]

    def turns(self, own: Side, other: Side) -> Counter[tuple[Side, Side]]:
        """Return how often each position (mover's side, other side) arises after a turn."""
        ends: Counter[tuple[Side, Side]] = Counter()
        for drawn, times in self.drawings(own).items():
            results: Counter[tuple[Side, Side, Moment]] = Counter()
            for placed, card, opposing in self.placings(drawn, other):
                for outcome, number in self.acting.outcomes(placed.field, card, opposing).items():
                    now = placed._replace(field=outcome.own)
                    results[now, other._replace(field=outcome.opposing), outcome] += number
            for (now, then, _), number in results.items():
                ends[now, then] += times * (1 if self.reading.merged == "yes" else number)
        return ends

    def draws(self, own: Side) -> bool:
        """Return whether a turn begins with a draw that is a chance node."""
        if not own.deck or self.reading.draws == "never":
            return False
        if self.representative:
            return self.reading.spends == "best card, draws" and len(own.hand) < FULL_HAND
        if self.reading.placeable == "hand and deck":
            return False
        return len(own.hand) < {
            "every turn": len(own.hand) + 1,
            "with five in hand": FULL_HAND + 1,
        }.get(self.reading.draws, FULL_HAND)

    def drawings(self, own: Side) -> dict[Side, int]:
        """Return the side after each possible draw, with the number of equal cards to draw."""
        if not self.draws(own):
            return {own: 1}
        return {
            own._replace(hand=_with(own.hand, card), deck=_without(own.deck, card)): n
            for card, n in Counter(own.deck).items()
        }

    def placings(self, own: Side, other: Side) -> Iterator[Placing]:
        """Yield every placement, starting with the choice to place nothing.

        A placement consists of the mover's side after the placement, the placed soldier or None,
        and the opposing field.
        """
        moves = list(
            self.representatives(own, other) if self.representative else self.cards(own, other)
        )
        still = (
            self.reading.standing_still == "yes"
            if self.representative
            else self.reading.placing == "optional"
        )
        if still or not moves:
            yield own, None, other.field
        yield from moves

    def cards(self, own: Side, other: Side) -> Iterator[Placing]:
        """Yield the placements of every real card, without representative moves."""
        for card in self.playable(own):
            hand, deck = (
                (_without(own.hand, card), own.deck)
                if card in own.hand
                else (own.hand, _without(own.deck, card))
            )
            yield from (
                (Side(hand, deck, own.field), soldier, left)
                for soldier, left in self.uses(card, other.field)
            )

    def playable(self, own: Side) -> list[Card]:
        """Return the cards that the player can place or use."""
        held = [*own.hand, *(own.deck if self.reading.placeable == "hand and deck" else ())]
        if self.reading.removals == "one move" and held.count(REMOVAL) > 1:
            held.remove(REMOVAL)
        return held

    def uses(self, card: Card, opposing: Cards) -> list[tuple[Card | None, Cards]]:
        """Return (placed soldier or None, opposing field afterwards) for each use of a card."""
        if not card.removal or self.reading.removal == "soldier":
            return [(card, opposing)]
        left = [opposing[:place] + opposing[place + 1 :] for place in range(len(opposing))]
        return [
            (None, each) for each in left + [opposing] * (self.reading.removal == "or thrown away")
        ]

    def representatives(self, own: Side, other: Side) -> Iterator[Placing]:
        """Yield the placements of the three representatives, one for each attribute.

        A representative has a high value of its own attribute: the sum over the deck plus twice the
        sum over the hand, divided by the number of cards in deck and hand.
        """
        cards, spends = own.hand + own.deck, self.reading.spends != "nothing"
        if not cards or (spends and not own.hand):
            return
        for attribute in range(3):
            values = (
                [Fraction(0)] * 3
                if self.reading.representatives == "with zeros"
                else [_mean(cards, each) for each in range(3)]
            )
            values[attribute] = _mean(cards, attribute) + Fraction(
                sum(card[attribute] for card in own.hand), len(cards)
            )
            left = (
                own._replace(hand=_without(own.hand, _best(own.hand, attribute))) if spends else own
            )
            yield left, self._seen(Card(values[0], values[1], values[2])), other.field

    def _bare(self, side: Side) -> Side:
        hand, deck = (
            tuple(sorted(self._seen(card) for card in cards)) for cards in (side.hand, side.deck)
        )
        return Side(hand, deck)

    def _seen(self, card: Card) -> Card:
        """Return a card with only the facts that counts depend on, such as whether it heals."""
        if card.removal or self.reading.merged == "yes":
            return card
        if self.reading.useless == "allowed":
            return card._replace(heal=1, attack=1)
        return card._replace(heal=int(card.heal > 0), attack=int(card.attack > 0))


def _mean(cards: Cards, attribute: int) -> Fraction:
    return Fraction(sum(card[attribute] for card in cards), len(cards))


def _best(cards: Cards, attribute: int) -> Card:
    return max(cards, key=lambda card: (card[attribute], sum(card[:3])))


def _with(cards: Cards, card: Card) -> Cards:
    return tuple(sorted((*cards, card)))


def _without(cards: Cards, card: Card) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
