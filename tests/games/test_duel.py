"""Duel: exact facts, solved values, honest views, and the same game compiled and interpreted."""

import random
from collections import Counter
from math import comb

import numpy as np
import pytest

from plyglass.core import World, kind_of, pack, unpack
from plyglass.core.tape import deals, imaginations, outcomes
from plyglass.games.duel import Duel
from plyglass.games.duel.state import ATTACK, CARDS, END, NOBODY, PLAY, creature
from tests.games.naive_duel import NaiveDuel, as_naive
from tests.games.solver import solved, summed

END_TURN = pack(END, 0, 0)
SQUIRE, SPARK, WOLF, BALM, INSIGHT, OGRE = range(6)
SETTINGS = [
    {},
    {"open_hands": True},
    {"kinds": 3, "copies": 1, "health": 3, "hand": 1, "mana": 2, "board": 2},
    {"copies": 1, "hand": 5, "board": 1},
]


def placed(
    game: Duel,
    hand: dict,
    mine=(),
    theirs=(),
    mana: int = 5,
    deck: dict | None = None,
    hero=(10, 10),
) -> World:
    """A position with given cards; the first player is to move, and the second holds no cards."""
    row = game.start(0).row()
    record = row.view(game.state)[0]
    for name in ("deck", "hand", "held", "board"):
        record[name] = 0
    record["hero"], record["mana"], record["crystals"], record["player"] = (
        hero,
        mana,
        (mana, mana),
        0,
    )
    record["held"][0] = sum(hand.values())
    for card, count in hand.items():
        record["hand"][0, card] = count
    for card, count in (deck or {}).items():
        record["deck"][0, card] = count
    for side, creatures in enumerate((mine, theirs)):
        for place, one in enumerate(sorted(creatures, reverse=True)):
            record["board"][side, place] = one
    return World(game, row)


def board(world: World, player: int) -> list[int]:
    return [int(one) for one in world.record["board"][player] if one != NOBODY]


def random_positions(game: Duel, seed: int):
    """Every position of a game between random players, including the last."""
    pick, world = random.Random(seed), game.start(seed)
    while not world.over:
        yield world
        world.apply(pick.choice(world.legal()))
    yield world


# -- what the rules say ----------------------------------------------------------------------------


def test_a_game_starts_with_three_and_four_cards_and_the_first_player_draws_one():
    record = Duel().start(5).record
    assert record["held"].tolist() == [4, 4]
    assert record["hand"].sum(axis=1).tolist() == [4, 4]
    assert ((record["hand"] + record["deck"]) == 2).all()
    assert (int(record["mana"]), record["crystals"].tolist(), record["hero"].tolist()) == (
        1,
        [1, 0],
        [10, 10],
    )


@pytest.mark.parametrize("card", [SQUIRE, WOLF, OGRE])
def test_a_creature_costs_mana_and_waits_a_turn(card):
    world = placed(Duel(), {card: 1})
    world.apply(pack(PLAY, card, NOBODY))
    assert board(world, 0) == [creature(card, CARDS[card].health, 0)]
    assert world.record["mana"] == 5 - CARDS[card].cost
    assert world.legal() == [END_TURN]


def test_a_card_that_is_too_dear_or_has_no_place_cannot_be_played():
    wolves = [creature(WOLF, 1, 0)] * 4
    assert placed(Duel(), {OGRE: 1}, mana=3).legal() == [END_TURN]
    assert placed(Duel(), {SQUIRE: 1}, mine=wolves).legal() == [END_TURN]
    assert placed(Duel(board=2), {SQUIRE: 1}, mine=wolves[:2]).legal() == [END_TURN]


def test_a_spark_takes_two_from_a_creature_or_the_hero():
    ogre = creature(OGRE, 4, 0)
    world = placed(Duel(), {SPARK: 2}, theirs=[ogre, creature(WOLF, 1, 0)])
    world.apply(pack(PLAY, SPARK, ogre))
    assert board(world, 1) == [creature(OGRE, 2, 0), creature(WOLF, 1, 0)]
    world.apply(pack(PLAY, SPARK, NOBODY))
    assert world.record["hero"].tolist() == [10, 8]


