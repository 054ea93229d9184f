"""Records of stopped decisions: a replay stops at the same check of the clock."""

import pytest

import plyglass as pg
from plyglass.arena.match.match import run
from plyglass.arena.match.record import seated
from plyglass.arena.specs import agent_from, game_from
from plyglass.core.compile import JIT
from plyglass.search.interface import RecordedBudget

FOG = "skirmish:size=3,units=2,turns=4,fog=true"
DUEL = "duel:kinds=3,copies=2,health=4"
FEW = "belief=particles(worlds=30,tries=4)"
LIMIT = 0.002 if JIT else 0.03
TIMED = (
    (FOG, "plan-tournament"),
    (FOG, "whole-turns"),
    (DUEL, f"rollout:{FEW}"),
    (DUEL, f"one-ply-mcts:rollout=greedy,{FEW}"),
    (DUEL, f"three-ply-mcts:simulations=3,{FEW}"),
    (DUEL, f"pomcp:particles=30,{FEW}"),
    ("kuhn-poker", "so-ismcts:belief=exact"),
    ("tiger:steps=6", "hindsight:worlds=5,belief=exact"),
    ("leduc-poker", "epimc:postponed=2"),
)


def recorded(name, text, seed=0):
    game = game_from(name)
    return pg.record_of(pg.play(game, [agent_from(text)] * game.players, seed=seed))


def untimed(decision):
    """All fields of a decision except its duration."""
    return {name: value for name, value in vars(decision).items() if name != "seconds"}


@pytest.mark.skipif(not JIT, reason="a minute of interpreted code")
def test_a_search_that_ends_before_its_budget_verifies():
    """The tournament is over after 16 of 40 iterations; with 16 it would decide otherwise."""
    record = recorded(FOG, "plan-tournament:iterations=40,worlds=8,plans=2")
    assert record.moves[0]["iterations"] == 16
    pg.verify(record)


@pytest.mark.parametrize(("name", "text"), TIMED)
def test_decisions_with_limits_of_time_verify(name, text):
    record = recorded(name, f"{text}{',' if ':' in text else ':'}seconds={LIMIT}")
    assert all(len(move["stop"]) == 2 for move in record.moves)
    pg.verify(record)


@pytest.mark.parametrize(("name", "text"), TIMED)
def test_decisions_that_the_clock_stopped_at_once_verify(name, text):
    """The shortest limit stops searches before anything is found."""
    record = recorded(name, f"{text}{',' if ':' in text else ':'}seconds=1e-6")
    assert any(any(move["stop"]) for move in record.moves)
    pg.verify(record)


@pytest.mark.parametrize("looks", [1, 2, 7, 30])
@pytest.mark.parametrize(("name", "text"), TIMED)
def test_a_search_that_is_stopped_at_some_check_of_the_clock_is_repeated(name, text, looks):
    """The first search runs in long slices, the second in slices of few iterations."""
    game, agent = game_from(name), agent_from(text)
    view = game.start(seed=1).hide(0)

    def decision(budget, cancelled=None):
        seat = agent.take_seat(game, 0, seed=1)
        seat.cancelled = cancelled
        seat.observe(None, view)
        return seat.decide(budget)

    first = decision(RecordedBudget(iterations=3000, stop=(0, looks)))
    again = decision(RecordedBudget(iterations=first.iterations, stop=first.stop), lambda: False)
    assert untimed(again) == untimed(first)


def test_an_onlooker_of_the_belief_does_not_change_a_replay():
    record = recorded(DUEL, f"rollout:seconds={LIMIT},{FEW}")
    game = game_from(DUEL)
    players, seats = seated(record, game)

    def look(world, move):
        for seat in seats:
            seat.belief.glimpse(3)

    again = pg.record_of(run(game, players, seats, seed=record.seed, watch=look))
    assert again.moves == record.moves


class Impatient(pg.Agent):
    """An agent whose decisions are cancelled at some moment."""

    def take_seat(self, game, seat, seed):
        taken, answers = super().take_seat(game, seat, seed), iter(range(10**9))
        taken.cancelled = lambda: next(answers) % 7 == 6
        return taken


@pytest.mark.parametrize(
    "text", ["plan-tournament:iterations=400,worlds=4", "uct:iterations=90000"]
)
def test_cancelled_decisions_verify(text):
    agent, game = agent_from(text), game_from(FOG)
    impatient = Impatient(agent.planner, agent.belief, agent.budget)
    record = pg.record_of(pg.play(game, [impatient] * 2, seed=3))
    assert any("stop" in move for move in record.moves)
    pg.verify(record)
