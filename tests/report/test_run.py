"""A run is found in its store, or in the folder that a tournament wrote to."""

import pytest

from plyglass.arena.runners import Serial
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
from plyglass.arena.tournament.settings import Settings
from plyglass.report.run import load


def test_a_report_takes_the_folder_of_a_tournament(tmp_path):
    with pytest.raises(ValueError, match="There are no results in"):
        load(tmp_path)
    for deals in (1, 2):
        settings = Settings(("kuhn-poker",), {"a": "random", "b": "random"}, deals=deals)
        file = tmp_path / f"{settings.run_id}.sqlite"
        with open_store(file, settings.run_id, settings.canonical) as store:
            Tournament(settings, store, Serial()).run()
        if deals == 1:
            assert len(load(tmp_path).rows) == 2
    assert len(load(file).rows) == 4
    with pytest.raises(ValueError, match="the results of 2 tournaments; name one of"):
        load(tmp_path)
