"""Tournaments in a folder, for people who watch them.

The files of a run are only read, and only as data: nothing that they name is imported or opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from plyglass.arena.match.agent import Agent
from plyglass.arena.match.match import play
from plyglass.arena.match.record import record_of
from plyglass.arena.specs import game_from, text_of_game
from plyglass.arena.store import DATABASES
from plyglass.arena.store.manifest import NAME as MANIFEST
from plyglass.arena.tournament.match_row import digest_of_actions
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.stopping import Stopping
from plyglass.report.run import Run, load
from plyglass.report.standings import standings
from plyglass.search.threads import one_thread
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.protocol import Refused
from plyglass.trust import NamesCode, as_data

MOST_POINTS = 200  # the most points in the line of a sequential test
MOST_RUNS = 1000
MOST_MATCHES = 500  # the most matches that are listed


class Runs:
    """The runs in a folder and in its direct subfolders, by id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if not folder.is_dir():
            raise ValueError(f"There is no folder {folder}; `plyglass tournament` makes runs.")

    def paths(self) -> dict[str, Path]:
        """The store of every run by id; the id is its path in the folder, with dots for slashes."""
        inner = [path for path in sorted(self._folder.iterdir()) if _is_folder(path)]
        found = [path for folder in (self._folder, *inner) for path in sorted(folder.iterdir())]
        stores = [path for path in (*inner, *found) if _is_store(path)]
        return {self._id(path): path for path in dict.fromkeys(stores[:MOST_RUNS])}

    def listed(self) -> list[dict[str, Any]]:
        """The runs, the most recently changed first."""
        runs = [{"id": name, "changed": changed(path)} for name, path in self.paths().items()]
        return sorted(runs, key=lambda run: -run["changed"])

    def path(self, name: str) -> Path:
        """The store of a run; refuses ids that are not in the list."""
        found = self.paths().get(name)
        if found is None:
            raise Refused("unknown", "There is no such run here.", "run")
        return found

    def _id(self, path: Path) -> str:
        relative = path.relative_to(self._folder)
        return ".".join((relative if path.is_dir() else relative.with_suffix("")).parts)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_store(path: Path) -> bool:
    if path.is_symlink():
        return False
    return (path / MANIFEST).is_file() if path.is_dir() else path.suffix in DATABASES


def changed(path: Path) -> float:
    """When the files of a store last changed.

    Reading a SQLite database makes an empty log file beside it, which does not count as a change.
    """
    files = path.iterdir() if path.is_dir() else [path.with_name(f"{path.name}-wal")]
    times = [0.0]
    for file in (path, *files):
        try:
            found = file.stat()
        except FileNotFoundError:  # a run in progress may remove files
            continue
        if found.st_size or file == path:
            times.append(found.st_mtime)
    return max(times)


def standings_at(path: Path) -> dict[str, Any]:
    """The results of a run so far, as plain values."""
    run = _loaded(path)
    settings, stopping = run.settings, Stopping(run.settings)
    for row in run.rows:
        stopping.add(row)
    return {
        "games": [*settings.games],
        "agents": {**settings.agents},
        "played": len(run.rows),
        "total": len(Schedule(settings)),
        "decision": run.decision,
        "standings": [asdict(each) for each in standings(settings, run.rows)],
        "sprt": _line(stopping),
    }


def _loaded(path: Path) -> Run:
    try:
        return load(path)
    except ValueError as error:
        raise Refused("run", str(error)[:500], "run") from None


def matches_at(path: Path) -> list[dict[str, Any]]:
    """The latest matches of a run as plain values, the latest first."""
    run = _loaded(path)
    last = run.rows[-1 : -MOST_MATCHES - 1 : -1]
    return [
        {
            "number": row.number,
            "game": run.settings.games[run.fixtures[row.number].game],
            "agents": [*run.fixtures[row.number].agents],
            "scores": [*row.scores],
            "status": row.status,
            "steps": row.steps,
        }
        for row in last
    ]


def record_at(
    catalogue: Catalogue, path: Path, number: int, over: Callable[[], bool]
) -> dict[str, Any]:
    """The record of a match of a run, made by playing the match again.

    A run keeps only a digest of a match's actions. If the actions of the new match have another
    digest, the request is refused. Games and players that are not part of Plyglass are also
    refused.
    """
    run = _loaded(path)
    settings, rows = run.settings, {row.number: row for row in run.rows}
    if number not in rows or not rows[number].finished:
        raise Refused("unknown", "The run has no finished match with this number.", "number")
    fixture = run.fixtures[number]
    if settings.start or fixture.trial:
        raise Refused(
            "run", "This run has its own start positions or trials, so no match is shown.", "number"
        )
    if settings.key:
        raise Refused("run", "The run keeps its deals secret, so no match is shown.", "number")
    try:
        with as_data():
            text = text_of_game(game_from(settings.games[fixture.game]))
            players = [settings.player(settings.agents[name]) for name in fixture.agents]
    except (NamesCode, ValueError) as error:
        raise Refused("run", f"The match cannot be played again: {error}"[:500], "run") from None
    if any(isinstance(each, Agent) and each.budget.limit is not None for each in players):
        raise Refused(
            "run", "An agent has a time limit, so the match cannot be repeated.", "number"
        )

    def refuse_late(_: int) -> None:
        if over():
            raise Refused("late", "Playing the match again takes longer than a request may.")

    game = catalogue.of_text(text).game
    with one_thread():
        match = play(game, players, seed=fixture.seed, on_turn=refuse_late)
    if digest_of_actions(match.actions) != rows[number].digest:
        raise Refused(
            "run",
            "The code has changed since the run, so the match cannot be repeated.",
            "number",
        )
    record = record_of(match)
    moves = tuple(
        {**move, "visits": [], "values": []} for move in record.moves
    )  # clients send it back
    return replace(record, moves=moves).sealed()


def _line(stopping: Stopping) -> dict[str, Any] | None:
    """The course of a sequential probability ratio test, thinned to what can be drawn."""
    if stopping.bounds is None:
        return None
    pairs = _thinned(range(1, len(stopping.ratios) + 1))
    lower, upper = stopping.bounds
    ratios = [stopping.ratios[pair - 1] for pair in pairs]
    return {"pairs": pairs, "ratios": ratios, "lower": lower, "upper": upper}


def _thinned(numbers: Sequence[int]) -> list[int]:
    """At most `MOST_POINTS` of the numbers, including the first and the last."""
    if len(numbers) <= MOST_POINTS:
        return [*numbers]
    last = len(numbers) - 1
    return [numbers[round(each * last / (MOST_POINTS - 1))] for each in range(MOST_POINTS)]
