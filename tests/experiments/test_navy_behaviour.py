"""Worlds and measures of the Navy Defense study, and the parts of its own artifacts."""

from types import SimpleNamespace

import numpy as np
import pytest

from plyglass import games
from plyglass.arena.match.match import play
from plyglass.arena.specs import player_from
from plyglass.core.compile import JIT
from plyglass.experiments.reproduction import reproduce
from plyglass.experiments.results import RowResult
from plyglass.experiments.studies.navy_defense import bigger_seas as seas
from plyglass.experiments.studies.navy_defense import measures as behaviour
from plyglass.experiments.studies.navy_defense import starts as worlds
from plyglass.experiments.study import Claim, TableRow, artifact_named
from plyglass.experiments.verdicts import compare
from plyglass.games.navy.state import NOWHERE, STAY

HINDSIGHT = (
    "hindsight:worlds=10,horizon=2,costs=true,iterations=1000000,belief=particles(worlds=30,weighted=false),"
    "model=game(submarines=sticky,fewest=0)"
)
SIZES = {
    "patrolling": (1, 4, 100),
    "change-of-mind": (2, 1, 200),
    "bigger-seas": (6, 3, 30),
    "readings": (4, 10, 60),
}
compiled = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


def sea(**parameters):
    return games.find("navy")(**{"size": 7, "cargo": 2, "most": 2, **parameters})


def alone_at(navy, ship, clockwise=True):
    """A start with one cargo ship and no submarine."""
    return lambda game, seed: game.start(seed, game.scenario(navy, ((*ship, clockwise),), ()))


def attacks(world):
    return [int(cell) for cell in world.record["attacked"] if cell != NOWHERE]


@pytest.mark.parametrize("seed", range(8))
def test_a_surprise_strikes_both_ships_in_the_same_step_after_a_quiet_while(seed):
    world = worlds.surprise(sea(), seed)
    assert world.record["sunk"] == worlds.SUNK
    assert (world.hide(0).record["submarine"] == NOWHERE).all()
    for luck in (101, 102):
        played, steps = world.copy(), 0
        played.change_luck(luck)
        while not attacks(played):
            played.apply(STAY)
            steps += 1
        assert steps > worlds.QUIET
        assert played.record["cargo_health"][:2].tolist() == [1, 1]


def test_surprises_differ_by_seed_and_not_otherwise():
    found = [worlds.surprise(sea(), seed) for seed in range(6)]
    assert len(set(found)) > 3
    assert found[2] == worlds.surprise(sea(), 2)


@pytest.mark.parametrize("parameters", [{"cargo": 3}, {"most": 1}])
def test_a_surprise_is_refused_where_it_cannot_be(parameters):
    with pytest.raises(ValueError, match="needs 2 cargo ships and `most` of at least 2"):
        worlds.surprise(sea(**parameters), 1)


def test_an_empty_sea_looks_like_any_other_without_submarines_in_sight():
    game = sea(cargo=4)
    record = worlds.empty_sea(game, 3).record
    assert (record["submarine"] == NOWHERE).all()
    assert (record["cargo"][:4] != NOWHERE).all()
    assert record["navy_health"] == 2


def test_a_ship_that_stays_in_a_corner_watches_three_cells_of_the_outer_route():
    match = play(
        sea(cargo=1), [player_from("policy:policy=static")], seed=1, start=alone_at((0, 0), (0, 3))
    )
    (found,) = behaviour.patrolling(match)
    assert found == pytest.approx(
        {"watched_early": 3 / 24, "watched_later": 3 / 24, "moving_early": 0.0, "moving_later": 0.0}
    )


def test_a_ship_that_goes_around_watches_what_it_passed_within_ten_steps():
    match = play(
        sea(cargo=1),
        [player_from("policy:policy=patrol-clockwise")],
        seed=1,
        start=alone_at((0, 0), (0, 3)),
    )
    (found,) = behaviour.patrolling(match)
    # Eleven cells passed, and the next on either side; one more of the route lies within sonar
    # where a corner is cut.
    counts = [len(watched_on_the_outer_route(step)) for step in range(30)]
    assert found["watched_later"] == pytest.approx(np.mean(counts[10:]) / 24)
    assert found["watched_early"] == pytest.approx(np.mean(counts[:10]) / 24)
    assert found["moving_early"] == found["moving_later"] == 1.0


