"""Games of people: they count in cross table and ratings by name, and only if they verify."""

import json
from dataclasses import replace

import pytest

from plyglass.arena.match.match import play
from plyglass.arena.match.record import record_of, verify
from plyglass.arena.specs import agent_from, game_from
from plyglass.arena.store import open_store
from plyglass.report.folder import markdown_of
from plyglass.report.page import page
from plyglass.report.run import load
from plyglass.report.strength import cross_rates, games_of_deals, rating_table
from plyglass.search.interface import Decision
from tests.report.hand_made import WIN, row, three_agents

AGENTS = {"weak": "random", "strong": "uct:iterations=20"}


class Ada:
    """Plays the first action."""

    cheats, name = False, "Ada"

    def take_seat(self, game, seat, seed):
        return self

    def observe(self, own_action, view):
        self.view = view

    def decide(self):
        actions = tuple(self.view.legal())
        return Decision(actions[0], actions)


def save(path, *players, game="tic-tac-toe", seed=1):
    match = play(
        game_from(game),
        [Ada() if each == "Ada" else agent_from(each) for each in players],
        seed=seed,
    )
    path.parent.mkdir(exist_ok=True)
    record_of(match).save(path)
    return match


@pytest.fixture
def results(tmp_path):
    settings = three_agents(agents=AGENTS, deals=6)
    path = tmp_path / "run.sqlite"
    with open_store(path, settings.run_id, settings.canonical) as store:
        store.add(row(number, WIN) for number in range(12))
    return path


def test_a_name_is_in_the_record_and_it_can_be_verified(tmp_path):
    match = save(tmp_path / "ada.json", "Ada", "random")
    assert record_of(match).players == ("person:Ada", "random:iterations=1000")
    verify(record_of(match))


def test_a_person_is_in_the_cross_table_and_the_ratings_and_marked(results, tmp_path):
    folder = tmp_path / "records"
    matches = [
        save(folder / f"{seed}.json", "Ada", "uct:iterations=20", seed=seed) for seed in range(3)
    ]
    run = load(results, folder)
    rate = cross_rates(run)["Ada (person)", "strong"]
    assert rate.games == 3
    assert (
        rate.rate
        == sum(0.5 if match.scores[0] == 0 else match.scores[0] > 0 for match in matches) / 3
    )
    assert "Ada (person)" in {line[1] for line in rating_table(run).rows}
    assert len(games_of_deals(run)) == 6 + 3
    assert run.digest == load(results).digest
    assert "Ada (person)" in page(run)
    assert "Ada (person)" in markdown_of(run)


def test_what_does_not_count_is_listed_with_its_reason(results, tmp_path):
    folder = tmp_path / "records"
    save(folder / "good.json", "Ada", "random")
    save(folder / "other-game.json", "Ada", "random", game="kuhn-poker")
    save(folder / "stranger.json", "Ada", "uct:iterations=21")
    save(folder / "agents.json", "random", "random")
    (folder / "good-again.json").write_text((folder / "good.json").read_text())
    (folder / "cut.json").write_text((folder / "good.json").read_text()[:100])
    changed = json.loads((folder / "good.json").read_text())
    changed["scores"] = changed["scores"][::-1]
    (folder / "forged.json").write_text(json.dumps(changed))
    (folder / "list.json").write_text("[1, 2]")
    people = load(results, folder).people
    reasons = dict(people.left_out)
    assert [file for file, _ in people.games] == ["good-again.json"]
    assert "the same match as good-again.json" in reasons["good.json"]
    assert "kuhn-poker, is not a game of the run" in reasons["other-game.json"]
    assert "uct:iterations=21 is not an agent of the run" in reasons["stranger.json"]
    assert "no player in it is a person" in reasons["agents.json"]
    assert all(
        "it is damaged" in reasons[file] for file in ("cut.json", "forged.json", "list.json")
    )
    assert len(people.left_out) == 7


def test_a_record_of_a_stranger_runs_no_code(results, tmp_path):
    folder = tmp_path / "records"
    save(folder / "a.json", "Ada", "random")
    record = json.loads((folder / "a.json").read_text())
    (tmp_path / "evil.py").write_text("raise SystemExit('it ran')")
    for number, change in enumerate(
        (
            {"game": str(tmp_path / "evil.py")},
            {"players": ["person", f"{tmp_path / 'evil.py'}@Player"]},
        )
    ):
        (folder / f"evil-{number}.json").write_text(json.dumps(record | change))
    assert len(load(results, folder).people.left_out) == 2


def test_a_folder_that_is_none_is_answered_with_a_sentence(results, tmp_path):
    with pytest.raises(ValueError, match="There is no folder"):
        load(results, tmp_path / "nothing")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"undone": 2, "resumed": (0,)}, "it is unrated: 2 actions were taken back"),
        ({"resumed": (0,)}, "it is unrated: it was saved and resumed"),
        ({"scores": ()}, "it is not over"),
    ],
)
def test_what_could_be_tried_twice_does_not_count(results, tmp_path, changes, reason):
    folder = tmp_path / "records"
    match = save(folder / "ada.json", "Ada", "random")
    assert len(load(results, folder).people.games) == 1
    replace(record_of(match), **changes).save(folder / "ada.json")
    assert load(results, folder).people.left_out == (("ada.json", reason),)
