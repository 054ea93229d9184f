"""Trading cards in a search: the exact value of a turn, and actions that a search may skip."""

import random
from collections.abc import Iterator

import pytest

from plyglass.core import Game, World, kernel, kind_of, pack
from plyglass.games.trading_cards import TradingCards, candidates, rules
from plyglass.games.trading_cards.best_turn import MOST_TARGETS
from plyglass.games.trading_cards.cards import REMOVAL
from plyglass.games.trading_cards.state import DRAW, IMAGINE, PLACE, REMOVE
from plyglass.search.expectimax.frames import Terms
from plyglass.search.expectimax.lookahead import Lookahead
from tests.games.naive_trading_cards import NaiveCards, as_naive, as_naive_action, placed, values_of
from tests.sizes import sized

SMALL = [
    {"soldiers": 5, "removals": 1, "hand": 2, "health": 8},
    {"soldiers": 6, "removals": 1, "hand": 2, "health": 10, "balance": 0.1, "doubling": "weighted"},
    {"soldiers": 4, "removals": 0, "hand": 1, "health": 6, "turns": 9, "others": "nothing"},
    {"soldiers": 4, "removals": 2, "hand": 2, "health": 8, "others": "nothing"},
]


def _with(legal):
    """The rules of the game with other actions."""
    return tuple(legal if rule is rules.legal else rule for rule in TradingCards.rules)


@kernel
def legal(r, s, out):
    return candidates.prefer(r, s, out)


class Preferred(TradingCards):
    """Only the actions that the game prefers."""

    name = "preferred-trading-cards"
    rules = _with(legal)


@kernel
def legal(r, s, out):
    return candidates.represent(r, s, out)


class Represented(TradingCards):
    """Representatives instead of cards."""

    name = "represented-trading-cards"
    rules = _with(legal)


def searched(game: Game, world: World, plies: int, pruning="star1") -> float:
    """The mover's value by exhaustive search."""
    look = Lookahead(game, world.to_move, Terms(plies, "plies", "balance", pruning, memory=1 << 14))
    look.begin(world.row(), plies)
    while not look.over:
        look.run(1_000_000)
    return max(look.values().values())


def naively(world: World, plies: int, representatives=False) -> float:
    naive = NaiveCards(**world.game.parameters)
    value = naive.value(
        as_naive(world), plies, naive.representatives if representatives else naive.actions
    )
    return float(-value if world.to_move else value)


def judged(world: World, evaluator: str) -> float:
    game = world.game
    return game.verbs.evaluate(game.table, world.address, world.to_move, game.evaluator(evaluator))


def played(game: Game, seed: int, count: int) -> Iterator[World]:
    """Positions of random games, in every phase, with more placements than by chance."""
    pick = random.Random(seed)
    while count:
        world = game.start(pick.getrandbits(30))
        for _ in range(pick.randrange(2, 26)):
            placing = (
                [action for action in world.legal() if kind_of(action) in (DRAW, PLACE)]
                if pick.random() < 0.7
                else []
            )
            if not world.over:
                world.apply(pick.choice(placing or world.legal()))
        if not world.over:
            count -= 1
            yield world


def made_up(game: Game, seed: int, count: int, most: int) -> Iterator[World]:
    """Positions with any cards of the whole table, a Removal in many hands."""
    pick = random.Random(seed)
    for _ in range(count):
        fields, hands, decks = [], [], []
        for _ in range(2):
            cards = pick.sample(range(REMOVAL), REMOVAL)
            hand, field, deck = (
                [cards.pop() for _ in range(pick.randint(0, size))] for size in (most, most, 1)
            )
            hands.append(hand + [REMOVAL + 1] * (pick.random() < 0.6))
            fields.append(field)
            decks.append(deck)
        yield placed(game, fields, hands, decks, (pick.randint(1, 24), pick.randint(1, 24)))


@pytest.mark.parametrize("setting", SMALL, ids=str)
def test_the_best_turn_in_closed_form_is_one_ply_of_search_from_every_phase(setting):
    game, preferred = TradingCards(**setting), Preferred(**setting)
    phases = set()
    for world in played(game, 1, 60):
        phases.add(int(world.record["phase"]))
        exact = pytest.approx(naively(world, 1), abs=1e-12)
        assert judged(world, "turn") == exact
        assert searched(game, world, 1) == exact
        assert searched(preferred, world, 1) == exact
    assert phases == {0, 1, 2}


@pytest.mark.parametrize("setting", SMALL, ids=str)
def test_the_best_turn_of_stand_ins_is_one_ply_of_search_among_them(setting):
    game, represented = TradingCards(**setting), Represented(**setting)
    for world in played(game, 2, 40):
        exact = pytest.approx(naively(world, 1, representatives=True), abs=1e-12)
        assert judged(world, "representative-turn") == exact
        assert searched(represented, world, 1) == exact


