"""Duelyst under audit: random play of all decks, the conformance check, and equal views."""

import itertools
import json

import numpy as np
import pytest

from plyglass.bench.rules import rule_speeds
from plyglass.core.check import check
from plyglass.core.compile import JIT
from plyglass.games.duelyst import Duelyst
from plyglass.games.duelyst.cards.catalog import cards, pool_of
from plyglass.games.duelyst.cards.decks import COPIES, SIZE, starters
from plyglass.games.duelyst.engine.board import CELLS
from plyglass.games.duelyst.engine.graveyard import TIMES
from tests.games.duelyst_positions import position, start
from tests.sizes import sized

PAIRS = [f"{one}+{other}" for one, other in itertools.combinations_with_replacement(starters(), 2)]


def any_cards(faction, seed):
    """A deck of any cards of a faction."""
    return np.random.default_rng(seed).permutation(np.repeat(pool_of(faction), COPIES))[:SIZE]


def newest_cards(faction, seed):
    """A deck with three copies of each card of the second edition, and any others."""
    newest = [card for card in pool_of(faction) if cards()[card].edition > 1]
    others = [card for card in any_cards(faction, seed) if card not in newest]
    return np.array([*newest * COPIES, *others][:SIZE])


def whole_deck(folder, faction, seed):
    """A deck of the second edition and any other cards of a faction, as a file."""
    general = next(
        card.id for card in cards() if card.type == "general" and card.faction == faction
    )
    pile = newest_cards(faction, seed)
    counts = {cards()[card].id: int(np.count_nonzero(pile == card)) for card in pile}
    path = folder / f"{faction}{seed}.json"
    path.write_text(json.dumps({"general": general, "cards": counts}))
    return str(path)


def in_order(world):
    """What holds in every position: cells match units, piles fit, and no event was lost."""
    record = world.record
    assert not record["lost_events"]
    for unit in range(1, int(record["units"]) + 1):
        assert record["alive"][unit]
        assert record["at"][record["cell"][unit]] == unit
    assert np.count_nonzero(record["at"]) == record["units"]
    for player in range(2):
        left = int(record["left"][player])
        deck = record["deck"][player]
        assert (
            (deck[:left] > 0).all()
            and (deck[left:] == 0).all()
            and (np.diff(deck[:left]) <= 0).all()
        )
        assert 0 <= record["mana"][player] <= 9
        dead = record["dead"][player].astype(int)
        assert (np.diff(dead) <= 0).all() and (dead % TIMES < 3).all()
        assert all(cards()[number // TIMES].for_decks for number in dead if number)
    assert len(record["tile"]) == CELLS


def played(world, seed, most=400):
    """Play at random, but rarely end a turn that has more in it; returns the number of actions."""
    choice = np.random.default_rng(seed)
    for number in range(most):
        if world.over:
            return number
        actions = world.legal()
        world.apply(
            actions[choice.integers(len(actions) - (len(actions) > 1 and choice.random() < 0.8))]
        )
        in_order(world)
    return most


@pytest.mark.parametrize("decks", PAIRS)
def test_random_play_of_starter_decks_keeps_everything_in_order(decks):
    assert played(start(decks, 1), 1) > 50


@pytest.mark.parametrize("faction", list(starters()))
def test_random_play_with_all_cards_keeps_everything_in_order(faction):
    for seed in range(4 if JIT else 1):
        assert (
            played(start([any_cards(faction, seed), any_cards("vanar", seed + 100)], seed), seed)
            > 10
        )


@pytest.mark.parametrize("faction", ["abyssian", "magmar"])
def test_random_play_of_the_second_edition_keeps_everything_in_order(faction):
    for seed in range(6 if JIT else 1):
        decks = [newest_cards(faction, seed), newest_cards("abyssian", seed + 100)]
        assert played(start(decks, seed), seed, 400 if JIT else 60) > 10


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_a_million_random_actions_with_all_cards_keep_everything_in_order():
    total, seed, factions = 0, 0, list(starters())
    while total < sized(200_000, 1_000_000):
        seed += 1
        decks = [
            any_cards(factions[seed // step % len(factions)], seed) for step in (1, len(factions))
        ]
        total += played_fast(start(decks, seed, turns=1000), seed)


def played_fast(world, seed):
    """Play uniformly at random, and check some positions; returns the number of actions."""
    game, total = world.game, 0
    out, stream = np.empty(game.most_actions, np.int32), np.array([seed], np.uint64)
    while not world.over:
        total += game.verbs.playout(
            game.table, world.address, world.to_move, out.ctypes.data, stream.ctypes.data, 100
        )
        in_order(world)
    return total


@pytest.mark.skipif(not JIT, reason="the check compares compiled rules with interpreted ones")
def test_the_check_finds_nothing_with_all_cards(tmp_path, small_checks):
    decks = f"{whole_deck(tmp_path, 'magmar', 1)}+{whole_deck(tmp_path, 'abyssian', 2)}"
    report = check(Duelyst(decks=decks, turns=8, opening=5, burn=True), games=1)
    assert report.ok, str(report)


def test_a_view_does_not_tell_which_cards_the_enemy_has_or_where():
    hands = ["tempest war_surge", "war_surge tempest", "phoenix_fire hailstone_golem"]
    views = {position(enemy_hand=hand, deck="tempest").hide(0) for hand in hands}
    assert len(views) == 1
    assert position(enemy_hand="tempest", deck="tempest").hide(0) not in views


def test_worlds_have_cards_of_the_enemys_faction_up_to_three_of_each():
    world = Duelyst(decks="lyonar+magmar").start(1)
    fitting = set(pool_of("magmar"))
    for seed in range(20):
        imagined = world.game.imagine(world.hide(0), seed).record
        cards_of_enemy = [
            *imagined["hand"][1][imagined["hand"][1] > 0],
            *imagined["deck"][1][imagined["deck"][1] > 0],
        ]
        assert len(cards_of_enemy) == SIZE
        assert set(map(int, cards_of_enemy)) <= fitting
        assert np.unique(cards_of_enemy, return_counts=True)[1].max() <= COPIES


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_rules_and_copies_are_fast():
    """The aim is 200,000 actions per CPU second and copies in 0.3 microseconds.

    The bounds are lower, for busy machines.
    """
    ((name, actions, copies),) = rule_speeds(["duelyst"])
    print(
        f"{name}: {actions:,.0f} actions per CPU second, {1e6 / copies:.3f} microseconds for a copy"
    )
    assert actions > 70_000
    assert copies > 1e6
