"""Cards that need rules of their own: Rook, Purgatos, Lady Locke, the Prophet, and others.

Chance is enumerated, so the probabilities are exact.
"""

from collections import Counter

import pytest

from plyglass.core.table import POSTPONED, SAMPLED
from plyglass.core.tape import outcomes
from plyglass.games.duelyst import Duelyst
from plyglass.games.duelyst.cards.catalog import cards, numbers, pool_of
from plyglass.games.duelyst.cards.tables import bits_of
from tests.games.duelyst_positions import (
    CELL,
    act,
    changed,
    count_of,
    field,
    general_health,
    held,
    keywords_on,
    names,
    position,
    unit_on,
)

LEARNED = {"learned infiltrate", "learned zeal", "learned deathwatch"}
LESSONS = {"blast", "backstab", "grow"} | LEARNED


def spread(world, action, seen):
    """The probability of each thing that is `seen` after an action."""
    found = Counter()
    for share, after in outcomes(world, names(world)[action]):
        found[seen(after)] += share
    assert sum(found.values()) == pytest.approx(1.0)
    return found


def rook(*lessons, where="b3", own="", enemy="", **options):
    """A position with a rook that has learned something."""
    world = position(f"rook@{where} {own}", enemy, **options)
    keywords = world.record["keywords"].copy()
    keywords[world.record["at"][CELL[where]]] |= bits_of(lessons)
    return changed(world, keywords=keywords)


# -- Rook ------------------------------------------------------------------------------------------


def test_rook_learns_one_of_six_things_at_the_end_of_each_of_its_turns():
    world = position("rook@b1", deck="")
    assert spread(world, "end turn", lambda after: frozenset(keywords_on(after, "b1"))) == (
        pytest.approx({frozenset({lesson}): 1 / 6 for lesson in LESSONS})
    )


def test_rook_learns_nothing_twice_and_then_everything():
    known = LESSONS - {"grow", "learned zeal"}
    world = rook(*known, where="e1", deck="")
    found = spread(world, "end turn", lambda after: frozenset(keywords_on(after, "e1") - known))
    assert found == pytest.approx({frozenset({"grow"}): 0.5, frozenset({"learned zeal"}): 0.5})
    assert keywords_on(act(rook(*LESSONS, deck="tempest tempest"), "end turn"), "b3") == LESSONS


def test_rook_does_not_learn_in_the_enemys_turn():
    world = act(position(enemy="rook@e1"), "end turn")
    assert keywords_on(world, "e1") == set()


def test_rook_knows_nothing_before_it_has_learned_it():
    world = position("general@a3-9 rook@h2-3", "hailstone_golem@h3 maw@c1-1", hand="true_strike")
    assert unit_on(world, "h2") == "rook 5/2"  # on the enemy's side
    act(world, "play true_strike c1")
    assert held(world) == []  # after a death
    act(world, "end turn")
    assert general_health(world, 0) == 16


def test_rook_that_has_learned_to_infiltrate_is_stronger_on_the_enemys_side():
    assert unit_on(rook("learned infiltrate", where="f1"), "f1") == "rook 10/5"
    assert unit_on(rook("learned infiltrate", where="e1"), "e1") == "rook 5/5"


def test_rook_that_has_learned_zeal_heals_itself_and_its_general_beside_it():
    others = LESSONS - {"learned zeal"}  # so nothing else is learned at random
    near = act(rook("learned zeal", *others, where="b3", own="general@a3-7"), "end turn")
    assert general_health(near, 0) == 23
    hurt = changed(rook("learned zeal", *others), damage=[0, 0, 0, 4] + [0] * 57)
    assert unit_on(act(hurt, "end turn"), "b3") == "rook 5/5"
    far = act(rook("learned zeal", *others, where="d3", own="general@a3-7"), "end turn")
    assert general_health(far, 0) == 18


def test_rook_that_has_learned_deathwatch_draws_up_to_five_cards():
    world = rook("learned deathwatch", enemy="maw@c1-1", hand="true_strike tempest")
    act(world, "play true_strike c1")
    assert len(held(world)) == 5
    full = rook("learned deathwatch", enemy="maw@c1-1", hand="true_strike " + "tempest " * 5)
    act(full, "play true_strike c1")
    assert len(held(full)) == 5


