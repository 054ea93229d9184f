"""Rules of Duelyst: turns, mana, cards, movement, combat, artifacts, and the order of events."""

import json

import pytest

from plyglass.games.duelyst import Duelyst, state
from plyglass.games.duelyst.cards.catalog import Card, numbers
from plyglass.games.duelyst.cards.decks import starters
from plyglass.games.duelyst.cards.tables import AbilityTable
from tests.games.duelyst_positions import (
    CELL,
    act,
    changed,
    field,
    game,
    general_health,
    held,
    keywords_on,
    names,
    position,
    unit_on,
)


def moves_of(world, where):
    return {name.split()[2] for name in names(world) if name.startswith(f"move {where} ")}


def attacks_of(world, where):
    return {name.split()[2] for name in names(world) if name.startswith(f"attack {where} ")}


# -- the start of a game ---------------------------------------------------------------------------


def test_both_players_exchange_cards_and_then_the_first_one_begins():
    world = game().start(3)
    assert len(held(world, 0)) == len(held(world, 1)) == 3
    assert len(world.legal()) == 8
    before = held(world, 0)
    act(world, "exchange 1+3")
    assert held(world, 0)[1] == before[1]
    assert world.record["left"].tolist() == [36, 36]
    act(world, "keep all")
    assert (world.to_move, world.record["mana"].tolist(), world.record["most_mana"].tolist()) == (
        0,
        [2, 0],
        [2, 3],
    )


def test_cards_that_are_exchanged_do_not_come_back_at_once():
    cards = [numbers()["war_surge"]] * 3 + [0] * 3
    world = changed(
        position(deck="tempest tempest tempest"), phase=state.MULLIGAN_PHASE, hand=[cards, cards]
    )
    act(world, "exchange 1+2+3")
    assert held(world, 0) == ["tempest"] * 3
    assert world.record["left"][0] == 3


def test_the_open_source_game_has_other_hands():
    world = Duelyst(opening=5, marks=2, draws=1).start(1)
    assert len(held(world, 0)) == 5
    assert len(world.legal()) == 1 + 5 + 10


def test_mana_grows_by_one_but_not_in_the_first_turns():
    world = act(game().start(1), "keep all", "keep all")
    seen = []
    for _ in range(6):
        seen.append(int(world.record["mana"][world.to_move]))
        act(world, "end turn")
    assert seen == [2, 3, 3, 4, 4, 5]


def test_mana_grows_to_nine_and_what_is_left_is_lost():
    world = act(position(mana=9), "end turn")
    assert world.record["mana"].tolist() == [0, 9]


# -- cards -----------------------------------------------------------------------------------------


def test_two_cards_are_drawn_at_the_end_of_a_turn():
    assert len(held(act(position(), "end turn"))) == 2


def test_with_a_full_hand_nothing_is_drawn():
    world = act(position(hand="tempest tempest tempest war_surge war_surge"), "end turn")
    assert len(held(world)) == 6
    assert world.record["left"][0] == 35


def test_in_the_open_source_game_a_card_without_room_is_lost():
    world = act(
        position(hand="tempest tempest tempest war_surge war_surge war_surge", burn=True),
        "end turn",
    )
    assert world.record["left"][0] == 34


def test_an_empty_deck_hurts_by_two_for_each_card():
    world = act(position(deck="tempest", artifacts="snowpiercer"), "end turn")
    assert general_health(world, 0) == 23
    assert world.record["durability"][0, 0] == 2


def test_a_replaced_card_is_another_one_in_the_same_place_once_a_turn():
    for _ in range(5):
        world = act(
            position(hand="war_surge tempest", deck="tempest tempest tempest war_surge"),
            "replace tempest",
        )
        assert held(world) == ["war_surge", "war_surge"]
    assert not any(name.startswith("replace") for name in names(world))
    assert any(name.startswith("replace") for name in names(act(world, "end turn", "end turn")))


def test_a_replaced_card_is_the_same_if_there_is_no_other():
    assert held(act(position(hand="tempest", deck="tempest tempest"), "replace tempest")) == [
        "tempest"
    ]


def test_nothing_is_replaced_with_an_empty_deck():
    assert not any(name.startswith("replace") for name in names(position(hand="tempest", deck="")))


