"""Recorded results: small files beside a study, with the command, size and version behind them."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import plyglass
from plyglass.experiments.reproduction import More, Reproduction, with_reported
from plyglass.experiments.results import Listing, RowResult
from plyglass.experiments.study import Artifact
from plyglass.experiments.verdicts import findings_from


def path_of(artifact: Artifact) -> Path:
    """Where the recorded result of an artifact is."""
    return artifact.folder / "recorded" / f"{artifact.key}.json"


def record(done: Reproduction) -> Path:
    """Write a result beside its study."""
    values: dict[str, Any] = {
        "artifact": done.artifact.name,
        "command": done.command,
        "scale": done.scale,
        "games": done.games,
        "plyglass": plyglass.__version__,
        "settings": done.settings,
        "digest": done.digest,
        "cheats": done.cheats,
        "rows": [_row(result) for result in done.results],
    }
    if done.findings:
        values["claims"] = [each.as_json() for each in done.findings]
    if done.more:
        values["more"] = asdict(done.more)
    if done.listings:
        values["listings"] = [asdict(each) for each in done.listings]
    path = path_of(done.artifact)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_numbers_in_lines(json.dumps(values, indent=2)) + "\n", encoding="utf-8")
    return path


def _row(result: RowResult) -> dict[str, Any]:
    """The recorded part of a row; its reported value is in the study's file."""
    row = {
        name: value
        for name, value in asdict(result).items()
        if name not in ("reported", "error", "values", "failed")
    }
    if result.failed:
        row["failed"] = result.failed
    if result.values:
        row["values"] = [int(value) if value.is_integer() else value for value in result.values]
    return row


def _numbers_in_lines(text: str) -> str:
    """JSON with every list of numbers on one line, instead of one line per number."""
    return re.sub(
        r"\[[-\d.,\s]+\]",
        lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"),
        text,
    )


def recorded(artifact: Artifact) -> Reproduction:
    """The recorded result of an artifact; nothing is played."""
    path = path_of(artifact)
    if not path.is_file():
        raise ValueError(
            f"{artifact.name} has no recorded result; `plyglass reproduce {artifact.name} "
            "--record` makes one."
        )
    values = json.loads(path.read_text(encoding="utf-8"))
    results = with_reported(
        artifact,
        [RowResult(**{**row, "values": tuple(row.get("values", ()))}) for row in values["rows"]],
    )
    findings = findings_from(artifact.claims, values.get("claims", ()))
    listings = tuple(
        Listing(each["title"], tuple(each["columns"]), tuple(map(tuple, each["rows"])))
        for each in values.get("listings", ())
    )
    return Reproduction(
        artifact, results, values["scale"], values["games"], values["settings"], values["digest"],
        values["cheats"], findings, listings, more=_more(values.get("more"))
    )  # fmt: skip


def _more(values: dict[str, Any] | None) -> More | None:
    return More(**{**values, "agents": tuple(values["agents"])}) if values else None


def is_stale(done: Reproduction) -> bool:
    """Whether the settings have changed since a result was recorded."""
    if done.artifact.protocol is not None:
        return False
    runs = [(done.scale, done.settings)]
    if done.more:
        runs.append((done.more.scale, done.more.settings))
    return any(settings != done.artifact.tournament(scale).run_id for scale, settings in runs)