def test_rook_learns_backstab_grow_and_blast_of_its_own_size():
    grown = act(rook(*LESSONS, where="d1"), "end turn", "end turn")
    assert unit_on(grown, "d1") == "rook 10/10"
    behind = rook("backstab", where="f3", enemy="whistling_blade@e3")
    assert unit_on(act(behind, "attack f3 e3"), "e3") == "whistling_blade 2/5"
    line = rook("blast", where="b3", enemy="hailstone_golem@d3 hailstone_golem@f3")
    act(line, "attack b3 d3")
    assert unit_on(line, "f3") == "hailstone_golem 4/1"


def test_a_dispelled_rook_forgets_and_learns_no_more():
    world = rook("grow", "learned infiltrate", where="f1", hand="sun_bloom")
    act(world, "play sun_bloom f1", "end turn", "end turn")
    assert (unit_on(world, "f1"), keywords_on(world, "f1")) == ("rook 5/5", set())


# -- Purgatos --------------------------------------------------------------------------------------


def test_purgatos_hurts_the_enemy_general_or_heals_its_own():
    """Its own damage to the general does not count as a further occasion."""
    world = position("general@a3-10 purgatos_the_realmkeeper@b3", "kolossus@c3")
    found = spread(
        world, "attack b3 c3", lambda after: (general_health(after, 0), general_health(after, 1))
    )
    assert found == pytest.approx({(15, 22): 0.5, (18, 25): 0.5})


def test_purgatos_acts_when_it_strikes_back_too_but_not_when_it_only_suffers():
    world = position("hailstone_golem@c3", "purgatos_the_realmkeeper@d3", player=0)
    found = spread(world, "attack c3 d3", lambda after: general_health(after, 0))
    assert found == pytest.approx({22: 0.5, 25: 0.5})
    ranged = position("widowmaker@a1", "purgatos_the_realmkeeper@d3")
    assert general_health(act(ranged, "attack a1 d3"), 0) == 25


# -- Lady Locke ------------------------------------------------------------------------------------


def test_lady_locke_strengthens_whatever_is_summoned_later_in_the_turn():
    world = position(hand="lady_locke gloomchaser")
    act(world, "play lady_locke b3", "play gloomchaser b2")
    assert unit_on(world, "b2") == "gloomchaser 3/3"
    (token,) = [where for where in CELL if unit_on(world, where).startswith("wraithling")]
    assert unit_on(world, token) == "wraithling 2/2" and "provoke" in keywords_on(world, token)
    act(world, "end turn", "end turn")
    assert unit_on(world, "b2") == "gloomchaser 3/3"  # for good


def test_lady_locke_helps_neither_herself_nor_earlier_nor_enemy_minions():
    world = position(hand="maw lady_locke", enemy="hailstone_golem@e3", enemy_hand="maw")
    act(world, "play maw b2", "play lady_locke b3", "end turn", "play maw h3")
    assert [unit_on(world, where) for where in ("b2", "b3", "h3")] == [
        "maw 2/2", "lady_locke 2/3", "maw 2/2",
    ]  # fmt: skip


def test_lady_locke_helps_in_her_own_turn_only_and_even_when_she_is_dead():
    world = position(hand="lady_locke martyrdom maw maw")
    act(world, "play lady_locke b3", "play martyrdom b3", "play maw b2")
    assert unit_on(world, "b2") == "maw 3/3"
    act(world, "end turn", "end turn", "play maw b4")
    assert unit_on(world, "b4") == "maw 2/2"


def test_two_ladies_help_twice():
    world = position(hand="lady_locke lady_locke maw")
    act(world, "play lady_locke b3", "play lady_locke b2", "play maw b4")
    assert (unit_on(world, "b2"), unit_on(world, "b4")) == ("lady_locke 3/4", "maw 4/4")


