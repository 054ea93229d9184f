"""The code behind a recorded result: the commit, and a digest of every part that matters.

The parts are the games with their rules and data, the planners, the beliefs, and the modules that
they import. A digest leaves out comments, docstrings and blank lines, because these do not affect
results.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import subprocess
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyglass.arena.code_version import SOURCES, TOP, classes_of, files_of
from plyglass.arena.specs import game_from, player_from
from plyglass.arena.tournament.settings import Settings
from plyglass.core.cache import closure
from plyglass.core.compile import plain

MATCH = TOP / "arena" / "match" / "match.py"
DATA = tuple(suffix for suffix in SOURCES if suffix != ".py")
SHARED = ("core", "stats")  # each of these layers is one part
INVISIBLE = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Code:
    """The code that played a result.

    Attributes:
        commit: the commit of the checkout, with "+edits" if files differed from this commit. Empty
            if there was no checkout.
        parts: the digest of each part, such as `games/navy` or `planners/hindsight`. Empty if the
            digests are unknown.
    """

    commit: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)

    def changed(self, now: Code) -> list[str]:
        """Return the parts that differ between this code and `now`, or are missing in either."""
        names = sorted({*self.parts, *now.parts})
        return [name for name in names if self.parts.get(name) != now.parts.get(name)]


def code_of_settings(settings: Settings) -> Code:
    """Return the code that plays a tournament in this process."""
    files = set(closure(str(MATCH)))
    for text in settings.games:
        files |= files_of_game(game_from(text))
    agents = [player_from(text) for text in settings.agents.values()]
    own = {file for agent in agents for cls in classes_of(agent) for file in files_of(cls)}
    used = {each for file in own if _is_belief(file) for each in closure(file)}
    files |= {each for file in own for each in closure(file)}
    # the package `beliefs` imports all beliefs, but only the agents' own beliefs affect the result
    return _code(each for each in files if not _is_belief(each) or each in used)


def _is_belief(file: str) -> bool:
    return Path(file).is_relative_to(TOP / "beliefs")


def code_of_file(file: Path) -> Code:
    """Return the code behind a protocol: its module and everything that the module imports."""
    return _code(closure(os.path.realpath(file)))


def files_of_game(game: Any) -> set[str]:
    """Return the source files of a game's rules, evaluators, policies, trackers and data.

    Pictures and texts are left out, because they do not affect results.
    """
    own = os.path.realpath(next(files_of(type(game))))
    rules = game.rules if isinstance(game.rules, tuple) else ()
    named = (getattr(game, name, {}) for name in ("evaluators", "policies", "trackers"))
    kernels = [*rules, *(each for found in named for each in found.values())]
    files = {own}
    for function in kernels:
        files |= closure(os.path.realpath(plain(function).__code__.co_filename))
    return files | {str(each) for each in Path(own).parent.rglob("*") if each.suffix in DATA}


def _code(files: Iterable[str]) -> Code:
    inside = sorted(Path(file) for file in files if Path(file).is_relative_to(TOP))
    return Code(commit_of(inside), digests_of(inside, TOP))


def digests_of(files: Iterable[Path], top: Path) -> dict[str, str]:
    """Return the digest of each part that the given files belong to."""
    seals: dict[str, Any] = {}
    for name, file in sorted((file.relative_to(top).as_posix(), file) for file in files):
        seal = seals.setdefault(part_of(name), hashlib.blake2b(digest_size=6))
        seal.update(f"{name}\0{_deciding_text(file)}\0".encode())
    return {part: seal.hexdigest() for part, seal in seals.items()}


def part_of(name: str) -> str:
    """Return the part that a file of the package belongs to, such as `games/navy`."""
    first, *others = name.removesuffix(".py").split("/")
    return first if first in SHARED or not others else f"{first}/{others[0]}"


def _deciding_text(file: Path) -> str:
    if file.suffix == ".npz":
        return file.read_bytes().hex()
    return _deciding(file.suffix, file.read_text(encoding="utf-8"))


@functools.cache
def _deciding(suffix: str, text: str) -> str:
    return "\n".join(_words(text)) if suffix == ".py" else text


def _words(text: str) -> Iterator[str]:
    """Yield the tokens of a Python file as text, without comments, docstrings and layout."""
    held = ""  # a string that begins a line is a docstring, unless more follows on the line
    new_line = True
    for kind, word in _tokens(text):
        if kind == tokenize.NEWLINE:
            held, new_line = "", True
            yield ";"
        elif kind in (tokenize.INDENT, tokenize.DEDENT):
            yield tokenize.tok_name[kind]
        elif kind == tokenize.STRING and new_line:
            held, new_line = word, False
        else:
            yield from ((held, word) if held else (word,))
            held, new_line = "", False


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Yield (kind, text) of every token that can affect a result.

    From Python 3.12 on, a formatted string is several tokens. Such tokens are joined again, so
    every version of Python gives the same digest.
    """
    lines = text.splitlines(keepends=True)
    open_strings: list[tuple[int, int]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":
            open_strings.append(token.start)
        elif kind == "FSTRING_END":
            start = open_strings.pop()
            if not open_strings:
                yield tokenize.STRING, _between(lines, start, token.end)
        elif not open_strings and token.type not in INVISIBLE:
            yield token.type, token.string


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    whole = lines[start[0] : end[0] - 1]
    return "".join((lines[start[0] - 1][start[1] :], *whole, lines[end[0] - 1][: end[1]]))


def commit_of(files: Iterable[Path]) -> str:
    """Return the commit that is checked out, if these files are part of a checkout."""
    commit = _git("rev-parse", "--short=12", "HEAD")
    if not commit or not _git("ls-files", "--", str(MATCH)):
        return ""
    edited = _git("status", "--porcelain", "--", *map(str, files))
    return f"{commit}+edits" if edited else commit


@functools.cache
def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(TOP), *words], capture_output=True, text=True, check=False
        )
    except OSError:  # there is no git
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
