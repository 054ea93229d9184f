"""A run, loaded from its store: the settings, the match rows that count, and their digest."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path

import plyglass
from plyglass.arena.limits import shown
from plyglass.arena.store import StoreError
from plyglass.arena.store.manifest import NAME as MANIFEST
from plyglass.arena.store.reader import read_store
from plyglass.arena.tournament.match_row import MatchRow, digest_of_rows
from plyglass.arena.tournament.referee import Referee, Result
from plyglass.arena.tournament.row_check import checked_rows
from plyglass.arena.tournament.schedule import Fixture, Schedule
from plyglass.arena.tournament.settings import SELDOM, Settings, Stop
from plyglass.arena.tournament.stopping import Stopping
from plyglass.report.people import People, people_in


@dataclass(frozen=True, eq=False)
class Run:
    """The data of a report.

    Attributes:
        settings: the settings of the tournament.
        rows: the match rows that count, in the order of their numbers.
        decision: why the tournament ended, or how many matches are played so far.
        people: people's games, which count in ratings and the cross table.
    """

    settings: Settings
    rows: tuple[MatchRow, ...]
    decision: str
    people: People = field(default_factory=People)

    @cached_property
    def fixtures(self) -> dict[int, Fixture]:
        """The fixture of each match, by number."""
        schedule = Schedule(self.settings)
        return {row.number: schedule[row.number] for row in self.rows}

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The results of matches; the settings say how matches with faults count."""
        return tuple(Referee(self.settings).results(self.rows))

    @cached_property
    def contests(self) -> tuple[int, ...]:
        """The indices of the games with opponents."""
        return tuple(
            index
            for index, text in enumerate(self.settings.games)
            if self.settings.game(text).players > 1
        )

    @cached_property
    def codes(self) -> Counter[str]:
        """The number of matches that each version of the code played."""
        return Counter(row.code for row in self.rows)

    @cached_property
    def digest(self) -> str:
        """A digest of all match rows without times, equal for every rerun of the tournament."""
        return digest_of_rows(self.rows)


def run_of(settings: Settings, rows: Iterable[MatchRow]) -> Run:
    """The run with these match rows, up to the decision of the stopping rule."""
    ordered, stopping = sorted(rows, key=lambda row: row.number), Stopping(settings)
    for row in ordered:
        stopping.add(row)
    counted = tuple(row for row in ordered if stopping.end is None or row.number < stopping.end)
    total = len(Schedule(settings))
    unfinished = stopping.end is None and len(counted) < total
    return Run(
        settings,
        counted,
        f"{len(counted)} of {total} matches played so far" if unfinished else stopping.decision,
    )


def load(
    path: str | Path, records: str | Path | None = None, settings: Settings | None = None
) -> Run:
    """The run in a store: a SQLite file or its folder, or a folder of Parquet shards.

    The store is only read, and only as data: nothing that it names is imported or opened. Games of
    people in the folder `records` also count. `settings` are the settings of the tournament, from a
    person who trusts the code that they name. They are needed for an older store with games of a
    user's own, because older stores do not keep facts about games.
    """
    run = _load(_store_at(Path(path)), settings)
    return run if records is None else replace(run, people=people_in(records, run.settings))


def _load(place: Path, given: Settings | None) -> Run:
    try:
        found = read_store(place)
    except StoreError as error:
        raise ValueError(str(error)) from error
    settings = Settings.from_store(found.settings, str(place))
    if settings.run_id != found.run_id:
        raise ValueError(
            f"{place} is refused: it is of run {shown(found.run_id)}, but its settings are those "
            f"of run {settings.run_id}, so the settings were edited."
        )
    if given is not None:
        if given.run_id != settings.run_id:
            raise ValueError(
                f"{place} is of run {settings.run_id}, but the settings given are those of run "
                f"{given.run_id}."
            )
        settings = replace(given, key=settings.key)
    return run_of(settings, checked_rows(settings, found.rows, str(place)))


def _store_at(place: Path) -> Path:
    """The store at a path; the path may be a folder that contains a single SQLite file."""
    if not place.exists():
        raise ValueError(f"There are no results at {place}; `plyglass tournament` makes them.")
    if not place.is_dir() or (place / MANIFEST).exists():
        return place
    found = sorted(place.glob("*.sqlite"))
    if not found:
        raise ValueError(f"There are no results in {place}; `plyglass tournament` makes them.")
    if len(found) > 1:
        raise ValueError(
            f"{place} has the results of {len(found)} tournaments; name one of "
            f"{', '.join(file.name for file in found)}."
        )
    return found[0]


def code_version() -> str:
    """The version of the package, and a digest of its sources, which changes with every edit."""
    seal, top = hashlib.blake2b(digest_size=6), Path(plyglass.__file__).parent
    for file in sorted(top.rglob("*.py")):
        seal.update(file.relative_to(top).as_posix().encode() + b"\0" + file.read_bytes())
    return f"plyglass {plyglass.__version__}, sources {seal.hexdigest()}"


def toml_of(settings: Settings) -> str:
    """The settings as the text of a file that `plyglass tournament` reads."""
    plain = {"games": list(settings.games), "meeting": settings.meeting, "deals": settings.deals,
        "seed": settings.seed,
             "on_fault": settings.on_fault, "match_seconds": settings.match_seconds,
             **_changed(settings)}  # fmt: skip
    tables = {"agents": dict(settings.agents)} | (
        {"stop": vars(settings.stop)} if settings.stop != Stop() else {}
    )
    lines = [f"{name} = {_literal(value)}" for name, value in plain.items()]
    for title, values in tables.items():
        lines += [
            "",
            f"[{title}]",
            *(f"{_key(name)} = {_literal(value)}" for name, value in values.items()),
        ]
    return "\n".join(lines) + "\n"


def _changed(settings: Settings) -> dict[str, object]:
    """Rarely used settings, if they differ from the default."""
    seldom = [each for each in fields(Settings) if each.name in SELDOM]
    return {
        each.name: value
        for each in seldom
        if (value := getattr(settings, each.name)) != each.default
    }


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _literal(name)


def _literal(value: object) -> str:
    """A value as TOML: the same text as in JSON, except that one more character is escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
