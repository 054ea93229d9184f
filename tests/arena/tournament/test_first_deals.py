"""A run can play just the first deals, and a later run continues it."""

from plyglass.arena.runners import Serial
from plyglass.arena.tournament.driver import Tournament, open_run
from plyglass.arena.tournament.settings import Settings

SETTINGS = Settings(games=("kuhn-poker",), agents={"a": "random", "b": "random"}, deals=5)


def played(folder, deals):
    with open_run(folder / "run.sqlite", SETTINGS) as store:
        run = Tournament(SETTINGS, store, Serial(), deals=deals)
        counted = run.run().counted
        return counted, [row.number for row in run.counted_rows()], len(list(store.rows()))


def test_the_first_deals_come_first_and_the_others_follow(tmp_path):
    assert played(tmp_path, 2) == (4, [0, 1, 2, 3], 4)
    assert played(tmp_path, None) == (10, [*range(10)], 10)
    assert played(tmp_path, 2) == (4, [0, 1, 2, 3], 10)
