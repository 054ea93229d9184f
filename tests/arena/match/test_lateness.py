"""Decisions keep their time limits, measured by the CPU time of the thread."""

import gc
import time

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.planners import PLANNERS
from plyglass.search import clock
from tests.sizes import sized

pytestmark = [
    pytest.mark.skipif(not JIT, reason="interpreted code is too slow for any limit"),
    pytest.mark.skipif(not hasattr(time, "CLOCK_THREAD_CPUTIME_ID"), reason="no such clock"),
]
SECONDS = 0.005
MOST_LATE = 0.02
SMALL = "skirmish:size=4,units=3,turns=6,fog=true"
PLAYERS = {
    "duelyst": "",
    "tubstap": "",
    "pandemic": "",
    "skirmish:fog=true": "plan-tournament:belief=particles",
}


@pytest.fixture(autouse=True)
def _by_cpu_time(monkeypatch):
    """Neither other processes nor the garbage of other tests can make a decision late."""
    monkeypatch.setattr(clock, "kind", time.CLOCK_THREAD_CPUTIME_ID)
    gc.disable()
    yield
    gc.enable()


def lateness(game, agent, decisions):
    """The longest lateness of decisions in a match of an agent against itself, in seconds."""
    agent.warm(game)
    seats = [agent.take_seat(game, number, 5) for number in range(game.players)]
    world, mover, action, worst = game.start(5), -1, None, -1.0
    for _ in range(decisions):
        for number, seat in enumerate(seats):
            seat.observe(action if number == mover else None, world.hide(number))
        if world.over:
            break
        mover = world.to_move
        began = time.thread_time()
        action = seats[mover].decide().action
        worst = max(worst, time.thread_time() - began - agent.budget.seconds)
        world.apply(action)
    return worst


def in_time(text):
    """The agent of a text with the limit of these tests; a budget of the text is replaced."""
    agent = pg.agent_from(text)
    return pg.Agent(agent.planner, agent.belief, pg.Budget(seconds=SECONDS))


@pytest.mark.parametrize("planner", PLANNERS)
def test_every_planner_answers_in_time(planner):
    game = pg.game_from(SMALL)
    belief = "particles" if planner in ("uct", "bs-mcts", "pomcp", "whole-turns") else "fresh"
    more = "classes=clusters," if planner == "representative-moves" else ""
    agent = in_time(f"{planner}:{more}belief={belief}")
    assert lateness(game, agent, decisions=sized(4, 40)) < MOST_LATE


@pytest.mark.parametrize("name", PLAYERS)
def test_players_of_large_games_answer_in_time(name):
    game = pg.game_from(name)
    agent = in_time(PLAYERS[name] or game.opponent)
    assert lateness(game, agent, decisions=sized(5, 50)) < MOST_LATE


def test_a_search_that_never_looks_at_the_clock_would_be_noticed(monkeypatch):
    begin = clock.Clock._begin
    monkeypatch.setattr(clock.Clock, "_begin", lambda self, seconds, stop: begin(self, None, stop))
    agent = in_time("plan-tournament:belief=particles")
    assert lateness(pg.game_from("skirmish:fog=true"), agent, decisions=1) > MOST_LATE


def test_a_turn_takes_its_time_and_no_more():
    """A turn of many actions ends in time, and its last decisions have little left."""
    game = pg.game_from("skirmish:units=3")
    agent = pg.Agent(pg.PlanTournament(), budget=pg.Budget(turn_seconds=0.02))
    agent.warm(game)
    seat, world, action = agent.take_seat(game, 0, 5), game.start(5), None
    began = time.thread_time()
    while world.to_move == 0:
        seat.observe(action, world.hide(0))
        action = seat.decide().action
        world.apply(action)
    assert time.thread_time() - began < 0.02 + MOST_LATE


def test_warming_up_leaves_nothing_to_load():
    """A warm agent compiles and loads nothing in its first decision."""
    from plyglass.core.compile import compilations

    game = pg.game_from(SMALL)
    agent = in_time("plan-tournament:turns=1,belief=particles(worlds=20)")
    agent.warm(game)
    before = compilations()
    seat = agent.take_seat(game, 0, 7)
    seat.observe(None, game.start(7).hide(0))
    seat.decide()
    assert compilations() == before


def test_warming_up_makes_a_decision_again_that_loaded_something(monkeypatch):
    """Loading may take all the time of a decision, so what comes after it is not yet loaded."""
    from plyglass.arena.match import agent as module

    loaded = iter([0, 0, 1, 1])  # what two decisions find before and after them
    monkeypatch.setattr(module, "compilations", lambda: next(loaded, 2))
    decide, budgets = module.AgentSeat.decide, []

    def noted(seat, budget):
        budgets.append(budget)
        return decide(seat, budget)

    monkeypatch.setattr(module.AgentSeat, "decide", noted)
    in_time("uct").warm(pg.game_from("tic-tac-toe"))
    first, *others = budgets
    assert others[:2] == [first, first]
    assert others[2] != first
