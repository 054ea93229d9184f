"""Pig, solved by value iteration over all outcomes of chance."""

import numpy as np
import pytest

from plyglass.core.tape import outcomes
from plyglass.games.pig import Pig, rules

WINNING_CHANCE = {5: 0.797048, 10: 0.709424, 20: 0.615559}


def position(world):
    """A position without the count of turns, which only the limit on turns needs."""
    record = world.record
    return (
        *(int(points) for points in record["points"]),
        int(record["total"]),
        int(record["player"]),
        int(record["winner"]),
    )


def solve(game):
    """The first player's winning chance under optimal play."""
    numbers, worlds, steps = {position(game.start(0)): 0}, [game.start(0)], []
    for number, world in enumerate(worlds):  # grows while we walk it
        for action in world.legal():
            for share, after in outcomes(world, action):
                if position(after) not in numbers:
                    numbers[position(after)] = len(worlds)
                    worlds.append(after)
                steps.append((number, action, numbers[position(after)], share))
    return _iterate(worlds, np.array(steps).T)


def _iterate(worlds, steps):
    here, action, there, share = (
        steps[0].astype(int),
        steps[1].astype(int),
        steps[2].astype(int),
        steps[3],
    )
    values = np.array([float(world.score(0) > 0) for world in worlds])
    over = np.array([world.over for world in worlds])
    first = np.array([world.to_move == 0 for world in worlds])
    holds = np.array([rules.HOLD in world.legal() for world in worlds])
    for _ in range(2000):
        means = np.zeros((len(worlds), 2))
        np.add.at(means, (here, action), share * values[there])
        chosen = np.where(first, means.max(1), means.min(1))
        updated = np.where(over, values, np.where(holds, chosen, means[:, rules.ROLL]))
        if np.abs(updated - values).max() < 1e-12:
            return updated[0]
        values = updated
    raise AssertionError("value iteration did not settle")


@pytest.mark.parametrize("goal", WINNING_CHANCE)
def test_the_first_players_winning_chance_is_the_known_one(goal):
    assert solve(Pig(goal=goal)) == pytest.approx(WINNING_CHANCE[goal], abs=1e-6)


def test_a_one_loses_the_turn_and_what_it_brought():
    world = Pig().start(0)
    for share, after in outcomes(world, rules.ROLL):
        assert share == pytest.approx(1 / 6)
        assert (after.to_move == 1) == (after.record["total"] == 0)
        assert list(after.record["points"]) == [0, 0]


def test_holding_banks_the_total_and_needs_one():
    world = Pig().start(0)
    assert world.legal() == [rules.ROLL]
    world = next(after for _, after in outcomes(world, rules.ROLL) if after.record["total"] == 4)
    world.apply(rules.HOLD)
    assert list(world.record["points"]) == [4, 0]
    assert world.to_move == 1


def test_reaching_the_goal_wins_at_once():
    won = [after.scores for _, after in outcomes(Pig(goal=6).start(0), rules.ROLL) if after.over]
    assert won == [[1.0, -1.0]]


def test_the_game_is_drawn_when_the_turns_are_used_up():
    world = Pig(turns=2).start(0)
    for pips in (2, 3):
        world = next(
            after for _, after in outcomes(world, rules.ROLL) if after.record["total"] == pips
        )
        world.apply(rules.HOLD)
    assert world.over
    assert world.scores == [0.0, 0.0]
