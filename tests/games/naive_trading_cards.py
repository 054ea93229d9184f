"""Trading cards written a second time, from the text of the rules, with every order spelled out."""

from fractions import Fraction
from functools import cache
from math import floor
from typing import Any, NamedTuple

from plyglass.core import Game, World, unpack

# Fight, Heal, Attack, as the paper's table has them.
TABLE = (
    "1/1/1", "1/1/2", "1/0/3", "2/2/2", "3/2/2", "0/4/4", "3/3/3", "1/1/5", "4/4/0", "4/4/4",
    "6/0/0", "3/3/0",
    "4/0/3", "3/3/2", "1/3/3", "2/4/2", "4/0/4", "4/1/1", "0/0/7", "2/4/1", "6/6/6", "4/1/0",
    "5/1/0",
)  # fmt: skip
REMOVAL = "Removal"
KINDS = ("end", "draw", "place", "remove", "heal", "attack", "battle", "imagine")
FIGHT, HEAL, ATTACK = range(3)
Values = tuple[Fraction, Fraction, Fraction]
Action = tuple[Any, ...]


class Side(NamedTuple):
    """One player: cards are names, or (attribute, values) for a stand-in; piles are sorted."""

    health: Fraction
    deck: tuple[str, ...]
    hand: tuple[str, ...]
    field: tuple[Any, ...]


class Position(NamedTuple):
    """`stage` is "draw", "place" or "act"; `fresh` are the mover's cards that can act."""

    mover: int
    stage: str
    turn: int
    fresh: tuple[Any, ...]
    sides: tuple[Side, Side]


def piled(cards) -> tuple[Any, ...]:
    return tuple(sorted(cards, key=str))


def without(pile, card) -> tuple[Any, ...]:
    rest = list(pile)
    rest.remove(card)
    return tuple(rest)


def values_of(card) -> Values:
    """The values of a card on a field or in a sum."""
    if card == REMOVAL:
        return Fraction(5), Fraction(0), Fraction(0)
    if isinstance(card, tuple):
        return card[1]
    fight, heal, attack = (Fraction(value) for value in card.split("/"))
    return fight, heal, attack


