"""Leaf counts against a naive search that visits every leaf, and how fits are scored."""

from dataclasses import replace
from fractions import Fraction

import pytest

from plyglass.beliefs import Fresh
from plyglass.core.compile import JIT
from plyglass.experiments.studies.representative_moves.fits import (
    Fit,
    differences,
    fits,
    grid,
    nearest,
    printed,
)
from plyglass.experiments.studies.representative_moves.leaves import Tree
from plyglass.experiments.studies.representative_moves.literal import LiteralCards
from plyglass.experiments.studies.representative_moves.pruned import ORDERS, Pruned
from plyglass.experiments.studies.representative_moves.readings import (
    LITERAL,
    PROPOSED,
    REMOVAL,
    Card,
    Reading,
    Side,
    changes,
    start,
)
from plyglass.experiments.studies.representative_moves.times import ENOUGH, HAND
from plyglass.planners import Expectiminimax

SMALL = Side(
    (Card(1, 3, 0), Card(2, 1, 1), Card(2, 0, 4), REMOVAL), (Card(0, 0, 7), Card(3, 2, 2), REMOVAL)
)
LOOSE = replace(LITERAL, removal="or thrown away", removals="two moves")
READINGS = [
    PROPOSED,
    LITERAL,
    LOOSE,
    *(each for base in (PROPOSED, LOOSE) for _, _, each in changes(base) if each.hand == "nearest"),
]


