"""Trials: a deal played several times from one start position, with different chance."""

import pytest

from plyglass.arena.match.record import record_of, verify
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings, Stop
from plyglass.arena.tournament.work import play_match, replay_match, warm
from plyglass.experiments.results import results_of, values_of
from plyglass.experiments.study import TableRow
from plyglass.report.run import toml_of

ROCKS = "rocksample:size=3,rocks=4,layout_seed=1"
AGENTS = {"one": "random", "other": "random"}


def settings_of(game=ROCKS, **others):
    return Settings(games=(game,), agents=AGENTS, deals=3, seed=8, **others)


def begun(settings, number):
    """(the first position, the luck it has) of a match."""
    seen = []
    replay_match(
        settings,
        number,
        watch=lambda world, move: seen.append(world.copy()) if move is None else None,
    )
    return seen[0], int(seen[0].record["luck"])


def test_settings_with_one_trial_are_the_settings_without():
    once = settings_of(trials=1)
    assert "trials" not in once.canonical
    assert once.run_id == settings_of().run_id
    assert settings_of(trials=2).run_id != once.run_id
    assert Settings.from_canonical(settings_of(trials=2).canonical).trials == 2
    assert "trials = 2" in toml_of(settings_of(trials=2))


def test_trials_of_a_deal_begin_alike_and_go_on_with_luck_of_their_own():
    settings = settings_of(trials=3)
    schedule, found = Schedule(settings), {}
    assert len(schedule) == 3 * 3 * 2
    for number in range(len(schedule)):
        fixture = schedule[number]
        found[fixture.deal, fixture.trial, fixture.agents[0]] = begun(settings, number)
    assert len(found) == len(schedule)
    positions = [
        {hash(world) for (at, _, _), (world, _) in found.items() if at == deal} for deal in range(3)
    ]
    assert [len(each) for each in positions] == [1, 1, 1]
    assert len(set.union(*positions)) > 1
    luck = {
        (deal, trial): {found[deal, trial, agent][1] for agent in AGENTS}
        for deal in range(3)
        for trial in range(3)
    }
    assert all(len(each) == 1 for each in luck.values())  # all agents have the same luck
    assert len(set.union(*luck.values())) == 9  # and no two trials do


def test_the_first_trial_is_the_match_that_is_played_without_trials():
    once, thrice = settings_of(), settings_of(trials=3)
    for number in range(len(Schedule(once))):
        deal, place = divmod(number, 2)
        alone, among = play_match(once, number), play_match(thrice, 6 * deal + place)
        assert (alone.scores, alone.digest) == (among.scores, among.digest)
    assert len({play_match(thrice, place).digest for place in (0, 2, 4)}) == 3


def test_a_later_trial_begins_where_a_start_of_the_user_says(tmp_path):
    file = tmp_path / "openings.py"
    file.write_text("def opening(game, seed):\n    return game.start(seed)\n")
    settings = settings_of(trials=2, start=f"{file}@opening")
    assert begun(settings, 0)[0] == begun(settings, 2)[0]
    assert (
        begun(settings, 0)[0] != begun(settings, 4)[0]
        or begun(settings, 0)[0] != begun(settings, 8)[0]
    )


def test_a_record_of_a_later_trial_is_played_again():
    match = replay_match(settings_of(trials=2), 2)
    verify(record_of(match))


def test_the_deal_stays_the_unit_of_statistics():
    settings = settings_of(trials=2)
    rows = [
        MatchRow(number, "played", -1, (score,), 1, "")
        for number, score in enumerate((1.0, 0.0, 3.0, 0.0) * 3)
    ]
    assert len({result.pair for result in Referee(settings).results(rows)}) == 6
    row = TableRow("one", "mean", agent="one")
    (line,) = results_of([row], values_of(settings, rows, [row]))
    assert (line.ours, line.low, line.n) == (
        2.0,
        None,
        6,
    )  # every deal has the mean 2: no spread, although its trials differ


def test_what_trials_cannot_be_is_refused():
    with pytest.raises(ValueError, match="trials must be at least 1, not 0"):
        settings_of(trials=0)
    with pytest.raises(ValueError, match="play more deals instead"):
        settings_of("tic-tac-toe", trials=2, stop=Stop(rule="sprt"))


def test_a_run_with_somebody_who_cheats_can_be_prepared():
    warm(
        Settings(
            games=("kuhn-poker",),
            agents={"honest": "random", "cheat": "uct:iterations=5,belief=truth"},
            deals=1,
        ).canonical
    )
