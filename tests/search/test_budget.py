"""Budgets: exactly one limit, which is kept."""

import itertools
import time

import pytest

import plyglass as pg
from plyglass.search import clock
from plyglass.search.interface import RecordedBudget, Spent, run_in_slices


def test_a_budget_has_exactly_one_limit():
    with pytest.raises(ValueError, match="exactly one limit"):
        pg.Budget()
    with pytest.raises(ValueError, match="2 were given"):
        pg.Budget(iterations=5, seconds=1.0)
    with pytest.raises(ValueError, match="leaves no time to search"):
        pg.Budget(seconds=0.0)


def test_iterations_are_dealt_in_slices_and_counted_on():
    calls, spent = [], Spent(iterations=7)
    run_in_slices(
        lambda done, count: calls.append((done, count)), spent, pg.Budget(iterations=25), most=10
    )
    assert calls == [(7, 10), (17, 10), (27, 5)]
    assert spent.iterations == 32


def test_a_cancelled_run_stops_before_the_next_slice():
    spent = Spent()
    run_in_slices(
        lambda done, count: None,
        spent,
        pg.Budget(iterations=1000),
        most=10,
        cancelled=lambda: spent.iterations >= 30,
    )
    assert 30 <= spent.iterations < 40


def test_a_finished_search_uses_no_more_iterations():
    spent = Spent()
    run_in_slices(
        lambda done, count: None,
        spent,
        pg.Budget(seconds=10.0),
        most=1,
        finished=lambda: spent.iterations == 3,
    )
    assert spent.iterations == 3


@pytest.mark.parametrize("speed", [1, 700, 3_000, 400_000])  # nanoseconds of an iteration
def test_a_finished_search_that_can_be_cancelled_counts_the_same_at_any_speed(monkeypatch, speed):
    hand, spent = [0], Spent()
    monkeypatch.setattr(clock, "now", lambda: hand[0])

    def grow(done, count):
        hand[0] += speed * count

    run_in_slices(
        grow, spent, pg.Budget(iterations=10**6), most=1 << 16,
        cancelled=lambda: False, finished=lambda: spent.iterations >= 5000,
    )  # fmt: skip
    assert spent.iterations == 8191


@pytest.mark.parametrize("limit", [{"seconds": 0.02}, {"iterations": 10**9}])
def test_slices_are_as_long_as_the_clock_allows(monkeypatch, limit):
    """The first has one iteration, each is at most twice the last, and none takes long."""
    hand = [0]  # in nanoseconds; an iteration takes 10 microseconds
    monkeypatch.setattr(clock, "now", lambda: hand[0])
    sizes = []

    def grow(done, count):
        sizes.append(count)
        hand[0] += 10_000 * count

    cancelled = None if "seconds" in limit else lambda: hand[0] >= 20_000_000
    run_in_slices(grow, Spent(), pg.Budget(**limit), most=1 << 16, cancelled=cancelled)
    assert sizes[0] == 1
    assert all(after <= 2 * before for before, after in itertools.pairwise(sizes))
    assert max(sizes) <= 200  # 2 ms
    assert 19_000_000 <= hand[0] < 22_000_000


def test_no_slice_begins_that_would_end_late(monkeypatch):
    """An iteration that takes 8 of 19 ms is made twice; a third would end at 24 ms."""
    hand = [0]
    monkeypatch.setattr(clock, "now", lambda: hand[0])
    spent = Spent()

    def grow(done, count):
        hand[0] += 8_000_000 * count

    run_in_slices(grow, spent, pg.Budget(seconds=0.019), most=64)
    assert spent.iterations == 2


def test_a_search_ends_if_its_tree_cannot_grow_in_time():
    spent = Spent()
    run_in_slices(
        lambda done, count: None,
        spent,
        pg.Budget(seconds=10.0),
        most=1,
        growth=lambda count: 0.0 if spent.iterations < 5 else 60.0,
    )
    assert spent.iterations == 5


def test_a_slice_becomes_smaller_if_memory_for_it_would_take_too_long():
    calls, spent = [], Spent()
    run_in_slices(
        lambda done, count: calls.append(count),
        spent,
        pg.Budget(seconds=10.0),
        most=16,
        growth=lambda count: 60.0 if count > 3 or spent.iterations > 12 else 0.0,
    )
    assert max(calls) <= 3
    assert 12 < spent.iterations <= 15


@pytest.mark.skipif(not hasattr(time, "CLOCK_THREAD_CPUTIME_ID"), reason="no such clock")
def test_a_turn_budget_is_shared_by_the_decisions_of_a_turn(monkeypatch):
    monkeypatch.setattr(clock, "kind", time.CLOCK_THREAD_CPUTIME_ID)
    game = pg.games.Skirmish()
    seat = pg.Agent(pg.UCT(), budget=pg.Budget(turn_seconds=0.2)).take_seat(game, 0, 1)
    world, spent = game.start(1), 0.0
    # Compile everything first, so it takes no time of the turn.
    pg.play(game, [pg.Agent(pg.UCT(), budget=pg.Budget(iterations=2))] * 2)
    seat.observe(None, world.hide(0))
    while world.to_move == 0:
        decision = seat.decide()
        spent += decision.seconds
        world.apply(decision.action)
        seat.observe(decision.action, world.hide(0))
    assert spent < 0.5


def test_a_replay_counts_the_iterations_of_the_record():
    """A record counts all of the slice in which the time ran out; a replay has other slices."""
    counted, spent = clock.Clock(), Spent()

    def grow(done, count):
        for _ in range(count):
            if counted.late():
                return

    run_in_slices(grow, spent, RecordedBudget(20, stop=(0, 10)), 10, clock=counted)
    assert spent.iterations == 20