def test_stand_ins_on_the_field_battle_and_count_as_the_naive_rules_say():
    game = TradingCards(soldiers=4, removals=1, hand=2, health=8)
    represented = Represented(**game.parameters)
    for world in played(game, 3, 3):
        assert searched(represented, world, 2) == pytest.approx(
            naively(world, 2, representatives=True), abs=1e-12
        )


def test_what_is_played_for_a_stand_in_is_the_best_card_for_its_attribute():
    game = TradingCards()
    naive, kinds = NaiveCards(**game.parameters), set()
    for world in [*played(game, 4, 60), *made_up(game, 4, 60, 3)]:
        here = as_naive(world)
        for action in naive.representatives(here):
            if action[0] == "imagine":
                real = game.realize(world.hide(world.to_move), pack(IMAGINE, action[1], 0))
                assert real in world.legal()
                assert worth(as_naive_action(world, real), action[1]) == worth(
                    naive.realized(here, action[1]), action[1]
                )
                kinds.add(kind_of(real))
    assert kinds == {DRAW, PLACE, REMOVE}


def worth(action, attribute: int):
    """What decides between cards; of cards that are equal in it, either may be played."""
    return action[0], [
        (values_of(card)[attribute] if action[0] == "place" else 0, sum(values_of(card)))
        for card in action[1:]
    ]


@pytest.mark.parametrize(("plies", "soldiers", "hand", "count"), [(2, 4, 2, 6), (3, 3, 1, 6)])
def test_two_and_three_plies_of_search_are_worth_what_the_naive_search_says(
    plies, soldiers, hand, count
):
    game = TradingCards(soldiers=soldiers, removals=1, hand=hand, health=7)
    preferred = Preferred(**game.parameters)
    for world in played(game, plies, count):
        exact = pytest.approx(naively(world, plies), abs=1e-12)
        assert searched(game, world, plies) == exact
        assert searched(preferred, world, plies) == exact


@pytest.mark.parametrize(("plies", "most", "count"), [(1, 3, 60), (2, 2, 60), (3, 1, 60)])
def test_preferred_actions_are_enough_whatever_the_cards(plies, most, count):
    game, preferred = TradingCards(), Preferred()
    for world in made_up(game, plies, count, most):
        assert searched(preferred, world, plies) == pytest.approx(
            searched(game, world, plies), abs=1e-12
        )


def test_the_best_turns_in_closed_form_are_right_whatever_the_cards():
    game, represented = TradingCards(), Represented()
    for world in made_up(game, 5, sized(50, 200), 3):
        assert judged(world, "turn") == pytest.approx(searched(game, world, 1), abs=1e-12)
        assert judged(world, "representative-turn") == pytest.approx(
            searched(represented, world, 1), abs=1e-12
        )


def test_a_heavy_balance_can_make_it_best_to_throw_a_card_away():
    """The enemy wants to play a Removal, and cannot without an opposing card.

    Preferred actions do not consider this.
    """
    fields, hands = ((0,), (16, 22)), ((), (5, 8, 13, 15, REMOVAL + 1))
    for weight, differs in ((1.0, False), (2.0, False), (3.0, True)):
        world = placed(TradingCards(balance=weight), fields, hands)
        every, preferred = (
            searched(world.game, world, 2),
            searched(Preferred(balance=weight), world, 2),
        )
        assert every == pytest.approx(naively(world, 2), abs=1e-12)
        assert (every > preferred + 1e-9) == differs


def test_a_hand_full_of_removals_can_make_it_best_to_throw_a_card_away():
    """A player with a full hand of Removals draws no card until they can play one."""
    for plies, differs in ((3, False), (4, True)):
        world = placed(TradingCards(hand=1), ((0,), (21,)), ((), (REMOVAL + 1,)), ((), (20,)))
        every, preferred = (
            searched(world.game, world, plies),
            searched(Preferred(hand=1), world, plies),
        )
        assert every == pytest.approx(naively(world, plies), abs=1e-12)
        assert (every > preferred + 1e-9) == differs


def test_beyond_ten_opposing_cards_the_closed_form_leaves_the_last_alone():
    strong, many = 20, (0, 1, 2, 3, 4, 7, 11, 12, 14, 17)
    assert len(many) == MOST_TARGETS
    alone = placed(TradingCards(), ((10,), many))
    assert judged(alone, "turn") == pytest.approx(searched(alone.game, alone, 1), abs=1e-12)
    crowded = placed(TradingCards(), ((10,), (*many, strong)))
    assert judged(crowded, "turn") < searched(crowded.game, crowded, 1)
