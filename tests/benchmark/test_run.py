"""A tiny suite, run up to its page, resumed, and read again as data."""

import json
from dataclasses import replace

import pytest

from plyglass.arena.runners import Serial
from plyglass.benchmark.contests import settings_of
from plyglass.benchmark.pace import Try, next_iterations, refuse_budget, with_iterations
from plyglass.benchmark.page import found_in, page, write_page
from plyglass.benchmark.result import Result, file_name, read
from plyglass.benchmark.run import Benchmark
from plyglass.benchmark.suite import MODES, Size

from .tiny import SUITES, TINY, simulated

OWN = """
from plyglass import Decision


class Mine:
    cheats = False

    def take_seat(self, game, seat, seed):
        return self

    def observe(self, own_action, view):
        self.view = view

    def decide(self):
        actions = tuple(self.view.legal())
        return Decision(actions[0], actions)
"""

OWN_PLANNER = """
from dataclasses import dataclass
from typing import ClassVar

from plyglass.planners.random import RandomSearch


@dataclass(frozen=True)
class Mine:
    name: ClassVar[str] = "mine"
    depth: int = 2

    def begin(self, game, seat, belief, seed):
        return RandomSearch(seed)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("benchmark")


@pytest.fixture(scope="module")
def results(folder):
    said = []
    run = Benchmark(TINY, "minutes", ["random", "so-ismcts"], folder, Serial())
    found = run.run(lambda done, says, total: said.append((done, says, total)))
    assert any("%" in says for _, says, _ in said)  # the running result
    assert all(done <= total for done, _, total in said)
    return found


def size_of(suite, result):
    """How much of a suite a result has, as a size."""
    cells = [
        len(cell.results) // 2
        for mode in MODES
        for each in result.contests[mode].values()
        for cell in each.by_reference.values()
    ]
    return Size(
        min(cells, default=0),
        min((each.seeds for each in result.exploited.values()), default=0),
        min((len(result.regret.get(game, ())) for game in suite.solved), default=0),
        min((len(each.brier) for each in result.beliefs.values()), default=0),
    )


def test_a_run_measures_everything(results):
    for result in results:
        assert size_of(TINY, result) == TINY.sizes["minutes"]
        assert not result.refused
        assert result.games == 2 * 2 * 2 * 4  # modes, games, references, matches
        assert result.exploited["kuhn-poker"].sets == 12
    assert results[1].pace["tic-tac-toe"].iterations >= 1
    assert results[0].name == "random"


def test_a_second_run_plays_nothing_and_a_larger_size_continues(results, folder, monkeypatch):
    again = Benchmark(TINY, "minutes", ["random"], folder, Serial())
    monkeypatch.setattr("plyglass.benchmark.run.play_contest", None)
    monkeypatch.setattr("plyglass.benchmark.run.exploited", None)
    assert again.run()[0].text() == results[0].text()
    monkeypatch.undo()
    more = Benchmark(TINY, "hour", ["random"], folder, Serial()).run()[0]
    for game, cells in more.contests["time"].items():
        for reference, cell in cells.by_reference.items():
            before = results[0].cell("time", game, reference)
            assert cell.results.startswith(before.results)
            assert len(cell.results) == 8


def test_results_are_read_as_data_and_edits_are_refused(results, folder, tmp_path):
    file = folder / file_name(results[1].name)
    assert read(file, SUITES) == results[1]
    values = json.loads(file.read_text())
    values["contests"]["time"]["tic-tac-toe"]["by_reference"]["random"]["results"] = "----"
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(values))
    with pytest.raises(ValueError, match="it was edited"):
        read(edited, SUITES)
    with pytest.raises(ValueError, match="does not know 'tiny'"):
        read(file)


def without_chips(found):
    cells = found.contests["time"]["kuhn-poker"].by_reference
    cells["random"] = replace(cells["random"], scores=())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda found: found.refused.update(chess="no"), "games that the suite does not have"),
        (lambda found: found.regret.update({"tic-tac-toe": ["1"]}), "is not a number"),
        (lambda found: setattr(found, "name", "\x1b[2J"), "does not print"),
        (lambda found: setattr(found, "suite_digest", "0"), "not the published one"),
        (without_chips, "lacks the chips of kuhn-poker, which is scored by deal"),
    ],
)
def test_impossible_values_are_refused_even_with_a_digest(change, why, tmp_path):
    found = simulated(TINY, "a", 0.0, (0.0, 0.0), 2, seed=1)
    change(found)
    found.write(tmp_path / "a.json")
    with pytest.raises(ValueError, match=why):
        read(tmp_path / "a.json", SUITES)


def test_reading_a_result_imports_nothing(tmp_path):
    (tmp_path / "evil.py").write_text("raise SystemExit('imported')")
    found = simulated(TINY, f"{tmp_path}/evil.py@Mine", 0.0, (0.0, 0.0), 2, seed=1)
    found.write(tmp_path / "a.json")
    one = read(tmp_path / "a.json", SUITES)
    pair = [one, replace(one, name="<b>other</b>")]
    text = page(TINY, pair, found_in(TINY, pair))
    assert "<b>other</b>" not in text
    assert "&lt;b&gt;other&lt;/b&gt;" in text


def test_the_page_has_every_part(results, tmp_path):
    files, computed = write_page(TINY, results, tmp_path)
    assert [each.mode for each in computed.boards] == ["time", "iterations"]
    text = files[-1].read_text()
    for title in ("Ratings at equal time", "Speed and strength", "Exploitability", "Regret"):
        assert title in text
    assert text.count("<figure") == 3


def test_a_players_own_class_joins(tmp_path):
    (tmp_path / "my_planner.py").write_text(OWN)
    suite = replace(TINY, contests=TINY.contests[1:], solved={}, enumerated=(), exploited=())
    text = f"{tmp_path}/my_planner.py@Mine"
    (found,) = Benchmark(suite, "minutes", [text], tmp_path / "out", Serial()).run()
    assert found.pace["tic-tac-toe"].iterations is None
    assert found.cell("time", "tic-tac-toe", "random").games == 4
    assert found.beliefs == {}


def test_a_planner_of_ones_own_gets_the_budgets_of_the_suite(tmp_path):
    (tmp_path / "bench_planner.py").write_text(OWN_PLANNER)
    suite = replace(TINY, contests=TINY.contests[1:], solved={}, enumerated=())
    text = f"{tmp_path}/bench_planner.py@Mine:depth=3"
    (found,) = Benchmark(suite, "minutes", [text], tmp_path / "out", Serial()).run()
    assert found.pace["tic-tac-toe"].iterations >= 1
    assert found.cell("iterations", "tic-tac-toe", "so-ismcts").games == 4
    assert found.belief == "fresh"
    assert found.exploited["kuhn-poker"].seeds == 2
    again = Benchmark(suite, "minutes", [text], tmp_path / "out", Serial()).run()
    assert again[0].text() == found.text()


def test_an_agent_that_cannot_play_a_game_is_not_a_loser(tmp_path):
    suite = replace(TINY, contests=TINY.contests[:1], solved={}, enumerated=(), exploited=())
    text = "refusing.py@Refuses"
    (tmp_path / "refusing.py").write_text(
        OWN.replace("return self\n", "raise ValueError('Cannot play cards.')\n", 1).replace(
            "class Mine", "class Refuses"
        )
    )
    text = f"{tmp_path}/{text}"
    (found,) = Benchmark(suite, "minutes", [text], tmp_path / "out", Serial()).run()
    assert "Cannot play cards." in found.refused["kuhn-poker"]
    assert found.games == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("uct:iterations=5", "leave out iterations"),
        ("uct:trees=2,seconds=1", "leave out seconds"),
        ("uct:belief=truth", "given more than its views"),
    ],
)
def test_agents_with_budgets_or_too_much_knowledge_are_refused(text, why):
    with pytest.raises(ValueError, match=why):
        refuse_budget(text)


def test_budgets_inside_of_brackets_are_parameters():
    refuse_budget("random")
    assert with_iterations("uct", 5) == "uct:iterations=5"
    assert with_iterations("uct:trees=2", 5) == "uct:trees=2,iterations=5"
    assert with_iterations("a.py@B", None) == "a.py@B"


def test_iterations_follow_from_a_fixed_cost_and_a_cost_each():
    def ms(iterations):
        return 2.0 + 0.01 * iterations

    tries = [Try(100, ms(100), 10.0)]
    for _ in range(3):
        iterations = next_iterations(tries)
        tries.append(Try(iterations, ms(iterations), 10.0))
    assert tries[-1].iterations == pytest.approx(800, rel=0.01)


def test_noise_near_the_goal_does_not_send_the_search_far_away():
    tries = [Try(400, 9.0, 10.0), Try(440, 8.5, 10.0)]
    assert 400 < next_iterations(tries) < 900


def test_all_sizes_are_one_tournament():
    first = settings_of(TINY, TINY.contests[1], "time", "random", 7)
    assert first.deals == 4
    assert first.agents["so-ismcts"] == "so-ismcts:iterations=40"
    equal = settings_of(TINY, TINY.contests[1], "iterations", "random", 7)
    assert equal.agents["agent"] == "random:iterations=20"


def test_a_run_that_is_stopped_has_half_of_the_longest_cell_everywhere(tmp_path):
    sizes = {"minutes": TINY.sizes["minutes"], "hour": Size(8, 2, 3, 2)}
    suite = replace(TINY, sizes=sizes)
    run = Benchmark(suite, "hour", ["random"], tmp_path, Serial())

    def stop(done, says, total):
        results = run.results["random"].contests.values()
        played = [len(cell.results) for games in results for cell in cells_in(games)]
        if 16 in played:  # both seats of all eight deals
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.run(stop)
    found = run.results["random"].contests
    played = [len(cell.results) for mode in MODES for cell in cells_in(found[mode])]
    assert len(played) == len(MODES) * len(suite.contests) * len(suite.references)
    assert set(played) == {8, 16}


def cells_in(games):
    return [cell for cells in games.values() for cell in cells.by_reference.values()]


def test_an_empty_result_has_no_tables(tmp_path):
    found = Result(TINY.name, TINY.digest, "random", "random")
    files, computed = write_page(TINY, [found], tmp_path)
    assert computed.boards == ()
    assert files[-1].exists()
