"""The manifest of a Parquet store: the numbers and the digest of every shard."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyglass.arena.limits import json_of
from plyglass.arena.store.files import write_whole
from plyglass.arena.store.ranges import Ranges

NAME = "manifest.json"
SHARD = re.compile(r"shard-\d{1,20}-([0-9a-f]{32})\.parquet")
"""The pattern of a shard's name, which contains the shard's digest."""


@dataclass(frozen=True)
class Entry:
    """A shard: its file's name and blake2b digest, its number of rows, and their match numbers."""

    name: str
    digest: str
    rows: int
    numbers: Ranges


@dataclass
class Manifest:
    """The shards of a store, and the run to which they belong."""

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
    """Read the manifest of a directory; raise ValueError if it was changed after it was written."""
    try:
        sealed = json_of((directory / NAME).read_bytes(), NAME, "a manifest")
        content = sealed["content"]
        if sealed["digest"] != _digest(content):
            raise ValueError("it does not have its digest")
        run_id, settings = map(_text, (content["run_id"], content["settings"]))
        return Manifest(run_id, settings, [_entry(each) for each in content["shards"]])
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it is not a manifest: {error!r}") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("the run and its settings are not texts")
    return value


def _entry(values: dict[str, Any]) -> Entry:
    """The entry of a shard.

    The name must be the name of a shard in this folder. Otherwise, another file could be read, set
    aside or removed.
    """
    name, digest, rows, spans = (values[key] for key in ("name", "digest", "rows", "numbers"))
    found = SHARD.fullmatch(name)
    if found is None or found[1] != digest:
        raise ValueError("it lists a file that is no shard")
    if type(rows) is not int or rows < 1 or not spans:
        raise ValueError("it lists a shard without rows")
    last = -1
    for span in spans:
        if len(span) != 2 or not all(type(each) is int for each in span):
            raise ValueError("it lists matches that are no numbers")
        if not last < span[0] <= span[1]:
            raise ValueError("it lists matches out of order")
        last = span[1]
    if sum(last - first + 1 for first, last in spans) != rows:
        raise ValueError("it lists other matches than rows")
    return Entry(name, digest, rows, Ranges(tuple((first, last) for first, last in spans)))


def _digest(content: Any) -> str:
    return hashlib.blake2b(
        json.dumps(content, separators=(",", ":")).encode(), digest_size=16
    ).hexdigest()
