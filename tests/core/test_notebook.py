"""Rules typed into a notebook or an interpreter, and what is shown there."""

import linecache
import os
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from itertools import count

import pytest

import plyglass as pg
from plyglass.core.cache import directory_for, is_typed
from plyglass.core.compile import JIT, compilations
from plyglass.core.display import listed
from plyglass.core.mistakes import RuleError

compiled = pytest.mark.skipif(not JIT, reason="nothing is compiled")
NUMBERS = count()

TOP = """
import numpy as np
import plyglass as pg

State = pg.state_dtype(("heap", np.int8), ("player", np.int8))
"""
HELPER = """
@pg.kernel
def taken(s):
    return min(2, s.heap)
"""
RULES = """
@pg.kernel
def start(r, setup, s):
    s.heap = 7

@pg.kernel
def to_move(r, s):
    return s.player if s.heap > 0 else -1

@pg.kernel
def legal(r, s, out):
    out[0] = 1
    return 1

@pg.kernel
def apply(r, s, action):
    s.heap -= taken(s)
    s.player = 1 - s.player

@pg.kernel
def score(r, s, player):
    return 0.0
"""
GAME = """
class Cells(pg.Game):
    name = "cells"
    state = State
    rules = (start, to_move, legal, apply, score)

    def __init__(self):
        super().__init__(players=2, most_actions=1, most_steps=7, scores=(-1.0, 1.0))
"""


class Notebook:
    """Runs cells as IPython does: with made-up file names, and sources where tracebacks look."""

    def __init__(self):
        self.names = {"__name__": "__main__", "__builtins__": __builtins__}

    def run(self, *cells):
        for cell in cells:
            name = f"/tmp/ipykernel_{os.getpid()}/{next(NUMBERS)}.py"
            linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
            exec(compile(cell, name, "exec"), self.names)
        return self.names


@compiled
def test_rules_in_cells_are_compiled_once_and_anew_when_a_cell_changes():
    notebook = Notebook()
    names = notebook.run(TOP, HELPER, RULES, GAME)
    world = names["Cells"]().start(seed=1)
    world.apply(1)
    assert world.record["heap"] == 5
    before = compilations()["compiled"]
    _ = names["Cells"]().table  # nothing was typed since
    assert compilations()["compiled"] == before
    notebook.run(HELPER.replace("2", "3"))  # the cell that `apply` is in did not run again
    world = names["Cells"]().start(seed=1)
    world.apply(1)
    assert world.record["heap"] == 4


@compiled
def test_a_mistake_in_a_cell_is_answered_with_its_line():
    names = Notebook().run(TOP, HELPER, RULES.replace("return 0.0", "return s.heep"), GAME)
    with pytest.raises(RuleError, match=r"^notebook cell, line 22, rule score: s has no field"):
        _ = names["Cells"]().table


@compiled
def test_what_numba_would_compile_silently_is_refused_in_a_cell():
    names = Notebook().run(TOP, HELPER, RULES.replace("return 0.0", "raise ValueError"), GAME)
    with pytest.raises(RuleError, match="notebook cell, line 22, rule score: compiled code cannot"):
        _ = names["Cells"]().table


