"""Greedy: exactly the best evaluation one action ahead."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.tape import outcomes
from plyglass.planners import Greedy
from plyglass.search.values import evaluator_of, judge
from tests.planners.searches import decide
from tests.planners.turns import positions, same_whole_or_in_parts, won


def one_step(world):
    """The expected evaluation after every action."""
    game, player = world.game, world.to_move
    evaluator = evaluator_of(game, "")
    return {
        action: sum(
            p * float(judge(game.table, there.address, player, evaluator))
            for p, there in outcomes(world, action)
        )
        for action in world.legal()
    }


def test_it_plays_the_best_expected_evaluation():
    game = pg.game_from("skirmish")
    for world in positions(game, 20 if JIT else 3):
        exact = one_step(world)
        decision = decide(game, Greedy(worlds=2000 if JIT else 100), 2000, position=world)
        assert dict(zip(decision.actions, decision.values, strict=True)) == pytest.approx(
            exact, abs=0.02 if JIT else 0.1
        )


def test_actions_without_chance_are_judged_without_error_and_without_spread():
    game = pg.games.Skirmish()
    decision = decide(game, Greedy(), 16)
    assert all(value == 0.0 for value in decision.values), "nobody can attack at the start"
    assert all(spread == 0.0 for spread in decision.spread)


def test_equals_are_chosen_alike():
    chosen = {decide(pg.games.Skirmish(), Greedy(), 4, seed=seed).action for seed in range(40)}
    assert len(chosen) > 5


def test_a_larger_budget_than_worlds_changes_nothing():
    game = pg.games.Duel()
    assert decide(game, Greedy(worlds=8), 8) == decide(game, Greedy(worlds=8), 500)
    assert decide(game, Greedy(worlds=8), 500).iterations == 8


def test_without_an_evaluator_the_score_judges():
    # With one step left to play, the score after opening a door of Tiger is what the door is worth.
    decision = decide(pg.games.Tiger(steps=1), Greedy(worlds=1000), 1000)
    assert sorted(decision.values) == pytest.approx([-45.0, -45.0, -1.0], abs=6.0)


def test_an_unknown_evaluator_is_refused():
    with pytest.raises(ValueError, match="has no evaluator 'beauty'; it offers material"):
        decide(pg.games.Duel(), Greedy(evaluator="beauty"), 1)


def test_the_same_seed_gives_the_same_decision_and_slices_change_nothing():
    for name in ("skirmish:fog=true", "duel"):
        game = pg.game_from(name)
        assert decide(game, Greedy(), 16) == decide(game, Greedy(), 16)
        assert same_whole_or_in_parts(game, Greedy(worlds=30), (1, 4, 20))


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize(
    ("name", "least"), [("duel", 0.95), ("skirmish", 0.9)]
)  # in Skirmish it never moves towards the enemy on purpose
def test_it_beats_random_play(name, least):
    assert won(pg.game_from(name), pg.Agent(Greedy()), pg.Agent(pg.Random()), 60) >= least
