"""RockSample beside a naive twin, and its sensor beside the formula."""

import random
from math import dist

import pytest

from plyglass.core import pack
from plyglass.core.tape import outcomes
from plyglass.games.rocksample import RockSample, rules
from tests.games.enumeration import assert_imagines_the_posterior

NORTH, EAST, SOUTH, WEST = (pack(rules.MOVE, 0, direction) for direction in range(4))
SAMPLE = pack(rules.SAMPLE, 0, 0)
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


class Twin:
    """The rules with a dictionary of rocks: place -> (letter, good)."""

    def __init__(self, world):
        self.size = world.game.size
        values = [bool(value) for value in world.record["value"]]
        self.rocks = {
            place: ("ABCDEFGHIJKLMNOP"[i], values[i]) for i, place in enumerate(world.game.places)
        }
        self.place, self.reward = (0, self.size // 2), 0

    def legal(self):
        moves = [
            name
            for name, step in STEPS.items()
            if name == "east" or self._inside(self._moved(step))
        ]
        return [
            *moves,
            *["sample"] * (self.place in self.rocks),
            *(f"check {letter}" for letter, _ in sorted(self.rocks.values())),
        ]

    def apply(self, name):
        if name == "sample":
            _, good = self.rocks.pop(self.place)
            self.reward += 10 if good else -10
        elif name in STEPS:
            self.place = self._moved(STEPS[name])
            self.reward += 0 if self._inside(self.place) else 10

    @property
    def over(self):
        return not self._inside(self.place)

    def _moved(self, step):
        return self.place[0] + step[0], self.place[1] + step[1]

    def _inside(self, place):
        return all(0 <= each < self.size for each in place)


def sensor(place, rock):
    return (1 + 2 ** (-dist(place, rock) / 20)) / 2


def check(rock):
    return pack(rules.CHECK, 0, rock)


@pytest.mark.parametrize(
    "game", [RockSample(), RockSample(11, 11), RockSample(4, 3, layout_seed=5)], ids=repr
)
def test_random_games_are_those_of_the_twin(game):
    for seed in range(30):
        choose, world = random.Random(seed).choice, game.start(seed)
        twin = Twin(world)
        for _ in range(game.most_steps):
            assert [game.action_name(action) for action in world.legal()] == twin.legal()
            action = choose(world.legal())
            world.apply(action)
            twin.apply(game.action_name(action))
            assert world.score(0) == twin.reward
            assert (world.record["x"], world.record["y"]) == twin.place
            if twin.over:
                break
        assert world.over


@pytest.mark.parametrize("rock", range(8))
def test_a_reading_is_right_with_the_probability_of_the_formula(rock):
    game = RockSample()
    world = game.start(rock)
    right = sensor((0, 3), game.places[rock])
    for share, after in outcomes(world, check(rock)):
        reading = int(after.record["readings"][rock, rules.GOOD])
        told_truth = reading == world.record["value"][rock]
        assert share == pytest.approx(right if told_truth else 1 - right)
        assert after.record["odds"][rock, rules.GOOD] == pytest.approx(
            right if reading else 1 - right
        )


def test_a_reading_on_the_spot_is_certain():
    game = RockSample(1, 1)
    (share, after), *others = outcomes(game.start(0), check(0))
    assert (share, others) == (1.0, [])
    assert after.record["odds"][0, after.record["value"][0]] == 1.0


@pytest.mark.parametrize("layout_seed", [0, 1])
def test_imagine_is_the_exact_posterior(layout_seed):
    assert_imagines_the_posterior(RockSample(2, 2, layout_seed=layout_seed, steps=4))


def test_leaving_to_the_east_pays_ten_and_ends_the_game():
    world = RockSample(3, 0).start(0)
    for _ in range(3):
        assert world.score(0) == 0
        world.apply(EAST)
    assert (world.over, world.score(0)) == (True, 10.0)


def test_the_game_ends_after_the_given_steps():
    world = RockSample(3, 0, steps=4).start(0)
    for action in (NORTH, SOUTH, NORTH, SOUTH):
        assert not world.over
        world.apply(action)
    assert world.over


def test_a_sampled_rock_is_gone_and_seen():
    game = RockSample(1, 1)
    for seed in range(4):
        world = game.start(seed)
        good = int(world.record["value"][0])
        assert world.hide(0).record["value"][0] == rules.UNKNOWN
        world.apply(SAMPLE)
        assert world.score(0) == (10 if good else -10)
        assert world.hide(0).record["value"][0] == good
        assert world.legal() == [EAST]


def test_published_layouts_are_used_unless_a_seed_asks_for_another():
    assert RockSample(7, 8).places[3] == (6, 3)
    assert RockSample(11, 11).places[-1] == (9, 9)
    seeded = RockSample(7, 8, layout_seed=1).places
    assert seeded != RockSample(7, 8).places
    assert len(set(seeded)) == 8


def test_too_many_rocks_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="at most 4 rocks"):
        RockSample(2, 5)
