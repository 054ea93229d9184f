"""Small parts of the arena, each against its definition."""

import os
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import plyglass as pg
from plyglass.arena.audit.glass_wall import Cell
from plyglass.arena.code_version import described
from plyglass.arena.first_pass import _died
from plyglass.arena.learning import _off
from plyglass.arena.match import agent
from plyglass.arena.match.match import first_position
from plyglass.arena.match.record import _text_of, is_person
from plyglass.arena.match.sandbox import FILE_RIGHTS
from plyglass.arena.nets import games
from plyglass.arena.nets.gate import _alone
from plyglass.arena.review.counterfactual import _welch
from plyglass.arena.runners.guardian import _children, _descendants, _name_and_start
from plyglass.arena.specs import _parts
from plyglass.arena.store.database import is_environmental
from plyglass.arena.store.files import set_aside
from plyglass.arena.store.salvage import _varint
from plyglass.arena.tournament.driver import CHUNK_SECONDS, MOST_IN_CHUNK, Tournament
from plyglass.arena.tournament.measures import discounted
from plyglass.arena.tournament.referee import Result, _excess, first_overrun
from plyglass.arena.tournament.row_check import _are_numbers
from plyglass.arena.tournament.stopping import _Sprt
from plyglass.stats.sprt import Sprt


def test_damaged_files_are_numbered_and_none_is_overwritten(tmp_path):
    damaged = tmp_path / "store.db"
    for number, content in enumerate((b"one", b"two", b"three"), 1):
        damaged.write_bytes(content)
        aside = set_aside(damaged)
        assert (aside.name, aside.read_bytes()) == (f"store.db.damaged-{number}", content)
        assert not damaged.exists()


@pytest.mark.parametrize(
    ("encoded", "value"),
    [
        (b"\x00", 0),
        (b"\x7f", 127),
        (b"\x81\x00", 128),
        (b"\x82\x01", 257),
        (b"\x81\x80\x00", 1 << 14),
        (b"\xff" * 8 + b"\x7f", (1 << 64) - 129),
        (b"\xff" * 9, (1 << 64) - 1),
        (b"\x80" * 7 + b"\x81\x05", 261),
    ],
)
def test_a_variable_length_integer_is_that_of_sqlite(encoded, value):
    """Seven bits a byte while the top bit is set; a ninth byte has eight."""
    assert _varint(b"\x09" + encoded + b"\x03", 1) == (value, 1 + len(encoded))


@pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").is_file(), reason="there is no such list"
)
def test_processes_below_a_process_are_found_by_name_and_start():
    sleeper = [sys.executable, "-c", "input()"]
    child = subprocess.Popen(sleeper, stdin=subprocess.PIPE)
    try:
        assert child.pid in _children(os.getpid())
        assert child.pid in set(_descendants(os.getpid()))
        name, start = _name_and_start(child.pid)
        assert name.startswith("python")
        assert int(start) > 0
    finally:
        child.communicate(b"\n")
    assert child.pid not in _children(os.getpid())
    assert _name_and_start(child.pid) == ("", "")


def test_codes_are_described_the_most_frequent_first():
    assert described(Counter({"1.0+a": 3})) == "plyglass 1.0+a"
    assert described(Counter({"": 3})) == "an unknown version"
    assert described(Counter({"1.0+a": 3, "": 2000})) == (
        "an unknown version (2,000 matches), plyglass 1.0+a (3 matches)"
    )


@pytest.mark.parametrize(
    ("budget", "excess"),
    [
        (pg.Budget(seconds=0.5), 0.25),
        (pg.Budget(turn_seconds=0.5), 1.5),
        (pg.Budget(iterations=5), 0.0),
        (None, 0.0),
        ("soon", 0.0),
    ],
)
def test_a_decision_or_a_turn_exceeds_its_budget_by_so_much(budget, excess):
    assert _excess(SimpleNamespace(budget=budget), 0.75, 2.0) == excess
    assert _excess(SimpleNamespace(), 0.75, 2.0) == 0.0


def test_a_turn_is_all_decisions_of_a_seat_in_a_row():
    players = [SimpleNamespace(budget=pg.Budget(turn_seconds=1.0))] * 2

    def first(*moves):
        moves = [SimpleNamespace(player=player, seconds=seconds) for player, seconds in moves]
        return first_overrun(SimpleNamespace(players=players, moves=moves), 0.25)

    assert first((0, 0.7), (0, 0.7)) == 0
    assert first((0, 0.7), (1, 0.7), (0, 0.7)) == -1
    assert first((0, 0.7), (1, 1.25), (1, 0.01)) == 1
    assert first((0, 1.25)) == -1


def test_noise_on_weights_is_relative():
    weights = [2.0, -4.0, 0.0]
    assert _off(weights, 0.0, 3).tolist() == weights
    one, twice = _off(weights, 0.1, 3), _off(weights, 0.2, 3)
    assert twice - weights == pytest.approx(2 * (one - weights))
    assert one[2] == 0.0
    noise = _off([1.0] * 4000, 0.1, 5)
    assert (noise.mean(), noise.std()) == pytest.approx((1.0, 0.1), abs=0.01)


