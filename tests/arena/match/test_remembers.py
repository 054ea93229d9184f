"""Decisions of an agent that remembers only a turn depend on nothing but its views."""

from dataclasses import replace

import pytest

import plyglass as pg
from plyglass.arena.match.match import run
from plyglass.arena.match.record import record_of
from plyglass.arena.specs import agent_from, game_from, text_of_agent
from plyglass.core.seeds import derive
from plyglass.search.interface import Budget

CASES = [
    ("duel", "one-ply-mcts:iterations=20,remembers=turn"),
    ("leduc-poker", "pomcp:iterations=20,remembers=turn"),
    ("phantom-tic-tac-toe", "so-ismcts:iterations=20,belief=particles(worlds=30),remembers=turn"),
    ("phantom-tic-tac-toe", "uct:iterations=20,belief=truth,remembers=turn"),
]


class Asked:
    """A seat in a match that also asks a new seat for every decision."""

    def __init__(self, agent, game, seat, seed):
        self.take, self.seat = lambda: agent.take_seat(game, seat, seed), seat
        self.own, self.seen, self.turn, self.asked = self.take(), [], [], []

    def observe(self, own_action, view):
        self.seen.append((own_action, view))
        self.own.observe(own_action, view)
        if view.to_move != self.seat:
            self.turn = []

    def reveal(self, world):
        self.own.reveal(world)

    def decide(self):
        decision, other = self.own.decide(), self.take()
        begun = len(self.seen) - len(self.turn)
        for each in self.seen[:begun]:
            other.observe(*each)
        for iterations, each in zip(self.turn, self.seen[begun:], strict=True):
            other.decide(Budget(iterations=iterations))
            other.observe(*each)
        self.asked.append((decision, other.decide()))
        self.turn.append(decision.iterations)
        return decision


@pytest.mark.parametrize(("name", "text"), CASES[:3])
def test_a_new_seat_that_was_shown_the_same_decides_the_same(name, text):
    game, agent = game_from(name), agent_from(text)
    seats = [Asked(agent, game, seat, derive(5, seat + 1)) for seat in range(2)]
    run(game, [agent] * 2, seats, seed=5)
    asked = [each for seat in seats for each in seat.asked]
    assert len(asked) > 1
    assert all(one == other for one, other in asked)


@pytest.mark.parametrize(("name", "text"), CASES)
def test_matches_of_agents_that_remember_a_turn_are_verified(name, text):
    match = pg.play(game_from(name), [agent_from(text)] * 2, seed=5)
    pg.verify(record_of(match))


def test_time_limits_are_verified_as_well():
    agent = agent_from("so-ismcts:seconds=0.01,belief=particles(worlds=2000),remembers=turn")
    pg.verify(record_of(pg.play(game_from("leduc-poker"), [agent] * 2, seed=2)))


def test_what_an_agent_remembers_is_part_of_its_text():
    agent = agent_from(CASES[0][1])
    assert agent.remembers == "turn"
    assert agent_from(text_of_agent(agent)) == agent
    assert "remembers" not in text_of_agent(replace(agent, remembers="match"))
    with pytest.raises(ValueError, match="remembers a match or a turn, not 'day'"):
        agent_from("uct:remembers=day")


def test_the_search_of_a_turn_goes_on_until_the_turn_ends():
    """Within a turn nothing is made anew, so a planned turn is not planned again."""
    game = game_from("duel")
    agent = agent_from("one-ply-mcts:iterations=20,remembers=turn")
    world = game.start(1)
    seat, mover = agent.take_seat(game, world.to_move, 3), world.to_move
    seat.observe(None, world.hide(mover))
    searches, own = [], None
    while world.to_move == mover:
        own = seat.decide().action
        searches.append(seat.search)
        world.apply(own)
        seat.observe(own, world.hide(mover))
    assert len(searches) > 1
    assert all(each is searches[0] for each in searches)