def test_lady_lockes_help_comes_after_the_damage_of_a_hurry():
    world = position(hand="lady_locke flash_reincarnation maw")
    act(world, "play lady_locke b3", "play flash_reincarnation", "play maw b2")
    assert unit_on(world, "b2") == ""


def test_a_dispel_takes_lady_lockes_help_away():
    world = position(hand="lady_locke maw sun_bloom")
    act(world, "play lady_locke b3", "play maw b2", "play sun_bloom b1")
    assert unit_on(world, "b2") == "maw 2/2" and "provoke" not in keywords_on(world, "b2")


# -- Prophet of the White Palm ---------------------------------------------------------------------


def test_the_prophet_stops_the_damage_of_all_spells_until_the_next_own_turn():
    world = position(
        hand="prophet_of_the_white_palm tempest", enemy_hand="tempest", artifacts="snowpiercer"
    )
    act(world, "play prophet_of_the_white_palm b3", "play tempest", "end turn", "play tempest")
    assert (general_health(world, 0), general_health(world, 1)) == (25, 25)
    assert world.record["durability"][0, 0] == 3
    assert unit_on(world, "b3") == "prophet_of_the_white_palm 1/1"


def test_after_the_enemys_turn_spells_do_damage_again():
    world = position(hand="prophet_of_the_white_palm tempest")
    act(world, "play prophet_of_the_white_palm b3", "end turn", "end turn", "play tempest")
    assert (general_health(world, 0), general_health(world, 1)) == (23, 23)


def test_the_prophet_stops_neither_attacks_nor_abilities_nor_destruction():
    world = position(
        "hailstone_golem@b3 sunriser@e1 general@a3-5", "hailstone_golem@c3 phalanxar@f1",
        hand="prophet_of_the_white_palm sundrop_elixir martyrdom", deck="",
    )  # fmt: skip
    act(world, "play prophet_of_the_white_palm b2", "attack b3 c3")
    assert unit_on(world, "c3") == "hailstone_golem 4/2"
    act(world, "play sundrop_elixir a3")
    assert unit_on(world, "f1") == ""  # by an ability that watches healing
    act(world, "play martyrdom c3")
    assert unit_on(world, "c3") == ""


def test_a_second_prophet_begins_anew_and_does_not_last_longer():
    world = position(hand="prophet_of_the_white_palm prophet_of_the_white_palm tempest")
    act(world, "play prophet_of_the_white_palm b3", "play prophet_of_the_white_palm b2")
    act(world, "end turn", "end turn", "play tempest")
    assert general_health(world, 1) == 23


# -- Chrysalis Burst -------------------------------------------------------------------------------


def eggs(world):
    """The cards in the eggs, in order of age."""
    record = world.record
    return [
        cards()[int(record["hatch"][unit])]
        for unit in range(1, int(record["units"]) + 1)
        if record["hatch"][unit]
    ]


def test_chrysalis_burst_lays_one_egg_of_each_rarity():
    found = [set() for _ in range(4)]
    for seed in range(60):
        world = act(
            changed(position(hand="chrysalis_burst"), rng=1 + 77 * seed), "play chrysalis_burst"
        )
        laid = eggs(world)
        assert [card.rarity for card in laid] == ["common", "rare", "epic", "legendary"]
        for kind, card in zip(found, laid, strict=True):
            kind.add(card.id)
    assert found == [
        {"grimrock", "kolossus", "young_silithar", "veteran_silithar"},
        {"elucidator", "unstable_leviathan", "spirit_harvester"},
        {"makantor_warbeast", "kujata"},
        {"silithar_elder", "vindicator"},
    ]


def test_eggs_of_chrysalis_burst_hatch_before_the_next_own_turn():
    world = act(position(hand="chrysalis_burst"), "play chrysalis_burst", "end turn")
    laid = sorted(card.id for card in eggs(world))
    act(world, "end turn")
    record = world.record
    hatched = sorted(
        cards()[int(record["card"][unit])].id for unit in range(3, int(record["units"]) + 1)
    )
    assert hatched == laid and len(laid) == 4