@pytest.mark.parametrize(
    ("fixed", "pace", "size"),
    [
        (None, 0.0, 1),
        (None, CHUNK_SECONDS / 4, 4),
        (None, 10 * CHUNK_SECONDS, 1),
        (None, CHUNK_SECONDS / (10 * MOST_IN_CHUNK), MOST_IN_CHUNK),
        (7, CHUNK_SECONDS / 4, 7),
    ],
)
def test_a_chunk_is_as_long_as_it_should_take(fixed, pace, size):
    driver = object.__new__(Tournament)
    driver._fixed_chunk, driver._pace = fixed, pace
    assert driver._size() == size


def test_a_discounted_return_weighs_each_change_of_the_score():
    game = pg.game_from("tiger:steps=5")
    match = pg.play(game, [pg.Agent(pg.Random())], seed=4)
    world, expected = first_position(match.game, match.seed), 0.0
    for number, action in enumerate(match.actions):
        before = world.score(0)
        world.apply(action)
        expected += game.discount**number * (world.score(0) - before)
    assert discounted(match) == [pytest.approx(expected)]
    assert game.discount < 1.0
    assert expected != 0.0


def test_empty_parts_of_a_text_are_left_out():
    assert list(_parts("")) == []
    assert list(_parts("a=1,,b=(2,(3,4)),")) == ["a=1", "b=(2,(3,4))"]
    with pytest.raises(ValueError, match="opens a bracket"):
        list(_parts("a=(1,2"))


@pytest.mark.parametrize(
    ("code", "sentence"),
    [(-11, "ends the process (SIGSEGV)"), (0, "(no room)"), (1, "(no room)"), (None, "(no room)")],
)
def test_a_look_at_rules_tells_a_signal_from_an_error(code, sentence, tmp_path):
    assert sentence in _died(code, tmp_path / "note", "Traceback\nno room\n")


def test_both_sides_of_a_gate_take_time():
    game, spent = pg.game_from("pig:goal=6"), [0.0, 0.0]
    agents = tuple(pg.agent_from(f"uct:iterations={count}") for count in (4, 5))
    assert _alone(game, agents, 3, spent) in (0.0, 1.0, 2.0)
    assert min(spent) > 0


def test_each_pair_counts_once_in_a_sequential_test():
    """A win and a draw of the first agent make 3/2, the fourth of five pair scores."""
    sprt = Sprt(0, 20)
    live = _Sprt(sprt)
    win, draw = (Result(0, 0, 0, ("a", "b"), scores, {}) for scores in ((1.0, 0.0), (0.0, 0.0)))
    assert live.add(win, draw) == ""
    assert live.ratios == [sprt.state([0, 0, 0, 1, 0]).llr]


def test_isolated_players_with_one_text_are_one_value():
    assert len({pg.Isolated("a.py@B"), pg.Isolated("a.py@B")}) == 1


def test_each_version_of_landlock_has_one_more_right_on_files():
    assert FILE_RIGHTS == {1: 2**13 - 1, 2: 2**14 - 1, 3: 2**15 - 1, 5: 2**16 - 1}


def test_an_agent_that_was_not_audited_has_no_points():
    cell = Cell("tiger", "uct", "fresh", "uct", refusal="it cannot play this game")
    assert (cell.points, cell.differences, cell.swapped) == (0, 0, 0)


def test_errors_of_the_disk_are_told_from_a_damaged_file(tmp_path):
    (tmp_path / "torn.db").write_bytes(b"this is no database at all" * 100)
    found = []
    for path in (tmp_path / "nowhere" / "a.db", tmp_path / "torn.db"):
        with pytest.raises(sqlite3.Error) as caught:
            sqlite3.connect(path).execute("select * from sqlite_master")
        found.append(is_environmental(caught.value))
    assert found == [True, False]
    assert is_environmental(sqlite3.ProgrammingError("Cannot operate on a closed database."))


def test_only_numbers_within_bounds_are_numbers():
    assert _are_numbers([1, 2.5], 0, 3) is True
    assert not any(_are_numbers([each], 0, 3) for each in (True, "1", 4, float("nan"), None))


def test_the_test_of_two_means_is_welchs():
    chance = np.random.default_rng(3)
    first, second = chance.normal(0.0, 1.0, 9), chance.normal(0.6, 3.0, 14)
    assert _welch(first, second) == pytest.approx(
        stats.ttest_ind(first, second, equal_var=False).pvalue, rel=1e-9
    )


def test_a_decision_is_repeated_until_it_loads_nothing(monkeypatch):
    loaded, decided = iter([5, 6, 6, 6]), []
    monkeypatch.setattr(agent, "compilations", lambda: next(loaded))
    seat = SimpleNamespace(
        decide=lambda budget: decided.append(budget) or SimpleNamespace(action=7)
    )
    assert agent._decide_loaded(seat, pg.Budget(iterations=3)) == 7
    assert len(decided) == 2


def test_some_actions_of_a_game_to_learn_from_are_random(monkeypatch):
    """As many as the dice say: here every random number is one half."""
    drawn = []
    chance = SimpleNamespace(random=lambda: 0.5, integers=lambda count: drawn.append(count) or 0)
    monkeypatch.setattr(games.np.random, "default_rng", lambda seed: chance)
    for dice, is_random in ((0.4, False), (0.6, True)):
        drawn.clear()
        game = pg.games.TicTacToe()
        found = games.play_agents(game, ["random", "random"], 1, dice, 1)
        assert len(drawn) == (len(found.rows) if is_random else 0)


def test_a_person_is_written_with_their_name_if_they_have_one():
    texts = [_text_of(SimpleNamespace(name=name)) for name in ("Ada", "")]
    assert texts == ["person:Ada", "person"]
    assert all(is_person(text) for text in texts)
