"""The starter AI of Duelyst: decisions in positions that show its rules, and what it ignores."""

import numpy as np
import pytest

from plyglass.core.compile import JIT, interpreted
from plyglass.games.duelyst.cards.catalog import all_advice, cards, numbers
from plyglass.games.duelyst.cards.decks import starters
from plyglass.games.duelyst.starter.moves import usable_units
from plyglass.games.duelyst.view import Position
from tests.games.duelyst_positions import changed, game, name_of, position, start


def chosen(world, seed=1):
    stream, row = np.array([seed], np.uint64), world.row()
    return int(
        world.game.verbs.choose(
            world.game.table, row.ctypes.data, stream.ctypes.data, world.game.policy("starter")
        )
    )


def at(*units, replaced=1, **options):
    """A position in which no card can be replaced."""
    return changed(position(*units, **options), replaced=[replaced, replaced])


def decision(*units, seed=1, **options):
    world = at(*units, **options)
    return name_of(world, chosen(world, seed))


def decisions(count, *units, **options):
    """The names of the next decisions, one after the other."""
    world, found = at(*units, **options), []
    for _ in range(count):
        action = chosen(world)
        found.append(name_of(world, action))
        world.apply(action)
    return found


# -- cards that are not kept -----------------------------------------------------------------------


def test_before_the_game_spells_artifacts_and_dear_cards_are_exchanged():
    hand = [
        "windblade_adept",
        "tempest",
        "silverguard_knight",
        "hailstone_golem",
        "sunstone_bracers",
        "bonechill_barrier",
    ]
    world = game(opening=6).start(1)
    numbered = [numbers()[card] for card in hand]
    world = changed(world, hand=[numbered, numbered])
    assert (
        name_of(world, chosen(world)) == "exchange 2+4+5"
    )  # the first player has two mana and keeps what costs three


def test_no_more_cards_are_exchanged_than_may_be():
    world = game(opening=5, marks=2).start(1)
    numbered = [numbers()["tempest"]] * 5 + [0]
    world = changed(world, hand=[numbered, numbered])
    assert name_of(world, chosen(world)) == "exchange 1+2"


OWN_RULES = {"always_replace": False, "replaced": 0, "deck": "tempest war_surge"}


@pytest.mark.parametrize(
    ("hand", "mana", "replaced"),
    [
        ("windblade_adept drybone_golem", 5, {"drybone_golem"}),
        ("windblade_adept necroseer windblade_adept", 9, {"windblade_adept"}),
        (
            "windblade_adept tempest war_surge true_strike",
            1,
            {"tempest", "war_surge", "true_strike"},
        ),
        (
            "windblade_adept sunstone_bracers staff_of_ykir",
            1,
            {"sunstone_bracers", "staff_of_ykir"},
        ),
        ("tempest sunstone_bracers", 1, {"tempest", "sunstone_bracers"}),
    ],
    ids=["too dear", "twice", "many spells", "many artifacts", "no minion"],
)
def test_a_card_is_replaced_by_the_rules_of_the_program(hand, mana, replaced):
    found = {decision(hand=hand, mana=mana, seed=seed, **OWN_RULES) for seed in range(12)}
    assert found == {f"replace {card}" for card in replaced}


def test_a_good_hand_is_kept_unless_a_card_is_always_replaced():
    assert decision(hand="windblade_adept tempest", mana=1, **OWN_RULES) == "move a3 c3"
    found = {
        decision(hand="windblade_adept tempest", mana=1, seed=seed, replaced=0, deck="war_surge")
        for seed in range(12)
    }
    assert found == {"replace windblade_adept", "replace tempest"}


def test_without_a_deck_nothing_is_replaced():
    assert decision(hand="drybone_golem drybone_golem", mana=1, replaced=0, deck="") == "move a3 c3"


# -- cards that are played -------------------------------------------------------------------------


def test_the_best_card_comes_first_and_good_ones_when_units_have_acted():
    found = decisions(
        3, "windblade_adept@b3*", "stormmetal_golem@c3", hand="martyrdom windblade_adept"
    )
    assert found[:2] == ["play martyrdom c3", "move a3 c3"]
    assert found[2].startswith("play windblade_adept")


def test_who_watches_and_who_grows_is_played_early_in_this_order():
    found = decisions(2, hand="shadow_watcher bloodtide_priestess", mana=7)
    assert [name.split()[1] for name in found] == ["bloodtide_priestess", "shadow_watcher"]
    assert decision(hand="necroseer chakri_avatar").startswith("play chakri_avatar")


def test_artifacts_that_raise_attack_wait_for_a_second_one_or_a_full_hand():
    assert decisions(2, hand="sunstone_bracers") == ["move a3 c3", "end turn"]
    assert decision(hand="sunstone_bracers staff_of_ykir") == "play staff_of_ykir"
    assert (
        decision(hand="sunstone_bracers tempest tempest tempest tempest tempest")
        == "play sunstone_bracers"
    )
    assert decision(hand="bloodrage_mask") == "play bloodrage_mask"
    assert decisions(2, hand="adamantite_claws") == [
        "move a3 c3",
        "play adamantite_claws",
    ]  # worth more than 40


