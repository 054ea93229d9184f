"""Recorded results: small files beside a study, with the command, the size and the code."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import plyglass
from plyglass.experiments.provenance import Code
from plyglass.experiments.reproduction import More, Reproduction, code_now, with_reported
from plyglass.experiments.results import Listing, RowResult
from plyglass.experiments.study import Artifact
from plyglass.experiments.verdicts import findings_from

MOST_NAMED = 6


def path_of(artifact: Artifact) -> Path:
    """Return the path of the recorded result of an artifact."""
    return artifact.folder / "recorded" / f"{artifact.key}.json"


def record(done: Reproduction) -> Path:
    """Write a result beside its study."""
    values: dict[str, Any] = {
        "artifact": done.artifact.name,
        "command": done.command,
        "scale": done.scale,
        "games": done.games,
        "plyglass": plyglass.__version__,
        "code": asdict(done.code),
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
    """Return a row's values to record, except the reported value, which is in `study.toml`."""
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
    """Return JSON with every list of numbers on one line, instead of one line per number."""
    return re.sub(
        r"\[[-\d.,\s]+\]",
        lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"),
        text,
    )


def recorded(artifact: Artifact) -> Reproduction:
    """Read the recorded result of an artifact; nothing is played."""
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
        values["cheats"], findings, listings, more=_more(values.get("more")),
        code=Code(**values.get("code", {}))
    )  # fmt: skip


def _more(values: dict[str, Any] | None) -> More | None:
    return More(**{**values, "agents": tuple(values["agents"])}) if values else None


def is_stale(done: Reproduction) -> bool:
    """Return whether the settings have changed since a result was recorded."""
    if done.artifact.protocol is not None:
        return False
    runs = [(done.scale, done.settings)]
    if done.more:
        runs.append((done.more.scale, done.more.settings))
    return any(settings != done.artifact.tournament(scale).run_id for scale, settings in runs)


def remarks(done: Reproduction) -> list[str]:
    """Return sentences that say what has changed since a result was recorded."""
    found = []
    name, code = done.artifact.name, done.code
    if is_stale(done):
        found.append(f"The settings of {name} have changed since this was recorded.")
    if not code.parts:
        return [*found, f"Which code played {name} is not recorded."]
    changed = code.changed(code_now(done.artifact))
    if changed:
        since = f" at commit {code.commit}" if code.commit else ""
        found.append(
            f"Code that decides {name} has changed since it was recorded{since}: "
            f"{_some(changed)}. Play it again to see whether its numbers change."
        )
    if changed and done.artifact.timed:
        found.append(
            "Its agents have time limits. So a faster or slower version searches more or less."
        )
    return found


def _some(parts: Sequence[str]) -> str:
    """Return the names of at most `MOST_NAMED` parts: games, planners and beliefs first."""
    first = sorted(parts, key=lambda part: not part.startswith(("games/", "planners/", "beliefs/")))
    more = len(first) - MOST_NAMED
    return ", ".join(first[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
