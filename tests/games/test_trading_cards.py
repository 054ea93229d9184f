"""Trading cards: facts about the rules, and agreement with a second, naive implementation."""

import random
from collections import defaultdict

import pytest

from plyglass.core import World, pack
from plyglass.core.tape import deals, outcomes
from plyglass.games.trading_cards import TradingCards
from plyglass.games.trading_cards.cards import REMOVAL, members
from plyglass.games.trading_cards.state import (
    ATTACKS,
    BATTLE,
    DRAW,
    END,
    HEALS,
    IMAGINE,
    PLACE,
    REMOVE,
)
from tests.games.naive_trading_cards import TABLE, NaiveCards, as_naive, as_naive_action, placed

END_TURN, DRAW_ONE = pack(END, 0, 0), pack(DRAW, 0, 0)
SETTINGS = [
    {},
    {"turns": 7},
    {"health": 15},
    {"soldiers": 4, "removals": 1, "hand": 2, "health": 8},
    {"soldiers": 6, "removals": 2, "hand": 1, "health": 10},
    {"soldiers": 5, "removals": 0, "hand": 3, "health": 6},
]


def card(name: str) -> int:
    return TABLE.index(name)


def names(world: World) -> set[str]:
    return {world.game.action_name(action) for action in world.legal()}


# -- beside the naive rules ------------------------------------------------------------------------


def assert_alike(world: World, naive: NaiveCards, pick: random.Random) -> None:
    """Both have the same actions, and two of them lead to equal positions and probabilities."""
    here, actions = as_naive(world), world.legal()
    assert sorted(map(str, naive.actions(here))) == sorted(
        str(as_naive_action(world, action)) for action in actions
    )
    for action in pick.choices(actions, k=2):
        ours, theirs = defaultdict(float), defaultdict(float)
        for share, after in outcomes(world, action):
            ours[as_naive(after)] += share
        for share, after in naive.after(here, as_naive_action(world, action)):
            theirs[after] += float(share)
        assert ours == pytest.approx(theirs)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_random_games_go_as_the_naive_rules_say(setting):
    game = TradingCards(**setting)
    naive, balance = NaiveCards(**game.parameters), game.evaluator("balance")
    for seed in range(5):
        world, pick = game.start(seed), random.Random(seed)
        while not world.over:
            assert not naive.over(as_naive(world))
            assert_alike(world, naive, pick)
            worth = game.verbs.evaluate(game.table, world.address, 0, balance)
            assert worth == pytest.approx(float(naive.balanced(as_naive(world), 0)), abs=1e-12)
            world.apply(pick.choice(world.legal()))
        end = as_naive(world)
        assert naive.over(end)
        assert world.scores == [naive.score(end, player) for player in range(2)]


@pytest.mark.parametrize("doubling", ["literal", "weighted"])
@pytest.mark.parametrize("others", ["average", "nothing"])
def test_stand_ins_are_worth_what_the_naive_rules_say(doubling, others):
    game = TradingCards(doubling=doubling, others=others)
    naive = NaiveCards(**game.parameters)
    for seed in range(20):
        world, pick = game.start(seed), random.Random(seed)
        for _ in range(pick.randrange(60)):
            if not world.over:
                world.apply(pick.choice(world.legal()))
        if world.over:
            continue
        here = as_naive(world)
        for attribute in range(3):
            after = world.copy()
            game.verbs.step(game.table, after.address, world.to_move, pack(IMAGINE, attribute, 0))
            assert [(1, as_naive(after))] == naive.after(here, ("imagine", attribute))


def test_every_hand_is_dealt_alike():
    game = TradingCards(soldiers=2, removals=2, hand=2)
    found = defaultdict(float)
    for share, world in deals(game):
        found[as_naive(world).sides[0].hand] += share
    both = {
        ("1/1/1", "1/1/2"): 1 / 6,
        ("1/1/1", "Removal"): 1 / 3,
        ("1/1/2", "Removal"): 1 / 3,
        ("Removal", "Removal"): 1 / 6,
    }
    assert found == pytest.approx(both)


# -- what the rules say ----------------------------------------------------------------------------


def test_a_game_begins_with_five_cards_fifty_health_and_no_draw():
    world = TradingCards().start(3)
    record = world.record
    assert record["health"].tolist() == [5000, 5000]
    assert [
        len(members(record[pile][player])) for pile in ("hand", "deck") for player in range(2)
    ] == [5, 5, 20, 20]
    assert DRAW_ONE not in world.legal()


def test_a_turn_begins_with_a_draw_if_there_is_room_and_a_card():
    game = TradingCards(hand=2)
    for hand, deck, draws in (((0,), (5,), True), ((0, 1), (5,), False), ((0,), (), False)):
        world = placed(game, ((), ()), ((), hand), ((), deck))
        world.apply(END_TURN)
        assert (world.legal() == [DRAW_ONE]) == draws


