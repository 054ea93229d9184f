"""The study of Pandemic: its measures, its rows, and its games of the default policy."""

from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from plyglass.arena.match.match import first_position, play
from plyglass.arena.match.record import record_of
from plyglass.arena.specs import agent_from, game_from
from plyglass.arena.tournament.measures import measures_from
from plyglass.bench.searches import search_speeds
from plyglass.cli import app
from plyglass.core import kind_of
from plyglass.core.compile import JIT
from plyglass.experiments.reproduction import Reproduction, reproduce
from plyglass.experiments.results import RowResult
from plyglass.experiments.studies.pandemic import human, measures
from plyglass.experiments.studies.pandemic.default_policy import by_length, result_of
from plyglass.experiments.study import TableRow, artifacts
from plyglass.games.pandemic.state import KINDS, MEDIC, RESEARCHER, SCIENTIST

HEURISTIC = (
    "determinized-uct:as_coded=true,scale=raw,"
    "evaluation=evaluation(evaluator=compound-2/3-as-coded),histories=3,iterations=20"
)
OF_STUDY = {artifact.key: artifact for artifact in artifacts() if artifact.study == "pandemic"}
compiled = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


@pytest.fixture(scope="module")
def game():
    return game_from("pandemic:preset=as_coded")


@pytest.fixture(scope="module")
def searched(game):
    return play(game, [agent_from(HEURISTIC)], seed=4)


@pytest.fixture(scope="module")
def random_games(game):
    return [
        play(game, [agent_from("policy:policy=default")], seed=seed)
        for seed in range(20 if JIT else 2)
    ]


def test_uses_count_every_action_but_the_last(random_games):
    for match in random_games:
        counted = measures.uses(match)
        assert sum(counted.values()) == len(match.moves) - 1
        assert counted["drive"] == sum(
            kind_of(action) == KINDS.index("drive") for action in match.actions[:-1]
        )


def test_treatments_so_far_never_fall_and_end_with_the_game(random_games):
    for match in random_games:
        so_far = measures.treats(match)
        assert [int(count) for count in so_far] == list(range(10, len(match.moves), 10))
        assert list(so_far.values()) == sorted(so_far.values())
        assert all(treated <= measures.uses(match)["treat"] for treated in so_far.values())


def test_an_event_is_present_where_it_was_in_a_hand_before_some_decision(random_games):
    for match in random_games:
        held = 0
        for world in measures.positions(match):
            for hand in world.record["hand"]:
                held |= int(hand) >> 48
        found = measures.events(match)
        for number, event in enumerate(measures.THESIS_EVENTS):
            present = held >> number & 1
            assert found[f"{event} present"] == present
            assert (f"won with {event}" in found, f"won without {event}" in found) == (
                present == 1,
                present == 0,
            )


def test_positions_end_one_action_before_the_end(searched):
    *_, last = measures.positions(searched)
    last.apply(searched.actions[-1])
    assert last == searched.end


def test_the_course_has_the_value_of_the_choice_and_of_the_position(game, searched):
    found = measures.course(searched)
    first, sixth = searched.moves[0].decision, searched.moves[5].decision
    assert found["selected 5"] == sixth.values[sixth.actions.index(sixth.action)]
    weights = np.array(first.visits)
    values = np.array([value if value is not None else 0.0 for value in first.values])
    assert found["mean 0"] == pytest.approx((weights * values).sum() / weights.sum())
    begun = game.evaluator("informed-loss-as-coded")
    world = next(measures.positions(searched))
    assert (
        found["informed-loss-as-coded 0"]
        == game.verbs.evaluate(game.table, world.address, 0, begun)
        == 0.75
    )
    assert max(int(name.split()[-1]) for name in found) <= min(
        measures.LAST, len(searched.moves) - 1
    )


def test_a_policy_has_no_values_and_no_depth(random_games):
    match = random_games[0]
    assert measures.course(match)["selected 0"] is None
    assert measures.tree_depth(match.moves[0].decision) is None
    assert measures.tree_depth(replace(match.moves[0].decision, depth=7)) == 7


