"""Run or resume an artifact: play the tournament or call the protocol, then measure the rows."""

from __future__ import annotations

import importlib
import importlib.util
import shlex
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, cast

from plyglass.arena.code_version import code_of
from plyglass.arena.runners import runner_named
from plyglass.arena.specs import player_from
from plyglass.arena.tournament.driver import Progress, Tournament, open_run
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.settings import Settings
from plyglass.experiments.provenance import Code, code_of_file, code_of_settings
from plyglass.experiments.results import (
    Agreement,
    Listing,
    RowResult,
    failures_of,
    results_of,
    scale_of,
    values_of,
    worst_of,
)
from plyglass.experiments.study import STUDIES, Artifact
from plyglass.experiments.verdicts import Finding, judge

OF_CLAIMS: dict[str, Agreement] = {
    "holds": "agrees",
    "does not hold": "differs",
    "undecided": "undecided",
}


@dataclass(frozen=True)
class More:
    """The run that gave some table rows of a result more games than the others.

    Attributes:
        scale, games, settings, digest: the values of this run, as in `Reproduction`.
        agents: the agents whose rows have more games.
        commit: the commit of the code that played this run. Empty if unknown.
    """

    scale: float
    games: int
    settings: str
    digest: str
    agents: tuple[str, ...]
    commit: str = ""

    def command(self, name: str) -> str:
        """Return the command that repeats this run for an artifact."""
        only = "".join(f" --only {shlex.quote(agent)}" for agent in self.agents)
        return f"plyglass reproduce {name} --scale {self.scale:g}{only}"


@dataclass(frozen=True)
class Reproduction:
    """A reproduced artifact.

    Attributes:
        artifact: the artifact that was reproduced.
        results: the measured results, by table row.
        scale: the number of deals as a multiple of the number in the settings.
        games: the number of games that were played.
        settings: the run id of the settings. If the id has changed, the result is stale. Empty for
            a protocol.
        digest: one digest over all match rows, equal on all machines. Empty for a protocol.
        cheats: whether an agent was given more than its views.
        findings: the verdicts on the paper's claims.
        listings: further tables.
        more: the run that gave some rows more games than others. None if there was no such run.
        code: the code that played the games. It has no parts if several versions played.
    """

    artifact: Artifact
    results: tuple[RowResult, ...]
    scale: float
    games: int
    settings: str = ""
    digest: str = ""
    cheats: bool = False
    findings: tuple[Finding, ...] = ()
    listings: tuple[Listing, ...] = ()
    more: More | None = None
    code: Code = field(default_factory=Code)

    @property
    def verdict(self) -> Agreement:
        """The worst verdict on all rows and claims, in one word."""
        return worst_of(
            {result.verdict for result in self.results}
            | {OF_CLAIMS[each.verdict] for each in self.findings}
        )

    @property
    def sentences(self) -> list[str]:
        """The verdicts on rows and claims, in words."""
        return [result.sentence for result in self.told] + [each.sentence for each in self.findings]

    @property
    def told(self) -> list[RowResult]:
        """The results that `sentences` describes.

        If there are claims, these are only the results with a reported value.
        """
        return [each for each in self.results if each.reported is not None or not self.findings]

    @property
    def command(self) -> str:
        """The command that repeats this reproduction."""
        return f"plyglass reproduce {self.artifact.name} --scale {self.scale:g}"

    def as_json(self) -> dict[str, Any]:
        """Return the reproduction as plain values, for programs."""
        rows = [
            {
                name: value
                for name, value in asdict(result).items()
                if name not in ("error", "values") and (name != "failed" or value)
            }
            for result in self.results
        ]
        claims = {"claims": [each.as_json() for each in self.findings]} if self.findings else {}
        listings = {"listings": [asdict(each) for each in self.listings]} if self.listings else {}
        return {
            "artifact": self.artifact.name,
            "rows": rows,
            **claims,
            **listings,
            "verdict": self.verdict,
            "sentence": " ".join(self.sentences),
        }


class StudyProtocol(Protocol):
    """A function beside `study.toml` that measures what a tournament cannot measure.

    Another call with the same folder resumes the first call.
    """

    def __call__(
        self, scale: float, runner: str, workers: int, folder: Path
    ) -> Sequence[RowResult | Listing]:
        """Return listings, and results that are named like the table rows in `study.toml`.

        The reported values are added from `study.toml`.
        """
        ...


