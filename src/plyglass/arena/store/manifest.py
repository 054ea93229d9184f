"""The manifest of a Parquet store: the numbers and the digest of every shard."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyglass.arena.store.files import write_whole
from plyglass.arena.store.ranges import Ranges

NAME = "manifest.json"


@dataclass(frozen=True)
class Entry:
    """A shard: its file's name and blake2b digest, how many rows it has, and their numbers."""

    name: str
    digest: str
    rows: int
    numbers: Ranges


@dataclass
class Manifest:
    """The shards of a store, and the run that they belong to."""

    run_id: str
    settings: str
    shards: list[Entry] = field(default_factory=list)


def write_manifest(directory: Path, manifest: Manifest) -> None:
    shards = [
        {"name": each.name, "digest": each.digest, "rows": each.rows, "numbers": each.numbers.spans}
        for each in manifest.shards
    ]
    content = {"run_id": manifest.run_id, "settings": manifest.settings, "shards": shards}
    text = json.dumps({"content": content, "digest": _digest(content)}, indent=1) + "\n"
    write_whole(
        directory / NAME, text.encode(), halfway="mid-manifest", before_rename="mid-manifest-rename"
    )


def read_manifest(directory: Path) -> Manifest:
    """Read the manifest of a directory; raise ValueError if it was changed since it was written."""
    try:
        sealed = json.loads((directory / NAME).read_bytes())
        content = sealed["content"]
        if sealed["digest"] != _digest(content):
            raise ValueError("it does not have its digest")
        return Manifest(
            content["run_id"], content["settings"], [_entry(each) for each in content["shards"]]
        )
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it is not a manifest: {error!r}") from error


def _entry(values: dict[str, Any]) -> Entry:
    return Entry(
        values["name"],
        values["digest"],
        values["rows"],
        Ranges(tuple((first, last) for first, last in values["numbers"])),
    )


def _digest(content: Any) -> str:
    return hashlib.blake2b(
        json.dumps(content, separators=(",", ":")).encode(), digest_size=16
    ).hexdigest()
