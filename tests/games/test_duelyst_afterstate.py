"""Afterstates of Duelyst's actions, and plans of whole turns that consist of afterstates."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core import kind_of, pack
from plyglass.core.table import BEFORE_LUCK, POSTPONED, SAMPLED, SURE
from plyglass.games.duelyst import state
from plyglass.games.duelyst.cards.catalog import numbers
from plyglass.search.turn_results.workspace import RESULT, TurnEnumeration
from tests.games.duelyst_positions import act, names, position
from tests.planners.searches import begin

END = pack(state.END, 0, 0)
ENOUGH = 10**7


def foreseen(world, action):
    """What is known of an action before chance decides, and its afterstate."""
    there = world.copy()
    told = there.game.verbs.after(there.game.table, there.address, there.to_move, action)
    return told, there


def test_the_end_of_a_turn_is_told_up_to_the_cards():
    world = position("windblade_adept@e3-1", "", hand="true_strike")
    told, there = foreseen(world, END)
    assert told == BEFORE_LUCK
    assert (
        there.record["player"] == world.record["player"]
        and there.record["left"].tolist() == world.record["left"].tolist()
    )
    assert there.record["mana"][0] == 0  # what is left is lost
    after = world.copy()
    after.apply(END)
    assert [int(held) for held in np.count_nonzero(after.record["hand"], axis=1)] == [3, 0]
    assert there.record["damage"].tolist() == after.record["damage"].tolist()


def test_with_a_full_hand_nothing_is_drawn_so_all_of_the_end_is_sure():
    world = position(hand="true_strike " * 6)
    told, there = foreseen(world, END)
    assert told == SURE
    assert there.to_move == 1


def test_a_replaced_card_is_unknown_and_the_turn_can_be_planned_on():
    world = position("", "", hand="true_strike windblade_adept")
    told, there = foreseen(world, pack(state.REPLACE, 0, 0))
    assert told == POSTPONED
    assert there.to_move == 0
    assert there.record["hand"][0].tolist()[:2] == [state.UNKNOWN, numbers()["windblade_adept"]]
    assert there.record["left"][0] == world.record["left"][0] + 1
    kinds = {int(kind_of(action)) for action in there.legal()}
    assert state.PLAY in kinds and state.REPLACE not in kinds


def test_an_action_without_chance_is_sure():
    world = position("windblade_adept@b3", "windblade_adept@c3", hand="true_strike")
    told, there = foreseen(world, names(world)["attack b3 c3"])
    assert told == SURE
    assert there == act(world.copy(), "attack b3 c3")


def test_what_chance_decides_on_the_board_is_not_foretold():
    """Units that act at random at the end of a turn make its end a sample."""
    assert foreseen(position("windblade_adept@b3"), END)[0] == BEFORE_LUCK
    assert foreseen(position("pandora@b3"), END)[0] == SAMPLED


def test_a_replaced_card_comes_first_in_a_plan():
    world = position(
        "windblade_adept@b3", "windblade_adept@e3", hand="true_strike windblade_adept", mana=2
    )
    search = begin(
        world.game,
        pg.WholeTurns(depth=1, evaluator="learned", turn=TurnEnumeration(beam=4)),
        position=world,
    )
    search.run(pg.Budget(iterations=ENOUGH))
    places, used = search._places, int(search._levels[0]["used"])
    later = [
        place
        for place in range(1, used)
        if places[place]["postponed"] and places[places[place]["parent"]]["parent"] >= 0
    ]
    plan = search._path(later[0])
    assert kind_of(plan[0][0]) == state.REPLACE


@pytest.mark.parametrize("seed", range(3))
def test_a_plan_without_chance_is_carried_out_though_hands_are_hidden(seed):
    """What the seat sees counts, not the world that was searched."""
    world = position("windblade_adept@b3 azurite_lion@b4", "windblade_adept@e3", mana=0)
    search = begin(
        world.game,
        pg.WholeTurns(depth=1, evaluator="odds", turn=TurnEnumeration(beam=4)),
        position=world,
        seed=seed,
    )
    search.run(pg.Budget(iterations=ENOUGH))
    decision = search.decision()
    assert len(decision.line) > 2 and int(search._places["kind"].max()) >= RESULT
    world.apply(decision.action)
    search.observe(decision.action, world.hide(0))
    search.run(pg.Budget(iterations=ENOUGH))
    assert search.decision().iterations == 0 and search.decision().action == decision.line[1][1]