def test_cures_are_those_at_the_end(searched, random_games):
    for match in (searched, *random_games):
        assert measures.cures(match) == bin(match.end.record["cured"]).count("1")


def test_the_length_of_a_game_counts_as_won_or_lost(random_games):
    match = random_games[0]
    assert measures.lengths(match) == {"lost": len(match.moves)}
    assert measures.lengths(replace(match, scores=(1.0,))) == {"won": len(match.moves)}


def test_the_human_benchmark_is_played_from_the_start_of_the_thesis(game):
    """Medic, scientist, researcher; 4 epidemics; 3 cards each of 55, so 46 are left; 18 cubes."""
    assert human.benchmark().settings["games"] == ["pandemic:preset=as_coded"]
    for seed in range(5):
        begun = first_position(game, seed).record
        assert [int(role) for role in begun["role"][:3]] == [MEDIC, SCIENTIST, RESEARCHER]
        assert [int(hand).bit_count() for hand in begun["hand"]] == [3, 3, 3, 0]
        assert (begun["left"], game.parameters["epidemics"]) == (46, 4)
        assert (
            sum(
                int(begun[plane][colour]).bit_count() * worth
                for plane, worth in (("low", 1), ("high", 2))
                for colour in range(4)
            )
            == 18
        )


@compiled
def test_a_person_can_play_the_human_benchmark_at_the_terminal():
    command = next(line for line in human.__doc__.split("`") if line.startswith("plyglass play"))
    words = command.partition(" --save")[0].split()[1:]
    shown = CliRunner().invoke(app, [*words, "--seed", "1"], input="q\n").output
    assert all(word in shown for word in ("medic", "scientist", "researcher", "Atlanta"))


def as_played_by_a_person(match):
    """The record of a match as if a person had played it."""
    record = record_of(match)
    moves = [{**move, "iterations": 0, "visits": [], "values": []} for move in record.moves]
    return replace(record, players=("person:me",), moves=tuple(moves))


def test_saved_games_of_a_person_are_compared_with_those_of_the_author(
    game, random_games, tmp_path, capsys
):
    for number, match in enumerate(random_games[:2]):
        as_played_by_a_person(match).save(tmp_path / f"{number}.json")
    record_of(random_games[0]).save(tmp_path / "agent.json")
    human.main(tmp_path)
    printed = capsys.readouterr().out
    assert "agent.json does not count: no player in it is a person" in printed
    games, _ = human.games_in(tmp_path)
    found = {each.name: each for each in human.compared(games).results}
    assert (found["won"].ours, found["won"].n, found["won"].reported) == (0.0, 2, 0.9)
    assert found["decisions"].ours == sum(len(match.moves) for match in random_games[:2]) / 2
    assert found["decisions"].reported == 73.9
    with pytest.raises(ValueError, match="1 games of a person count; play at least 2"):
        human.compared(games[:1])


def test_every_row_is_measured_by_its_settings():
    for artifact in OF_STUDY.values():
        if artifact.settings is None:
            continue
        settings = artifact.tournament()
        known = {"decisions", *(measure.name for measure in measures_from(settings.measures))}
        for row in artifact.rows:
            assert row.agent in settings.agents
            assert row.measure is None or row.measure.partition(".")[0] in known


def test_every_table_and_figure_of_the_thesis_is_ready_at_its_size():
    numbered = {f"table-{number}" for number in range(1, 10)} | {
        f"figure-{number}" for number in range(9, 13)
    }
    assert numbered <= {key for key, artifact in OF_STUDY.items() if artifact.ready}
    sizes = {
        key: artifact.tournament().deals
        for key, artifact in OF_STUDY.items()
        if artifact.settings is not None
    }
    assert {sizes[key] for key in numbered & set(sizes)} == {100}


