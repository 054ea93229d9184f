"""Agents that plan with wrong rules of the game."""

import pytest

import plyglass as pg
from plyglass.arena.audit.glass_wall import examine
from plyglass.arena.specs import text_of_agent
from plyglass.core.compile import JIT
from plyglass.core.state import new_states
from plyglass.core.world import World
from tests.games.naive_navy import position_of

TEXTS = [
    "hindsight:worlds=3,horizon=2,costs=true,belief=particles(worlds=20),model=game(submarines=sticky),iterations=100000",
    "uct:model=game(submarines=sticky,fewest=0),iterations=20",
    "policy:policy=static,model=game(most=2),iterations=1000",
]
SMALL = "navy:size=5,cargo=2,steps=5"


@pytest.mark.parametrize("text", TEXTS)
def test_a_model_is_written_as_it_was_read(text):
    assert text_of_agent(pg.agent_from(text)) == text


def test_text_and_objects_mean_the_same_agent():
    given = pg.Agent(
        pg.UCT(), budget=pg.Budget(iterations=20), model={"submarines": "sticky", "fewest": 0}
    )
    assert pg.agent_from(TEXTS[1]) == given
    assert text_of_agent(given) == TEXTS[1]


def test_an_agent_without_a_model_knows_the_rules():
    game = pg.game_from(SMALL)
    agent = pg.agent_from("uct:iterations=10")
    assert agent.model == {}
    assert "model" not in text_of_agent(agent)
    assert agent.take_seat(game, 0, 1).game is game


@pytest.mark.parametrize("belief", [pg.Fresh(), pg.Particles(20)])
def test_belief_and_planner_work_in_the_game_as_the_agent_takes_it_to_be(belief):
    game = pg.game_from(SMALL)
    seat = pg.Agent(pg.UCT(), belief, pg.Budget(iterations=20), {"submarines": "sticky"}).take_seat(
        game, 0, 1
    )
    assert seat.game.parameters == {**game.parameters, "submarines": "sticky"}
    assert seat.belief.game is seat.game
    seat.observe(None, game.start(3).hide(0))
    worlds = new_states(40, game.state)
    seat.belief.sample(worlds)
    targets = {
        target for row in worlds for _, _, target in position_of(World(game, row)).submarines
    }
    assert targets == {0, 1}, "free submarines hunt nobody for good; those of the model do"


def test_two_agents_with_equal_models_share_the_game():
    game, agent = pg.game_from(SMALL), pg.agent_from(TEXTS[1])
    assert agent.take_seat(game, 0, 1).game is pg.agent_from(TEXTS[1]).take_seat(game, 0, 2).game


def test_a_wrong_model_leads_to_other_values():
    """An agent that believes in no submarines values its actions otherwise than one that knows."""
    game = pg.game_from("navy:size=5,cargo=2,fewest=2")
    view, values = game.start(4).hide(0), []
    for model in ({}, {"fewest": 0, "most": 1}):
        seat = pg.Agent(
            pg.Hindsight(worlds=5, horizon=2), budget=pg.Budget(iterations=100_000), model=model
        ).take_seat(game, 0, 1)
        seat.observe(None, view)
        values.append(seat.decide().values)
    assert values[0] != values[1]


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("game(submarine=sticky)", "navy has no parameter 'submarine'; it has size, cargo"),
        ("game(submarines=clever)", "submarines is one of free, sticky, mixed"),
        ("sticky", r"written game\(parameter=value,...\), not 'sticky'"),
        ("game(submarines)", "not of the form parameter=value"),
    ],
)
def test_a_model_that_means_nothing_is_refused_in_a_sentence(model, says):
    with pytest.raises(ValueError, match=says):
        pg.agent_from(f"uct:model={model}").take_seat(pg.game_from(SMALL), 0, 1)


def test_a_view_of_another_game_is_refused():
    with pytest.raises(TypeError, match="their states have different fields"):
        pg.game_from(SMALL).start(1).hide(0).within(pg.games.Tiger())


@pytest.mark.parametrize("text", TEXTS)
def test_a_record_with_a_model_is_verified_by_playing_it_again(text, tmp_path):
    match = pg.play(pg.game_from(SMALL), [pg.agent_from(text)], seed=7)
    pg.record_of(match).save(tmp_path / "match.json")
    record = pg.Record.load(tmp_path / "match.json")
    assert record.players == (text,)
    pg.verify(record)


@pytest.mark.parametrize("text", TEXTS[:2])
def test_an_agent_with_a_model_does_not_know_the_truth(text):
    points = 60 if JIT else 6
    cell = examine(SMALL, pg.agent_from(text), points)
    assert (cell.points, cell.differences) == (points, 0)
    assert cell.swapped > points / 20, "the truth was hardly ever another: the test shows nothing"
