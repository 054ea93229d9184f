"""Cards that bring back the dead: Nether Summoning, Zurael, Keeper of the Vale, Consuming Rebirth.

Chance is enumerated, so the probabilities are exact.
"""

from collections import Counter
from random import Random

import numpy as np
import pytest

from plyglass.core.compile import JIT
from plyglass.core.tape import outcomes
from plyglass.games.duelyst import state
from plyglass.games.duelyst.cards.catalog import cards, numbers
from plyglass.games.duelyst.engine.graveyard import EARLIER, LAST_TURN, NOW, TIMES
from tests.games.duelyst_positions import (
    CELL,
    act,
    changed,
    count_of,
    field,
    names,
    position,
    start,
    unit_on,
)
from tests.games.naive_graveyard import NaiveGraveyard, deck
from tests.sizes import sized

WHEN = {"now": NOW, "last": LAST_TURN, "earlier": EARLIER}
BESIDE_GENERAL = ("a2", "b2", "b3", "b4", "a4")


def buried(world, **dead):
    """The same position with some dead, as in `own_last="phalanxar phalanxar"`."""
    lists = [[], []]
    for key, listed in dead.items():
        side, when = key.split("_")
        lists[side == "enemy"] += [TIMES * numbers()[card] + WHEN[when] for card in listed.split()]
    return changed(
        world,
        dead=[
            np.pad(sorted(each, reverse=True), (0, state.MOST_DEAD - len(each))) for each in lists
        ],
    )