def test_a_card_that_costs_too_much_cannot_be_played():
    assert not any(name.startswith("play") for name in names(position(hand="tempest", mana=1)))


def test_a_spell_needs_a_target_of_its_kind():
    assert not any(
        name.startswith("play") for name in names(position(hand="true_strike divine_bond"))
    )
    assert "play war_surge" in names(position(hand="war_surge"))


def test_squares_lie_on_the_board():
    places = {
        name.split()[2] for name in names(position(hand="shadow_nova")) if name.startswith("play")
    }
    assert len(places) == 32
    assert "h4" in places and "i4" not in places and "h5" not in places


def test_some_spells_need_more():
    assert not any(
        name.startswith("play")
        for name in names(position(own="phalanxar@c3", hand="juxtaposition"))
    )
    assert not any(
        name.startswith("play")
        for name in names(position(enemy="phalanxar@c3", hand="twin_strike"))
    )
    assert not any(
        name.startswith("play")
        for name in names(position(own="phalanxar@b3", enemy="phalanxar@e3", hand="magnetize"))
    )


def test_enemy_spells_cannot_be_aimed_at_who_is_elusive():
    assert "play true_strike e3" not in names(position(enemy="sand_howler@e3", hand="true_strike"))
    assert "play true_strike b3" in names(position(own="sand_howler@b3", hand="true_strike"))


# -- summoning and springs -------------------------------------------------------------------------


def test_a_minion_is_put_beside_own_units_and_is_exhausted():
    world = position(own="phalanxar@e1", hand="hailstone_golem")
    places = {name.split()[2] for name in names(world) if name.startswith("play")}
    assert places == {"a2", "b2", "b3", "a4", "b4", "d1", "f1", "d2", "e2", "f2"}
    act(world, "play hailstone_golem b3")
    assert not moves_of(world, "b3")
    assert moves_of(act(world, "end turn", "end turn"), "b3")


def test_airdrop_goes_anywhere():
    assert sum(name.startswith("play") for name in names(position(hand="planar_scout"))) == 43


def test_a_spring_gives_mana_once_to_whoever_stands_on_it():
    world = position(own="general@d1", springs=True, mana=3)
    act(world, "move d1 e1")
    assert world.record["mana"][0] == 4
    assert world.record["tile"][CELL["e1"]] == state.NO_TILE
    act(world, "end turn", "end turn")
    assert world.record["mana"][0] == 4  # one more as in every turn, but not two


def test_springs_are_where_the_rules_have_them():
    tiles = game(springs=True).start(1).record["tile"]
    assert {where for where, cell in CELL.items() if tiles[cell] == state.SPRING} == {
        "e1",
        "e5",
        "f3",
    }


# -- movement --------------------------------------------------------------------------------------


def test_a_unit_moves_two_steps():
    assert moves_of(position(own="hailstone_golem@e3"), "e3") == {
        "c3",
        "d3",
        "f3",
        "g3",
        "e1",
        "e2",
        "e4",
        "e5",
        "d2",
        "d4",
        "f2",
        "f4",
    }


def test_friends_let_pass_and_enemies_do_not():
    world = position(own="hailstone_golem@a1 phalanxar@b1", enemy="phalanxar@a2")
    assert moves_of(world, "a1") == {"c1", "b2"}


def test_who_flies_goes_anywhere():
    assert (
        len(
            moves_of(
                position(own="dragonlark@a1", enemy="phalanxar@b1 phalanxar@a2 phalanxar@b2"), "a1"
            )
        )
        == 45 - 6
    )


def test_who_has_attacked_does_not_move():
    world = act(position(own="hailstone_golem@b3", enemy="whistling_blade@c3"), "attack b3 c3")
    assert not moves_of(world, "b3") and not attacks_of(world, "b3")


def test_celerity_is_two_moves_and_two_attacks():
    world = position(own="lysian_brawler@b1", enemy="kolossus@e1 kolossus@e2")
    act(world, "move b1 d1", "attack d1 e1")
    assert moves_of(world, "d1") and not moves_of(act(world, "move d1 d2"), "d2")
    act(world, "attack d2 e1")
    assert not attacks_of(world, "d2")
    twice = act(
        position(own="lysian_brawler@b1", enemy="kolossus@f1"),
        "move b1 d1",
        "move d1 e1",
        "attack e1 f1",
    )
    assert not attacks_of(twice, "e1")