class NaiveCards:
    """The rules, the paper's evaluation, and expectiminimax by turns."""

    def __init__(
        self, *, hand: int, turns: int, doubling: str, others: str, balance: float, **_: Any
    ) -> None:
        self.hand, self.turns, self.doubling, self.others, self.balance = (
            hand,
            turns,
            doubling,
            others,
            Fraction(balance),
        )

    def over(self, position: Position) -> bool:
        return any(side.health <= 0 for side in position.sides) or position.turn >= self.turns

    def score(self, position: Position, player: int) -> int:
        mine, theirs = position.sides[player].health, position.sides[1 - player].health
        return -1 if mine <= 0 else int(theirs <= 0)

    def actions(self, position: Position) -> list[Action]:
        mine, theirs = position.sides[position.mover], position.sides[1 - position.mover]
        if position.stage == "draw":
            return [("draw",)]
        found: list[Action] = [("end",)]
        if position.stage == "place":
            found += [("place", card) for card in mine.hand if card != REMOVAL]
            found += [("remove", target) for target in theirs.field if REMOVAL in mine.hand]
        for card in position.fresh:
            found += [("heal", card)] if values_of(card)[HEAL] > 0 else []
            found += [("attack", card)] if values_of(card)[ATTACK] > 0 else []
            found += [("battle", card, target) for target in theirs.field]
        return found

    def after(self, position: Position, action: Action) -> list[tuple[Fraction, Position]]:
        """Every (probability, position) that an action leads to."""
        mover, turn = position.mover, position.turn
        mine, theirs = position.sides[mover], position.sides[1 - mover]
        if action[0] == "end":
            return [(Fraction(1), self.begun(1 - mover, turn + 1, position.sides))]
        if action[0] == "draw":
            afters = []
            for i, card in enumerate(mine.deck):
                drawn = mine._replace(
                    deck=mine.deck[:i] + mine.deck[i + 1 :], hand=piled((*mine.hand, card))
                )
                afters.append(
                    (
                        Fraction(1, len(mine.deck)),
                        position._replace(stage="place", sides=seated(mover, drawn, theirs)),
                    )
                )
            return afters
        fresh, mine, theirs = self.played(action, position.fresh, mine, theirs)
        return [(Fraction(1), Position(mover, "act", turn, fresh, seated(mover, mine, theirs)))]

    def begun(self, mover: int, turn: int, sides: tuple[Side, Side]) -> Position:
        mine = sides[mover]
        return Position(
            mover,
            "draw" if mine.deck and len(mine.hand) < self.hand else "place",
            turn,
            mine.field,
            sides,
        )

    def played(self, action: Action, fresh, mine: Side, theirs: Side):
        """The fresh cards and both sides after an action without chance."""
        kind, card = action[0], action[1]
        if kind == "place":
            return (
                piled((*fresh, card)),
                mine._replace(hand=without(mine.hand, card), field=piled((*mine.field, card))),
                theirs,
            )
        if kind == "imagine":
            stand_in = self.stand_in(mine, card)
            return (
                piled((*fresh, stand_in)),
                mine._replace(field=piled((*mine.field, stand_in))),
                theirs,
            )
        if kind == "remove":
            return (
                fresh,
                mine._replace(hand=without(mine.hand, REMOVAL)),
                theirs._replace(field=without(theirs.field, card)),
            )
        fresh = without(fresh, card)
        if kind == "heal":
            return fresh, mine._replace(health=mine.health + values_of(card)[HEAL]), theirs
        if kind == "attack":
            return fresh, mine, theirs._replace(health=theirs.health - values_of(card)[ATTACK])
        return fresh, *self.battled(card, action[2], mine, theirs)

    def battled(self, card, target, mine: Side, theirs: Side) -> tuple[Side, Side]:
        """The lower Fight is removed, a tie removes both."""
        ours, other = values_of(card)[FIGHT], values_of(target)[FIGHT]
        lost, won = (
            mine._replace(field=without(mine.field, card)),
            theirs._replace(field=without(theirs.field, target)),
        )
        return (mine if ours > other else lost), (theirs if ours < other else won)

    def stand_in(self, side: Side, attribute: int):
        values = [
            self.doubled(side, each) if each == attribute else self.plain(side, each)
            for each in range(3)
        ]
        return attribute, tuple(Fraction(floor(100 * value), 100) for value in values)

    def doubled(self, side: Side, attribute: int) -> Fraction:
        held, left = (
            [values_of(card)[attribute] for card in pile] for pile in (side.hand, side.deck)
        )
        if self.doubling == "weighted":
            return Fraction(sum(held) + sum(held) + sum(left), len(held) + len(held) + len(left))
        return Fraction(sum(2 * value for value in held) + sum(left), len(held) + len(left))

    def plain(self, side: Side, attribute: int) -> Fraction:
        if self.others == "nothing":
            return Fraction(0)
        values = [values_of(card)[attribute] for card in side.hand + side.deck]
        return Fraction(sum(values), len(values))

    def representatives(self, position: Position) -> list[Action]:
        """The actions when stand-ins are placed instead of cards and nothing is drawn."""
        if position.stage == "draw" or (position.stage == "place" and self.placeable(position)):
            return [("imagine", attribute) for attribute in range(3)]
        return self.actions(position._replace(stage="act"))

    def placeable(self, position: Position) -> list[str]:
        """The cards in hand that can be placed or, if they are Removals, played."""
        targets = position.sides[1 - position.mover].field
        return [card for card in position.sides[position.mover].hand if card != REMOVAL or targets]

    def realized(self, position: Position, attribute: int) -> Action:
        """The action that is played for a stand-in."""
        if position.stage == "draw":
            return ("draw",)
        card = max(
            self.placeable(position),
            key=lambda each: (values_of(each)[attribute], sum(values_of(each))),
        )
        if card != REMOVAL:
            return "place", card
        return "remove", max(
            position.sides[1 - position.mover].field, key=lambda each: sum(values_of(each))
        )

    def balanced(self, position: Position, player: int) -> Fraction:
        if self.over(position):
            return Fraction(self.score(position, player))
        mine, theirs = (self.standing(position.sides[each]) for each in (player, 1 - player))
        return max(Fraction(-999, 1000), min((mine - theirs) / 1000, Fraction(999, 1000)))

    def standing(self, side: Side) -> Fraction:
        totals = [sum(values_of(card)) for card in side.hand]
        on_field = sum((sum(values_of(card)) for card in side.field), Fraction(0))
        return (
            side.health + on_field / 3 - self.balance * (max(totals) - min(totals) if totals else 0)
        )

    def value(self, position: Position, plies: int, choose) -> Fraction:
        """The worth of a position to the first player if both look so many turns ahead.

        `choose` lists the actions to consider.
        """

        @cache
        def worth(here: Position, left: int) -> Fraction:
            if self.over(here) or left == 0:
                return self.balanced(here, 0)
            best = min if here.mover else max
            return best(expected(here, action, left) for action in choose(here))

        def expected(here: Position, action: Action, left: int) -> Fraction:
            afters = self.after(here, action)
            return sum(
                (share * worth(there, left - (action[0] == "end")) for share, there in afters),
                Fraction(0),
            )

        return worth(position, plies)