def test_chrysalis_burst_leaves_out_what_has_no_room():
    crowd = [f"hailstone_golem@{where}" for where in CELL if where not in ("a3", "i3", "e5", "e1")]
    world = act(position(" ".join(crowd), hand="chrysalis_burst"), "play chrysalis_burst")
    assert [card.rarity for card in eggs(world)] == ["common", "rare"]


# -- Astral Crusader -------------------------------------------------------------------------------


def test_astral_crusader_becomes_stronger_and_cheaper_each_time_it_is_replaced():
    expected = [
        (7, 7, 6),
        (4, 10, 9),
        (1, 13, 12),
        (0, 16, 15),
        (0, 19, 18),
        (0, 22, 21),
        (0, 22, 21),
    ]
    name = "astral_crusader"
    for mana, attack, health in expected:
        world = position(hand=name, deck="tempest")
        card = cards()[numbers()[name]]
        assert (card.mana, card.attack, card.health) == (mana, attack, health)
        played = act(world.copy(), f"play {name} b3")
        assert unit_on(played, "b3") == f"astral_crusader {attack}/{health}"
        assert played.record["mana"][0] == 9 - mana
        act(world, f"replace {name}")
        assert held(world) == ["tempest"] and world.record["left"][0] == 1
        name = cards()[int(world.record["deck"][0, 0])].id


def test_astral_crusader_is_an_ordinary_one_for_everything_on_the_board():
    world = position(hand="astral_crusader_2 sun_bloom", deck="")
    act(world, "play astral_crusader_2 b3")
    assert world.record["shown"][0, 0] == numbers()["astral_crusader"]
    act(world, "play sun_bloom b3")
    assert unit_on(world, "b3") == "astral_crusader 7/6"


def test_astral_crusader_returns_and_comes_back_without_what_it_had_gained():
    world = position(hand="astral_crusader_1 hailstone_prison", deck="")
    act(world, "play astral_crusader_1 b3", "play hailstone_prison b3")
    assert held(world) == ["astral_crusader"]
    reborn = position(hand="astral_crusader_1 consuming_rebirth", deck="tempest tempest")
    act(reborn, "play astral_crusader_1 b3", "play consuming_rebirth b3", "end turn")
    assert unit_on(reborn, "b3") == "astral_crusader 8/7"


def test_astral_crusader_is_not_replaced_by_another_one_of_any_strength():
    world = position(hand="astral_crusader", deck="astral_crusader_1 astral_crusader_2 tempest")
    assert spread(world, "replace astral_crusader", lambda after: tuple(held(after))) == (
        pytest.approx({("tempest",): 1.0})
    )
    alone = position(hand="astral_crusader", deck="astral_crusader_2")
    assert held(act(alone, "replace astral_crusader")) == ["astral_crusader_2"]


def test_the_exchange_before_the_game_leaves_astral_crusader_as_it_is():
    hand = [numbers()["astral_crusader"]] * 3 + [0] * 3
    world = changed(position(deck="tempest tempest tempest"), phase=0, hand=[hand, hand])
    act(world, "exchange 1+2+3")
    assert [int(card) for card in world.record["deck"][0, :3]] == hand[:3]


def test_the_certain_part_of_a_replacement_has_the_stronger_card_in_the_deck():
    world = position(hand="astral_crusader tempest", deck="war_surge")
    told, there = foreseen(world, "replace astral_crusader")
    assert told == POSTPONED
    assert numbers()["astral_crusader_1"] in there.record["deck"][0]


def foreseen(world, action):
    there = world.copy()
    told = there.game.verbs.after(
        there.game.table, there.address, there.to_move, names(world)[action]
    )
    return told, there


# -- Dreamgazer ------------------------------------------------------------------------------------


def test_dreamgazer_that_is_replaced_comes_out_of_the_deck():
    world = position(hand="dreamgazer", deck="tempest war_surge")
    act(world, "replace dreamgazer")
    assert world.record["left"][0] == 1 and numbers()["dreamgazer"] not in world.record["deck"][0]
    assert world.record["shown"][0, 0] == numbers()["dreamgazer"]
    assert general_health(world, 0) == 23
    (where,) = [where for where in CELL if unit_on(world, where).startswith("dreamgazer")]
    assert field(world, "exhausted", where) == 1