def test_a_balm_heals_three_but_not_beyond_full_health():
    world = placed(Duel(), {BALM: 2}, hero=(5, 10))
    world.apply(pack(PLAY, BALM, NOBODY))
    assert world.record["hero"][0] == 8
    world.apply(pack(PLAY, BALM, NOBODY))
    assert world.record["hero"][0] == 10


def test_insight_draws_two_cards_and_every_order_of_the_deck_is_alike():
    world = placed(Duel(), {INSIGHT: 1}, deck={WOLF: 2, OGRE: 1})
    found: Counter[tuple[int, int]] = Counter()
    for chance, after in outcomes(world, pack(PLAY, INSIGHT, NOBODY)):
        found[int(after.record["hand"][0, WOLF]), int(after.record["hand"][0, OGRE])] += chance
    assert found == pytest.approx({(2, 0): 1 / 3, (1, 1): 2 / 3})


def test_drawing_from_an_empty_deck_costs_one_health_each_time():
    world = placed(Duel(), {INSIGHT: 1}, hero=(2, 10))
    world.apply(pack(PLAY, INSIGHT, NOBODY))
    assert world.over
    assert world.scores == [-1.0, 1.0]


def test_creatures_that_fight_strike_each_other_at_the_same_time():
    squire, wolf = creature(SQUIRE, 2, 1), creature(WOLF, 1, 0)
    world = placed(Duel(), {}, mine=[squire], theirs=[wolf])
    world.apply(pack(ATTACK, squire, wolf))
    assert board(world, 0) == board(world, 1) == []
    ogre = creature(OGRE, 4, 1)
    world = placed(Duel(), {}, mine=[ogre], theirs=[creature(WOLF, 1, 0)])
    world.apply(pack(ATTACK, ogre, wolf))
    assert board(world, 0) == [creature(OGRE, 1, 0)]
    assert world.legal() == [END_TURN]


def test_a_hero_without_health_has_lost():
    wolf = creature(WOLF, 1, 1)
    world = placed(Duel(), {}, mine=[wolf], hero=(1, 3))
    world.apply(pack(ATTACK, wolf, NOBODY))
    assert world.over
    assert world.scores == [1.0, -1.0]


def test_alike_creatures_share_their_actions():
    wolf = creature(WOLF, 1, 1)
    world = placed(
        Duel(), {}, mine=[wolf, wolf, creature(WOLF, 1, 0)], theirs=[creature(SQUIRE, 2, 0)] * 2
    )
    assert len(world.legal()) == 3


def test_a_turn_begins_with_a_crystal_mana_and_ready_creatures():
    world = placed(Duel(mana=3), {}, theirs=[creature(WOLF, 1, 0)], mana=2)
    world.apply(END_TURN)
    assert world.to_move == 1
    assert (int(world.record["mana"]), world.record["crystals"].tolist()) == (3, [2, 3])
    assert board(world, 1) == [creature(WOLF, 1, 1)]
    assert world.record["hero"].tolist() == [10, 9]  # its deck was empty


def test_the_order_of_play_leaves_no_trace():
    ways = []
    for order in [(SQUIRE, WOLF), (WOLF, SQUIRE)]:
        world = placed(Duel(), {SQUIRE: 1, WOLF: 1})
        for card in order:
            world.apply(pack(PLAY, card, NOBODY))
        ways.append(world)
    assert ways[0] == ways[1]


@pytest.mark.parametrize(
    "wrong", [{"kinds": 7}, {"copies": 0}, {"health": 0}, {"hand": 12}, {"board": 5}, {"mana": 0}]
)
def test_odd_sizes_are_refused_in_a_sentence(wrong):
    with pytest.raises(ValueError, match=r"\.$"):
        Duel(**wrong)


