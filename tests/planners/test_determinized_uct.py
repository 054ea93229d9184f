"""DeterminizedUCT: K shared histories in one tree, its leaves, and its two ways to select."""

import pytest

import plyglass as pg
from planners.searches import begin, decide
from planners.turns import keeps_time, same_whole_or_in_parts, won
from plyglass.core.compile import JIT
from plyglass.planners import DeterminizedUCT

LEAVES = ["rollout", "heavy", "heuristic"]


def test_one_history_foresees_the_future():
    # The game is decided when its luck is known.
    for seed in range(10 if JIT else 1):
        decision = decide(pg.games.Pig(goal=5), DeterminizedUCT(histories=1, leaf="rollout"), 5000, seed=seed)
        assert abs(decision.values[0]) > 0.9


def test_many_histories_average_the_future():
    # In Pig with goal 5 the start is worth 2 * 0.797048 - 1 with best play (reference value).
    planner = DeterminizedUCT(histories=300, leaf="rollout")
    found = [decide(pg.games.Pig(goal=5), planner, 20_000 if JIT else 300, seed=seed).values[0] for seed in range(10 if JIT else 2)]
    assert sum(found) / len(found) == pytest.approx(2 * 0.797048 - 1, abs=0.06 if JIT else 0.6)


def test_expectimax_is_never_below_the_mean_where_one_player_decides():
    game = pg.games.RockSample()
    best, mean = (decide(game, DeterminizedUCT(select=select), 2000 if JIT else 100) for select in ("expectimax", "ucb1"))
    assert best.visits == mean.visits
    assert all(high >= low - 1e-9 for high, low in zip(best.values, mean.values, strict=True))


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("select", ["ucb1", "expectimax"])
def test_it_wins_when_it_can_and_blocks_when_it_must(select):
    game = pg.games.ConnectFour()
    planner = DeterminizedUCT(leaf="rollout", select=select)
    for moves in ((3, 0, 3, 0, 3, 1), (3, 0, 3, 0, 3)):
        world = game.start(1)
        for action in moves:
            world.apply(action)
        assert decide(game, planner, 4000, position=world).action == 3


def test_every_history_is_a_child_of_an_uncertain_action():
    live = begin(pg.games.Pig(), DeterminizedUCT(histories=4, leaf="rollout"))
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
        game, planner = pg.game_from(name), DeterminizedUCT(leaf=leaf)
        assert decide(game, planner, 20) == decide(game, planner, 20)
        assert same_whole_or_in_parts(game, planner, (1, 6, 13))


def test_a_time_budget_is_kept():
    assert keeps_time(pg.games.Skirmish(), DeterminizedUCT())


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("leaf", ["rollout", "heuristic"])
@pytest.mark.parametrize("name", ["duel", "skirmish"])
def test_it_beats_random_play(name, leaf):
    agent = pg.Agent(DeterminizedUCT(histories=20, leaf=leaf), budget=pg.Budget(iterations=300))
    assert won(pg.game_from(name), agent, pg.Agent(pg.Random()), 30) >= 0.95
