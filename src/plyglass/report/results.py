"""The matches of a run as one table for pandas or Arrow, with games and agents by name."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.measures import split_name
from plyglass.arena.tournament.schedule import Fixture
from plyglass.report.run import Run, load
from plyglass.report.standings import Standing, tables_of
from plyglass.report.standings import standings as standings_of
from plyglass.report.tables import Table

Kind = Literal["pandas", "arrow"]


def results(path: str | Path, kind: Kind | None = None) -> Any:
    """The matches in a store as a table with one row for each seat of each match.

    `kind` chooses a DataFrame of pandas or a table of Arrow. If `kind` is None, the result is a
    DataFrame if pandas is installed, and else a table of Arrow. The columns are `match`, `game`,
    `deal`, `trial`, `seat` (from 1), `agent`, `score`, `status`, `offender` (an agent), `steps`,
    `seconds` (of the seat), `match_seconds` (CPU), `code`, and a column for each measure. Unknown
    values are empty, such as the score of a match that did not end.
    """
    kind = kind or _installed()
    run = load(path)
    lines = [line for row in run.rows for line in _lines(run, row)]
    names = list(dict.fromkeys(name for line in lines for name in line))
    columns = {name: [line.get(name) for line in lines] for name in names}
    if kind == "pandas":
        return _library("pandas").DataFrame(columns)
    return _library("pyarrow").table(columns)


@dataclass(frozen=True)
class Standings:
    """The standings of a run. A notebook shows them as a table for each game.

    Attributes:
        entries: the result of each agent in each game, best first.
        tables: the same results as a table for each game.
    """

    entries: tuple[Standing, ...]
    tables: tuple[Table, ...]

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables)


def standings(path: str | Path) -> Standings:
    """The standings of the matches in a store, with intervals."""
    run = load(path)
    found = tuple(standings_of(run.settings, run.rows))
    return Standings(found, tuple(tables_of(found)))


def _lines(run: Run, row: MatchRow) -> Iterator[dict[str, Any]]:
    """One table row for each seat of a match."""
    fixture = run.fixtures[row.number]
    for seat, agent in enumerate(fixture.agents):
        yield {
            "match": row.number,
            "game": run.settings.games[fixture.game],
            "deal": fixture.deal,
            "trial": fixture.trial,
            "seat": seat + 1,
            "agent": agent,
            "score": row.scores[seat] if row.scores else None,
            "status": row.status,
            "offender": _offender(fixture, row),
            "steps": row.steps,
            "seconds": row.seat_seconds[seat] if row.seat_seconds else None,
            "match_seconds": row.seconds,
            "code": row.code,
            **_measures(row, seat),
        }


def _offender(fixture: Fixture, row: MatchRow) -> str | None:
    return fixture.agents[row.offender] if row.offender >= 0 else None


def _measures(row: MatchRow, seat: int) -> dict[str, float]:
    """The measures of the seat and of the whole match, by name."""
    found = {}
    for name, value in row.measures.items():
        measure, owner = split_name(name)
        if owner in (None, seat):
            found[measure] = value
    return found


def _installed() -> Kind:
    return "arrow" if importlib.util.find_spec("pandas") is None else "pandas"


def _library(name: Literal["pandas", "pyarrow"]) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise RuntimeError(
            "A table of results needs pandas or pyarrow: pip install 'plyglass[table]' or "
            "'plyglass[archive]'."
        ) from error