def test_who_provokes_holds_enemies_and_draws_their_attacks():
    world = position(
        own="hailstone_golem@d3 dragonlark@d2 widowmaker@a1",
        enemy="primus_shieldmaster@e3 phalanxar@e4",
    )
    assert not moves_of(world, "d3") and not moves_of(world, "d2")
    assert attacks_of(world, "d3") == {"e3"}
    assert attacks_of(world, "a1") == {"e3", "e4", "i3"}


def test_who_is_stunned_loses_the_next_turn_but_strikes_back():
    world = act(
        position(own="hailstone_golem@b3", enemy="whistling_blade@c3", hand="flash_freeze"),
        "play flash_freeze c3",
        "attack b3 c3",
    )
    assert unit_on(world, "b3") == "hailstone_golem 4/4"
    act(world, "end turn")
    assert not moves_of(world, "c3") and not attacks_of(world, "c3")
    act(world, "end turn", "end turn")
    assert attacks_of(world, "c3")


def test_who_is_stunned_in_his_own_turn_loses_the_next_one():
    world = act(
        position(own="hailstone_golem@b3", hand="flash_freeze"),
        "play flash_freeze b3",
        "end turn",
        "end turn",
    )
    assert not moves_of(world, "b3")
    assert moves_of(act(world, "end turn", "end turn"), "b3")


def test_structures_and_eggs_stay_where_they_are():
    world = position(own="ethereal_obelysk@c1 chrysalis_egg@e1")
    assert not moves_of(world, "c1") and not moves_of(world, "e1")


def test_a_structure_that_was_raised_does_not_attack():
    world = act(
        position(own="ethereal_obelysk@c1", enemy="phalanxar@d1", hand="war_surge"),
        "play war_surge",
    )
    assert unit_on(world, "c1") == "ethereal_obelysk 1/7"
    assert not attacks_of(world, "c1")


# -- combat ----------------------------------------------------------------------------------------


def test_both_strike_even_with_the_last_breath():
    world = act(position(own="phalanxar@b3", enemy="phalanxar@c3"), "attack b3 c3")
    assert unit_on(world, "b3") == unit_on(world, "c3") == ""


def test_zeal_counts_for_the_last_blow():
    world = act(position(enemy="silverguard_knight@h3", own="stormmetal_golem@g3"), "attack g3 h3")
    assert unit_on(world, "g3") == "stormmetal_golem 8/5"


def test_without_attack_there_is_no_attack():
    assert not attacks_of(position(own="swamp_entangler@b3", enemy="phalanxar@c3"), "b3")


def test_ranged_units_are_struck_back_only_in_reach():
    world = position(own="widowmaker@b3", enemy="hailstone_golem@h1 fire_spitter@h2 kolossus@c3")
    assert unit_on(act(world.copy(), "attack b3 h1"), "b3") == "widowmaker 2/3"
    assert unit_on(act(world.copy(), "attack b3 h2"), "b3") == ""
    assert unit_on(act(world.copy(), "attack b3 c3"), "b3") == "widowmaker 2/2"


def test_frenzy_hits_all_neighbours_but_only_the_victim_strikes_back():
    world = position(
        own="serpenti@d3",
        enemy="whistling_blade@e3 hailstone_golem@e4 phalanxar@c2 hailstone_golem@f3",
    )
    act(world, "attack d3 e3")
    assert [unit_on(world, where) for where in ("e3", "e4", "c2", "f3")] == [
        "whistling_blade 2/8",
        "",
        "",
        "hailstone_golem 4/6",
    ]
    assert unit_on(world, "d3") == "serpenti 7/2"


