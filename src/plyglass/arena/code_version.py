"""Which code played a match: the version of the package, and a digest of all sources that can
decide how the match goes.

Each row carries it, written by the worker that played: an edited checkout, a resumed run and a node
of a cluster with another version are all seen in the table. It is no part of the row's digest,
which tells whether two versions play alike.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import plyglass
from plyglass.arena.tournament.settings import Settings
from plyglass.core.cache import closure

TOP = Path(plyglass.__file__).resolve().parent
PLAYING = (
    "core",
    "search",
    "beliefs",
    "planners",
    "arena",
)  # the layers that a match passes through; those above only look on
SOURCES = (".py", ".c", ".h", ".json", ".toml", ".csv", ".tbsmap")


@lru_cache(maxsize=8)
def code_of(canonical: str) -> str:
    """The code that plays matches of these settings in this process, as `version+digest`."""
    settings = Settings.from_canonical(canonical)
    named = {**dict(_sources_of_package(settings)), **dict(_sources_of_user(settings))}
    seal = hashlib.blake2b(digest_size=6)
    for name, file in sorted(named.items()):
        seal.update(name.encode() + b"\0" + file.read_bytes())
    return f"{plyglass.__version__}+{seal.hexdigest()}"


def described(codes: Counter[str]) -> str:
    """Codes and how many matches each played, in words; only the code where it played all."""
    if len(codes) == 1:
        return _name(next(iter(codes)))
    return ", ".join(f"{_name(code)} ({count:,} matches)" for code, count in codes.most_common())


def _name(code: str) -> str:
    return f"plyglass {code}" if code else "code that was not noted"


def _sources_of_package(settings: Settings) -> Iterator[tuple[str, Path]]:
    """(name, file) of what plays here: the layers below, and the folders of the games that are
    played, but of no others.
    """
    own = [game.partition(":")[0].replace("-", "_") for game in settings.games]
    for folder in (*PLAYING, *(f"games/{name}" for name in own)):
        for file in (TOP / folder).rglob("*"):
            if file.suffix in SOURCES:
                yield file.relative_to(TOP).as_posix(), file


def _sources_of_user(settings: Settings) -> Iterator[tuple[str, Path]]:
    """(name, file) of what a user wrote himself: games, players, starts and measures, with all
    that they import.
    """
    for text in (*settings.games, *settings.agents.values(), settings.start, *settings.measures):
        place = re.split("[@:]", text, maxsplit=1)[0]
        file = (
            place
            if Path(place).suffix in SOURCES
            else getattr(sys.modules.get(place), "__file__", None)
        )
        if file is not None:
            files = closure(os.path.realpath(file)) if file.endswith(".py") else {file}
            yield from (
                (Path(each).name, Path(each))
                for each in files
                if not Path(each).is_relative_to(TOP)
            )
