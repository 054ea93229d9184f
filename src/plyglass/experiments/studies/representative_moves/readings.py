"""Readings of the paper, which answer every point of the rules that the paper leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

Number = int | Fraction


class Card(NamedTuple):
    """A soldier or a Removal. In averages, a Removal counts as a soldier 5/0/0."""

    fight: Number
    heal: Number
    attack: Number
    removal: bool = False


class Side(NamedTuple):
    """The cards of one player, each list in its order."""

    hand: tuple[Card, ...]
    deck: tuple[Card, ...]
    field: tuple[Card, ...] = ()


# table 1: Fight, Heal, Attack
SOLDIERS = (
    "111 112 103 222 322 044 333 115 440 444 600 330 403 332 133 242 404 411 007 241 666 410 510"
)
# two of the quoted cards, 211 and 232, are not in table 1
HANDS = {"nearest": "666 112 411 322 133", "literal": "666 211 411 232 133"}
REMOVAL = Card(5, 0, 0, removal=True)


@dataclass(frozen=True)
class Reading:
    """One answer to every open point. The defaults are the rules of our game.

    Attributes:
        hand: the start hand that the paper quotes: as printed, or with the nearest cards of table 1
            for the two cards that table 1 lacks.
        draws: when a draw is a chance node over the deck: by the rules, also with five cards in
            hand, on every turn, or never.
        placeable: which cards can be placed: the cards in hand, or all cards in hand and deck ("up
            to 25 possible cards").
        placing: whether a player who can place a card may also place nothing.
        removal: what a Removal can do: only remove a target, also be thrown away, or fight as a
            soldier 5/0/0.
        removals: whether two Removals in hand are two moves or one move.
        representatives: the two attributes that a representative does not stand for: plain averages
            or zeros.
        standing_still: whether placing nothing is a fourth move beside the three representatives.
        spends: which card a representative takes from the hand: none, or the hand's best card for
            the representative's attribute, with or without a draw.
        acting: which cards act in a turn. The answers are: each card once, in one order; each card
            once, in all orders; any card, until the player stops; only one card; or all cards, with
            the same kind of action.
        sequence: the order in which cards act, if they act in one order.
        idle: whether a card that can act may also do nothing.
        useless: whether healing or attacking by zero is an action.
        battles: which cards a card can fight: all opposing cards, the opposing cards that it beats
            or ties, the opposing cards that it beats, or any other card on the field.
        fresh: whether a card acts in the turn in which it is placed.
        merged: whether equal positions at the end of a turn are one leaf.
        leaves: which positions are counted: those after the last ply, those after the next draw, or
            those after every ply.
        searches: the number of searches whose leaves add up to the printed number.
    """

    hand: Literal["nearest", "literal"] = "nearest"
    draws: Literal["by the rules", "with five in hand", "every turn", "never"] = "by the rules"
    placeable: Literal["hand", "hand and deck"] = "hand"
    placing: Literal["optional", "forced"] = "optional"
    removal: Literal["needs a target", "or thrown away", "soldier"] = "needs a target"
    removals: Literal["two moves", "one move"] = "one move"
    representatives: Literal["with averages", "with zeros"] = "with averages"
    standing_still: Literal["no", "yes"] = "no"
    spends: Literal["nothing", "best card", "best card, draws"] = "nothing"
    acting: Literal["each once", "all orders", "until stopped", "one in all", "alike"] = "each once"
    sequence: Literal["oldest first", "newest first", "weakest first", "strongest first"] = (
        "oldest first"
    )
    idle: Literal["if useless", "always"] = "if useless"
    useless: Literal["left out", "allowed"] = "left out"
    battles: Literal["opposing", "beaten or tied", "beaten", "any other"] = "beaten or tied"
    fresh: Literal["acts", "waits"] = "acts"
    merged: Literal["no", "yes"] = "no"
    leaves: Literal["last ply", "after the next draw", "every ply"] = "last ply"
    searches: Literal["1", "100"] = "1"


PROPOSED = Reading()
# The literal reading allows everything that the paper's text allows. The text has no draw with five
# cards in hand. We chose a draw on every turn, because our counts then come near the printed ones.
LITERAL = Reading(draws="every turn", idle="always", useless="allowed", battles="opposing")


def options(name: str) -> tuple[str, ...]:
    """Return the answers to an open point."""
    return get_args(get_type_hints(Reading)[name])


def changes(reading: Reading) -> Iterator[tuple[str, str, Reading]]:
    """Yield (point, new answer, changed reading) for every change of a single answer."""
    for point in fields(Reading):
        for answer in options(point.name):
            if answer != getattr(reading, point.name):
                changed: dict[str, Any] = {point.name: answer}
                yield point.name, answer, replace(reading, **changed)


def start(hand: str) -> Side:
    """Return a player's cards at the start: the hand, and the other 20 of 25 cards as a deck."""
    literal, nearest = (
        [_soldier(text) for text in HANDS[name].split()] for name in (hand, "nearest")
    )
    deck = [_soldier(text) for text in SOLDIERS.split()] + [REMOVAL, REMOVAL]
    for card in nearest:
        deck.remove(card)
    return Side(tuple(sorted(literal)), tuple(sorted(deck)))


def _soldier(text: str) -> Card:
    fight, heal, attack = map(int, text)
    return Card(fight, heal, attack)