def reproduce(
    artifact: Artifact,
    folder: Path,
    *,
    scale: float = 1.0,
    runner: str = "serial",
    workers: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
    only: Collection[str] = (),
) -> Reproduction:
    """Run an artifact in a folder, or resume it.

    The runner and the number of workers do not affect the results. With `only`, the run plays just
    the matches among the named agents, and every table row must be about one of these agents.
    """
    if not scale > 0:
        raise ValueError(f"At scale {scale:g} nothing is played; give a number above 0.")
    folder.mkdir(parents=True, exist_ok=True)
    if artifact.protocol is not None:
        measured = _protocol(artifact)(scale, runner, workers, folder)
        results = with_reported(
            artifact, [each for each in measured if isinstance(each, RowResult)]
        )
        listings = tuple(each for each in measured if isinstance(each, Listing))
        games = sum(result.n for result in results)
        return Reproduction(
            artifact, results, scale, games, listings=listings, code=code_now(artifact)
        )
    settings = artifact.tournament(scale)
    place = folder.parent / artifact.matches_of if artifact.matches_of else folder
    place.mkdir(parents=True, exist_ok=True)
    with open_run(place / f"{settings.run_id}.sqlite", settings) as store:
        tournament = Tournament(
            settings, store, runner_named(runner, workers, settings.match_seconds), only=only
        )
        outcome = tournament.run(on_progress)
        matches = list(tournament.counted_rows())
    values = values_of(settings, matches, artifact.rows)
    failures = failures_of(settings, matches, artifact.rows)
    results = results_of(
        artifact.rows,
        values,
        failures,
        with_distribution=artifact.drawn == "violin",
        scales={row.name: scale_of(settings, row) for row in artifact.rows},
    )
    findings = judge(artifact.claims, artifact.rows, values, failures)
    return Reproduction(
        artifact,
        results,
        scale,
        outcome.counted,
        settings.run_id,
        outcome.digest,
        _cheats(settings),
        findings,
        code=_code_of(settings, matches),
    )


def code_now(artifact: Artifact) -> Code:
    """Return the current code that would play an artifact."""
    if artifact.protocol is not None:
        return code_of_file(_file(artifact, artifact.protocol.partition(":")[0]))
    return code_of_settings(artifact.tournament())


def _code_of(settings: Settings, matches: Sequence[MatchRow]) -> Code:
    """Return the code that played these matches; empty `Code` unless it is this process's code."""
    if {match.code for match in matches} == {code_of(settings.canonical)}:
        return code_of_settings(settings)
    return Code()


def with_reported(artifact: Artifact, results: Sequence[RowResult]) -> tuple[RowResult, ...]:
    """Return the results with the reported values from the study's file."""
    rows = {row.name: row for row in artifact.rows}
    if [result.name for result in results] != list(rows):
        raise ValueError(
            f"{artifact.name} has the rows {', '.join(rows)}, but these were measured: "
            f"{', '.join(result.name for result in results)}."
        )
    return tuple(
        replace(each, reported=rows[each.name].reported, error=rows[each.name].error)
        for each in results
    )


def _cheats(settings: Settings) -> bool:
    return any(player_from(text).cheats for text in settings.agents.values())


def _protocol(artifact: Artifact) -> StudyProtocol:
    name, _, function = str(artifact.protocol).partition(":")
    module = _module(artifact, name)
    found = getattr(module, function or "run", None)
    if found is None:
        raise ValueError(
            f"{artifact.name} names the protocol {artifact.protocol!r}, but {module.__file__} has "
            f"no function {function or 'run'!r}."
        )
    return cast(StudyProtocol, found)


def _module(artifact: Artifact, name: str) -> Any:
    """Import a module beside a study's file: by name in this package, otherwise from its file."""
    path = _file(artifact, name)
    if artifact.folder.parent == STUDIES:
        return importlib.import_module(
            f"plyglass.experiments.studies.{artifact.folder.name}.{name}"
        )
    spec = importlib.util.spec_from_file_location(f"{artifact.folder.name}.{name}", path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{artifact.name} names the protocol {path}, which cannot be loaded.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _file(artifact: Artifact, name: str) -> Path:
    path = artifact.folder / f"{name}.py"
    if not path.is_file():
        raise ValueError(
            f"{artifact.name} names the protocol {artifact.protocol!r}, but there is no {path}."
        )
    return path
