"""`plyglass match` plays the games of a tournament of the same agents and seed."""

import json

import pytest
from typer.testing import CliRunner

from plyglass.arena.runners import Serial
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
from plyglass.arena.tournament.settings import Settings
from plyglass.cli import app
from plyglass.cli import match as command
from plyglass.core.compile import JIT
from plyglass.report.standings import standings
from tests.arena.tournaments import BAD

CASES = [
    ("duel", ["uct:iterations=20", "random"], 8),
    ("kuhn-poker", ["uct:iterations=10,belief=truth", "random"], 6),
    ("tiger:steps=5", ["uct:iterations=20"], 5),
]


def told(*words):
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize(("game", "agents", "games"), CASES)
def test_a_match_plays_the_games_of_a_tournament(game, agents, games, tmp_path):
    names = [f"agent {place} (cheats)" for place in range(len(agents))]
    settings = Settings((game,), dict(zip(names, agents, strict=True)), deals=games, seed=3)
    with open_store(tmp_path / "run.sqlite", settings.run_id, settings.canonical) as store:
        Tournament(settings, store, Serial()).run()
        of_tournament = list(store.rows())[:games]
    own = command.settings_of(game, agents, games, 3, "")
    of_match, _ = command._play(own, games, 0.0)
    assert [(row.digest, row.scores) for row in of_match] == [
        (row.digest, row.scores) for row in of_tournament
    ]


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_both_commands_print_the_same_digest_and_rates(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(
        'games = ["duel"]\ndeals = 4\nseed = 3\n'
        '[agents]\nfirst = "uct:iterations=20"\nsecond = "random"\n'
    )
    tournament = told(
        "tournament", str(path), "--runner", "serial", "--out", str(tmp_path / "results")
    )
    match = told("match", "duel", "uct:iterations=20", "random", "--games", "8", "--seed", "3")
    assert match["digest"] == tournament["digest"]
    line = next(each for each in tournament["table"] if each["agent"] == "first")
    assert [match[name] for name in ("rate", "low", "high")] == [
        line[name] for name in ("rate", "low", "high")
    ]
    assert match["scores"][0] == {
        "mean": line["mean"],
        "low": line["mean_low"],
        "high": line["mean_high"],
    }


def test_an_odd_number_of_games_leaves_the_last_deal_open():
    match = told("match", "kuhn-poker", "random", "random", "--games", "5")
    assert match["wins"] + match["draws"] + match["losses"] == 5
    settings = command.settings_of("kuhn-poker", ["random", "random"], 5, 0, "")
    rows, _ = command._play(settings, 5, 0.0)
    assert [line.games for line in standings(settings, rows)] == [5, 5]


def test_a_failing_agent_ends_the_match_with_one_sentence_about_its_error():
    done = CliRunner().invoke(
        app, ["match", "tic-tac-toe", f"{BAD}@Raises", "random", "--games", "2"]
    )
    assert done.exit_code == 2
    said = " ".join(done.output.split())
    assert "Game 1, agent 1: seat 1 raised an error after 0 actions" in said
    assert "RuntimeError: I do not know this position" in said
    assert "bad_agents.py, line " in said


@pytest.mark.parametrize(("stopped", "says"), [(3, "of 3 games"), (0, "before the first game")])
def test_ctrl_c_prints_what_there_is(stopped, says, monkeypatch):
    from plyglass.arena.tournament import work

    def interrupted(settings, number, note, play=work.noted_match):
        if number == stopped:
            raise KeyboardInterrupt
        return play(settings, number, note)

    monkeypatch.setattr(work, "noted_match", interrupted)
    done = CliRunner().invoke(app, ["match", "kuhn-poker", "random", "random", "--games", "9"])
    assert done.exit_code == 130
    assert says in done.output
    if stopped:
        assert "Stopped after 3 of 9 games." in done.output
        counted = json.loads(
            CliRunner()
            .invoke(app, ["match", "kuhn-poker", "random", "random", "--games", "9", "--json"])
            .stdout
        )
        assert counted["games"] == counted["wins"] + counted["losses"] == 3


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["tiger", "uct", "uct"], "tiger is for 1 players; give as many agents, not 2"),
        (["kuhn-poker", "random", "random", "--games", "0"], "Invalid value for '--games'"),
    ],
)
def test_a_mistake_is_answered_with_a_sentence(words, says):
    done = CliRunner().invoke(app, ["match", *words])
    assert done.exit_code == 2
    assert says in done.output
