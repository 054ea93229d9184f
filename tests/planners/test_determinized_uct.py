"""Determinized UCT: K shared histories in one tree, leaf evaluation, and two ways to select."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.planners.determinized_uct import DeterminizedUCT, LeafEvaluation
from plyglass.planners.determinized_uct.planner import PLAN_SECONDS
from tests.planners.searches import begin, decide
from tests.planners.turns import keeps_time, same_whole_or_in_parts, won
from tests.sizes import sized

LEAVES = ["rollout", "heavy", "heuristic"]
ROLLOUT = LeafEvaluation(by="rollout")


def test_one_history_foresees_the_future():
    # The game is decided once its chance is known.
    for seed in range(10 if JIT else 1):
        decision = decide(
            pg.games.Pig(goal=5), DeterminizedUCT(histories=1, evaluation=ROLLOUT), 5000, seed=seed
        )
        assert abs(decision.values[0]) > 0.9


def test_time_is_kept_to_compute_the_best_plans_in_the_tree():
    by_plans, by_bounds = (
        begin(pg.games.Pig(goal=5), DeterminizedUCT(select=select, evaluation=ROLLOUT))
        for select in ("expectimax", "ucb1")
    )
    for search in (by_plans, by_bounds):
        search.run(pg.Budget(iterations=100))
    kept = by_plans._seconds_after(1) - by_bounds._seconds_after(1)
    assert kept == pytest.approx(PLAN_SECONDS * by_plans.tree.used)


def test_many_histories_average_the_future():
    # In Pig with goal 5 the start is worth 2 * 0.797048 - 1 with best play (reference value).
    planner = DeterminizedUCT(histories=300, evaluation=ROLLOUT)
    found = [
        decide(pg.games.Pig(goal=5), planner, 20_000 if JIT else 300, seed=seed).values[0]
        for seed in range(10 if JIT else 2)
    ]
    assert sum(found) / len(found) == pytest.approx(2 * 0.797048 - 1, abs=0.06 if JIT else 0.6)


def test_expectimax_is_never_below_the_mean_where_one_player_decides():
    game = pg.games.RockSample()
    best, mean = (
        decide(game, DeterminizedUCT(select=select), 2000 if JIT else 100)
        for select in ("expectimax", "ucb1")
    )
    assert best.visits == mean.visits
    assert all(high >= low - 1e-9 for high, low in zip(best.values, mean.values, strict=True))


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("select", ["ucb1", "expectimax"])
def test_it_wins_when_it_can_and_blocks_when_it_must(select):
    game = pg.games.ConnectFour()
    planner = DeterminizedUCT(evaluation=ROLLOUT, select=select)
    for moves in ((3, 0, 3, 0, 3, 1), (3, 0, 3, 0, 3)):
        world = game.start(1)
        for action in moves:
            world.apply(action)
        assert decide(game, planner, 4000, position=world).action == 3


def test_every_history_is_a_child_of_an_uncertain_action():
    live = begin(pg.games.Pig(), DeterminizedUCT(histories=4, evaluation=ROLLOUT))
    live.run(pg.Budget(iterations=400))
    roll = live.tree.children(0)[0]
    outcome, keys = int(live.tree.nodes[roll].first), []
    while outcome:
        keys.append(int(live.tree.nodes[outcome].key))
        outcome = int(live.tree.nodes[outcome].next)
    assert sorted(keys) == [0, 1, 2, 3]


def test_three_opponents_are_refused_by_expectimax_alone():
    game = pg.games.ConnectFour()
    game.players = 3
    with pytest.raises(ValueError, match="3 players who oppose each other"):
        begin(game, DeterminizedUCT())
    begin(game, DeterminizedUCT(select="ucb1"))


@pytest.mark.parametrize("leaf", LEAVES)
def test_the_same_seed_gives_the_same_decision_and_slices_change_nothing(leaf):
    for name in ("skirmish:fog=true", "duel", "tiger") if JIT else ("duel",):
        game, planner = pg.game_from(name), DeterminizedUCT(evaluation=LeafEvaluation(by=leaf))
        assert decide(game, planner, 20) == decide(game, planner, 20)
        assert same_whole_or_in_parts(game, planner, (1, 6, 13))


def test_a_time_budget_is_kept():
    assert keeps_time(pg.games.Skirmish(), DeterminizedUCT())


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("leaf", ["rollout", "heuristic"])
@pytest.mark.parametrize("name", ["duel", "skirmish"])
def test_it_beats_random_play(name, leaf):
    agent = pg.Agent(
        DeterminizedUCT(histories=20, evaluation=LeafEvaluation(by=leaf)),
        budget=pg.Budget(iterations=300),
    )
    assert won(pg.game_from(name), agent, pg.Agent(pg.Random()), sized(10, 30)) >= 0.95


def children_of_root(live):
    return [live.tree.nodes[child] for child in live.tree.children(0)]


def as_coded(**parameters):
    return DeterminizedUCT(**{"as_coded": True, "scale": "raw", **parameters})


def test_as_coded_actions_are_tried_from_the_last_to_the_first():
    game = pg.game_from("pandemic:preset=thesis")
    live = begin(game, as_coded())
    live.run(pg.Budget(iterations=3))
    listed = game.start(1).legal()
    nodes = children_of_root(live)
    assert [int(node.action) for node in nodes] == listed[::-1]
    assert [int(node.visits) for node in nodes[:4]] == [1, 1, 1, 0]


def test_as_coded_the_first_tried_of_equal_actions_is_played():
    # No simulation wins, so all actions are worth nothing. The thesis's program then plays what it
    # tried first.
    game = pg.game_from("pandemic:preset=thesis")
    for select in ("ucb1", "expectimax"):
        chosen = decide(
            game,
            as_coded(evaluation=LeafEvaluation(evaluator="score"), select=select),
            len(game.start(1).legal()),
        ).action
        assert chosen == game.start(1).legal()[-1]


@pytest.mark.parametrize("select", ["ucb1", "expectimax"])
def test_as_coded_a_search_without_an_iteration_plays_a_legal_action(select):
    game = pg.game_from("pandemic:preset=thesis")
    live = begin(game, as_coded(select=select))
    assert live.decision().action in game.start(1).legal()


def test_a_cap_keeps_to_the_first_action_while_all_might_still_win():
    # Without an outbreak every position is worth 1, so no bound is ever below the cap.
    game = pg.game_from("pandemic:preset=as_coded")
    count = len(game.start(1).legal()) + 30
    leaf = LeafEvaluation(evaluator="loss-proximity-as-coded")
    first = {}
    for capped in (False, True):
        live = begin(game, as_coded(evaluation=leaf, capped=capped))
        live.run(pg.Budget(iterations=count))
        first[capped] = int(children_of_root(live)[0].visits)
    assert first == {False: 2, True: 31}


def test_as_coded_the_end_of_a_game_in_the_tree_counts_its_score():
    # Three in a row ends the game at once; an evaluator would judge it differently.
    game = pg.games.TicTacToe()
    world = game.start(1)
    for action in world.legal()[:1] + world.legal()[3:4] + world.legal()[1:2] + world.legal()[4:5]:
        world.apply(action)
    decision = decide(game, as_coded(), 400 if JIT else 60, position=world)
    assert decision.action == 2


def test_a_policy_and_a_guide_change_how_rollouts_play():
    game = pg.game_from("pandemic:preset=thesis")
    count = 300 if JIT else 8
    alike, by_policy = (
        decide(game, DeterminizedUCT(evaluation=LeafEvaluation(by="rollout", policy=policy)), count)
        for policy in ("", "default")
    )
    assert alike.values != by_policy.values
    plain, guided = (
        decide(
            game,
            DeterminizedUCT(
                evaluation=LeafEvaluation(by="heavy", guide=guide, evaluator="preconditions")
            ),
            20 if JIT else 2,
        )
        for guide in ("", "informed-loss")
    )
    assert plain.values != guided.values


def test_heavy_rollouts_cure_more_by_a_guide_that_sees_cures():
    """The guide chooses and the evaluator judges: a guide that values cures finds more of them."""
    game, count = pg.game_from("pandemic:preset=thesis"), 60 if JIT else 1
    means = []
    for guide in ("loss-proximity-as-coded", "preconditions"):
        leaf = LeafEvaluation(by="heavy", guide=guide, evaluator="subgoals", epsilon=0.0)
        live = begin(game, DeterminizedUCT(evaluation=leaf, scale="raw"))
        live.run(pg.Budget(iterations=count))
        means.append(sum(node.total for node in children_of_root(live)))
    assert means[1] > means[0] or not JIT


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"as_coded": True}, "as_coded=true needs scale=raw"),
        ({"capped": True, "scale": "raw"}, "capped=true needs as_coded=true"),
    ],
)
def test_parameters_that_do_nothing_together_are_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        DeterminizedUCT(**parameters)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"policy": "default"}, "needs by=rollout, not by=heuristic"),
        ({"guide": "subgoals", "by": "rollout"}, "needs by=heavy, not by=rollout"),
        ({"by": "guess"}, "by is one of rollout, heavy, heuristic"),
    ],
)
def test_parts_of_an_evaluation_that_do_nothing_together_are_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        LeafEvaluation(**parameters)


def test_depth_counts_actions_and_outcomes_of_chance():
    # One iteration enters an action; in Pig a roll is an action and an outcome.
    game = pg.games.ConnectFour()
    assert decide(game, DeterminizedUCT(evaluation=ROLLOUT), 1).depth == 1
    assert decide(game, DeterminizedUCT(evaluation=ROLLOUT), 8).depth == 2
    assert decide(pg.games.Pig(), DeterminizedUCT(evaluation=ROLLOUT), 1).depth in (1, 2)
    assert decide(pg.games.Pig(), DeterminizedUCT(evaluation=ROLLOUT), 2).depth >= 2