def test_blast_hits_a_line_and_a_diagonal_neighbour_alone():
    world = position(
        own="starfire_scarab@d3 phalanxar@f3",
        enemy="hailstone_golem@e3 hailstone_golem@g3 hailstone_golem@e4 hailstone_golem@d1",
    )
    assert attacks_of(world, "d3") == {"e3", "g3", "e4", "d1", "i3"}
    line = act(world.copy(), "attack d3 g3")
    assert [unit_on(line, where)[-3:] for where in ("e3", "g3", "e4", "f3")] == [
        "4/2",
        "4/2",
        "4/6",
        "6/1",
    ]
    assert unit_on(line, "d3") == "starfire_scarab 4/2"  # only a unit beside it strikes back
    assert general_health(line, 1) == 21
    corner = act(world.copy(), "attack d3 e4")
    assert [unit_on(corner, where)[-3:] for where in ("e3", "e4")] == ["4/6", "4/2"]


def test_backstab_hurts_more_from_behind_and_is_not_answered():
    world = position(own="scarlet_viper@f3 scarlet_viper@e4", enemy="whistling_blade@e3")
    assert unit_on(act(world.copy(), "attack f3 e3"), "e3") == "whistling_blade 2/9"
    assert unit_on(act(world.copy(), "attack f3 e3"), "f3") == "scarlet_viper 2/5"
    assert unit_on(act(world.copy(), "attack e4 e3"), "e3") == "whistling_blade 2/13"


def test_backstab_counts_for_blows_back():
    world = act(
        position(own="hailstone_golem@d3", enemy="scarlet_viper@c3", player=0), "attack d3 c3"
    )
    assert unit_on(world, "d3") == ""


def test_a_forcefield_takes_the_first_damage_of_every_turn():
    world = position(enemy="chassis_of_mechaz0r@e3", hand="true_strike true_strike ghost_lightning")
    act(world, "play true_strike e3")
    assert unit_on(world, "e3") == "chassis_of_mechaz0r 2/4"
    act(world, "play true_strike e3")
    assert unit_on(world, "e3") == "chassis_of_mechaz0r 2/2"
    act(world, "end turn", "end turn", "play ghost_lightning")
    assert unit_on(world, "e3") == "chassis_of_mechaz0r 2/2"


def test_who_spares_generals_or_cannot_be_attacked():
    world = act(
        position(own="hailstone_golem@h3", hand="mark_of_solitude"), "play mark_of_solitude h3"
    )
    assert attacks_of(world, "h3") == set()
    assert attacks_of(position(own="hailstone_golem@b3", enemy="panddo@c3"), "b3") == set()


def test_generals_do_no_harm_to_who_is_safe_from_them():
    world = act(position(enemy="silvertongue_corsair@b3"), "attack a3 b3")
    assert unit_on(world, "b3") == "silvertongue_corsair 3/3"
    assert general_health(world, 0) == 22


# -- artifacts -------------------------------------------------------------------------------------


def test_every_damage_wears_all_artifacts_and_the_third_breaks_them():
    world = position(own="general@h3", artifacts="snowpiercer staff_of_ykir")
    for turn in range(3):
        act(world, "attack h3 i3", *(["end turn", "end turn"] if turn < 2 else []))
    assert world.record["artifact"][0].tolist() == [0, 0, 0]
    assert general_health(world, 1) == 25 - 3 * 7


def test_a_fourth_artifact_takes_the_place_of_the_oldest():
    world = act(
        position(artifacts="snowpiercer staff_of_ykir staff_of_ykir", hand="sunstone_bracers"),
        "play sunstone_bracers",
    )
    assert unit_on(world, "a3") == "general 7/25"


def test_no_damage_wears_nothing():
    world = act(position(enemy="swamp_entangler@b3", artifacts="snowpiercer"), "attack a3 b3")
    assert world.record["durability"][0, 0] == 3


# -- eggs and dispels ------------------------------------------------------------------------------


def test_an_egg_hatches_before_the_next_turn_of_its_owner():
    world = act(position(own="young_silithar@b3", enemy="hailstone_golem@c3"), "attack b3 c3")
    assert unit_on(world, "b3") == "chrysalis_egg 0/1"
    act(world, "end turn")
    assert unit_on(world, "b3") == "chrysalis_egg 0/1"
    act(world, "end turn")
    assert unit_on(world, "b3") == "young_silithar 2/3"
    assert moves_of(world, "b3")


def test_an_egg_that_was_laid_in_the_enemys_turn_hatches_at_its_end():
    world = act(position(own="hailstone_golem@c3", enemy="young_silithar@d3"), "attack c3 d3")
    assert unit_on(world, "d3") == "chrysalis_egg 0/1"
    assert unit_on(act(world, "end turn"), "d3") == "young_silithar 2/3"