def test_a_card_is_placed_before_any_card_acts_and_acts_at_once():
    four, nothing = card("4/4/4"), card("6/0/0")
    world = placed(TradingCards(), ((nothing,), ()), ((four, card("1/1/1")), ()))
    assert names(world) == {"place 4/4/4", "place 1/1/1", "end turn"}
    world.apply(pack(PLACE, four, 0))
    assert names(world) == {"4/4/4 heals", "4/4/4 attacks", "end turn"}
    world.apply(pack(HEALS, four, 0))
    assert names(world) == {"end turn"}
    assert world.record["health"].tolist() == [3400, 3000]


def test_after_an_act_nothing_is_placed():
    world = placed(TradingCards(), ((card("4/4/4"),), ()), ((card("1/1/1"),), ()))
    world.apply(pack(ATTACKS, card("4/4/4"), 0))
    assert names(world) == {"end turn"}
    assert world.record["health"].tolist() == [3000, 2600]


@pytest.mark.parametrize(
    ("mine", "theirs", "left"),
    [("4/1/1", "3/3/3", (1, 0)), ("3/2/2", "3/3/3", (0, 0)), ("1/1/5", "3/3/3", (0, 1))],
)
def test_the_lower_fight_is_removed_and_a_tie_removes_both(mine, theirs, left):
    world = placed(TradingCards(), ((card(mine),), (card(theirs),)))
    world.apply(pack(BATTLE, card(mine), card(theirs)))
    assert tuple(len(members(field)) for field in world.record["field"]) == left
    assert world.legal() == [END_TURN]


def test_a_removal_takes_an_opposing_card_and_is_gone_and_needs_one():
    four = card("4/4/4")
    assert names(placed(TradingCards(), ((), ()), ((REMOVAL,), ()))) == {"end turn"}
    world = placed(TradingCards(), ((), (four, 0)), ((REMOVAL, REMOVAL + 1, 1), ()))
    assert names(world) == {"remove 4/4/4", "remove 1/1/1", "place 1/1/2", "end turn"}
    world.apply(pack(REMOVE, 0, four))
    assert names(world) == {"end turn"}
    assert members(world.record["field"][1]) == [0]
    assert len(members(world.record["hand"][0])) == 2


def test_whoever_has_no_health_has_lost_at_once():
    world = placed(TradingCards(), ((card("0/0/7"), card("1/1/1")), ()), health=(1, 7))
    world.apply(pack(ATTACKS, card("0/0/7"), 0))
    assert world.over
    assert world.scores == [1.0, -1.0]


def test_after_the_last_turn_the_game_is_a_draw():
    world = placed(TradingCards(turns=9), ((), ()))
    world.apply(END_TURN)
    assert world.over
    assert world.scores == [0.0, 0.0]


def test_removals_are_alike_whichever_was_drawn_or_used():
    game = TradingCards()
    assert game.start(1, game.dealt([0, REMOVAL + 1], [1])) == game.start(
        1, game.dealt([0, REMOVAL], [1])
    )
    used, later = (
        placed(game, ((), (0,)), hands, decks)
        for hands, decks in ((((23,), ()), ((24,), ())), (((), ()), ((24,), ())))
    )
    used.apply(pack(REMOVE, 0, 0))
    assert used.record["hand"].tolist() == later.record["hand"].tolist()
    drawn = {
        after.record["hand"][0]
        for hand in (used, later)
        for _, after in outcomes(_drawing(hand), DRAW_ONE)
    }
    assert len(drawn) == 1


def _drawing(world: World) -> World:
    row = world.row()
    row.view(world.game.state)[0]["phase"] = 0
    return World(world.game, row)


def test_a_hand_that_is_given_is_held_and_no_longer_in_the_deck():
    game = TradingCards()
    world = game.start(2, game.dealt(first=[20, 1, 17, 4, 14]))
    assert members(world.record["hand"][0]) == [1, 4, 14, 17, 20]
    assert not int(world.record["deck"][0]) & int(world.record["hand"][0])
    assert len(members(world.record["hand"][1])) == 5


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"soldiers": 24}, "1 to 23 soldiers"),
        ({"removals": 3}, "up to 2 Removals"),
        ({"hand": 26}, "A hand of 26 cannot be dealt from 25 cards"),
        ({"health": 0}, "Health and turns are 1 to 10000"),
        ({"doubling": "twice"}, "doubling is one of literal, weighted, not 'twice'"),
        ({"others": "none"}, "others is one of average, nothing, not 'none'"),
    ],
)
def test_odd_parameters_are_refused_in_a_sentence(setting, words):
    with pytest.raises(ValueError, match=words):
        TradingCards(**setting)


def test_cards_that_are_not_in_the_deck_cannot_be_dealt():
    with pytest.raises(
        ValueError, match="the soldiers 0 to 3, and 1 Removals with the numbers from 23 on"
    ):
        TradingCards(soldiers=4, removals=1, hand=2).dealt([0, 7])
