"""Duel written a second time, with sets and tuples and every outcome spelled out.

Tests compare the compiled rules with it.
"""

from functools import cache

from plyglass.core import World
from plyglass.games.duel.state import CARDS, NOBODY, READY, card_of, health_of

NAIVE = {
    "squire": (1, 1, 2),
    "spark": (1,),
    "wolf": (2, 3, 1),
    "balm": (1,),
    "insight": (2,),
    "ogre": (4, 4, 4),
}  # cost, attack, health


class NaiveDuel:
    """Rules on plain tuples.

    A position is (mana, the mover's side, the other side, mover); a side is (hero, crystals, deck,
    hand, creatures). Cards and creatures are sorted tuples; a creature is (name, health, ready).
    """

    def __init__(
        self, kinds: int, copies: int, health: int, hand: int, mana: int, board: int
    ) -> None:
        self.deck, self.health, self.hand, self.mana, self.board = (
            tuple(sorted(list(NAIVE)[:kinds] * copies)),
            health,
            hand,
            mana,
            board,
        )

    def drawn(self, side, count):
        """Every (probability, side) after drawing some cards."""
        hero, crystals, deck, hand, creatures = side
        if count == 0:
            return [(1.0, side)]
        if not deck:
            return self.drawn((max(hero - 1, 0), crystals, deck, hand, creatures), count - 1)
        afters = []
        for i, card in enumerate(deck):
            rest = (
                hero,
                crystals,
                deck[:i] + deck[i + 1 :],
                tuple(sorted((*hand, card))),
                creatures,
            )
            afters += [(chance / len(deck), after) for chance, after in self.drawn(rest, count - 1)]
        return afters

    def turn(self, side, other, mover):
        """Every (probability, position) at the beginning of a turn."""
        hero, crystals, deck, hand, creatures = side
        mana = min(crystals + 1, self.mana)
        woken = tuple(sorted((name, health, True) for name, health, _ in creatures))
        return [
            (chance, (mana, after, other, mover))
            for chance, after in self.drawn((hero, mana, deck, hand, woken), 1)
        ]

    def first(self):
        new = (self.health, 0, self.deck, (), ())
        for one, first in self.drawn(new, self.hand):
            for two, second in self.drawn(new, self.hand + 1):
                yield from (
                    (one * two * three, position) for three, position in self.turn(first, second, 0)
                )

    def hurt(self, side, target, damage):
        """A side after damage to a creature, or to the hero if the target is None."""
        hero, crystals, deck, hand, creatures = side
        if target is None:
            return (max(hero - damage, 0), crystals, deck, hand, creatures)
        rest = list(creatures)
        rest.remove(target)
        if target[1] > damage:
            rest.append((target[0], target[1] - damage, target[2]))
        return (hero, crystals, deck, hand, tuple(sorted(rest)))

    def choices(self, position):
        """For each action, every (probability, position) that it may lead to."""
        mana, mine, theirs, mover = position
        yield self.turn(
            theirs, (*mine[:4], tuple(sorted((*one[:2], False) for one in mine[4]))), 1 - mover
        )
        for card in set(mine[3]):
            if NAIVE[card][0] <= mana:
                yield from self.plays(card, mana - NAIVE[card][0], mine, theirs, mover)
        for attacker in {one for one in mine[4] if one[2]}:
            rest = list(mine[4])
            rest.remove(attacker)
            tired = (*attacker[:2], False)
            attacking = (*mine[:4], tuple(sorted([*rest, tired])))
            for target in {None, *theirs[4]}:
                struck = self.hurt(theirs, target, NAIVE[attacker[0]][1])
                answered = self.hurt(attacking, tired, NAIVE[target[0]][1]) if target else attacking
                yield [(1.0, (mana, answered, struck, mover))]

    def plays(self, card, mana, mine, theirs, mover):
        hero, crystals, deck, hand, creatures = mine
        rest = list(hand)
        rest.remove(card)
        hand = tuple(rest)
        if len(NAIVE[card]) == 3 and len(creatures) < self.board:
            yield [
                (
                    1.0,
                    (
                        mana,
                        (
                            hero,
                            crystals,
                            deck,
                            hand,
                            tuple(sorted((*creatures, (card, NAIVE[card][2], False)))),
                        ),
                        theirs,
                        mover,
                    ),
                )
            ]
        elif card == "spark":
            for target in {None, *theirs[4]}:
                yield [
                    (
                        1.0,
                        (
                            mana,
                            (hero, crystals, deck, hand, creatures),
                            self.hurt(theirs, target, 2),
                            mover,
                        ),
                    )
                ]
        elif card == "balm":
            yield [
                (
                    1.0,
                    (
                        mana,
                        (min(hero + 3, self.health), crystals, deck, hand, creatures),
                        theirs,
                        mover,
                    ),
                )
            ]
        elif card == "insight":
            afters = self.drawn((hero, crystals, deck, hand, creatures), 2)
            yield [(chance, (mana, after, theirs, mover)) for chance, after in afters]

    def solve(self) -> tuple[float, int]:
        @cache
        def value(position):
            _, mine, theirs, mover = position
            if mine[0] == 0 or theirs[0] == 0:
                return 1.0 if (mine[0] == 0) == (mover == 1) else -1.0
            best = min if mover else max
            return best(
                sum(chance * value(after) for chance, after in afters)
                for afters in self.choices(position)
            )

        return sum(
            chance * value(position) for chance, position in self.first()
        ), value.cache_info().currsize


def as_naive(world: World):
    """A world as a position of the naive rules."""
    record = world.record
    sides = []
    for player in range(2):
        deck, hand = (
            tuple(
                sorted(
                    name
                    for name, count in zip(NAIVE, record[pile][player], strict=True)
                    for _ in range(count)
                )
            )
            for pile in ("deck", "hand")
        )
        row = [int(one) for one in record["board"][player] if one != NOBODY]
        creatures = tuple(
            sorted((CARDS[card_of(one)].name, health_of(one), bool(one & READY)) for one in row)
        )
        sides.append(
            (int(record["hero"][player]), int(record["crystals"][player]), deck, hand, creatures)
        )
    mover = int(record["player"])
    return int(record["mana"]), sides[mover], sides[1 - mover], mover