def test_a_dispelled_egg_does_not_hatch():
    world = act(
        position(
            own="hailstone_golem@c3", enemy="young_silithar@d3", hand="chromatic_cold sun_bloom"
        ),
        "attack c3 d3",
        "play sun_bloom d3",
    )
    assert unit_on(act(world, "end turn", "end turn", "end turn"), "d3") == "chrysalis_egg 0/1"


def test_a_dispel_takes_away_what_was_added_but_not_damage():
    world = position(own="phalanxar@b3", hand="greater_fortitude cosmic_flesh sun_bloom")
    act(world, "play greater_fortitude b3", "play cosmic_flesh b3")
    assert unit_on(world, "b3") == "phalanxar 9/6"
    act(world, "play sun_bloom b3")
    assert unit_on(world, "b3") == "phalanxar 6/1"
    assert keywords_on(world, "b3") == set()


def test_who_lives_by_what_a_dispel_takes_away_dies():
    world = position(
        own="phalanxar@b3", enemy="komodo_charger@c3", hand="greater_fortitude sun_bloom"
    )
    act(world, "play greater_fortitude b3", "attack b3 c3", "play sun_bloom b3")
    assert unit_on(world, "b3") == ""


def test_a_dispel_silences_dying_wishes_and_ends_walls():
    world = act(
        position(own="necroseer@b3 gravity_well_wall@b4", hand="sun_bloom martyrdom"),
        "play sun_bloom b3",
        "play martyrdom b3",
    )
    assert held(world) == []
    assert unit_on(world, "b4") == ""


def test_a_dispel_clears_tiles():
    world = act(position(hand="shadow_nova sun_bloom"), "play shadow_nova e3", "play sun_bloom e3")
    assert not (world.record["tile"] == state.CREEP).any()


def test_a_dispelled_minion_has_no_zeal_and_no_aura():
    world = act(
        position(own="second_sun@b3 first_sword_of_akrane@e1", hand="sun_bloom sun_bloom"),
        "play sun_bloom b3",
    )
    assert unit_on(world, "b3") == "second_sun 1/8"
    assert unit_on(act(world, "play sun_bloom e1"), "b3") == "second_sun 0/8"


# -- follow-ups and the order of things ------------------------------------------------------------


def test_a_choice_can_be_declined_and_nothing_else_can_be_done_before():
    world = act(position(own="phalanxar@b3", hand="primordial_gazer"), "play primordial_gazer b2")
    assert set(names(world)) == {"choose nothing", "choose b3"}
    act(world, "choose nothing")
    assert unit_on(world, "b3") == "phalanxar 6/1"
    assert "end turn" in names(world)


def test_what_watches_spells_acts_before_the_spell():
    world = act(position(own="chakri_avatar@b3", hand="tempest"), "play tempest")
    assert unit_on(world, "b3") == "chakri_avatar 2/1"


def test_deaths_come_before_what_watches_them():
    world = act(
        position(own="shadow_watcher@b3", enemy="phalanxar@e3", hand="tempest"), "play tempest"
    )
    assert unit_on(world, "b3") == ""


def test_damage_comes_before_the_wishes_of_the_dead():
    world = act(position(own="fenrir_warmaster@b3", hand="tempest"), "play tempest")
    assert unit_on(world, "b3") == "ghost_wolf 3/2"


def test_a_removed_unit_does_not_die():
    world = act(
        position(own="shadow_watcher@b3", enemy="necroseer@e3", hand="onyx_bear_seal"),
        "play onyx_bear_seal e3",
    )
    assert unit_on(world, "b3") == "shadow_watcher 2/2"
    assert held(world, 1) == []


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("older", [0, 1])
def test_cards_of_the_player_whose_turn_it_is_act_first(player, older):
    """Two priestesses see the same death, and one cell beside both is free.

    It goes to the priestess of the player to move, whichever came first.
    """
    own = "bloodtide_priestess@e2 " + " ".join(
        f"hailstone_golem@{where}" for where in ("d1", "e1", "f1", "d2", "f2", "d3", "f3")
    )
    enemy = "bloodtide_priestess@e4 phalanxar@h1 " + " ".join(
        f"hailstone_golem@{where}" for where in ("d4", "f4", "d5", "e5", "f5")
    )
    world = position(own=own, enemy=enemy, hand="ghost_lightning", player=player, older=older)
    act(world, "play ghost_lightning")
    assert unit_on(world, "e3") == "wraithling 1/1"
    assert field(world, "owner", "e3") == player