def test_plasma_storm_is_played_for_one_weak_enemy_whatever_it_costs():
    own = "windblade_adept@b3* silverguard_knight@b4*"
    assert decision(own, "windblade_adept@g3", hand="plasma_storm") == "play plasma_storm"
    assert decision(own, "stormmetal_golem@g3", hand="plasma_storm") != "play plasma_storm"


def test_shadow_nova_wants_a_dying_enemy_and_another_one_beside_him():
    assert (
        decision("", "phalanxar@e3 windblade_adept@f4", hand="shadow_nova") == "play shadow_nova e3"
    )
    assert "shadow_nova" not in decision("", "phalanxar@e3", hand="shadow_nova")
    assert "shadow_nova" not in decision(
        "", "hailstone_golem@e3 windblade_adept@f4", hand="shadow_nova"
    )


def test_a_lure_goes_for_the_dying_and_else_for_the_strong_and_sends_him_away():
    assert (
        decision("", "phalanxar@c3 stormmetal_golem@d3", hand="daemonic_lure")
        == "play daemonic_lure c3"
    )
    assert decisions(2, "", "stormmetal_golem@c3 windblade_adept@d3", hand="daemonic_lure") == [
        "play daemonic_lure c3",
        "choose i1",
    ]
    assert "daemonic_lure" not in decision("", "windblade_adept@d3", hand="daemonic_lure")


def test_a_seal_that_moves_takes_the_minion_where_the_general_would_like_to_be():
    found = decisions(
        3,
        "general@c3* windblade_adept@b3* silverguard_knight@a1*",
        "hailstone_golem@e3*",
        hand="mist_dragon_seal",
    )
    assert found[0] == "play mist_dragon_seal b3"
    assert found[1] in (
        "choose d2",
        "choose d3",
        "choose d4",
    )  # beside the general, and beside the enemy


def test_followups_go_where_the_intents_say_and_are_declined_without_any():
    assert (
        decisions(
            2, "hailstone_golem@b3* windblade_adept@b2* general@a3*", hand="primordial_gazer"
        )[1]
        == "choose b3"
    )
    assert [name.split()[0] for name in decisions(4, "general@a3*", hand="wraithling_swarm")] == [
        "play",
        "choose",
        "choose",
        "end",
    ]
    assert (
        decisions(2, "general@c3*", "hailstone_golem@d3", hand="repulsor_beast")[1]
        == "choose nothing"
    )


def test_spells_without_advice_are_played_anywhere_but_buffs_and_debuffs_are_kept():
    assert decision("general@a3*", hand="dance_of_dreams") == "play dance_of_dreams"
    found = {
        decision(
            "hailstone_golem@b3* general@a3*",
            "phalanxar@g3 windblade_adept@g4",
            hand="onyx_bear_seal",
            seed=seed,
        )
        for seed in range(20)
    }
    assert len(found) > 1
    assert (
        decision(
            "hailstone_golem@b3* general@a3*", "phalanxar@g3", hand="divine_bond dampening_wave"
        )
        == "end turn"
    )


def test_a_harmless_card_is_only_played_out_of_a_full_hand():
    assert decision("general@a3*", hand="ghost_lightning") == "end turn"
    assert decision("general@a3*", hand=" ".join(["ghost_lightning"] * 6)) == "play ghost_lightning"


def test_a_spell_that_hurts_friends_more_than_enemies_is_kept():
    assert decision("phalanxar@b3* general@a3*", "hailstone_golem@g3", hand="tempest") == "end turn"
    assert (
        decision("hailstone_golem@b3* general@a3*", "windblade_adept@g3-1", hand="tempest")
        == "play tempest"
    )


def test_a_draw_is_worth_more_with_fewer_cards():
    assert (
        decision("windblade_adept@b3* general@a3*", hand="scions_first_wish")
        == "play scions_first_wish b3"
    )


# -- units -----------------------------------------------------------------------------------------


def test_who_can_kill_attacks_before_others_move():
    assert (
        decision("hailstone_golem@e3", "windblade_adept@f3 stormmetal_golem@f4") == "attack e3 f3"
    )


def test_a_card_helps_if_it_makes_a_kill():
    enemy = "stormmetal_golem@f4"
    assert decisions(2, "hailstone_golem@e3 general@a3*", enemy, hand="divine_bond") == [
        "play divine_bond e3",
        "attack e3 f4",
    ]
    assert (
        decision("hailstone_golem@e3-3 general@a3*", enemy, hand="divine_bond") == "attack e3 f4"
    )  # not enough, a bad trade
    assert decisions(2, "general@f3", "windblade_adept@g3", hand="sunstone_bracers") == [
        "play sunstone_bracers",
        "attack f3 g3",
    ]


