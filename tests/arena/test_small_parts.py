"""Small parts of the arena, each against its definition."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

import plyglass as pg
from plyglass.arena.code_version import described
from plyglass.arena.learning import _off
from plyglass.arena.match.match import first_position
from plyglass.arena.runners.guardian import _children, _descendants, _name_and_start
from plyglass.arena.specs import _parts
from plyglass.arena.store.files import set_aside
from plyglass.arena.store.salvage import _varint
from plyglass.arena.tournament.driver import CHUNK_SECONDS, MOST_IN_CHUNK, Tournament
from plyglass.arena.tournament.measures import discounted
from plyglass.arena.tournament.referee import _excess, first_overrun


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
