"""The first examination of a game from a user's file, before its rules run unchecked.

A rule that writes out of bounds would end the process of a match. A rule that never returns would
hang the process. So another process, `python -m plyglass.arena.first_pass GAME`, first plays at
random for a few seconds, with checked bounds. A game that passes is not examined again until one of
its sources changes.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from plyglass.arena.match.record import rules_of
from plyglass.arena.specs import game_from
from plyglass.arena.tournament.note import Note, read_note
from plyglass.core import cache
from plyglass.core.compile import JIT
from plyglass.core.game import Game
from plyglass.core.table import REQUIRED, SIGNATURES, SharedLibrary

RULES = ("", *SIGNATURES)  # a note names a rule by its index here
HANG_SECONDS = 20.0  # for one call of a rule
COMPILE_SECONDS = 900.0  # for the whole examination
GLANCE = 0.2  # seconds between two readings of the note
PASSED = "passed"  # the folder in the cache that lists the games that passed


class FaultyRules(ValueError):
    """A rule of a user's game failed in a way that would crash or hang a match."""


def refuse_faulty_rules(text: str, say: Callable[[str], None] = lambda sentence: None) -> None:
    """Refuse a game from a user's file if a rule goes out of bounds, raises or never returns.

    If the game must be examined, which takes a few seconds, `say` is called with a sentence.
    Plyglass's own games are not examined, because Plyglass's tests cover them. Rules in a shared
    library are not examined, because their bounds cannot be checked.
    """
    game = game_from(text)
    ours = type(game).__module__.partition(".")[0] == "plyglass"
    if ours or not JIT or isinstance(game.rules, SharedLibrary):
        return
    known = _place(text, game)
    if known is not None and known.is_file():
        return
    say(f"Checking the rules of {game.name} with bounds. This takes a few seconds, once.")
    problem = _looked_at(text)
    if problem:
        raise FaultyRules(
            f"The rules of {text} are faulty: {problem}. `plyglass check` says more; --unchecked "
            "plays it anyway."
        )
    if known is not None:
        with contextlib.suppress(OSError):  # the game is examined again next time
            known.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            known.touch(mode=0o600)


def _place(text: str, game: Game) -> Path | None:
    """Return the file that marks a game as passed, or None if there is no cache on disk."""
    top = cache.root()
    if top is None:
        return None
    parts = (text.rpartition("@")[2], rules_of(game), _rules_of_checks())
    return top / PASSED / hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


@functools.cache
def _rules_of_checks() -> str:
    """Return a digest of the code that examines games."""
    seal = hashlib.blake2b(digest_size=16)
    for file in sorted((cache.PACKAGE / "core").rglob("*.py")):
        seal.update(file.read_bytes())
    return seal.hexdigest()


def _looked_at(text: str) -> str:
    """Return the fault that the examining process found, or an empty text."""
    with tempfile.TemporaryDirectory() as folder:
        note, answer = Path(folder) / "note", Path(folder) / "answer"
        looking = subprocess.Popen(
            [sys.executable, "-m", "plyglass.arena.first_pass", text, str(note), str(answer)],
            env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            problem = _waited(looking, note)
        finally:
            looking.kill()
            _, errors = looking.communicate()
        if problem:
            return problem
        if looking.returncode == 0 and answer.is_file():
            return str(json.loads(answer.read_text())["problem"])
        return _died(looking.returncode, note, errors.decode(errors="replace"))


def _waited(looking: subprocess.Popen[bytes], note: Path) -> str:
    """Wait for the process; return an error message if a rule hangs or compiles too slowly."""
    beats, since = 0, time.monotonic()
    until = time.monotonic() + COMPILE_SECONDS
    while looking.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            looking.wait(GLANCE)
        noted, now = read_note(note), time.monotonic()
        if noted is None or noted.number <= 0 or noted.beats != beats:
            beats, since = (noted.beats if noted else 0), now
        elif now - since > HANG_SECONDS:
            return f"the rule {RULES[noted.number]} does not end"
        if now > until:
            return f"they do not compile within {COMPILE_SECONDS:g} s"
    return ""


def _died(code: int | None, note: Path, errors: str) -> str:
    noted = read_note(note)
    rule = RULES[noted.number] if noted and 0 < noted.number < len(RULES) else REQUIRED[0]
    if code is not None and code < 0:
        return f"the rule {rule} ends the process ({signal.Signals(-code).name})"
    last = [line for line in errors.strip().splitlines() if line.strip()][-1:]
    return f"they cannot be examined ({' '.join(last)[:300]})"


def main(text: str, note: str, answer: str) -> None:
    """Examine a game in this process, which runs rules with checked bounds."""
    from plyglass.arena.match.sandbox import die_with_parent
    from plyglass.core.check.first_pass import first_pass
    from plyglass.core.check.walk import watched_by
    from plyglass.core.mistakes import RuleError

    die_with_parent()
    noted = Note.at(note)
    game = game_from(text)
    try:
        _ = game.table
    except RuleError as error:
        problem = str(error).rstrip(".")
    else:
        with watched_by(lambda rule: noted.write(RULES.index(rule) if rule in RULES else 0)):
            problem = first_pass(game)
    Path(answer).write_text(json.dumps({"problem": problem}))


if __name__ == "__main__":
    main(*sys.argv[1:])