def test_actions_have_names():
    wolf = creature(WOLF, 1, 1)
    actions = (END_TURN, pack(PLAY, SPARK, wolf), pack(PLAY, BALM, 0), pack(ATTACK, wolf, 0))
    assert [Duel().action_name(action) for action in actions] == [
        "end turn",
        "play spark on wolf 3/1",
        "play balm",
        "wolf 3/1 attacks the hero",
    ]


# -- what is hidden --------------------------------------------------------------------------------


def test_a_view_pools_the_enemy_hand_with_his_deck():
    world = Duel().start(1)
    record = world.hide(0).record
    assert not record["hand"][1].any()
    assert record["held"][1] == 4
    assert (record["deck"][1] == 2).all()
    assert (record["hand"][0] == world.record["hand"][0]).all()
    assert "not shown yet: 2 squire" in world.hide(0).text


def test_imagined_hands_are_dealt_as_from_a_shuffled_pile():
    world = Duel(kinds=2, copies=2, hand=1).start(1)
    found: Counter[int] = Counter()
    for chance, imagined in imaginations(world.hide(0)):
        found[int(imagined.record["hand"][1, 0])] += chance
    assert found == pytest.approx(
        {held: comb(2, held) * comb(2, 2 - held) / comb(4, 2) for held in range(3)}
    )


def test_what_was_not_played_is_evidence_so_imagining_is_approximate():
    """After a first turn without a play, a random player is likelier to hold dear cards."""
    game = Duel(kinds=3, copies=1, hand=1)
    quiet = game.start(0)
    quiet.apply(END_TURN)
    view = quiet.hide(1)
    true: Counter[World] = Counter()
    for chance, world in deals(game):
        for share, after in outcomes(world, END_TURN):
            if after.hide(1) == view:
                true[after] += chance * share / len(world.legal())
    dealt: Counter[World] = Counter()
    for chance, world in imaginations(view):
        dealt[world] += chance
    assert set(true) == set(dealt)
    assert max(abs(true[world] / true.total() - dealt[world]) for world in true) > 0.05
    assert not Duel.exact_imagine


@pytest.mark.parametrize("setting", SETTINGS)
def test_views_are_honest(setting):
    game = Duel(**setting)
    for seed in range(8):
        for world in random_positions(game, seed):
            for viewer in range(2):
                view = world.hide(viewer)
                imagined = game.imagine(view, seed)
                assert imagined.hide(viewer) == view
                assert view.to_move == imagined.to_move == world.to_move
                assert view.score(viewer) == world.score(viewer)
                if world.to_move in (viewer, -1):
                    assert view.legal() == imagined.legal() == world.legal()
                if setting == {"open_hands": True}:
                    assert imagined == world


# -- bounds, evaluators, policies, representatives -------------------------------------------------


@pytest.mark.parametrize("setting", SETTINGS)
def test_games_stay_within_what_is_declared(setting):
    game = Duel(**setting)
    for seed in range(10):
        positions = [(len(world.legal()), world.scores) for world in random_positions(game, seed)]
        assert len(positions) - 1 <= game.most_steps
        assert max(count for count, _ in positions) <= game.most_actions
        assert sorted(positions[-1][1]) == [-1.0, 1.0]


def test_two_players_who_never_act_starve():
    game = Duel(kinds=1, copies=2, hand=1, health=4)
    world, turns = game.start(0), 0
    while not world.over:
        world.apply(END_TURN)
        turns += 1
    assert turns == 7 <= game.most_steps  # the second player's deck is empty from the start


def test_the_most_actions_can_be_met():
    mine = [creature(SQUIRE, health, 1) for health in (1, 2, 3, 4)]
    theirs = [creature(OGRE, health, 0) for health in (1, 2, 3, 4)]
    game = Duel()
    everything = len(placed(game, dict.fromkeys(range(6), 1), mine=mine, theirs=theirs).legal())
    assert (
        everything == game.most_actions - 3
    )  # a full board leaves no place for the three creatures in hand


