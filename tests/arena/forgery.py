"""Forged records and stores with correct seals, which name code and files of an attacker."""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import contextmanager
from pathlib import Path

import plyglass as pg
from plyglass.arena.match.claims import DIGEST, digest_of
from plyglass.arena.store import open_store
from plyglass.arena.tournament.match_row import MatchRow

CODE = """
from pathlib import Path
Path(__file__).with_name("it-ran").write_text("it ran")
"""
TRAPS = ("evil.py", "evil_module.py", "evil.tbsmap", "evil.json", "evil-record.json")

GAMES = {
    "a game in a file": "evil.py",
    "a game in a file, by its class": "evil.py@Evil",
    "a game in a module": "evil_module@Evil",
    "a game of an installed package": "evil-offer",
    "a map": "tubstap:map=evil.tbsmap",
    "a deck": "duelyst:decks=evil.json+lyonar",
    "weights": "trading-cards:weights=evil.json",
}
PLAYERS = {
    "a player": "evil.py@Evil",
    "a planner in a module": "evil_module@Evil:iterations=5",
    "a belief": "uct:belief=evil.py@Evil,iterations=5",
    "a planner within a planner": "pimc:inner=evil_module@Evil,iterations=5",
    "a planner of an installed package": "evil-offer:iterations=5",
}
FUNCTIONS = {
    "a measure in a file": {"measures": ["evil.py@evil"]},
    "a measure in a module": {"measures": ["evil_module:evil"]},
    "a start in a file": {"start": "evil.py@evil"},
    "a start in a module": {"start": "evil_module:evil"},
    "a start in a record": {"start": "evil-record.json@1"},
}


class Watch:
    """What the interpreter opened, imported and executed while it was on."""

    def __init__(self) -> None:
        self.on, self.seen = False, []
        sys.addaudithook(self._heard)  # there is no way to remove a hook

    def _heard(self, event: str, arguments: tuple) -> None:
        if not self.on:
            return
        if event in ("open", "import"):
            self.seen.append((event, str(arguments[0])))
        elif event == "exec":
            self.seen.append((event, getattr(arguments[0], "co_filename", "")))
        elif event.startswith(("subprocess", "os.system", "os.exec", "os.posix_spawn", "socket.")):
            self.seen.append((event, str(arguments)))
        elif event in ("os.rename", "os.remove", "ctypes.dlopen", "sqlite3.enable_load_extension"):
            self.seen.append((event, str(arguments[0])))

    @contextmanager
    def __call__(self):
        self.on, self.seen = True, []
        try:
            yield
        finally:
            self.on = False

    def traps(self) -> list[tuple[str, str]]:
        """Whatever concerns a file of the attacker, or was started, loaded or renamed."""
        harmless = ("open", "import", "exec")
        return [
            (event, what)
            for event, what in self.seen
            if event not in harmless
            or ("evil" in what.lower() and Path(what).parent.parent.name != "report")
        ]


def plant(folder: Path) -> None:
    """Write files that leave a mark if they run, and others that must not be opened."""
    for name in TRAPS:
        (folder / name).write_text(CODE if name.endswith(".py") else "{}")


def ran(folder: Path) -> bool:
    return (folder / "it-ran").exists()


def forged_record(path: Path, **changes: object) -> Path:
    """A file with a true record of tic-tac-toe, in which some claims are changed and sealed."""
    agents = [pg.agent_from("random"), pg.agent_from("random")]
    pg.record_of(pg.play(pg.games.TicTacToe(), agents, seed=1)).save(path)
    claims = json.loads(path.read_text()) | changes
    del claims[DIGEST]
    path.write_text(json.dumps({**claims, DIGEST: digest_of(claims)}))
    return path


def forged_store(path: Path, facts: bool = True, **changes: object) -> Path:
    """A store with four rows and these settings, with all seals."""
    settings = {"games": ["tic-tac-toe"], "agents": {"one": "random", "two": "random"},
                "meeting": "round-robin", "deals": 2, "seed": 0, "on_fault": "forfeit",
                "match_seconds": 600.0, "stop": {}} | changes  # fmt: skip
    run_id = run_id_of(settings)
    if facts:
        settings["facts"] = {
            text: {"players": 2, "scores": [-1.0, 1.0]} for text in settings["games"]
        }
    effort = {f"{name}@{seat}": 5.0 for name in ("iterations", "decisions") for seat in (0, 1)}
    rows = [
        MatchRow(number, "played", -1, (1.0, -1.0), 5, "0" * 32, 0.1, effort, (0.1, 0.1))
        for number in range(4)
    ]
    with open_store(path, run_id, json.dumps(_ordered(settings))) as store:
        store.add(rows)
    return path


def run_id_of(settings: dict) -> str:
    """The name of the run with these settings, as an attacker computes it."""
    public = {name: value for name, value in _ordered(settings).items() if name != "facts"}
    text = json.dumps(public, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _ordered(settings: dict) -> dict:
    """The settings in the order of `Settings`, with all parts of the stopping rule."""
    names = ("games", "agents", "meeting", "deals", "seed", "on_fault", "match_seconds", "stop",
             "start", "measures", "isolate", "facts")  # fmt: skip
    stop = {"rule": "none", "elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05}
    return {name: stop if name == "stop" else settings[name] for name in names if name in settings}
