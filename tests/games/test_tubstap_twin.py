"""TUBSTAP beside a naive twin: equal choices, positions and views on every map, by every rule."""

import itertools
import random

import pytest

from plyglass.core.compile import JIT
from plyglass.games.tubstap import Tubstap
from plyglass.games.tubstap.tbsmap import names
from tests.games.naive_tubstap import NaiveTubstap, read_memories, read_units
from tests.sizes import sized

ACTIONS = sized(4000, 100_000) if JIT else 280
RULES = [
    {"fog": False},
    {},
    {"sight": "chebyshev", "ambush": "stays", "harmless": True},
    {"sight": "euclid", "antiair": 115, "judged": "units"},
]
EAGER = 0.5  # how often an attack is played where there is one


def same_position(world, twin):
    record, constants = world.record, world.game.constants_record[0]
    units, turn, result = twin.position()
    assert read_units(record, constants) == units
    assert record["turn"] == turn
    assert {0: None, 1: 1, 2: -1, 3: 0}[int(record["result"])] == result
    assert world.scores == [result or 0, -(result or 0)]


def same_views(world, twin):
    for side in range(2):
        record, constants = world.hide(side).record, world.game.constants_record[0]
        units, memories = twin.view(side)
        assert read_units(record, constants) == units
        assert read_memories(record, constants, side) == memories


def one_game(game, seed, most):
    """Play both; returns how many actions were compared."""
    world, twin, pick = (
        game.start(seed),
        NaiveTubstap(
            game.map, **{k: v for k, v in game.parameters.items() if k not in ("map", "weights")}
        ),
        random.Random(seed),
    )
    same_position(world, twin)
    for number in range(most):
        if world.over:
            return number
        choices = twin.choices()
        actions = {game.action_name(action): action for action in world.legal()}
        assert actions.keys() == choices.keys()
        attacks = [name for name in choices if "attack" in name]
        name = pick.choice(attacks if attacks and pick.random() < EAGER else list(actions))
        world.apply(actions[name])
        twin.act(choices[name])
        same_position(world, twin)
        if game.parameters["fog"] and twin.result is None:
            same_views(world, twin)
    return most


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("name", names())
def test_the_twin_agrees(name, rules):
    game, compared, share = (
        Tubstap(map=name, **rules),
        0,
        -(-ACTIONS // (len(names()) * len(RULES))),
    )
    for seed in itertools.count():
        compared += one_game(game, seed, share - compared)
        if compared >= share:
            return