def test_only_printed_rows_have_the_heuristics_of_the_text():
    of_program = [artifact for key, artifact in OF_STUDY.items() if not key.startswith("champion")]
    for artifact in of_program:
        for name, text in (artifact.settings or {}).get("agents", {}).items():
            judged = [
                part
                for part in text.split(",")
                if part.startswith(("evaluator=", "guide="))
                and ("loss" in part or "compound" in part)
            ]
            assert all(part.endswith("-as-coded") != ("printed" in name) for part in judged)


def test_a_share_has_an_interval_even_where_nothing_was_seen():
    none = result_of("never", np.zeros(100, bool))
    assert (none.ours, none.low) == (0.0, 0.0)
    assert 0.03 < none.high < 0.04


def test_width_by_length_counts_every_length_alike():
    assert by_length(np.array([4, 4, 9]), np.array([1.0, 3.0, 8.0])).tolist() == [2.0, 8.0]


@compiled
@pytest.mark.parametrize("key", ["oracle", "figure-9"])
def test_games_of_the_default_policy_agree_with_the_thesis(key, tmp_path):
    assert reproduce(OF_STUDY[key], tmp_path, scale=0.1).verdict == "agrees"


@compiled
def test_who_plays_alone_has_his_score_as_rate(tmp_path):
    artifact = OF_STUDY["table-8"]
    agents = {
        name: text.replace("iterations=500", "iterations=10")
        for name, text in artifact.settings["agents"].items()
    }
    quick = replace(artifact, settings={**artifact.settings, "agents": agents})
    results = {each.name: each for each in reproduce(quick, tmp_path, scale=0.03).results}
    assert results["random rollouts: won"].ours == 0.0
    assert results["random rollouts: won"].high < 1.0


def drawn(key, *others):
    """The axes of a figure with planted values, which rise from row to row; with other rows
    besides.
    """
    pytest.importorskip("matplotlib")
    from plyglass.experiments.figures.curves import draw_curves
    from plyglass.report.style import house_style

    artifact = replace(OF_STUDY[key], rows=(*OF_STUDY[key].rows, *others))
    results = [
        RowResult(row.name, place / 100, place / 100 - 0.1, place / 100 + 0.1, 40, row.reported)
        for place, row in enumerate(artifact.rows)
    ]
    with house_style():
        return artifact, draw_curves(Reproduction(artifact, tuple(results), 1.0, 40)).axes


def test_curves_lie_along_decades_where_numbers_do_and_join_what_belongs_together():
    artifact, (axes,) = drawn("figure-10")
    assert axes.get_xscale() == "log"
    joined = [
        curve for curve in axes.lines if curve.get_linestyle() == "-" and len(curve.get_xdata()) > 1
    ]
    assert [len(curve.get_xdata()) for curve in joined] == [9, 2, 3, 2, 4]
    assert all(list(curve.get_xdata()) == sorted(curve.get_xdata()) for curve in joined)
    hollow = [
        curve for curve in axes.lines if curve.get_marker() == "D" and len(curve.get_xdata()) == 1
    ]
    assert sorted(float(curve.get_ydata()[0]) for curve in hollow) == sorted(
        row.reported for row in artifact.rows if row.reported is not None
    )


def test_curves_have_a_panel_for_each_group():
    artifact, charts = drawn("figure-11")
    assert [axes.get_title(loc="left") for axes in charts] == list(
        dict.fromkeys(row.panel for row in artifact.rows)
    )
    assert {axes.get_xscale() for axes in charts} == {"linear"}


def test_a_row_without_a_place_is_on_no_curve():
    _, (axes,) = drawn("figure-10", TableRow("seconds a decision", "pace"))
    _, (same,) = drawn("figure-10")
    assert len(axes.lines) == len(same.lines)


@compiled
def test_heuristic_searches_are_fast():
    """300,000 simulations per CPU second is the aim; the bound is far below, so that a busy
    machine does not fail it.
    """
    speeds = dict(search_speeds(["heuristic UCT (Pandemic thesis)"], most=10_000, openings=2))
    print(speeds)
    assert speeds["heuristic UCT (Pandemic thesis)"] > 60_000
