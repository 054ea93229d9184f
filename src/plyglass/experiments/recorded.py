"""Results in the repository: small files beside the study, with the command, size and version that made them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import plyglass
from plyglass.experiments.lines import Line
from plyglass.experiments.reproduction import Reproduction, with_documents
from plyglass.experiments.studies import Artifact


def path_of(artifact: Artifact) -> Path:
    """Where the recorded result of an artifact is."""
    return artifact.folder / "recorded" / f"{artifact.key}.json"


def record(done: Reproduction) -> Path:
    """Write a result beside its study. The document's values stay where they are: in the study's file."""
    rows = [{name: value for name, value in asdict(line).items() if name not in ("document", "error")} for line in done.lines]
    values = {
        "artifact": done.artifact.name,
        "command": done.command,
        "scale": done.scale,
        "games": done.games,
        "plyglass": plyglass.__version__,
        "settings": done.settings,
        "digest": done.digest,
        "cheats": done.cheats,
        "rows": rows,
    }
    path = path_of(done.artifact)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
    return path


def recorded(artifact: Artifact) -> Reproduction:
    """The recorded result of an artifact; nothing is played."""
    path = path_of(artifact)
    if not path.is_file():
        raise ValueError(f"{artifact.name} has no recorded result; `plyglass reproduce {artifact.name} --record` makes one.")
    values = json.loads(path.read_text(encoding="utf-8"))
    lines = with_documents(artifact, [Line(**row) for row in values["rows"]])
    return Reproduction(
        artifact, lines, values["scale"], values["games"], values["settings"], values["digest"], values["cheats"]
    )  # fmt: skip


def is_stale(done: Reproduction) -> bool:
    """Whether the settings have changed since a result was recorded."""
    return done.artifact.protocol is None and done.settings != done.artifact.tournament(done.scale).run_id
