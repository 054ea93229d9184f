"""The glass wall: planners decide the same, to the last bit, in worlds with equal views."""

import dataclasses

import pytest

import plyglass as pg
from plyglass.arena.audit.glass_wall import (
    Findings,
    agents,
    all_planners,
    decision_points,
    examine,
    hidden_games,
    honest_beliefs,
    shipped,
)
from plyglass.arena.specs import text_of_agent
from plyglass.beliefs.fresh import LiveFresh
from plyglass.core.compile import JIT
from plyglass.core.nets.encoding import encoding_of
from plyglass.core.nets.file import write_net
from plyglass.core.seeds import derive
from plyglass.core.world import World
from tests.core.test_nets import positions, random_net
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
@pytest.mark.parametrize(
    "name",
    # searches in Duelyst take longest
    [pytest.param(name, marks=pytest.mark.nightly if "duelyst" in name else ()) for name in SMALL],
)
def test_no_planner_knows_the_truth_with_any_belief(name):
    points = FEW
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
    with pytest.raises(ValueError, match="the glass wall cannot audit it"):
        examine("kuhn-poker", pg.Agent(pg.UCT(), pg.Truth()), 1)


def test_a_cell_ends_when_its_seconds_are_over():
    agent = pg.Agent(pg.UCT(), budget=pg.Budget(iterations=200))
    cell = examine("kuhn-poker", agent, 1_000_000, seconds=0.2)
    assert 0 < cell.points < 1_000_000
    assert cell.seconds >= 0.2


def test_cells_are_kept_until_the_code_changes(tmp_path, monkeypatch):
    agent = pg.Agent(pg.UCT(), budget=pg.Budget(iterations=5))
    findings = Findings(tmp_path / "wall.json")
    findings.add(examine("kuhn-poker", agent, 3))
    again = Findings(tmp_path / "wall.json")
    assert again.find("kuhn-poker", agent, 3).points == 3
    assert again.find("kuhn-poker", agent, 4) is None
    assert again.find("kuhn-poker", agent, 4, seconds=0.0).points == 3
    monkeypatch.setattr("plyglass.arena.audit.glass_wall.code_for", lambda name: "other")
    assert again.find("kuhn-poker", agent, 3) is None


def test_the_opponent_of_a_game_is_examined_in_all_its_settings():
    agent = shipped("tubstap", pg.Budget(iterations=3))
    assert text_of_agent(agent).startswith(type(pg.game_from("tubstap")).opponent.split(":")[0])
    assert agent == dataclasses.replace(
        pg.agent_from(pg.game_from("tubstap").opponent), budget=pg.Budget(iterations=3)
    )


def test_the_twins_have_the_seeds_of_a_match(monkeypatch):
    seeds = []

    class Noting(pg.Agent):
        def take_seat(self, game, seat, seed):
            seeds.append(seed)
            return super().take_seat(game, seat, seed)

    next(decision_points(pg.game_from("kuhn-poker"), Noting(pg.Random()), 7))
    assert seeds == [derive(7, 1)] * 2 + [derive(7, 2)] * 2


@pytest.mark.parametrize("kind", ["world", "view"])
@pytest.mark.parametrize("name", ["dark-hex", "duel"])
def test_nets_do_not_know_the_truth(name, kind, tmp_path):
    path, points = tmp_path / "net.npz", sized(40, 1000) if JIT else 4
    game = pg.game_from(name)
    write_net(random_net(encoding_of(game, positions(game, 200), kind=kind)), path)
    playout = f"playout.turns=1,playout.evaluator=net({path})"
    cell = examine(name, pg.agent_from(f"so-ismcts:iterations=20,{playout}"), points)
    assert (cell.refusal, cell.points, cell.differences) == ("", points, 0)
    assert cell.swapped > points / 20
