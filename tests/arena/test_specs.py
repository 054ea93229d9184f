"""Agents as text: planners within planners, beliefs with parameters, and back."""

import pytest

import plyglass as pg
from plyglass.arena.specs import agent_from, game_from, text_of_agent

TEXTS = [
    "uct:exploration=0.5,iterations=10",
    "pimc:inner=uct(exploration=0.5),iterations=9",
    "expectiminimax:depth=3,pruning=star1,seconds=0.5",
    "hindsight:horizon=end,costs=true,belief=particles(worlds=500),iterations=10",
    "representative-moves:inner=uct,iterations=50",
    "representative-moves:inner=pimc(worlds=5,inner=expectiminimax(depth=2,alternating=true)),belief=exact,iterations=10",
]


@pytest.mark.parametrize("text", TEXTS)
def test_an_agent_is_written_as_it_was_read(text):
    assert text_of_agent(agent_from(text)) == text


def test_a_planner_within_a_planner_has_its_own_parameters():
    agent = agent_from("pimc:worlds=5,inner=expectiminimax(depth=3,unit=plies),iterations=7")
    assert agent.planner == pg.PIMC(5, pg.Expectiminimax(depth=3, unit="plies"))
    assert agent.budget == pg.Budget(iterations=7)


def test_a_parameter_of_a_part_can_be_written_with_a_dot():
    agent = agent_from("plan-tournament:turn.beam=8,turn=turn(room=512),worlds=2,iterations=5")
    assert agent == agent_from("plan-tournament:turn=turn(beam=8,room=512),worlds=2,iterations=5")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("plan-tournament:beams.beam=8", "has no part 'beams'; it has turn, simulation"),
        ("plan-tournament:turn.beams=8", "has no parameter 'beams'"),
        ("pimc:inner=best", "no planner 'best'"),
        ("pimc:inner=uct(worlds=3)", "planner uct has no parameter 'worlds'"),
        ("pimc:inner=uct(exploration=1,iterations=5", "opens a bracket"),
        ("pimc:inner=random", "inner=uct or inner=expectiminimax"),
        ("uct:iterations=ten", "planner uct takes a whole number as iterations, not 'ten'"),
        ("uct:seconds=short", "planner uct takes a number as seconds, not 'short'"),
        ("uct:exploration=big", "planner uct takes a number as exploration, not 'big'"),
        ("uct:playout=playout(turns=few)", "playout takes a whole number as turns, not 'few'"),
        ("uct:belief=particles(worlds=x)", "belief particles takes a whole number as worlds"),
    ],
)
def test_what_means_nothing_is_refused_in_a_sentence(text, says):
    with pytest.raises(ValueError, match=says):
        agent_from(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pig:goal=ten", "game pig takes a whole number as goal, not 'ten'"),
        ("tubstap:fog=maybe", "game tubstap takes true or false as fog, not 'maybe'"),
    ],
)
def test_a_word_in_place_of_a_number_of_a_game_is_refused_in_a_sentence(text, says):
    with pytest.raises(ValueError, match=says):
        game_from(text)
