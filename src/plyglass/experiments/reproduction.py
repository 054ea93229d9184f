"""Run an artifact, or go on with it: its tournament or protocol is played, and its lines are
measured.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from plyglass.arena.runners import runner_named
from plyglass.arena.specs import player_from
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Progress, Tournament
from plyglass.arena.tournament.settings import Settings
from plyglass.experiments.lines import Line, Listing, Verdict, worst_of
from plyglass.experiments.measuring import failures_of, lines_of, values_of
from plyglass.experiments.studies import Artifact
from plyglass.experiments.testing import Finding, judged

OF_CLAIMS: dict[str, Verdict] = {
    "holds": "agrees",
    "does not hold": "differs",
    "undecided": "undecided",
}


@dataclass(frozen=True)
class Reproduction:
    """An artifact, redone.

    Attributes:
        artifact: which.
        lines: what was measured.
        scale: how many times the deals of its settings were played.
        games: how many games were played for it.
        settings: the run id of the settings, by which a result is known to be stale when they
            change; empty for a protocol.
        digest: one digest over all rows; the same wherever it is run. Empty for a protocol.
        cheats: whether an agent was given more than its views.
        findings: what became of the document's claims.
        listings: tables beside the lines.
    """

    artifact: Artifact
    lines: tuple[Line, ...]
    scale: float
    games: int
    settings: str = ""
    digest: str = ""
    cheats: bool = False
    findings: tuple[Finding, ...] = ()
    listings: tuple[Listing, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """One word for all lines and claims."""
        return worst_of(
            {line.verdict for line in self.lines}
            | {OF_CLAIMS[each.verdict] for each in self.findings}
        )

    @property
    def sentences(self) -> list[str]:
        """What is to be said of lines and claims."""
        return [line.sentence for line in self.told] + [each.sentence for each in self.findings]

    @property
    def told(self) -> list[Line]:
        """Lines that need a sentence: where there are claims, those that the document has a
        value for; the table has the others.
        """
        return [line for line in self.lines if line.document is not None or not self.findings]

    @property
    def command(self) -> str:
        """What to type to run it again."""
        return f"plyglass reproduce {self.artifact.name} --scale {self.scale:g}"

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        rows = [
            {
                name: value
                for name, value in asdict(line).items()
                if name not in ("error", "values") and (name != "failed" or value)
            }
            for line in self.lines
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
    """A module beside `study.toml` for what a tournament cannot measure; a second call with the
    same folder goes on where it stopped.
    """

    def run(
        self, scale: float, runner: str, workers: int, folder: Path
    ) -> Sequence[Line | Listing]:
        """Lines with the names that the rows in `study.toml` have; the document's values are
        added from there. Listings stay as is.
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
) -> Reproduction:
    """Run an artifact in a folder, or go on with it; the lines are the same for any runner and
    number of workers.
    """
    if not scale > 0:
        raise ValueError(f"At scale {scale:g} nothing is played; give a number above 0.")
    folder.mkdir(parents=True, exist_ok=True)
    if artifact.protocol is not None:
        measured = _protocol(artifact).run(scale, runner, workers, folder)
        lines = with_documents(artifact, [each for each in measured if isinstance(each, Line)])
        listings = tuple(each for each in measured if isinstance(each, Listing))
        return Reproduction(
            artifact, lines, scale, sum(line.n for line in lines), listings=listings
        )
    settings = artifact.tournament(scale)
    place = folder.parent / artifact.matches_of if artifact.matches_of else folder
    place.mkdir(parents=True, exist_ok=True)
    with open_store(
        place / f"{settings.run_id}.sqlite", settings.run_id, settings.canonical
    ) as store:
        tournament = Tournament(
            settings, store, runner_named(runner, workers, settings.match_seconds)
        )
        outcome = tournament.run(on_progress)
        rows = list(tournament.counted_rows())
    values, failures = (
        values_of(settings, rows, artifact.rows),
        failures_of(settings, rows, artifact.rows),
    )
    lines = lines_of(artifact.rows, values, failures, with_distribution=artifact.drawn == "violin")
    findings = judged(artifact.claims, artifact.rows, values, failures)
    return Reproduction(
        artifact,
        lines,
        scale,
        outcome.counted,
        settings.run_id,
        outcome.digest,
        _cheats(settings),
        findings,
    )


def with_documents(artifact: Artifact, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines with the document's values, which have one home: the study's file."""
    values = {row.name: (row.document, row.error) for row in artifact.rows}
    if [line.name for line in lines] != list(values):
        raise ValueError(
            f"{artifact.name} has the rows {', '.join(values)}, but these were measured: "
            f"{', '.join(x.name for x in lines)}."
        )
    return tuple(
        replace(line, document=values[line.name][0], error=values[line.name][1]) for line in lines
    )


def _cheats(settings: Settings) -> bool:
    return any(player_from(text).cheats for text in settings.agents.values())


def _protocol(artifact: Artifact) -> StudyProtocol:
    path = artifact.folder / f"{artifact.protocol}.py"
    spec = importlib.util.spec_from_file_location(
        f"plyglass.experiments.{artifact.folder.name}.{artifact.protocol}", path
    )
    if not path.is_file() or spec is None or spec.loader is None:
        raise ValueError(
            f"{artifact.name} names the protocol {artifact.protocol!r}, but there is no {path}."
        )
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    protocol: StudyProtocol = module
    return protocol