def test_dreamgazer_comes_beside_the_general_on_any_space():
    world = position("hailstone_golem@b3", hand="dreamgazer", deck="tempest")
    found = spread(
        world,
        "replace dreamgazer",
        lambda after: next(where for where in CELL if unit_on(after, where)[:5] == "dream"),
    )
    assert found == pytest.approx(dict.fromkeys(("a2", "b2", "a4", "b4"), 0.25))


def test_dreamgazer_without_room_goes_into_the_deck_and_hurts_nobody():
    crowd = " ".join(f"hailstone_golem@{where}" for where in ("a2", "b2", "b3", "b4", "a4"))
    world = act(position(crowd, hand="dreamgazer", deck="tempest"), "replace dreamgazer")
    assert general_health(world, 0) == 25 and count_of(world, "dreamgazer") == 0
    assert int(world.record["deck"][0, 0]) == numbers()["dreamgazer"]


def test_dreamgazer_does_nothing_when_it_is_played_or_another_card_is_replaced():
    world = position(hand="dreamgazer tempest dreamgazer", deck="war_surge")
    act(world, "play dreamgazer b3", "replace tempest")
    assert general_health(world, 0) == 25 and count_of(world, "dreamgazer") == 1


def test_what_becomes_of_a_replaced_dreamgazer_is_not_foretold():
    told, there = foreseen(
        position(hand="dreamgazer tempest", deck="war_surge"), "replace dreamgazer"
    )
    assert told == SAMPLED and count_of(there, "dreamgazer") == 1


def test_an_end_of_turn_at_which_a_minion_comes_back_is_not_foretold():
    world = act(position("phalanxar@c3", hand="consuming_rebirth"), "play consuming_rebirth c3")
    assert foreseen(world, "end turn")[0] == SAMPLED


# -- what is hidden --------------------------------------------------------------------------------


def imagined(world, times):
    """The enemy's cards in imagined worlds."""
    found = Counter()
    for seed in range(times):
        record = world.game.imagine(world.hide(0), seed).record
        found.update(int(card) for card in [*record["hand"][1], *record["deck"][1]] if card)
    return found


def test_the_enemy_may_hold_every_card_of_the_second_edition():
    for faction in ("abyssian", "magmar"):
        game = Duelyst(decks=f"lyonar+{faction}")
        found = imagined(game.start(1), 60)
        assert set(pool_of(faction)) <= set(found)


def test_an_enemy_who_has_replaced_cards_may_hold_a_stronger_astral_crusader():
    first, second = numbers()["astral_crusader"], numbers()["astral_crusader_1"]
    fresh = position()
    assert second not in imagined(fresh, 60)
    used = imagined(changed(fresh, exchanges=[0, 12]), 120)
    assert 0 < used[second] < used[first]


def test_replacements_of_both_players_are_counted_and_seen():
    world = position(hand="tempest", deck="war_surge " * 5)
    act(world, "replace tempest", "end turn", "end turn", "replace war_surge")
    assert world.record["exchanges"].tolist() == [2, 0]
    assert world.hide(1).record["exchanges"].tolist() == [2, 0]


def test_a_view_does_not_tell_how_strong_the_enemys_astral_crusader_is():
    hands = ["astral_crusader", "astral_crusader_3", "dreamgazer", "tempest"]
    assert len({position(enemy_hand=hand, deck="tempest").hide(0) for hand in hands}) == 1


def test_an_enemys_replaced_dreamgazer_is_known_to_be_spent():
    world = position(hand="dreamgazer", deck="tempest tempest", player=1)
    act(world, "replace dreamgazer")
    assert world.hide(0).record["shown"][1, 0] == numbers()["dreamgazer"]
    for seed in range(30):
        record = world.game.imagine(world.hide(0), seed).record
        cards_of_enemy = [*record["hand"][1], *record["deck"][1]]
        assert cards_of_enemy.count(numbers()["dreamgazer"]) <= 2
