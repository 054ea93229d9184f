"""Pandemic beside a naive twin: equal choices and positions in random games of every preset."""

import random
from collections import Counter
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from plyglass.core.compile import JIT
from plyglass.games.pandemic import ROLES_OF_THESIS, Pandemic, state
from tests.games.naive_pandemic import NaivePandemic
from tests.games.naive_pandemic_board import LUCK
from tests.games.pandemic_positions import COUNTS, RESULTS, any_position, in_words, position_of
from tests.sizes import sized

GAMES, PLACED = (sized(15, 30), 30) if JIT else (1, 1)  # of each setting
SIZES = list(product((2, 3, 4), (4, 5, 6)))
SETTINGS = [
    *(
        {"preset": preset, "players": 2 + n, "epidemics": 4 + n}
        for preset in ("thesis", "as_coded")
        for n in range(3)
    ),
    *(
        {"preset": "official", "players": players, "epidemics": epidemics}
        for players, epidemics in SIZES
    ),
    {"preset": "official", "players": 2, "roles": "dispatcher+contingency-planner"},
    {"preset": "as_coded", "players": 3, "roles": "quarantine-specialist+operations-expert+medic"},
]
SETS = (
    "hands",
    "deck",
    "stack",
    "discard",
    "foreseen",
    "stations",
    "cured",
    "eradicated",
    "kept",
    "played",
)


def stream(seed, ply):
    return np.uint64(LUCK.mix(np.uint64(seed), ply))


def begin(game, seed):
    world = game.start(seed)
    luck = SimpleNamespace(luck=np.uint64(seed), rng=stream(seed, 0), tape=0, ply=0, drawn=0)
    twin = NaivePandemic(
        luck, **{name: value for name, value in game.parameters.items() if name != "weights"}
    )
    luck.ply, luck.drawn, luck.rng = 1, 0, stream(seed, 1)
    return world, twin


def position_of_twin(twin):
    return {
        "cubes": {place: count for place, count in twin.cubes.items() if count},
        "left": len(twin.deck) + twin.total_epidemics - twin.epidemics,
        **{
            name: getattr(twin, name)
            for name in (*SETS, "pawns", "last", "roles", "phase", "result")
        },
        **{name: int(getattr(twin, name)) for name in COUNTS},
        "ply": int(twin.luck.ply),
        "rng": int(twin.luck.rng),
    }


def placed(game, seed):
    """A world with a random position, and the twin there."""
    world = game.start(seed, any_position(game, random.Random(seed)))
    _, twin = begin(game, seed)
    pile, rest = game.constants_record[0]["pile"], game.constants_record[0]["pile_left"]
    left, drawn = int(world.record["left"]), int(world.record["epidemics"])
    first = int(pile[left])
    later = [
        [int(rest[np.flatnonzero(pile == number)[-1]]), True]
        for number in range(first + 1, game.parameters["epidemics"])
    ]
    twin.place(position_of(world), [[int(rest[left]), drawn == first], *later])
    return world, twin


def eager(actions, pick):
    """A random action, with rare kinds more frequent than by chance."""
    liked = [
        action
        for action in actions
        if in_words(action)[0] in ("build", "treat", "cure", "give", "take", "reclaim", "forecast")
    ]
    cures = [action for action in liked if in_words(action)[0] == "cure"]
    return pick.choice(cures or (liked if liked and pick.random() < 0.6 else actions))


def play(world, twin, seed, seen):
    """Play at random to the end, and compare everything before every action."""
    pick = random.Random(seed)
    while not world.over:
        assert position_of(world) == position_of_twin(twin)
        actions = world.legal()
        assert len(actions) == len(twin.choices)
        assert {in_words(action) for action in actions} == set(twin.choices)
        action = eager(actions, pick)
        seen[in_words(action)[0]] += 1
        world.apply(action)
        twin.apply(in_words(action))
    compare_ends(world, twin)
    seen[twin.result] += 1


def compare_ends(world, twin):
    assert twin.choices == []
    assert world.score(0) == (twin.result == "won")
    beyond = {"ply", "rng"}  # with the end of a game, the core begins a ply
    if twin.result == "outbreaks":
        beyond |= {"cubes"}  # it is over in the middle of a chain, whose order nobody prescribes
    ended, expected = position_of(world), position_of_twin(twin)
    assert {name: ended[name] for name in ended.keys() - beyond} == {
        name: expected[name] for name in ended.keys() - beyond
    }


@pytest.mark.parametrize(
    "setting", SETTINGS, ids=lambda setting: "-".join(str(value) for value in setting.values())
)
def test_random_games_are_those_of_the_twin(setting):
    game, seen = Pandemic(**setting), Counter()
    for seed in range(GAMES):
        play(*begin(game, seed), seed, seen)
    assert {"drive", "treat"} <= seen.keys()


@pytest.mark.parametrize("preset", ["official", "thesis", "as_coded"])
def test_games_from_anywhere_are_those_of_the_twin(preset):
    seen, pick = Counter(), random.Random(1)
    roles = [
        role
        for number, role in enumerate(state.ROLES)
        if preset == "official" or number in ROLES_OF_THESIS
    ]
    for players, epidemics in SIZES:
        game = Pandemic(preset, players, epidemics, "+".join(pick.sample(roles, players)))
        for seed in range(PLACED):
            play(*placed(game, seed), seed, seen)
    if JIT:
        unused = (
            set()
            if preset == "official"
            else {"dispatch", "reclaim", "forecast", "resilient population", "put back", "go on"}
        )
        assert set(state.KINDS) - unused <= seen.keys()
        assert set(RESULTS[1:]) <= seen.keys()