def watched_on_the_outer_route(step):
    """The cells of the outer route of a 7 x 7 sea near any of the last eleven places of a ship
    that began in the north-west corner.
    """
    along = (
        [(0, x) for x in range(6)]
        + [(y, 6) for y in range(6)]
        + [(6, x) for x in range(6, 0, -1)]
        + [(y, 0) for y in range(6, 0, -1)]
    )
    been = [along[each % 24] for each in range(max(0, step - 10), step + 1)]
    return {
        (y, x)
        for y, x in along
        if any(max(abs(y - row), abs(x - column)) <= 1 for row, column in been)
    }


def test_a_captain_who_stays_is_struck_at_once_and_moves_neither_before_nor_after():
    match = play(sea(), [player_from("policy:policy=static")], seed=2, start=worlds.surprise)
    assert behaviour.struck_at_once(match) == [1.0]
    assert behaviour.moving(match) == [{"before": 0.0, "after": 0.0}]
    assert behaviour.refills(match) == [None]


def test_nothing_is_said_of_an_attack_that_never_came():
    match = play(
        sea(steps=12), [player_from("policy:policy=static")], seed=2, start=worlds.empty_sea
    )
    assert behaviour.moving(match) == behaviour.expects_none(match) == [{}]
    assert behaviour.struck_at_once(match) == [None]


@compiled
@pytest.mark.parametrize(("most", "expected"), [(2, 1.0), (4, None)])
def test_a_belief_in_no_submarine_ends_with_the_attack(most, expected):
    match = play(sea(most=most), [player_from(HINDSIGHT)], seed=5, start=worlds.surprise)
    (found,) = behaviour.expects_none(match)
    assert found["after"] == 0.0
    assert found["before"] == expected if expected else 0.0 < found["before"] < 1.0
    (share,) = behaviour.refills(match)
    assert 0.0 <= share <= 1.0


@compiled
def test_every_agent_has_its_own_rows(tmp_path):
    """A measure of a match as a whole would count for all agents alike."""
    done = reproduce(artifact_named("navy-defense/patrolling"), tmp_path, scale=0.02)
    ours = {result.name: result.ours for result in done.results}
    assert {result.n for result in done.results} == {2}
    assert ours["moving, first ten: Static"] == 0.0 < ours["moving, first ten: Hindsight"]
    assert ours["watched, later: Static"] < ours["watched, later: Patrol, clockwise"]


@pytest.mark.parametrize("key", SIZES)
def test_the_settings_are_those_that_were_asked_for(key):
    artifact = artifact_named(f"navy-defense/{key}")
    settings = artifact.tournament()
    assert (len(settings.games), len(settings.agents), settings.deals) == SIZES[key]
    assert {row.agent for row in artifact.rows} <= {None, *settings.agents}
    assert {row.game for row in artifact.rows} <= {None, *settings.games}


def test_parts_of_one_measure_can_be_compared_and_different_measures_cannot():
    rows = {
        name: TableRow(name, "measure", name)
        for name in ("moving.before", "moving.after", "watched")
    }
    values = {
        "moving.before": {(0, 0): [0.0], (0, 1): [0.2]},
        "moving.after": {(0, 0): [0.5], (0, 1): [0.9]},
        "watched": {(0, 0): [0.0]},
    }
    claim = Claim("More after.", "better", "moving.after", "moving.before")
    assert compare(
        claim, ("moving.after", "moving.before"), rows, values
    ).estimate == pytest.approx(0.6)
    with pytest.raises(ValueError, match="measure different things"):
        compare(claim, ("moving.after", "watched"), rows, values)


def test_the_figure_of_bigger_seas_has_costs_beside_static_and_times_by_decision():
    results = [
        RowResult("5 x 5, Static: cost", 200.0, 150.0, 250.0, 30),
        RowResult("5 x 5, 30 particles: cost", 100.0, 50.0, 150.0, 30),
        RowResult("5 x 5, 30 particles: seconds", 0.6, 0.3, 0.9, 30),
        RowResult("5 x 5, 30 particles: decisions", 30.0, None, None, 30),
    ]
    found = SimpleNamespace(
        pair=("5 x 5, 30 particles: cost", "5 x 5, Static: cost"),
        estimate=-100.0,
        low=-120.0,
        high=-80.0,
    )
    done = SimpleNamespace(results=results, findings=[found])
    assert seas.seas(done) == ["5 x 5"]
    assert seas.relative_cost(done, "5 x 5", "30 particles") == pytest.approx((0.5, 0.4, 0.6))
    assert seas.milliseconds(done, "5 x 5", "30 particles") == pytest.approx((20.0, 10.0, 30.0))
