"""EPIMC equals brute force, equals Hindsight with one postponed action, and keeps budgets."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

import plyglass as pg
from plyglass.arena.audit.glass_wall import examine, thoughts
from plyglass.core.compile import JIT
from plyglass.planners.epimc import world_groups
from tests.planners.cups import PEEK, WAIT, Cups
from tests.planners.naive_postponed import believed, mean_values
from tests.planners.searches import begin, decide
from tests.planners.tolls import Tolls

ALL = 1_000_000_000
WORLDS = 12 if JIT else 4
GAMES = {
    "kuhn-poker": (pg.Exact(), "end"),
    "leduc-poker": (pg.Fresh(), 3),
    "bear": (pg.Exact(), "end"),
    "tiger:steps=4": (pg.Fresh(), "end"),
    "rocksample:steps=6": (pg.Fresh(), 2 if JIT else 1),
    "phantom-tic-tac-toe": (pg.Fresh(), 2),
    "navy:size=5,cargo=2": (pg.Fresh(), 2),
}


def by_definition(game, belief, postponed, horizon, position=None):
    worlds = believed(belief, game, position or game.start(1), WORLDS)
    return mean_values(worlds, postponed, game.most_steps if horizon == "end" else horizon + 1)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("postponed", [1, 2, 3] if JIT else [2])
@pytest.mark.parametrize("memory", [0, 1 << 14])
def test_values_are_those_of_the_definition(name, postponed, memory):
    game, (belief, horizon) = pg.game_from(name), GAMES[name]
    planner = pg.EPIMC(worlds=WORLDS, postponed=postponed, horizon=horizon, memory=memory)
    expected = by_definition(game, belief, postponed, horizon)
    assert decide(game, planner, ALL, belief=belief).values == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("costs", [False, True])
def test_several_players_and_costs_keep_to_the_definition(players, costs):
    game = Tolls(players, steps=4)
    planner = pg.EPIMC(worlds=WORLDS, postponed=3, horizon="end", costs=costs)
    assert decide(game, planner, ALL).values == pytest.approx(
        by_definition(game, pg.Fresh(), 3, "end"), abs=1e-9
    )


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_costs_change_no_value_on_navy():
    game = pg.game_from("navy:size=5,cargo=2,submarines=mixed")
    plain, bounded = (
        decide(game, pg.EPIMC(worlds=20, postponed=3, costs=costs, memory=0), ALL)
        for costs in (False, True)
    )
    assert bounded.values == pytest.approx(plain.values, abs=1e-9)
    assert bounded.iterations < plain.iterations / 2


@pytest.mark.parametrize("name", GAMES)
def test_nothing_postponed_is_hindsight(name):
    game, (belief, horizon) = pg.game_from(name), GAMES[name]
    ours = decide(game, pg.EPIMC(worlds=WORLDS, postponed=1, horizon=horizon), ALL, belief=belief)
    assert thoughts(ours) == thoughts(
        decide(game, pg.Hindsight(worlds=WORLDS, horizon=horizon), ALL, belief=belief)
    )


def test_hindsight_waits_to_know_and_epimc_peeks():
    hindsight = decide(Cups(), pg.Hindsight(horizon="end"), ALL, belief=pg.Exact())
    assert (hindsight.action, hindsight.values) == (WAIT, pytest.approx((10.0, 9.0)))
    postponed = decide(Cups(), pg.EPIMC(postponed=2, horizon="end"), ALL, belief=pg.Exact())
    assert (postponed.action, postponed.values) == (PEEK, pytest.approx((0.0, 9.0)))


@pytest.mark.parametrize(
    ("postponed", "values"), [(2, (10.0, 9.0)), (3, (0.0, 9.0)), (9, (0.0, 9.0))]
)
def test_what_was_seen_is_remembered_when_the_view_forgets_it(postponed, values):
    decision = decide(
        Cups(bystander=True), pg.EPIMC(postponed=postponed, horizon="end"), ALL, belief=pg.Exact()
    )
    assert decision.values == pytest.approx(values)


def test_hindsight_promises_a_treasure_behind_a_door_that_nobody_knows():
    """After one report it is better to listen again: 0.85 * 10 - 0.15 * 100 is less than -1."""
    game = pg.game_from("tiger:steps=2,discount=1")
    assert decide(game, pg.Hindsight(worlds=400), ALL, belief=pg.Exact()).values[
        0
    ] == pytest.approx(9.0)
    assert decide(game, pg.EPIMC(worlds=400), ALL, belief=pg.Exact()).values[0] == pytest.approx(
        -2.0
    )


def test_in_a_game_for_one_player_postponing_more_promises_less():
    game = pg.game_from("tiger:steps=4")
    promised = [
        max(decide(game, pg.EPIMC(worlds=12, postponed=common, horizon="end"), ALL).values)
        for common in (1, 2, 3)
    ]
    assert promised[0] > promised[1] > promised[2]


def test_where_the_world_is_known_nothing_is_left_to_postpone():
    game = pg.game_from("kuhn-poker")
    one, more = (
        decide(game, pg.EPIMC(worlds=1, postponed=common), ALL, belief=pg.Truth())
        for common in (1, 4)
    )
    assert thoughts(one) == thoughts(more)


def test_a_search_that_is_cut_short_decides_by_the_last_complete_look():
    game = pg.game_from("tiger:steps=4")
    complete = [
        decide(game, pg.EPIMC(worlds=6, postponed=common, horizon=2), ALL) for common in (1, 2, 3)
    ]
    assert len({each.values for each in complete}) == 3
    for looked, following in itertools.pairwise(complete):
        for iterations in (looked.iterations, following.iterations - 1):
            cut = decide(game, pg.EPIMC(worlds=6, postponed=3, horizon=2), iterations)
            assert (cut.values, cut.spread, cut.iterations) == (
                looked.values,
                looked.spread,
                iterations,
            )


@pytest.mark.parametrize("piece", [1, 7, 50])
def test_a_search_in_pieces_is_the_search_in_one_go(piece):
    game, planner = pg.game_from("kuhn-poker"), pg.EPIMC(worlds=6, postponed=3)
    whole, search = decide(game, planner, ALL), begin(game, planner)
    for _ in range(whole.iterations // piece + 1):
        search.run(pg.Budget(iterations=piece))
    assert thoughts(search.decision()) == thoughts(whole)


def test_a_search_can_be_cancelled_and_used_again():
    game, planner = pg.game_from("tiger:steps=4"), pg.EPIMC(worlds=6, postponed=3, horizon="end")
    search, answers = begin(game, planner), iter([False] * 30)
    for _ in range(20):
        search.run(pg.Budget(iterations=40), cancelled=lambda: next(answers, True))
    assert search.decision().iterations < decide(game, planner, ALL).iterations
    world = game.start(1)
    world.apply(0)
    search.observe(0, world.hide(0))
    search.run(pg.Budget(iterations=ALL))
    assert search.decision().iterations > 0
    assert None not in search.decision().values


@pytest.mark.skipif(not JIT, reason="nothing is compiled to compare with")
def test_interpreted_code_decides_the_same_to_the_last_bit():
    script = (
        "import plyglass as pg\n"
        "from tests.planners.searches import decide\n"
        "from plyglass.arena.audit.glass_wall import thoughts\n"
        "for name in ('leduc-poker', 'tiger:steps=3'):\n"
        "    print(thoughts(decide(pg.game_from(name), pg.EPIMC(worlds=5, postponed=3, "
        "horizon=2), 10**9)))\n"
    )
    found = []
    for off in ("0", "1"):
        environment = {
            **os.environ,
            "NUMBA_DISABLE_JIT": off,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(done.stdout)
    assert found[0]
    assert found[0] == found[1]


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize(
    "name", ["kuhn-poker", "leduc-poker", "tiger", "navy", "phantom-tic-tac-toe"]
)
def test_it_does_not_know_the_truth_when_it_postpones(name):
    for belief in (pg.Fresh(), pg.Particles(worlds=50, tries=4)):
        agent = pg.Agent(
            pg.EPIMC(worlds=6, postponed=3, horizon=3), belief, pg.Budget(iterations=20_000)
        )
        cell = examine(name, agent, 30)
        assert (cell.points, cell.differences) == (30, 0)
        assert cell.swapped > 0


def test_a_decision_that_is_not_common_is_refused():
    with pytest.raises(ValueError, match="always common to all worlds"):
        pg.EPIMC(postponed=0)


def test_the_first_position_loads_the_kernels_of_later_searches(monkeypatch):
    """Otherwise a later decision would load them, and be late."""
    called = []
    for name in ("step_worlds", "look_in_worlds"):
        monkeypatch.setattr(world_groups, name, lambda *_, name=name: called.append(name) or 0)
    search = begin(pg.game_from("kuhn-poker"), pg.EPIMC())
    search.run(pg.Budget(iterations=1))
    assert called == ["step_worlds", "look_in_worlds"]


def test_no_look_ahead_begins_after_the_time_is_over():
    search = begin(pg.game_from("kuhn-poker"), pg.EPIMC(horizon="end"))
    search.run(pg.Budget(iterations=1))
    clock, ahead, runs = search._belief.clock, search._ahead, []
    ahead.run = lambda most: runs.append(most) or type(ahead).run(ahead, most)
    with clock.started(None):
        clock.cancel()
        search._grow(1, ALL)
    assert runs == [ALL]  # the look-ahead that had begun