class Naive:
    """The paper's game by lists that are copied, one leaf after the other."""

    def __init__(self, reading: Reading, representative: bool) -> None:
        self.reading, self.representative = reading, representative

    def leaves(self, depth: int, side: Side) -> int:
        players = [
            {"hand": list(side.hand), "deck": list(side.deck), "field": [], "life": 50}
            for _ in range(2)
        ]
        self.levels = [0] * (depth + 1)
        self.visit(players, depth)
        counted = sum(self.levels[:-1]) if self.reading.leaves == "every ply" else self.levels[0]
        return counted * int(self.reading.searches)

    def visit(self, players, plies):
        drawn = self.drawn(players[0])
        if plies == 0:
            self.levels[0] += len(drawn) if self.reading.leaves == "after the next draw" else 1
            return
        self.levels[plies] += 1
        for mover in drawn:
            ends = [
                end for placed in self.placed([mover, players[1]]) for end in self.acted(*placed)
            ]
            if self.reading.merged == "yes":
                ends = list({written(end): end for end in ends}.values())
            for own, other in ends:
                self.visit([other, own], plies - 1)

    def drawn(self, mover):
        least = {"never": 0, "by the rules": 5, "with five in hand": 6, "every turn": 99}[
            self.reading.draws
        ]
        if self.representative:
            least = (
                5
                if self.reading.spends == "best card, draws" and self.reading.draws != "never"
                else 0
            )
        elif self.reading.placeable == "hand and deck":
            least = 0
        if len(mover["hand"]) >= least or not mover["deck"]:
            return [mover]
        deck = mover["deck"]
        return [
            {**mover, "hand": mover["hand"] + [card], "deck": deck[:i] + deck[i + 1 :]}
            for i, card in enumerate(deck)
        ]

    def placed(self, players):
        """Both players after each placement, and whether the mover's last card is new."""
        mover, other = players
        moves = list(self.virtual(mover, other) if self.representative else self.real(mover, other))
        still = (
            self.reading.standing_still == "yes"
            if self.representative
            else self.reading.placing == "optional"
        )
        return moves + [(mover, other, False)] * (still or not moves)

    def real(self, mover, other):
        removals = 0
        for pile in ("hand", "deck") if self.reading.placeable == "hand and deck" else ("hand",):
            for i, card in enumerate(mover[pile]):
                left = {**mover, pile: mover[pile][:i] + mover[pile][i + 1 :]}
                removals += card.removal
                if card.removal and removals > 1 and self.reading.removals == "one move":
                    continue
                if not card.removal or self.reading.removal == "soldier":
                    yield {**left, "field": left["field"] + [card]}, other, True
                    continue
                for j in range(len(other["field"])):
                    yield (
                        left,
                        {**other, "field": other["field"][:j] + other["field"][j + 1 :]},
                        False,
                    )
                if self.reading.removal == "or thrown away":
                    yield left, other, False

    def virtual(self, mover, other):
        everything = mover["hand"] + mover["deck"]
        if self.reading.spends != "nothing" and not mover["hand"]:
            return
        for attribute in range(3):
            zeros = self.reading.representatives == "with zeros"
            values = [
                Fraction(0)
                if zeros
                else Fraction(sum(card[k] for card in everything), len(everything))
                for k in range(3)
            ]
            values[attribute] = Fraction(
                sum(card[attribute] for card in everything + mover["hand"]), len(everything)
            )
            hand = sorted(mover["hand"], key=lambda card: (card[attribute], sum(card[:3]), card))
            left = mover if self.reading.spends == "nothing" else {**mover, "hand": hand[:-1]}
            yield {**left, "field": left["field"] + [Card(*values)]}, other, True

    def acted(self, mover, other, new):
        """Both players after every way to let the cards of the field act."""
        able = list(range(len(mover["field"]) - (new and self.reading.fresh == "waits")))
        fields = [dict(enumerate(mover["field"])), dict(enumerate(other["field"]))]
        for own, opposing, healed, harmed in self.ways(able, *fields, 0, 0):
            ages = [own[k] for k in sorted(own)], [opposing[k] for k in sorted(opposing)]
            yield (
                {**mover, "field": ages[0], "life": mover["life"] + healed},
                {**other, "field": ages[1], "life": other["life"] - harmed},
            )

    def ways(self, able, own, opposing, healed, harmed):
        end = own, opposing, healed, harmed
        acting, idle = self.reading.acting, self.reading.idle == "always"
        if acting == "one in all":
            single = [after for k in able for _, after in self.options(k, *end)]
            return single + [end] * (idle or not single)
        if acting == "alike":
            kinds = {kind for k in able for kind, _ in self.options(k, *end)}
            everyone = [way for kind in kinds for way in self.in_order(able, end, kind)]
            return everyone + [end] * (idle or not kinds)
        if acting == "each once":
            return self.in_order(able, end, None)
        return self.in_any_order(able, end)

    def in_order(self, able, end, kind):
        able = [k for k in able if k in end[0]]
        if not able:
            return [end]
        k = {
            "oldest first": able[0],
            "newest first": able[-1],
            "weakest first": min(able, key=lambda each: end[0][each]),
            "strongest first": max(able, key=lambda each: end[0][each]),
        }[self.reading.sequence]
        chosen = [after for its_kind, after in self.options(k, *end) if kind in (None, its_kind)]
        rests = not chosen or (kind is None and self.reading.idle == "always")
        return [
            way
            for after in chosen + [end] * rests
            for way in self.in_order([each for each in able if each != k], after, kind)
        ]

    def in_any_order(self, able, end):
        able = [k for k in able if k in end[0]]
        stops = self.reading.acting == "until stopped"
        found = [end] if stops or not able else []
        for k in able:
            chosen = [after for _, after in self.options(k, *end)]
            rests = not stops and (not chosen or self.reading.idle == "always")
            for after in chosen + [end] * rests:
                found += self.in_any_order([each for each in able if each != k], after)
        return found

    def options(self, k, own, opposing, healed, harmed):
        card, useless = own[k], self.reading.useless == "allowed"
        if card.heal or useless:
            yield "heal", (own, opposing, healed + card.heal, harmed)
        if card.attack or useless:
            yield "attack", (own, opposing, healed, harmed + card.attack)
        for j, enemy in opposing.items():
            least = {"beaten": enemy.fight + Fraction(1, 1000), "beaten or tied": enemy.fight}.get(
                self.reading.battles, -1
            )
            if card.fight >= least:
                mine = own if card.fight > enemy.fight else without(own, k)
                yield (
                    "battle",
                    (
                        mine,
                        without(opposing, j) if card.fight >= enemy.fight else opposing,
                        healed,
                        harmed,
                    ),
                )
        if self.reading.battles == "any other":
            for j, friend in own.items():
                if j != k:
                    left = without(own, k) if card.fight <= friend.fight else own
                    yield (
                        "battle",
                        (
                            without(left, j) if friend.fight <= card.fight else left,
                            opposing,
                            healed,
                            harmed,
                        ),
                    )


def without(cards, k):
    return {each: card for each, card in cards.items() if each != k}