def placed(game: Game, fields, hands=((), ()), decks=((), ()), health=(30, 30)) -> World:
    """A position with given cards, by number; the first player has just drawn."""
    row = game.start(0).row()
    record = row.view(game.state)[0]
    for name, piles in (("field", fields), ("hand", hands), ("deck", decks)):
        record[name] = [sum(1 << card for card in pile) for pile in piles]
    record["fresh"], record["phase"], record["turn"] = record["field"][0], 1, 8
    record["health"] = [100 * points for points in health]
    return World(game, row)


def seated(mover: int, mine: Side, theirs: Side) -> tuple[Side, Side]:
    return (theirs, mine) if mover else (mine, theirs)


def as_naive(world: World) -> Position:
    """A world as a position of the naive rules."""
    record = world.record
    sides = [
        Side(Fraction(int(record["health"][player]), 100), *_piles(record, player))
        for player in range(2)
    ]
    mover = int(record["player"])
    stage = ("draw", "place", "act")[int(record["phase"])]
    return Position(
        mover,
        stage,
        int(record["turn"]),
        _cards(record, mover, record["fresh"]),
        (sides[0], sides[1]),
    )


def as_naive_action(world: World, action: int) -> Action:
    """An action in the terms of the naive rules."""
    kind, source, target = unpack(action)
    record, mover = world.record, world.to_move
    name = KINDS[kind]
    if name in ("end", "draw"):
        return (name,)
    if name == "imagine":
        return name, source
    if name == "remove":
        return name, _card(record, 1 - mover, target)
    named = name, _card(record, mover, source)
    return (*named, _card(record, 1 - mover, target)) if name == "battle" else named


def _piles(record: Any, player: int) -> list[tuple[Any, ...]]:
    return [_cards(record, player, record[pile][player]) for pile in ("deck", "hand", "field")]


def _cards(record: Any, player: int, members: int) -> tuple[Any, ...]:
    return piled(
        _card(record, player, number) for number in range(63) if int(members) >> number & 1
    )


def _card(record: Any, player: int, number: int):
    """23 soldiers, 2 Removals, then stand-ins by attribute over and over."""
    if number < len(TABLE):
        return TABLE[number]
    if number < len(TABLE) + 2:
        return REMOVAL
    own = (number - len(TABLE) - 2) % 3
    values = [
        record["stand_in" if attribute == own else "average"][player, attribute]
        for attribute in range(3)
    ]
    return own, tuple(Fraction(int(value), 100) for value in values)