def test_creep_that_was_laid_at_the_end_of_a_turn_does_not_bite_yet():
    world = position(
        own="abyssal_crawler@a1 general@a3",
        enemy="hailstone_golem@a2 hailstone_golem@b1 hailstone_golem@b2",
    )
    act(world, "end turn")
    assert sum(field(world, "damage", where) for where in ("a2", "b1", "b2")) == 0
    act(world, "end turn", "end turn")
    assert sum(field(world, "damage", where) for where in ("a2", "b1", "b2")) == 1


def test_buffs_of_this_turn_end_before_the_enemys_turn():
    world = act(
        position(own="phalanxar@b3", hand="saberspine_seal"), "play saberspine_seal b3", "end turn"
    )
    assert unit_on(world, "b3") == "phalanxar 6/1"


# -- the end of a game -----------------------------------------------------------------------------


def test_who_kills_the_general_wins():
    world = act(position(enemy="general@i3-22", hand="phoenix_fire"), "play phoenix_fire i3")
    assert world.over
    assert world.scores == [1.0, -1.0]


def test_both_generals_at_once_is_a_draw():
    world = act(
        position(own="general@a3-24", enemy="general@i3-24", hand="tempest"), "play tempest"
    )
    assert world.over
    assert world.scores == [0.0, 0.0]


def test_a_lethal_attack_into_a_lethal_blow_back_is_a_draw():
    world = act(position(own="general@h3-24", enemy="general@i3-24"), "attack h3 i3")
    assert world.over
    assert world.scores == [0.0, 0.0]


def test_fatigue_can_end_the_game():
    world = act(position(own="general@a3-24", deck=""), "end turn")
    assert world.scores == [-1.0, 1.0]


def test_the_game_is_drawn_after_its_last_turn():
    world = act(game(turns=2).start(1), "keep all", "keep all", "end turn", "end turn")
    assert world.over
    assert world.scores == [0.0, 0.0]


# -- games and decks -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decks": "lyonar"}, "two names or files"),
        ({"decks": "lyonar+gnomes"}, "no deck 'gnomes'"),
        ({"opening": 7}, "0 to 6 cards"),
        ({"turns": 0}, "turns are 1 to"),
    ],
)
def test_odd_games_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Duelyst(**options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tempest": 4}, "1 to 3 are possible"),
        ({"tempest": 1}, "a deck has 39"),
        ({"tempest": 0, "bishop": 3}, "not in the game"),
        ({"tempest": 0, "phoenix_fire": 3}, "of another faction"),
        ({"tempest": 0, "ghost_wolf": 3}, "not a card for decks"),
    ],
)
def test_odd_decks_are_refused(tmp_path, change, message):
    deck = starters()["lyonar"]
    cards = {card: count for card, count in {**deck["cards"], **change}.items() if count}
    path = tmp_path / "deck.json"
    path.write_text(json.dumps({**deck, "cards": cards}))
    with pytest.raises(ValueError, match=message):
        Duelyst(decks=f"{path}+lyonar")


def test_a_card_with_an_ability_that_no_rule_knows_is_refused():
    card = Card("joker", "Joker", "neutral", "spell", 1, abilities=({"on": "cast", "do": "laugh"},))
    with pytest.raises(
        ValueError, match="'joker' cannot be played: the rules know no effect 'laugh'"
    ):
        AbilityTable().add(card, card.abilities)


def test_a_card_without_a_target_is_played_on_the_own_general():
    """Wherever the general is, and whatever stands on the first cell of the board."""
    world = position(own="general@d2 hailstone_golem@a1", hand="tempest sunstone_bracers")
    played = {
        name
        for action in world.legal()
        if (name := world.game.action_name(action)).startswith("play")
    }
    assert played == {"play 1 d2", "play 2 d2"}