def written(end):
    return repr(
        [
            (sorted(player["hand"]), sorted(player["deck"]), player["field"], player["life"])
            for player in end
        ]
    )


@pytest.mark.parametrize(
    "reading", READINGS, ids=lambda reading: ", ".join(differences(reading).values()) or "proposed"
)
def test_every_count_is_that_of_a_search_that_visits_every_leaf(reading):
    assert Tree(reading, False).leaves(2, SMALL) == Naive(reading, False).leaves(2, SMALL)
    tiny = Side(SMALL.hand[1:3], SMALL.deck[1:])
    assert Tree(reading, False).leaves(3, tiny) == Naive(reading, False).leaves(3, tiny)
    assert Tree(reading, True).leaves(3, tiny) == Naive(reading, True).leaves(3, tiny)


def test_the_quoted_start_gives_the_first_counts_by_hand():
    assert (len(start("nearest").hand), len(start("nearest").deck), len(start("literal").deck)) == (
        5,
        20,
        20,
    )
    assert (
        Tree(PROPOSED, False).leaves(1) == 5 * 2 + 1
    )  # five soldiers that heal or attack, or nothing
    assert Tree(PROPOSED, True).leaves(1) == 3 * 2
    assert Tree(LITERAL, True).leaves(2) == (3 * 3) * (3 * 4)
    assert Tree(LITERAL, False).leaves(1) == 18 * (6 * 3 + 1) + 2 * (
        5 * 3 + 1
    )  # a draw first; a Removal has no target yet


@pytest.mark.parametrize("order", ORDERS)
def test_alpha_beta_looks_at_some_leaves_and_finds_the_same_value(order):
    search, plain = Pruned(LITERAL, order), Pruned(LITERAL, order)
    plain_value = whole(plain, (), (), 0.0, 3)
    assert search.value(3) == pytest.approx(plain_value)
    assert 100 < search.leaves(3) < Tree(LITERAL, True).leaves(3) / 2
    assert search.leaves(1) == 9


def whole(search, own, other, value, plies):
    """The same value without pruning."""
    if plies == 0:
        return value
    return max(
        -whole(search, theirs, mine, -value - gain, plies - 1)
        for gain, mine, theirs in search.moves(own, other)
    )


def test_fits_share_counts_and_are_what_a_tree_counts():
    readings = [
        replace(PROPOSED, leaves=leaves, searches=searches)
        for leaves in ("last ply", "every ply")
        for searches in ("1", "100")
    ]
    for reading, fit in zip(readings, fits(readings), strict=True):
        assert fit.counts == {cell: Tree(reading, cell[0]).leaves(cell[1]) for cell in printed()}


def test_a_fit_is_scored_by_ratios_and_the_nearest_comes_first():
    reported = {(True, 3): 3100.0, (False, 3): 1000.0}
    twice = Fit(PROPOSED, {(True, 3): 6200, (False, 3): 500})
    exact = Fit(LITERAL, {(True, 3): 3149, (False, 3): 1000})
    again = Fit(LOOSE, {(True, 3): 3149, (False, 3): 1000})
    assert twice.factor(reported) == pytest.approx(2.0)
    assert (twice.hits(reported), exact.hits(reported)) == (0, 2)
    assert nearest([twice, again, exact], reported, 3) == [exact, twice]


def test_the_grid_holds_every_answer_and_no_reading_twice():
    readings = grid()
    assert len(readings) == len(set(readings))
    assert {PROPOSED, LITERAL} <= set(readings)
    assert printed() == {
        (True, 3): 3100,
        (True, 4): 62400,
        (True, 5): 238100,
        (False, 3): 263836900,
    }


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("depth", [1, 2])
def test_a_search_by_the_literal_rules_visits_the_leaves_that_are_counted(depth):
    """Within a turn, one child of every position ends the turn: half of all positions are ends."""
    game = LiteralCards()
    world = game.start(1, game.dealt(HAND, HAND))
    planner = Expectiminimax(
        depth=depth, unit="plies", evaluator="balance", deepening=False, memory=0
    )
    search = planner.begin(game, 0, Fresh().begin(game, 0, 1), 1)
    search.observe(None, world.hide(0))
    search.run(ENOUGH)
    tree = Tree(LITERAL, representative=False)
    assert search.decision().iterations == 2 * sum(tree.leaves(ply + 1) for ply in range(depth))
