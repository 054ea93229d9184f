"""The code that played a match: the package's version, and a digest of all relevant sources.

The worker that plays a match writes the code version into the match row. So a table of results
reveals an edited checkout, a resumed run with other code, and a cluster node with another version.
The row's digest leaves the code version out, so equal digests show that two versions play alike.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import plyglass
from plyglass.arena.match.isolation import Isolated
from plyglass.arena.specs import game_from
from plyglass.arena.tournament.settings import Settings
from plyglass.core.cache import LIBRARIES, closure
from plyglass.search.interface import parameters_of

TOP = Path(plyglass.__file__).resolve().parent
PLAYING = ("core", "search", "beliefs", "planners", "arena")
"""The layers that determine how a match is played; higher layers only use its results."""
SOURCES = (".py", ".c", ".h", ".json", ".toml", ".csv", ".tbsmap", ".npz")
NET = re.compile(r"\bnet\(([^()]+)\)")  # an evaluator in a file


@lru_cache(maxsize=8)
def code_of(canonical: str) -> str:
    """Return the code that plays matches of these settings in this process, as `version+digest`."""
    settings = Settings.from_canonical(canonical)
    named = {*_sources_of_package(settings), *_sources_of_user(settings)}
    seal = hashlib.blake2b(digest_size=6)
    for name, content in sorted((name, file.read_bytes()) for name, file in named):
        seal.update(name.encode() + b"\0" + content)
    return f"{plyglass.__version__}+{seal.hexdigest()}"


def described(codes: Counter[str]) -> str:
    """Describe the versions of the code, with the number of matches that each version played."""
    if len(codes) == 1:
        return _name(next(iter(codes)))
    return ", ".join(f"{_name(code)} ({count:,} matches)" for code, count in codes.most_common())


def _name(code: str) -> str:
    return f"plyglass {code}" if code else "an unknown version"


def _sources_of_package(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield (name, file) for Plyglass's sources: the layers in `PLAYING` and the games' folders."""
    own = {
        Path(file).relative_to(TOP).parts[1]
        for text in settings.games
        for file in files_of(type(game_from(text)))
        if Path(file).is_relative_to(TOP / "games")
    }
    for folder in (*PLAYING, *(f"games/{name}" for name in own)):
        for place, _, files in os.walk(TOP / folder):
            within = Path(place).relative_to(TOP).as_posix()
            for name in files:
                if name.endswith(SOURCES):
                    yield f"{within}/{name}", Path(place, name)


def _sources_of_user(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield (name, file) for the sources of a user's games, agents, starts and measures."""
    classes = {type(game_from(text)) for text in settings.games}
    isolated: set[str] = set()
    nets = {file for text in settings.agents.values() for file in NET.findall(text)}
    for text in settings.agents.values():
        player = settings.player(text)
        classes |= set(classes_of(player))
        if isinstance(player, Isolated):
            # The player's code is read here, but not imported.
            isolated |= set(re.findall(r"[^:,=()]+\.py(?=@)", text))
    files_of_classes = {file for cls in classes for file in files_of(cls)}
    found = {file for file in nets if Path(file).is_file()}  # a missing net is refused elsewhere
    for file in files_of_classes | isolated | found | set(_functions(settings)):
        if Path(file).is_relative_to(TOP):
            continue  # no source of Plyglass imports a user's source
        files = closure(os.path.realpath(file)) if file.endswith(".py") else {file}
        yield from (
            (Path(each).name, Path(each)) for each in files if not Path(each).is_relative_to(TOP)
        )


def _functions(settings: Settings) -> Iterator[str]:
    """Yield the files of starts and measures, which settings name as references."""
    for text in (settings.start, *settings.measures):
        place = re.split("[@:]", text, maxsplit=1)[0]
        known = Path(place).suffix in SOURCES
        file = place if known else getattr(sys.modules.get(place), "__file__", None)
        if file is not None:
            yield file


def classes_of(player: Any) -> Iterator[type]:
    """Yield the classes of a player, its planner, its belief and their parts."""
    yield type(player)
    for part in parameters_of(player).values():
        if is_dataclass(part):
            yield from classes_of(part)


def files_of(cls: type) -> Iterator[str]:
    """Yield the files of a class and its base classes, without other installed libraries."""
    own = cls.__module__.partition(".")[0]
    for each in cls.__mro__:
        top = each.__module__.partition(".")[0]
        file = getattr(sys.modules.get(each.__module__), "__file__", None)
        if file is not None and (
            top in (own, "plyglass") or not os.path.realpath(file).startswith(LIBRARIES)
        ):
            yield os.path.realpath(file)
