"""Every row names the code that played it, and resuming a run with other code warns."""

from dataclasses import replace

import pytest

import plyglass as pg
from plyglass.arena.code_version import code_of
from plyglass.arena.runners import Serial
from plyglass.arena.store import open_store
from plyglass.arena.tournament import driver
from plyglass.arena.tournament.driver import MixedCode, Tournament
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_match, row_of, text_of
from plyglass.report.page import page
from plyglass.report.run import load

SETTINGS = Settings(games=("kuhn-poker",), agents={"a": "random", "b": "random"}, deals=3)
PLAYER = """
from neighbour import ANYTHING
class Own:
    cheats = False
    def take_seat(self, game, seat, seed): return self
    def observe(self, own_action, view): self.view = view
    def decide(self): raise NotImplementedError
"""


def played(path, rows):
    with open_store(path, SETTINGS.run_id, SETTINGS.canonical) as store:
        store.add(rows)
    return path


def test_a_row_names_the_code_that_played_it_and_its_digest_does_not_depend_on_it(tmp_path):
    row = play_match(SETTINGS, 0)
    assert row.code == code_of(SETTINGS.canonical)
    assert row.code.startswith(f"{pg.__version__}+")
    assert row_of(text_of(row)).code == row.code
    assert replace(row, code="other").canonical == row.canonical
    for name in ("run.sqlite", "shards"):
        pytest.importorskip("pyarrow")
        assert load(played(tmp_path / name, [row])).rows[0].code == row.code


def test_an_edit_of_a_players_file_or_of_what_it_imports_is_another_code(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    own, neighbour = tmp_path / "own_player_of_test_code.py", tmp_path / "neighbour.py"
    own.write_text(PLAYER)
    neighbour.write_text("ANYTHING = 1\n")
    settings = replace(SETTINGS, agents={"a": "random", "b": f"{own}@Own"})
    found = []
    for change in ("ANYTHING = 1\n", "ANYTHING = 2\n", "ANYTHING = 1\n"):
        neighbour.write_text(change)
        code_of.cache_clear()
        found.append(code_of(settings.canonical))
    assert found[0] == found[2] != found[1]
    assert found[0] != code_of(SETTINGS.canonical)


def test_another_net_under_the_same_name_is_another_code(tmp_path):
    net = tmp_path / "a.npz"
    text = f"uct:iterations=1,playout.turns=1,playout.evaluator=net({net})"
    settings = replace(SETTINGS, agents={"a": text, "b": "random"})
    codes = []
    for content in (b"one", b"two"):
        net.write_bytes(content)
        code_of.cache_clear()
        codes.append(code_of(settings.canonical))
    code_of.cache_clear()
    assert codes[0] != codes[1]


def test_only_the_games_that_are_played_matter():
    assert code_of(SETTINGS.canonical) == code_of(replace(SETTINGS, deals=4).canonical)
    assert code_of(SETTINGS.canonical) != code_of(replace(SETTINGS, games=("pig",)).canonical)


def test_going_on_with_other_code_warns_and_the_report_tells_who_played_what(tmp_path):
    path = played(
        tmp_path / "run.sqlite",
        [replace(play_match(SETTINGS, number), code="0.0.9+abc") for number in range(2)],
    )
    with open_store(path, SETTINGS.run_id, SETTINGS.canonical) as store:
        tournament = Tournament(SETTINGS, store, Serial(), 1)
        with pytest.warns(
            MixedCode,
            match=r"2 of the stored matches were played by plyglass 0\.0\.9\+abc, but this is .* "
            r"another folder",
        ):
            outcome = tournament.run()
    assert tournament.progress.codes == {"0.0.9+abc": 2, code_of(SETTINGS.canonical): 4}
    run = load(path)
    assert run.digest == outcome.digest
    assert "plyglass 0.0.9+abc (2 matches)" in page(run)


def test_a_run_that_is_complete_or_goes_on_with_the_same_code_does_not_warn(tmp_path):
    path = played(tmp_path / "some.sqlite", [play_match(SETTINGS, 0)])
    complete = played(
        tmp_path / "all.sqlite",
        [replace(play_match(SETTINGS, number), code="old") for number in range(6)],
    )
    for each in (path, complete):
        with open_store(each, SETTINGS.run_id, SETTINGS.canonical) as store:
            warned = []
            Tournament(SETTINGS, store, Serial(), 1).run(on_warning=warned.append)
            assert warned == []


def test_a_match_that_was_given_up_names_the_code_of_the_driver(tmp_path):
    class Dies:
        workers = 1

        def events(self, canonical, next_chunk):
            while (chunk := next_chunk()) is not None:
                yield driver.Lost(chunk, chunk[0], 0, False)

    with open_store(tmp_path / "run.sqlite", SETTINGS.run_id, SETTINGS.canonical) as store:
        Tournament(SETTINGS, store, Dies(), 1).run()
        assert {(row.status, row.code) for row in store.rows()} == {
            ("quarantined", code_of(SETTINGS.canonical))
        }
