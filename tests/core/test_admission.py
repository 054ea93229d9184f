"""The gate: positions from outside are admitted only if the game could have made them."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import plyglass as pg
from plyglass.core import admission
from plyglass.core.admission import PositionRefused, admitted, admitted_view, admitted_world
from plyglass.core.compile import JIT
from plyglass.core.ranges import fields_of, outside
from plyglass.core.time_limit import limited
from tests.core.endless_rules import IS_NAN, NEVER_ENDS, RAISES, TOO_MANY, Weird
from tests.sizes import NIGHTLY, sized

ROOT = Path(__file__).parents[2]
SMALL = ("kuhn-poker", "connect-four", "skirmish:fog=true")
MUTATED = 100_000  # states over all games, at night


def fields(view):
    return {name: view.record[name].tolist() for name in fields_of(view.game)}


def positions(game, count, seed=0):
    """Worlds of random games."""
    choice = random.Random(seed)
    while count > 0:
        world = game.start(choice.randrange(1 << 60))
        while not world.over and count > 0:
            if choice.random() < 0.2:
                count -= 1
                yield world
            world.apply(choice.choice(world.legal()))


@pytest.mark.parametrize("text", sized(SMALL, (*pg.games.names(), "skirmish:fog=true")))
def test_what_a_game_makes_is_admitted_and_stays_the_same(text):
    game = pg.game_from(text)
    for world in positions(game, 3):
        assert admitted_world(game, world.row().tobytes()).row().tobytes() == world.row().tobytes()
        for seat in range(game.players):
            view = world.hide(seat)
            assert admitted(game, seat, json.loads(json.dumps(fields(view)))) == view
            assert admitted_view(game, seat, view.row().tobytes()) == view


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        (lambda f: f.pop("turn"), "fields", "turn"),
        (lambda f: f.update(luck=1), "fields", "luck"),
        (lambda f: f.update(more=1), "fields", "more"),
        (lambda f: f.update(turn="1"), "fields", "turn"),
        (lambda f: f.update(turn=True), "fields", "turn"),
        (lambda f: f.update(turn=1.0), "fields", "turn"),
        (lambda f: f.update(turn=None), "fields", "turn"),
        (lambda f: f.update(turn=[1]), "fields", "turn"),
        (lambda f: f.update(turn=10**30), "range", "turn"),
        (lambda f: f.update(turn=-1), "range", "turn"),
        (lambda f: f.update(cell=[[0, 1, 2]]), "fields", "cell"),
        (lambda f: f.update(cell=[[0, 1, 2], [3, 4, 5, 6]]), "fields", "cell"),
        (lambda f: f.update(cell=7), "fields", "cell"),
        (lambda f: f["cell"][0].__setitem__(0, 16), "range", "cell"),
        (lambda f: f["cell"][0].__setitem__(0, -100), "range", "cell"),
        (lambda f: f["cell"][1].__setitem__(0, 15), "shows-hidden", "cell"),
        (lambda f: f.update(moved=[[0, 0, 0], [1, 1, 1]]), "impossible", "moved"),
        (lambda f: f.update(moved=[[1, 0, 1], [0, 0, 0]]), "admitted", ""),
    ],
)
def test_a_wrong_view_is_refused_with_its_field(change, code, field):
    game = pg.game_from("skirmish:fog=true")
    told = fields(game.start(1).hide(0))
    change(told)
    if code == "admitted":
        admitted(game, 0, told)
        return
    with pytest.raises(PositionRefused) as refusal:
        admitted(game, 0, told)
    assert (refusal.value.code, refusal.value.field) == (code, field), refusal.value


def test_floats_and_seats_are_checked():
    game = pg.game_from("rocksample:size=4,rocks=3")
    told = fields(game.start(1).hide(0))
    for value, code in (
        (float("nan"), "range"),
        (1e999, "range"),
        (10**400, "range"),
        ("1", "fields"),
    ):
        told["odds"][0][0] = value
        with pytest.raises(PositionRefused) as refusal:
            admitted(game, 0, told)
        assert (refusal.value.code, refusal.value.field) == (code, "odds")
    for seat in (-1, 1, 2**70, "0", None, 0.0, True):
        with pytest.raises(PositionRefused, match="has seats 0 to 0"):
            admitted(game, seat, fields(game.start(1).hide(0)))


def test_a_world_cannot_bring_an_address_or_bytes_between_fields():
    game = pg.game_from("kuhn-poker")
    row = game.start(1).row()
    record = row.view(game.state)
    record["tape"] = 4096  # rules would read chance from there
    with pytest.raises(PositionRefused, match="tape"):
        admitted_world(game, row.tobytes())
    record["tape"], record["ply"] = 0, -5
    with pytest.raises(PositionRefused, match="ply"):
        admitted_world(game, row.tobytes())
    record["ply"] = 1
    admitted_world(game, row.tobytes())
    row[admission._gaps(game)] = 1
    with pytest.raises(PositionRefused, match="between its fields"):
        admitted_world(game, row.tobytes())
    with pytest.raises(PositionRefused, match="bytes, not 3"):
        admitted_world(game, b"abc")
    with pytest.raises(PositionRefused, match="header of a view"):
        admitted_view(game, 0, game.start(1).row().tobytes())


@pytest.mark.parametrize(
    ("weird", "says"),
    [
        (NEVER_ENDS, "the rule legal does not end .*endless_rules.py, line"),
        (RAISES, "the rule apply raises IndexError: tuple index out of range"),
        (IS_NAN, "a score of nan"),
        (TOO_MANY, "the rule legal raises IndexError"),
    ],
)
def test_rules_that_go_wrong_refuse_the_position(weird, says, monkeypatch, capfd):
    monkeypatch.setattr(admission, "SECONDS", 0.5)
    game = Weird()
    row = game.start(0).row()
    row.view(game.state)["weird"] = weird
    began = time.monotonic()  # after the rules were compiled
    with pytest.raises(PositionRefused, match=says) as refusal:
        admitted_world(game, row.tobytes())
    assert refusal.value.code == "impossible"
    assert time.monotonic() - began < 20  # the rules themselves would never end
    assert capfd.readouterr() == ("", "")


def test_ranges_cover_sampled_positions_and_name_unknown_fields():
    class Wrong(Weird):
        def limits(self):
            return {"seward": (0, 1)}

    class Tight(Weird):
        def limits(self):
            return {"steps": (0, 3)}

    with pytest.raises(ValueError, match="limits for 'seward'"):
        _ = Wrong().ranges
    assert Tight().ranges["steps"] == (0, 3)
    assert Tight().ranges["secret"] == (-128, 127)  # -1 was seen
    report = pg.check(Tight(), games=2)
    assert "'steps' is 4, outside of its range, 0 to 3" in str(report)


@pytest.mark.parametrize(
    ("text", "field", "pieces"),
    [("phantom-tic-tac-toe", "marks", 0b011101111), ("dark-hex:size=3", "stones", 0b111101111)],
)
def test_phantom_games_end_with_more_pieces_than_cells_for_the_opponent(text, field, pieces):
    game = pg.game_from(text).interpreted()  # compiled rules could not be stopped
    row = game.start(1).row()
    row.view(game.state)[field][0][0] = pieces
    with limited(10):
        admitted_world(game, row.tobytes())  # imagines worlds from every view


@pytest.mark.nightly
@pytest.mark.parametrize("text", pg.games.names())
def test_ranges_hold_in_games_that_they_were_not_derived_from(text):
    game = pg.game_from(text)
    for world in positions(game, 3000, seed=99):
        assert not list(outside(game, world.row()))


def run(*words, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.mutated_states", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.skipif(not JIT, reason="about compiled rules")
def test_nothing_is_written_outside_by_the_gate_or_by_what_it_admits(tmp_path):
    games = sized(SMALL, (*pg.games.names(), "skirmish:fog=true", "tubstap:fog=true"))
    count = -(-sized(MUTATED // 100 // 3, MUTATED) // len(games))
    asked = run("gate", "+".join(games), tmp_path, count, 29, NUMBA_BOUNDSCHECK="1")
    played = run("play", "+".join(games), tmp_path)
    for text, found in asked.items():
        assert sum(found.values()) == count
        known = {"admitted", "hung"} | {word for word in found if word.startswith("refused: ")}
        assert set(found) <= known, (text, found)
        assert found.get("admitted", 0) > 0
        assert set(played[text]) == {"in bounds"}, (text, played[text])
    refused = sum(n for found in asked.values() for word, n in found.items() if ":" in word)
    assert refused > count * len(games) / 4
    if not NIGHTLY:
        assert not any("hung" in found for found in asked.values())