def test_nothing_that_lasts_is_spent_on_who_is_gone_tomorrow():
    own, enemy = "wind_dervish@e3 general@a3*", "silverguard_knight@f3"
    assert decision(own, enemy, hand="saberspine_seal") == "play saberspine_seal e3"
    assert decision(own, enemy, hand="greater_fortitude") != "play greater_fortitude e3"


def test_units_walk_to_springs_and_enemies():
    assert decision() == "move a3 c3"
    assert decision("general@a1", springs=True) == "move a1 c1"
    assert decision("hailstone_golem@c1 general@a3*", "windblade_adept@c5*") == "move c1 c3"


def test_who_shoots_keeps_away():
    own, enemy = "widowmaker@c3 general@a3*", "hailstone_golem@d3"
    assert decisions(2, own, enemy) == ["move c3 b3", "attack b3 i3"]
    assert decisions(2, "general@a3*", enemy, hand="widowmaker")[0] in (
        "play widowmaker a4",
        "play widowmaker a2",
    )


def test_a_weak_general_runs():
    away = decision("general@c3-18", "stormmetal_golem@d4*")
    assert away in ("move c3 a3", "move c3 b2", "move c3 c1")
    assert decision("general@c3", "windblade_adept@e4*") in (
        "move c3 d3",
        "move c3 d4",
        "move c3 e3",
        "move c3 d3",
    )


def test_a_minion_makes_bad_trades_but_a_general_does_not():
    assert decision("phalanxar@e3 general@a3*", "stormmetal_golem@f3") == "attack e3 f3"
    assert decision("general@e3", "stormmetal_golem@f3") == "end turn"
    assert decision("general@e3-10", "necroseer@f3") == "end turn"  # 5 are more than 30 % of 15
    assert decision("general@e3", "necroseer@f3") == "attack e3 f3"


def test_a_general_takes_the_risk_when_all_attacks_together_win():
    enemy = "general@f3-22 hailstone_golem@f4"
    assert decision("general@e3-20 hailstone_golem@e2", enemy) == "attack e2 f3"
    assert decisions(2, "general@e3-20 windblade_adept@g4", "general@f3-20")[-1].startswith(
        "attack"
    )


def test_burning_the_general_counts_for_the_kill():
    world = at("general@g3*", "general@i3-22", hand="phoenix_fire")
    world.apply(chosen(world))
    assert world.over and world.scores == [1.0, -1.0]


def test_who_comes_again_is_left_alone():
    assert decision("general@e3", "sarlac_the_eternal@f3") == "end turn"
    assert decision("general@e3", "wraithling@f3 bloodtide_priestess@i5") == "end turn"
    assert decision("general@e3", "wraithling@f3") == "attack e3 f3"


def test_somebody_else_breaks_a_forcefield_first():
    own = "stormmetal_golem@e3 windblade_adept@e4 general@a3*"
    assert decision(own, "crossbones@f3") == "attack e3 f3"
    shielded = next(
        card.id
        for card in cards()
        if "forcefield" in card.keywords and not card.token and card.type == "minion"
    )
    assert decision(own, f"{shielded}@f3") == "attack e4 f3"


def test_an_egg_is_attacked_at_once_and_laid_only_if_somebody_gets_at_it():
    assert decisions(
        2, "hailstone_golem@e3 windblade_adept@e4 general@a3*", "young_silithar@f3-1"
    ) == ["attack e3 f3", "attack e4 f3"]
    assert "attack" not in decision("hailstone_golem@e3 general@a3*", "young_silithar@f3-1")


def test_only_the_first_unit_is_sure_to_be_the_best():
    """The list takes units by age, and puts each behind the last one that is worth no more.

    So the adept stays before the golem.
    """
    world = at("stormmetal_golem@e3 windblade_adept@e4 hailstone_golem@e2 general@a3*")
    seen = Position(world.record, world.game.constants_record[0])
    order = np.zeros(60, np.int64)
    count = interpreted(usable_units)(seen.r, seen.s, order)
    names = [cards()[int(world.record["card"][unit])].id for unit in order[:count]]
    assert names == ["stormmetal_golem", "windblade_adept", "hailstone_golem"]


# -- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("faction", list(starters()))
def test_games_are_played_to_the_end_with_legal_actions(faction):
    world = start(f"{faction}+lyonar", 2, turns=200 if JIT else 6)
    while not world.over:
        world.apply(chosen(world, int(world.record["ply"]) + 1))
    assert world.record["turn"] > 4


def test_what_is_hidden_is_not_looked_at():
    swapped = 0
    for seed in range(10 if JIT else 1):
        world = start("lyonar+lyonar", seed, turns=30 if JIT else 4)
        while not world.over:
            imagined = world.game.imagine(world.hide(world.to_move), seed)
            swapped += imagined != world
            assert chosen(imagined, 7) == chosen(world, 7)
            world.apply(chosen(world, 7))
    assert swapped > 10


def test_all_advice_is_about_cards_that_there_are():
    assert set(all_advice()) <= set(numbers())