def dead_of(world, player):
    """The dead of a player: (card, when) in order of their numbers."""
    return [
        (cards()[number // TIMES].id, number % TIMES)
        for number in map(int, world.record["dead"][player])
        if number
    ]


def minions(world):
    """All minions on the board, as (card, owner)."""
    record = world.record
    return sorted(
        (cards()[int(record["card"][unit])].id, int(record["owner"][unit]))
        for unit in range(1, int(record["units"]) + 1)
        if unit not in record["general"]
    )


def spread(world, action, seen):
    """The probability of each thing that is `seen` after an action."""
    found = Counter()
    for share, after in outcomes(world, names(world)[action]):
        found[seen(after)] += share
    assert sum(found.values()) == pytest.approx(1.0)
    return found


# -- what is remembered ----------------------------------------------------------------------------


def test_minions_that_died_are_remembered_by_owner_and_turn():
    world = position("phalanxar@b3", "hailstone_golem@c3 wraithling@e3", hand="ghost_lightning")
    act(world, "attack b3 c3", "play ghost_lightning")
    assert dead_of(world, 0) == [("phalanxar", NOW)]
    assert dead_of(world, 1) == [("hailstone_golem", NOW)]  # and no token
    act(world, "end turn")
    assert dead_of(world, 0) == [("phalanxar", LAST_TURN)]
    act(world, "end turn")
    assert dead_of(world, 0) == [("phalanxar", EARLIER)]
    assert dead_of(act(world, "end turn"), 0) == [("phalanxar", EARLIER)]


def test_a_minion_dies_for_whoever_controls_it():
    world = position(
        enemy="komodo_charger@b2", hand="zenrui_the_blightspawned martyrdom", own="general@a1"
    )
    act(world, "play zenrui_the_blightspawned b1", "choose b2", "play martyrdom b2")
    assert dead_of(world, 0) == [("komodo_charger", NOW)]
    assert dead_of(world, 1) == []


def test_what_is_returned_transformed_or_removed_has_not_died():
    world = position("wind_dervish@c1", "hailstone_golem@e3", hand="onyx_bear_seal", player=0)
    act(world, "play onyx_bear_seal e3", "end turn")
    assert dead_of(world, 0) == dead_of(world, 1) == []


def test_a_minion_that_leaves_an_egg_has_died_and_its_egg_is_a_token():
    world = position("hailstone_golem@c3", "young_silithar@d3", hand="true_strike")
    act(world, "attack c3 d3", "play true_strike d3")
    assert unit_on(world, "d3") == ""
    assert dead_of(world, 1) == [("young_silithar", NOW)]


def test_everybody_sees_the_dead():
    world = act(position("phalanxar@b3", "hailstone_golem@c3"), "attack b3 c3")
    for viewer in range(2):
        seen = world.hide(viewer).record
        assert (seen["dead"] == world.record["dead"]).all() and seen["dead"].any()


def test_when_there_is_no_room_the_further_dead_are_forgotten():
    full = buried(
        position("phalanxar@b3", "hailstone_golem@c3"), own_earlier="maw " * state.MOST_DEAD
    )
    act(full, "attack b3 c3")
    assert dead_of(full, 0) == [("maw", EARLIER)] * state.MOST_DEAD
    assert dead_of(full, 1) == [("hailstone_golem", NOW)]


def test_a_player_who_holds_such_a_card_reads_who_died():
    world = buried(
        position("phalanxar@c3", hand="nether_summoning consuming_rebirth"),
        own_last="maw", own_earlier="maw", enemy_now="rook",
    )  # fmt: skip
    act(world, "play consuming_rebirth c3")
    text = world.game.text(world.hide(0))
    assert "player 1 has lost Maw (last turn), Maw, Phalanxar (this turn)\n" in text
    assert "player 2 has lost Rook (this turn)\n" in text
    assert "c3 Phalanxar comes back at the end of the turn\n" in text
    assert "has lost" not in world.game.text(world.hide(1))


# -- Nether Summoning ------------------------------------------------------------------------------


def test_nether_summoning_finds_minions_of_both_players_since_ones_own_last_turn():
    world = buried(
        position(hand="nether_summoning"),
        own_now="maw", own_earlier="rook", enemy_last="phalanxar", enemy_earlier="kolossus",
    )  # fmt: skip
    found = spread(world, "play nether_summoning", lambda after: tuple(minions(after)))
    assert found == pytest.approx({(("maw", 0), ("phalanxar", 0)): 1.0})


def test_nether_summoning_takes_any_two_of_the_dead_but_none_twice():
    world = buried(position(hand="nether_summoning"), own_last="maw maw", enemy_now="phalanxar")
    found = spread(world, "play nether_summoning", lambda after: count_of(after, "maw"))
    assert found == pytest.approx({2: 1 / 3, 1: 2 / 3})


def test_nether_summoning_puts_them_beside_the_general_on_any_spaces():
    world = buried(
        position("hailstone_golem@b2 hailstone_golem@b3", hand="nether_summoning"),
        own_last="maw phalanxar",
    )

    def places(after):
        return tuple(where for where in CELL if unit_on(after, where).split()[:1] == ["maw"])

    assert spread(world, "play nether_summoning", places) == pytest.approx(
        {("a2",): 1 / 3, ("a4",): 1 / 3, ("b4",): 1 / 3}
    )


def test_nether_summoning_without_any_dead_does_nothing():
    world = act(position(hand="nether_summoning"), "play nether_summoning")
    assert minions(world) == [] and world.record["mana"][0] == 4


def test_nether_summoning_needs_room_beside_the_general():
    crowd = " ".join(f"hailstone_golem@{where}" for where in BESIDE_GENERAL[1:])
    world = buried(position(crowd, hand="nether_summoning"), own_last="maw maw maw")
    assert count_of(act(world, "play nether_summoning"), "maw") == 1
    assert unit_on(world, "a2") == "maw 2/2"


def test_who_comes_back_is_fresh_exhausted_and_has_no_opening_gambit():
    world = buried(
        position(own="general@a3-5", hand="nether_summoning"), own_last="emerald_rejuvenator"
    )
    act(world, "play nether_summoning")
    (where,) = [where for where in BESIDE_GENERAL if unit_on(world, where)]
    assert unit_on(world, where) == "emerald_rejuvenator 4/4"
    assert field(world, "exhausted", where) == 1
    assert unit_on(world, "a3") == "general 2/20"


# -- Zurael ----------------------------------------------------------------------------------------


def test_zurael_brings_back_all_own_minions_of_the_opponents_last_turn():
    world = buried(
        position(hand="zurael_the_lifegiver"),
        own_last="maw phalanxar phalanxar", own_now="rook", own_earlier="kolossus",
        enemy_last="jaxi",
    )  # fmt: skip
    act(world, "play zurael_the_lifegiver b3")
    assert minions(world) == [
        ("maw", 0), ("phalanxar", 0), ("phalanxar", 0), ("zurael_the_lifegiver", 0),
    ]  # fmt: skip


def test_zurael_puts_them_anywhere():
    world = buried(position(hand="zurael_the_lifegiver"), own_last="maw")
    places = spread(
        world,
        "play zurael_the_lifegiver b3",
        lambda after: next(where for where in CELL if unit_on(after, where)[:3] == "maw"),
    )
    assert len(places) == 45 - 3
    assert list(places.values()) == pytest.approx([1 / 42] * 42)


def test_zurael_brings_nobody_back_who_died_in_ones_own_turn():
    world = position("phalanxar@b3", "hailstone_golem@c3", hand="zurael_the_lifegiver")
    act(world, "attack b3 c3", "play zurael_the_lifegiver b2")
    assert minions(world) == [("zurael_the_lifegiver", 0)]
    late = position("phalanxar@b3", "hailstone_golem@c3", hand="zurael_the_lifegiver")
    act(late, "attack b3 c3", "end turn", "end turn", "play zurael_the_lifegiver b2")
    assert minions(late) == [("zurael_the_lifegiver", 0)]


def test_zurael_fills_the_board_at_most():
    crowd = [f"hailstone_golem@{where}" for where in CELL if where not in ("a3", "i3", "b3", "e5")]
    world = buried(position(" ".join(crowd), hand="zurael_the_lifegiver"), own_last="maw maw")
    act(world, "play zurael_the_lifegiver b3")
    assert unit_on(world, "e5") == "maw 2/2" and count_of(world, "maw") == 1


# -- Keeper of the Vale ----------------------------------------------------------------------------


def test_keeper_of_the_vale_asks_for_a_space_only_if_a_minion_has_died():
    alone = act(position(hand="keeper_of_the_vale"), "play keeper_of_the_vale b3")
    assert "end turn" in names(alone)
    foreign = buried(position(hand="keeper_of_the_vale"), enemy_last="maw")
    assert "end turn" in names(act(foreign, "play keeper_of_the_vale b3"))
    world = buried(position(hand="keeper_of_the_vale"), own_earlier="maw")
    act(world, "play keeper_of_the_vale b3")
    assert set(names(world)) == {
        "choose nothing", "choose a2", "choose b2", "choose c2", "choose c3", "choose a4",
        "choose b4", "choose c4",
    }  # fmt: skip


def test_keeper_of_the_vale_takes_any_of_ones_own_dead_of_the_whole_game():
    world = buried(
        position(hand="keeper_of_the_vale"),
        own_earlier="maw", own_last="maw", own_now="phalanxar rook", enemy_now="kolossus",
    )  # fmt: skip
    act(world, "play keeper_of_the_vale b3")
    found = spread(world, "choose c3", lambda after: unit_on(after, "c3").split()[0])
    assert found == pytest.approx({"maw": 0.5, "phalanxar": 0.25, "rook": 0.25})


def test_keeper_of_the_vale_may_find_the_same_minion_again():
    world = buried(position(hand="keeper_of_the_vale keeper_of_the_vale"), own_earlier="maw")
    act(world, "play keeper_of_the_vale b3", "choose c3", "end turn", "end turn")
    act(world, "play keeper_of_the_vale b2", "choose c1")
    assert unit_on(world, "c3") == unit_on(world, "c1") == "maw 2/2"


# -- Consuming Rebirth -----------------------------------------------------------------------------


def test_consuming_rebirth_brings_a_fresh_minion_back_at_the_end_of_the_turn():
    world = position(
        "phalanxar@c3 bloodtide_priestess@e1", hand="greater_fortitude consuming_rebirth"
    )
    act(world, "play greater_fortitude c3", "play consuming_rebirth c3")
    assert unit_on(world, "c3") == ""
    assert count_of(world, "wraithling") == 1  # it has died
    act(world, "end turn")
    assert unit_on(world, "c3") == "phalanxar 7/2"
    act(world, "end turn")
    assert any(name.startswith("move c3") for name in names(world))


def test_consuming_rebirth_brings_it_back_once_only():
    world = position("phalanxar@c3", "kolossus@d3", hand="consuming_rebirth")
    act(world, "play consuming_rebirth c3", "end turn", "end turn", "attack c3 d3", "end turn")
    assert count_of(world, "phalanxar") == 0
    assert not world.record["reborn"].any()


def test_what_comes_back_loses_its_gain_by_a_dispel():
    world = position("phalanxar@c3", hand="consuming_rebirth sun_bloom")
    act(world, "play consuming_rebirth c3", "end turn", "end turn", "play sun_bloom c3")
    assert unit_on(world, "c3") == "phalanxar 6/1"


def test_nobody_comes_back_to_a_space_that_is_taken():
    world = position("phalanxar@c3", hand="consuming_rebirth hailstone_golem dragonlark")
    act(world, "play dragonlark b4", "play consuming_rebirth c3", "play hailstone_golem c3")
    act(world, "end turn")
    assert unit_on(world, "c3") == "hailstone_golem 4/6" and count_of(world, "phalanxar") == 0
    egg = position("young_silithar@c3", hand="consuming_rebirth")
    act(egg, "play consuming_rebirth c3", "end turn")
    assert unit_on(egg, "c3") == "chrysalis_egg 0/1" and count_of(egg, "young_silithar") == 0


def test_who_comes_back_at_the_end_of_a_turn_is_not_in_time_for_its_own_end_of_turn():
    world = position("bonereaper@c3", "hailstone_golem@d3", hand="consuming_rebirth")
    act(world, "play consuming_rebirth c3", "end turn")
    assert unit_on(world, "c3") == "bonereaper 3/10"
    assert unit_on(world, "d3") == "hailstone_golem 4/6"


def test_tokens_come_back_too_and_several_in_the_order_in_which_they_went():
    world = position("wraithling@c3 phalanxar@d3", hand="consuming_rebirth consuming_rebirth")
    act(world, "play consuming_rebirth d3", "play consuming_rebirth c3", "end turn")
    assert (unit_on(world, "c3"), unit_on(world, "d3")) == ("wraithling 2/2", "phalanxar 7/2")
    record = world.record
    assert record["at"][CELL["d3"]] < record["at"][CELL["c3"]]


def test_consuming_rebirth_is_for_own_minions():
    world = position("phalanxar@c3", "phalanxar@d3", hand="consuming_rebirth")
    assert [name for name in names(world) if name.startswith("play")] == [
        "play consuming_rebirth c3"
    ]


# -- all of them, against a second version of the rules --------------------------------------------


def test_the_dead_are_those_of_a_naive_twin():
    brought, plies = Counter(), sized(600, 5000) if JIT else 150
    for seed in range(4):
        world, twin, chance = start([deck(), deck()], seed), NaiveGraveyard(), Random(seed)
        for _ in range(plies // 4):
            if world.over:
                break
            actions = world.legal()
            last = len(actions) > 1 and chance.random() < 0.8  # rarely end a turn early
            twin.watch(world, int(chance.choice(actions[: len(actions) - last])))
            assert world.over or twin.matches(world)
        brought += twin.brought
    kinds = ("play", "zurael", "choose", "consuming_rebirth")
    assert not JIT or all(brought[each] for each in kinds)
