"""Tournaments that several tests play."""

from pathlib import Path

from plyglass.arena.runners import runner_named
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
from plyglass.arena.tournament.settings import Settings

BAD = Path(__file__).parent / "bad_agents.py"
SMALL = Settings(
    games=("tic-tac-toe", "kuhn-poker"),
    agents={"a": "uct:iterations=20", "b": "uct:iterations=40", "c": "random"},
    deals=17,
    seed=5,
)


def run(settings, folder, runner="serial", workers=1, chunk=None, on_warning=None):
    with open_store(
        folder / f"{runner}-{workers}-{chunk}.sqlite", settings.run_id, settings.canonical
    ) as store:
        tournament = Tournament(
            settings, store, runner_named(runner, workers, settings.match_seconds), chunk
        )
        return tournament.run(on_warning=on_warning), list(store.rows())


STORM = """
import sys
from plyglass.arena.runners import runner_named
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
if __name__ == "__main__":
    settings = Settings.from_canonical(open(sys.argv[1]).read())
    with open_store(sys.argv[2], settings.run_id, settings.canonical) as store:
        print(Tournament(settings, store, runner_named(sys.argv[3], 2, 60.0), 6).run().digest)
"""
