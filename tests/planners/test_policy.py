"""The planner `policy` follows the game's own policies."""

import json
import subprocess
import sys

import numpy as np
import pytest

import plyglass as pg
from tests.planners.searches import begin, decide

NAVY = pg.game_from("navy:steps=12")


def played(policy, seed):
    """The actions of a match."""
    return [
        NAVY.action_name(action)
        for action in pg.play(NAVY, [pg.agent_from(f"policy:policy={policy}")], seed=seed).actions
    ]


@pytest.mark.parametrize("policy", NAVY.policies)
def test_it_plays_what_the_named_policy_chooses(policy):
    stream = np.array([1], np.uint64)
    for seed in range(10):
        world = NAVY.start(seed)  # before a call for help, policies draw no chance
        expected = int(
            NAVY.verbs.choose(NAVY.table, world.address, stream.ctypes.data, NAVY.policy(policy))
        )
        decision = decide(NAVY, pg.Policy(policy), 1, position=world)
        assert decision.action == expected
        assert list(decision.actions) == world.legal()


def test_policies_differ_in_what_they_play():
    assert set(played("static", 2)) == {"stay"}
    assert len({tuple(played(policy, 2)) for policy in NAVY.policies}) >= 3


def test_without_a_name_it_is_the_first_policy_of_the_game():
    first = next(iter(NAVY.policies))
    assert [decide(NAVY, pg.Policy(), 1, position=NAVY.start(seed)) for seed in range(5)] == [
        decide(NAVY, pg.Policy(first), 1, position=NAVY.start(seed)) for seed in range(5)
    ]


def test_a_policy_that_draws_luck_is_a_function_of_the_seed():
    game = pg.games.Skirmish()
    choices = [
        [decide(game, pg.Policy("attack-first"), 1, seed=seed).action for seed in range(12)]
        for _ in range(2)
    ]
    assert choices[0] == choices[1]
    assert len(set(choices[0])) > 1


@pytest.mark.parametrize(
    ("name", "policy", "says"),
    [
        ("navy", "brave", "navy has no policy 'brave'; it offers patrol-clockwise"),
        ("pig", "", "no policy"),
    ],
)
def test_a_policy_that_is_not_there_is_refused_in_a_sentence(name, policy, says):
    with pytest.raises(ValueError, match=says):
        begin(pg.game_from(name), pg.Policy(policy))


def test_the_command_line_lists_it_with_its_parameter():
    command = [sys.executable, "-m", "plyglass", "planners", "policy"]
    assert (
        "follow a policy of the game"
        in subprocess.run(command, capture_output=True, text=True, check=True).stdout
    )
    told = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout
    assert json.loads(told)["parameters"] == {"policy": ""}