def interpreter(text):
    """What an interpreter says when this is typed."""
    done = subprocess.run(
        [sys.executable, "-i"], input=text, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@compiled
def test_rules_can_be_typed_into_an_interpreter():
    said = interpreter(
        TOP + HELPER + RULES + GAME.replace("\n\n", "\n") + "\nprint(Cells().start(1))\n"
        "\n@pg.kernel\ndef score(r, s, player):\n    return s.heep\n"
        + GAME.replace("\n\n", "\n")
        + "\nCells().table\n"
    )
    assert "<World of cells, player 1 to move: 1>" in said
    assert "RuleError: interpreter, rule score: " in said
    assert "Write the rules to a file or a notebook cell to see the line." in said


@pytest.mark.nightly
def test_rules_run_in_a_real_notebook():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    cells = (
        TOP,
        HELPER,
        RULES,
        GAME,
        "Cells().start(1)",
        "pg.games.find('skirmish')().start(1).hide(0)",
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client.NotebookClient(book, timeout=300).execute()
    (told,), (drawn,) = (cell.outputs for cell in book.cells[-2:])
    assert told.data["text/plain"] == "<World of cells, player 1 to move: 1>"
    assert drawn.data["image/svg+xml"].startswith("<svg width=")


def test_files_are_not_taken_for_cells():
    assert not is_typed(__file__)
    assert is_typed("<stdin>")
    assert directory_for([__file__, "<stdin>"]) is None  # what was typed is not kept on disk


# -- what is shown


def test_positions_name_their_actions():
    world = pg.games.find("kuhn-poker")().start(seed=1)
    assert repr(world) == "<World of kuhn-poker, player 1 to move: pass, bet>"
    assert repr(world.hide(0)) == "<View of kuhn-poker by player 1, player 1 to move: pass, bet>"
    # what the other can play may depend on what a viewer does not see
    assert repr(world.hide(1)) == "<View of kuhn-poker by player 2, player 1 to move>"
    world.apply(0)
    world.apply(0)
    assert repr(world.hide(0)) == "<View of kuhn-poker by player 1, over>"


def test_a_view_draws_itself_if_its_game_can_be_drawn(monkeypatch):
    drawn = pg.games.find("skirmish")().start(seed=1).hide(0)
    assert drawn._repr_svg_().startswith("<svg width=")
    assert drawn._repr_html_() is None
    monkeypatch.setattr(pg.games.find("kuhn-poker"), "scene", pg.Game.scene)
    written = pg.games.find("kuhn-poker")().start(seed=1).hide(0)
    assert written._repr_svg_() is None
    assert written._repr_html_().startswith("<pre>")


def test_a_world_draws_the_truth(monkeypatch):
    world = pg.games.find("kuhn-poker")().start(seed=1)
    assert world._repr_svg_() != world.hide(0)._repr_svg_()
    assert world._repr_html_() is None
    monkeypatch.setattr(pg.games.find("kuhn-poker"), "scene", pg.Game.scene)
    assert world._repr_svg_() is None
    assert world._repr_html_().startswith("<pre>")


@pytest.mark.parametrize("name", ["phantom-tic-tac-toe", "tic-tac-toe"])
def test_a_match_plays_itself_and_shows_what_was_hidden(name):
    game = pg.game_from(name)
    match = pg.play(game, [pg.Agent(pg.Random())] * 2, seed=1)
    shown = match._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    inside = unescape(shown.split('srcdoc="')[1].split('" style=')[0])
    assert inside.count('<section class="frame">') == len(match.moves) + 1
    boards = 3 if game.hides else 1  # of both players, and the truth
    assert inside.count("data-pieces=") == boards * (len(match.moves) + 1)


def test_a_match_of_a_setup_that_its_seed_does_not_tell_is_a_table():
    game = pg.game_from("navy")
    match = pg.play(game, [pg.Agent(pg.Random())], seed=1)
    other = replace(match, seed=2)
    assert other._repr_html_().startswith("<table>")


def test_decisions_and_matches_name_their_actions(monkeypatch):
    game = pg.games.find("kuhn-poker")()
    decision = pg.Decision(1, (0, 1), (-0.5, 0.25), (3, 7), iterations=10, game=game)
    assert repr(decision) == (
        "<Decision bet (bet +0.25 7 visits; pass -0.5 3 visits), 10 iterations, 0.000 s>"
    )
    rows = decision._repr_html_().split("<tr>")[2:]
    assert rows[0].startswith("<td>→</td><td>bet</td><td>+0.25</td><td><div")
    assert [re.search(r"width:(\d+)%", row)[1] for row in rows] == ["100", "4"]
    assert rows[0].endswith("<td>7</td></tr>")
    visited = pg.Decision(1, (0, 1), visits=(5, 20), game=game)._repr_html_()
    assert re.findall(r"width:(\d+)%", visited) == ["100", "25"]
    assert "width:0%" in pg.Decision(1, (0, 1), game=game)._repr_html_()
    match = pg.play(game, [pg.Agent(pg.Random())] * 2, seed=1)
    names = [game.action_name(action) for action in match.actions]
    assert repr(match).endswith(f": {', '.join(names)}>")
    assert f"<Match of KuhnPoker(), seed 1, scores {match.scores[0]:g}, " in repr(match)
    monkeypatch.setattr(pg.games.find("kuhn-poker"), "scene", pg.Game.scene)
    assert f"<td>player 1</td><td>{names[0]}</td>" in match._repr_html_()
    assert repr(match.decisions[0]).startswith(f"<Decision {names[0]} (")


def test_a_decision_without_a_game_shows_numbers_and_few_of_many():
    decision = pg.Decision(3, tuple(range(50)), visits=tuple(range(50)))
    assert repr(decision) == (
        "<Decision 3 (49 49 visits; 48 48 visits; 47 47 visits; 46 46 visits; 45 45 visits; "
        "44 44 visits; 44 more), 0.000 s>"
    )


def test_a_pickled_decision_leaves_its_game_behind():
    decision = pg.Decision(1, (0, 1), game=pg.games.find("kuhn-poker")())
    again = pickle.loads(pickle.dumps(decision))
    assert again == decision
    assert again.game is None


def test_long_lists_of_actions_are_cut():
    game = pg.games.find("connect-four")()
    assert listed(game, list(range(14))) == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more"
    assert listed(game, []) == ""