def test_material_weighs_heroes_creatures_and_cards():
    game = Duel()
    world = placed(game, {SPARK: 1}, mine=[creature(WOLF, 1, 0)], theirs=[creature(OGRE, 2, 0)])
    value = game.verbs.evaluate(game.table, world.row().ctypes.data, 0, game.evaluator("material"))
    assert value == pytest.approx((16 - 16) / 32)


def chosen(game: Duel, world: World, seed: int) -> int:
    stream, row = np.array([seed], np.uint64), world.row()
    return int(
        game.verbs.choose(
            game.table, row.ctypes.data, stream.ctypes.data, game.policy("attack-first")
        )
    )


@pytest.mark.parametrize("setting", SETTINGS)
def test_attack_first_attacks_then_plays_then_ends(setting):
    game = Duel(**setting)
    for seed in range(5):
        for world in random_positions(game, seed):
            if not world.over:
                action, legal = chosen(game, world, 9), world.legal()
                assert action in legal
                assert kind_of(action) == max(kind_of(each) for each in legal)


def test_attack_first_likes_all_creatures_and_targets_alike():
    mine, theirs = (
        [creature(SQUIRE, health, 1) for health in (1, 2)],
        [creature(OGRE, health, 0) for health in (2, 3, 4)],
    )
    game = Duel()
    world = placed(game, {SPARK: 1}, mine=mine, theirs=theirs)
    picks = Counter(chosen(game, world, seed) for seed in range(2000))
    assert len(picks) == 8
    assert all(abs(count - 250) < 80 for count in picks.values())


@pytest.mark.parametrize("setting", SETTINGS)
def test_representatives_are_few_and_of_every_kind(setting):
    game = Duel(**setting)
    for world in random_positions(game, 6):
        if not world.over:
            out, row = np.zeros(game.most_actions, np.int32), world.row()
            few = out[: game.verbs.represent(game.table, row.ctypes.data, out.ctypes.data)].tolist()
            assert set(few) <= set(world.legal())
            assert len(few) == len(set(few))
            assert max(Counter(unpack(action)[:2] for action in few).values()) <= 2
            assert {unpack(action)[:2] for action in few} == {
                unpack(action)[:2] for action in world.legal()
            }


# -- solved, twice ---------------------------------------------------------------------------------


SMALL = [
    ({"kinds": 2, "copies": 1, "health": 3, "hand": 0, "mana": 1, "board": 1}, 1.0, 341),
    ({"kinds": 3, "copies": 1, "health": 4, "hand": 1, "mana": 2, "board": 2}, 1 / 3, 5702),
    ({"kinds": 2, "copies": 2, "health": 4, "hand": 1, "mana": 2, "board": 2}, 0.0, 19923),
    ({"kinds": 4, "copies": 1, "health": 3, "hand": 0, "mana": 2, "board": 1}, 1 / 36, 42300),
]


@pytest.mark.parametrize(("setting", "value", "positions"), SMALL)
def test_small_games_have_the_same_value_by_two_ways(setting, value, positions):
    assert NaiveDuel(**setting).solve() == (pytest.approx(value, abs=1e-9), positions)
    assert solved(deals(Duel(**setting, open_hands=True))) == (
        pytest.approx(value, abs=1e-9),
        positions,
    )


@pytest.mark.parametrize("seed", range(5))
def test_every_action_of_a_whole_game_leads_where_the_naive_rules_say(seed):
    game = Duel()
    naive = NaiveDuel(
        **{name: value for name, value in game.parameters.items() if name != "open_hands"}
    )
    for world in random_positions(game, seed):
        if not world.over:
            ours = [
                summed((chance, as_naive(after)) for chance, after in outcomes(world, action))
                for action in world.legal()
            ]
            assert Counter(ours) == Counter(
                summed(afters) for afters in naive.choices(as_naive(world))
            )
