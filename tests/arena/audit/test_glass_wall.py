"""The glass wall: with the hidden truth swapped behind equal views, every planner decides the
same to the last bit.
"""

import pytest

import plyglass as pg
from plyglass.arena.audit.glass_wall import (
    agents,
    all_planners,
    examine,
    hidden_games,
    honest_beliefs,
)
from plyglass.beliefs.fresh import LiveFresh
from plyglass.core.compile import JIT
from plyglass.core.world import World
from tests.sizes import sized

POINTS, FEW = sized(200, 1000) if JIT else 20, sized(4, 40)
SMALL = ["battleship:size=6,longest=4" if name == "battleship" else name for name in hidden_games()]
REFUSALS = {
    "representative-moves": "names no representative moves",
    "policy": "has no policy",
    "whole-turns": "the whole game is one turn",
    "plan-tournament": "the whole game is one turn",
    "tracks": "track",  # the game has none, or none for random play
    "exact": "use particles instead of exact",
}


@pytest.mark.parametrize("name", SMALL)
def test_uct_does_not_know_the_truth(name):
    cell = examine(name, pg.Agent(pg.UCT(trees=2), budget=pg.Budget(iterations=40)), POINTS)
    assert (cell.points, cell.differences) == (POINTS, 0)
    assert cell.swapped > POINTS / 20, "the truth was hardly ever another: the test shows nothing"


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("name", SMALL)
def test_no_planner_knows_the_truth_with_any_belief(name):
    points = sized(1, FEW) if name.startswith("duelyst") else FEW  # its searches take longest
    for agent in agents(all_planners(), honest_beliefs(), 12):
        cell = examine(name, agent, points)
        assert cell.differences == 0, cell.agent
        reasons = [REFUSALS.get(each) for each in (agent.planner.name, agent.belief.name)]
        assert cell.points == points or any(each and each in cell.refusal for each in reasons), cell


def test_every_game_that_hides_something_is_behind_the_wall():
    hiding = {name for name in pg.games.names() if pg.game_from(name).hides}
    assert hiding == {text.partition(":")[0] for text in hidden_games()}
    assert {"kuhn-poker", "duelyst:turns=2", "skirmish:fog=true"} <= set(hidden_games())


def test_every_belief_that_does_not_cheat_is_behind_the_wall():
    names = [belief.name for belief in honest_beliefs()]
    assert names == ["fresh", "particles", "tracks", "exact"]


class Hole:
    """A hole in the wall: which world a view was made of."""

    def __init__(self, hide):
        self._hide, self._worlds = hide, []

    def __call__(self, world, viewer):
        view = self._hide(world, viewer)
        self._worlds.append((view, world.row()))
        return view

    def behind(self, view):
        return next(row for each, row in self._worlds if each is view)


class Peeping(LiveFresh):
    """A belief that looks through the hole."""

    def observe(self, own_action, view):
        super().observe(own_action, view)
        self._truth = World.hide.behind(view)

    def sample(self, worlds):
        worlds[:] = self._truth


def test_a_planner_that_peeps_is_found(monkeypatch):
    hole = Hole(World.hide)
    monkeypatch.setattr(World, "hide", lambda world, viewer: hole(world, viewer))
    World.hide.behind = hole.behind
    monkeypatch.setattr(pg.Fresh, "begin", lambda self, game, seat, seed: Peeping(game, seat, seed))
    assert (
        examine("kuhn-poker", pg.Agent(pg.UCT(), budget=pg.Budget(iterations=30)), 50).differences
        > 0
    )


def test_a_belief_that_cheats_is_refused():
    with pytest.raises(ValueError, match="there is no wall to look through"):
        examine("kuhn-poker", pg.Agent(pg.UCT(), pg.Truth()), 1)
