"""PettingZoo: a game for all its players."""

import contextlib
import io
import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, seed_test

import plyglass as pg
from plyglass.interop import pettingzoo
from plyglass.interop.pettingzoo import PlyglassAEC

# Of games of one player nothing is left to test beside Gymnasium's checker.
SEVERAL = [name for name in pg.games.names() if pg.game_from(name).players > 1]
OBSERVATIONS = {"connect-four": "planes", "kuhn-poker": "fields"}


@contextlib.contextmanager
def only_known_warnings():
    """PettingZoo's tests print, and warn of dictionaries and of zeros."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for known in (
            "Observation space for each agent probably should be",
            "Observation is not NumPy array",
            "Observation is not a NumPy array",
            "Observation numpy array is all zeros",  # an empty board
            "Action mask numpy array is all zeros",  # of those who are not to move
        ):
            warnings.filterwarnings("ignore", known)
        yield


@pytest.mark.parametrize("name", SEVERAL)
def test_pettingzoos_tests_find_nothing_wrong(name):
    with only_known_warnings():
        env = pettingzoo.env(name, OBSERVATIONS.get(name, "flat"))
        api_test(env, num_cycles=60, verbose_progress=False)
        seed_test(lambda: pettingzoo.env(name, OBSERVATIONS.get(name, "flat")), num_cycles=10)


def test_all_players_can_act_at_once():
    with only_known_warnings():
        parallel_api_test(pettingzoo.parallel_env("tic-tac-toe"), num_cycles=50)


def play(env, rng):
    """Play to the end at random; returns what each player got."""
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, truncated, _ = env.last()
        totals[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if over or truncated else int(rng.choice(legal)))
    return totals


@pytest.mark.parametrize("name", ["leduc-poker", "bear", "duel"])
def test_players_get_the_scores_of_the_game(name):
    env = pettingzoo.env(name)
    for seed in range(10):
        env.reset(seed=seed)
        totals = play(env, np.random.default_rng(seed))
        assert np.allclose(list(totals.values()), env.unwrapped.world.scores)


def test_an_observation_is_the_view_of_its_player():
    env = PlyglassAEC("leduc-poker", "fields")
    env.reset(seed=2)
    cards = env.world.record["card"]
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)["observation"]["card"]
        assert seen[seat] == cards[seat] and seen[1 - seat] < 0


def test_an_illegal_action_ends_the_game_with_the_lowest_score():
    env = pettingzoo.env("tic-tac-toe")
    env.reset(seed=0)
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards["player_1"] == -1.0


def test_an_illegal_action_without_the_wrapper_is_refused():
    env = PlyglassAEC("tic-tac-toe")
    env.reset(seed=0)
    env.step(4)
    with pytest.raises(ValueError, match="obey the action mask"):
        env.step(4)


def test_a_clone_goes_its_own_way_with_the_same_chance():
    env = PlyglassAEC("pig:goal=20")
    env.reset(seed=1)
    env.step(0)
    twin = env.clone()
    assert twin.world == env.world and twin.world is not env.world
    rngs = np.random.default_rng(3), np.random.default_rng(3)
    assert play(env, rngs[0]) == play(twin, rngs[1])
    assert PlyglassAEC("pig:goal=20").clone().possible_agents == env.possible_agents
