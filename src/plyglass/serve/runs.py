"""Tournaments in a folder, for people who watch; they are read and never written.

The results of a run are data. Nothing that they name is imported or opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plyglass.arena.store import DATABASES
from plyglass.arena.store.manifest import NAME as MANIFEST
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.stopping import Stopping
from plyglass.report.run import load
from plyglass.report.standings import standings
from plyglass.serve.protocol import Refused

MOST_POINTS = 200  # of the line of a sequential test
MOST_RUNS = 1000


class Runs:
    """The runs in a folder and in the folders in it, by their ids."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if not folder.is_dir():
            raise ValueError(f"There is no folder {folder}; `plyglass tournament` makes runs.")

    def paths(self) -> dict[str, Path]:
        """The store of every run by its id: its path in the folder, with dots for slashes."""
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
    """When the files of a store changed last.

    Reading a SQLite database makes an empty log beside it, which is no change.
    """
    files = path.iterdir() if path.is_dir() else [path.with_name(f"{path.name}-wal")]
    times = [0.0]
    for file in (path, *files):
        try:
            found = file.stat()
        except FileNotFoundError:  # a run that goes on removes files
            continue
        if found.st_size or file == path:
            times.append(found.st_mtime)
    return max(times)


def standings_at(path: Path) -> dict[str, Any]:
    """The results of a run so far, as plain values."""
    try:
        run = load(path)
    except ValueError as error:
        raise Refused("run", str(error)[:500], "run") from None
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


def _line(stopping: Stopping) -> dict[str, Any] | None:
    """The course of a sequential probability ratio test, thinned to what can be drawn."""
    if stopping.bounds is None:
        return None
    pairs = _thinned(range(1, len(stopping.ratios) + 1))
    lower, upper = stopping.bounds
    ratios = [stopping.ratios[pair - 1] for pair in pairs]
    return {"pairs": pairs, "ratios": ratios, "lower": lower, "upper": upper}


def _thinned(numbers: Sequence[int]) -> list[int]:
    """At most `MOST_POINTS` of the numbers, with the first and the last."""
    if len(numbers) <= MOST_POINTS:
        return [*numbers]
    last = len(numbers) - 1
    return [numbers[round(each * last / (MOST_POINTS - 1))] for each in range(MOST_POINTS)]
