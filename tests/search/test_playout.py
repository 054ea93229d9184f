"""Playouts: to the end or cut off, at random or by a policy, judged by score or evaluator."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.specs import text_of_agent
from plyglass.core.compile import JIT
from plyglass.search.mcts.playout import judge_by_playout
from plyglass.search.mcts.workspace import Workspace
from tests.planners.searches import decide

ITERATIONS = 400 if JIT else 20
PLANNERS = {
    "uct": lambda playout: pg.UCT(playout=playout),
    "so-ismcts": lambda playout: pg.SOISMCTS(playout=playout),
    "mo-ismcts": lambda playout: pg.MOISMCTS(playout=playout),
    "bs-mcts": lambda playout: pg.BSMCTS(playout=playout),
}


def judged(game, playout, position, seed=1):
    """The value of one playout to each player, and where it ended."""
    space = Workspace(game, seed, 0.7, "raw", playout)
    space.states[1] = position.row()
    judge_by_playout(game.table, space.work[0], position.to_move, 0)
    return space.work[0].values[: game.players].tolist(), pg.World(game, space.states[1].copy())


def test_a_playout_of_one_turn_ends_where_the_other_side_moves_and_is_judged_by_the_evaluator():
    game = pg.games.Tubstap(map="sandbox", fog=False)
    position = game.start(1)
    values, end = judged(game, pg.Playout(turns=1, evaluator="strength"), position)
    assert (position.to_move, end.to_move) == (0, 1)
    strength = game.evaluator("strength")
    assert values == [
        game.verbs.evaluate(game.table, end.address, player, strength) for player in range(2)
    ]


def test_at_the_leaf_nothing_is_played_and_the_evaluator_judges():
    game = pg.games.Tubstap(map="sandbox", fog=False)
    position = game.start(1)
    values, end = judged(game, pg.Playout(at_leaf=True, evaluator="strength"), position)
    assert end == position
    strength = game.evaluator("strength")
    assert values == [
        game.verbs.evaluate(game.table, position.address, player, strength) for player in range(2)
    ]


def test_turns_are_counted_from_the_one_that_is_begun():
    game = pg.games.Tubstap(map="sandbox", fog=False)
    for turns in (1, 2, 3):
        _, end = judged(game, pg.Playout(turns=turns), game.start(1))
        assert end.over or end.to_move == turns % 2


def test_a_playout_to_the_end_counts_scores_whoever_plays():
    game = pg.games.Tubstap(map="sandbox", fog=False)
    for playout in (
        pg.Playout(),
        pg.Playout(policy="attack-80"),
        pg.Playout(turns=10**6, evaluator="strength"),
    ):
        values, end = judged(game, playout, game.start(1))
        assert end.over
        assert values == [end.score(player) for player in range(2)]


def test_a_policy_plays():
    """The policy takes four fights in five, so more health is lost in the same turns."""
    game = pg.games.Tubstap(fog=False)
    lost = {
        policy: np.mean(
            [
                judged(game, pg.Playout(policy=policy, turns=4), game.start(1), seed)[1]
                .record["health"]
                .sum()
                for seed in range(40)
            ]
        )
        for policy in ("", "attack-80")
    }
    assert lost["attack-80"] < lost[""] - 5


@pytest.mark.parametrize("name", PLANNERS)
def test_planners_judge_by_the_playout_that_they_are_given(name):
    game = pg.games.Skirmish(fog=True)
    cut = pg.Playout(turns=1)
    assert (
        decide(game, PLANNERS[name](cut), ITERATIONS).values
        != decide(game, PLANNERS[name](pg.Playout()), ITERATIONS).values
    )


def test_odd_playouts_are_refused():
    with pytest.raises(ValueError, match="give 1 or more, or 0"):
        pg.Playout(turns=-1)
    with pytest.raises(ValueError, match="cut off"):
        pg.Playout(evaluator="strength")
    with pytest.raises(ValueError, match="nothing is played"):
        pg.Playout(turns=1, at_leaf=True)
    with pytest.raises(ValueError, match="no policy"):
        decide(pg.games.Skirmish(), pg.UCT(playout=pg.Playout(policy="daring")), 10)


def test_a_playout_is_written_within_an_agent():
    text = "pimc:worlds=5,inner=uct(playout=playout(policy=attack-80,turns=4)),iterations=50"
    agent = pg.agent_from(text)
    assert agent.planner.inner.playout == pg.Playout(policy="attack-80", turns=4)
    assert text_of_agent(agent) == text
    with pytest.raises(ValueError, match="no playout 'walk'"):
        pg.agent_from("uct:playout=walk(turns=3)")
    with pytest.raises(ValueError, match="no parameter 'steps'"):
        pg.agent_from("uct:playout=playout(steps=3)")
