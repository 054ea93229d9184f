"""Tournaments: equal digests, no match lost or played twice, and faulty agents named."""

import json
import random
import subprocess
import sys

import pytest

from plyglass.arena.runners import Played, Serial
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings, Stop
from plyglass.arena.tournament.work import play_match
from plyglass.core.compile import JIT
from plyglass.report.standings import standings
from tests.arena.tournaments import BAD, SMALL, run

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")
TWO = 'games = ["pig"]\n[agents]\na = "random"\nb = "random"\n'


def test_numbers_are_balanced_and_paired():
    schedule = Schedule(SMALL)
    assert len(schedule) == 17 * 2 * 3 * 2
    one, other = schedule[0], schedule[1]
    assert one.agents == other.agents[::-1]
    assert one.seed == other.seed
    assert one.pair == other.pair
    same_deal = {schedule[number].seed for number in range(12) if schedule[number].game == 0}
    assert len(same_deal) == 1  # every meeting of a deal has the same luck
    with pytest.raises(IndexError):
        schedule[len(schedule)]


def test_a_match_is_a_pure_function_of_settings_and_number():
    assert play_match(SMALL, 33) == play_match(SMALL, 33)
    assert play_match(SMALL, 0).digest != play_match(SMALL, 12).digest


def test_settings_are_read_from_toml(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(
        'games = ["pig:goal=10"]\ndeals = 2\n'
        '[agents]\na = "random"\nb = "random"\n[stop]\nrule = "sprt"\n'
    )
    settings = Settings.load(path)
    assert settings.stop == Stop("sprt")
    assert Settings.from_canonical(settings.canonical) == settings
    with pytest.raises(ValueError, match=r"There is no settings file .*none\.toml"):
        Settings.load(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('games = ["pig"]\ndeal = 2\n', "a tournament has no setting 'deal'; it has games, agents"),
        ('games = "pig"\n', "games must be a list of texts, as .*, not 'pig'"),
        ('games = ["pig"]\ndeals = "2"\n', "deals must be a whole number, not '2'"),
        ('games = ["pig"]\ndeals = 2.5\n', "deals must be a whole number, not 2.5"),
        ('games = ["pig"]\nagents = "uct"\n', "agents must be a table of names and texts"),
        ('games = ["pig"]\nmatch_seconds = true\n', "match_seconds must be a number of seconds"),
        ('games = ["pig"]\nstart = 12\n', "start must be text, not 12"),
        ('games = ["pig"]\n[agents\n', "settings.toml is not valid TOML: "),
        ('games = ["pig"]\n', "needs at least one game and one agent, not 1 games and 0 agents"),
        ('games = ["pig"]\n[agents]\na = "uctt"\n', "There is no planner 'uctt'"),
        (f"{TWO}[stop]\nelo = 3\n", r"\[stop\] has no setting 'elo'; it has rule, elo0"),
        (f'{TWO}[stop]\nrule = "sprtt"\n', "rule is one of none, sprt, sequential, not 'sprtt'"),
        (f'meeting = "all"\n{TWO}', "meeting is one of round-robin, gauntlet, pairs, not 'all'"),
        (f"deals = 0\n{TWO}", "deals must be at least 1, not 0"),
        (f"match_seconds = 0\n{TWO}", "match_seconds must be more than 0, not 0"),
    ],
)
def test_a_mistake_in_settings_is_named(text, says, tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises((ValueError, TypeError), match=says):
        Settings.load(path)


def test_one_digest_for_every_runner_chunk_and_order(tmp_path):
    expected, rows = run(SMALL, tmp_path)
    assert len(rows) == 204
    for chunk in (1, 7, 100):
        assert run(SMALL, tmp_path, "serial", 1, chunk)[0].digest == expected.digest
    assert run(SMALL, tmp_path, "processes", 2, 7)[0].digest == expected.digest

    class Shuffled(Serial):
        """Plays chunks in a random order and tells each result up to three times."""

        def events(self, canonical, next_chunk):
            chunks = []
            while (chunk := next_chunk()) is not None:
                chunks.append(chunk)
            choose = random.Random(3)
            events = [
                event
                for event in super().events(canonical, iter([*chunks, None]).__next__)
                for _ in range(choose.randint(1, 3))
            ]
            choose.shuffle(events)
            yield from events

    with open_store(tmp_path / "shuffled.sqlite", SMALL.run_id, SMALL.canonical) as store:
        assert Tournament(SMALL, store, Shuffled(), 5).run().digest == expected.digest


def test_a_run_that_was_stopped_goes_on(tmp_path):
    class Interrupted(Serial):
        def events(self, canonical, next_chunk):
            for number, event in enumerate(super().events(canonical, next_chunk)):
                if number == 3:
                    raise KeyboardInterrupt
                yield event

    expected, _ = run(SMALL, tmp_path)
    with open_store(tmp_path / "run.sqlite", SMALL.run_id, SMALL.canonical) as store:
        with pytest.raises(KeyboardInterrupt):
            Tournament(SMALL, store, Interrupted(), 10).run()
        assert len(list(store.rows())) == 30
    with open_store(tmp_path / "run.sqlite", SMALL.run_id, SMALL.canonical) as store:
        played = []
        outcome = Tournament(SMALL, store, Serial(), 10).run(
            lambda progress: played.append(progress.stored)
        )
        assert played[0] == 40
        assert outcome.digest == expected.digest


@pytest.mark.parametrize("rule", ["sprt", "sequential"])
def test_a_stopping_rule_stops_at_the_same_match_for_one_worker_and_many(rule, tmp_path):
    stop = Stop(rule, elo0=0.0, elo1=100.0)
    settings = Settings(
        games=("connect-four",),
        agents={"a": "uct:iterations=200", "b": "random"},
        deals=200,
        seed=9,
        stop=stop,
    )
    one, _ = run(settings, tmp_path, "serial", 1, 1)
    assert one.counted < 100
    assert one.counted % 2 == 0
    assert ("H1 accepted" if rule == "sprt" else "the mean difference is") in one.decision
    for runner, workers, chunk in (("serial", 1, 13), ("processes", 2, 5)):
        again, _ = run(settings, tmp_path, runner, workers, chunk)
        assert (again.counted, again.decision, again.digest) == (
            one.counted,
            one.decision,
            one.digest,
        )


def test_faults_are_lost_or_left_out_as_the_settings_say(tmp_path):
    for policy, games in (("forfeit", 2), ("exclude", 0)):
        settings = Settings(
            games=("tic-tac-toe",),
            agents={"good": "random", "bad": f"{BAD}@Raises"},
            deals=1,
            on_fault=policy,
        )
        _, rows = run(
            settings, tmp_path / policy if (tmp_path / policy).mkdir() is None else tmp_path
        )
        found = {line.agent: line for line in standings(settings, rows)}
        assert (found["good"].games if found else 0) == games
        if games:
            assert found["good"].rate == 1.0


def test_the_command_ends_with_digest_and_table(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(
        'games = ["kuhn-poker"]\ndeals = 4\n[agents]\na = "random"\nb = "uct:iterations=10"\n'
    )
    command = [
        sys.executable,
        "-m",
        "plyglass",
        "tournament",
        str(path),
        "--runner",
        "serial",
        "--out",
        str(tmp_path / "out"),
        "--json",
    ]
    first, again = (
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(2)
    )
    assert first == again
    assert {line["agent"] for line in first["table"]} == {"a", "b"}
    assert first["matches"] == 8


def test_a_chunk_is_sized_by_the_time_that_matches_take(tmp_path):
    sizes = []

    class Watching:
        workers = 1

        def events(self, canonical, next_chunk):
            settings = Settings.from_canonical(canonical)
            while (chunk := next_chunk()) is not None:
                sizes.append(len(chunk))
                yield Played(
                    tuple(play_match(settings, number) for number in chunk), 0.1 * len(chunk)
                )

    with open_store(tmp_path / "run.sqlite", SMALL.run_id, SMALL.canonical) as store:
        Tournament(SMALL, store, Watching()).run()
    assert sizes[0] == 1
    assert sizes[1] == 5  # half a second at a tenth each
