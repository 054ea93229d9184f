"""The places where Plyglass takes input from outside, each with valid inputs and a reader.

`read` returns if the input is accepted, and raises otherwise. An edited file that is accepted with
another meaning raises `Believed`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import plyglass as pg
from plyglass.arena.limits import MOST_CHARACTERS
from plyglass.arena.match.claims import DIGEST, digest_of
from plyglass.arena.match.record import moves_of, position
from plyglass.arena.store.columns import Columns, Seal
from plyglass.arena.store.manifest import _digest
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.core.weights import read_weights
from plyglass.games.duelyst.cards import decks
from plyglass.games.tubstap import tbsmap
from plyglass.report.folder import markdown_of, tables_of
from plyglass.report.page import page
from plyglass.report.run import Run, load, toml_of
from tests.arena.forgery import forged_store, run_id_of
from tests.fuzz.mutations import mutated, mutated_value

SMALL = ("tic-tac-toe", "kuhn-poker", "leduc-poker", "connect-four")
AGENTS = (
    "random",
    "greedy:worlds=4",
    "uct:iterations=20,exploration=0.5,trees=2,most_nodes=1000",
    "uct:belief=particles(worlds=20,tries=4),playout.turns=2,seconds=0.01",
    "so-ismcts:patience=3,resample=2,iterations=9,belief=exact",
    "mo-ismcts:iterations=9,playout=playout(turns=1)",
    "bs-mcts:searches=2,opponent_model.guess=0.5,iterations=5",
    "pomcp:particles=16,prior.visits=2,iterations=9,most_particles=64",
    "pimc:worlds=3,inner=expectiminimax(depth=2),iterations=3",
    "pimc:worlds=2,inner=uct(exploration=0.5),redraw=true",
    "epimc:worlds=2,postponed=1,horizon=2",
    "hindsight:worlds=2,horizon=2,memory=64",
    "expectiminimax:depth=2,pruning=none,memory=128,ties=first",
    "rollout:tries=2,plies=1,keep=mean",
    "one-ply-mcts:iterations=9,tree.most_nodes=100,opening=2",
    "three-ply-mcts:best=2,simulations=4",
    "determinized-uct:histories=2,iterations=9,evaluation.by=rollout",
    "representative-moves:classes=clusters,count=2,worlds=2,rounds=2,inner=expectiminimax(depth=1)",
    "uct:belief=truth(luck=false),model=game(),turn_seconds=0.01",
)
GAMES = (
    *SMALL,
    "pig:goal=20,turns=30",
    "dark-hex:size=2",
    "rocksample:size=4,rocks=3,layout_seed=5,steps=9,discount=0.9",
    "battleship:size=9,longest=3",
    "tiger:accuracy=0.8,steps=4",
    "duel:kinds=3,copies=2,health=4,hand=2,open_hands=true",
    "skirmish:size=3,units=1,health=2,turns=6,fog=true,sight=1",
    "navy:size=5,cargo=2,fewest=1,most=2,steps=9,submarines=sticky,harm=3.0",
    "trading-cards:soldiers=9,hand=3,health=9,turns=9,doubling=weighted,balance=0.5",
    "pandemic:preset=thesis,players=2,epidemics=4,roles=medic+scientist",
    "tubstap:map=crossroads,fog=false,turns=4,sight=euclid,antiair=90",
    "duelyst:decks=lyonar#1+vanar#7,opening=3,turns=4,burn=true",
)
PLAYED = ("tic-tac-toe", "kuhn-poker", "leduc-poker", "connect-four", "pig")
SETTINGS = """\
games = ["tic-tac-toe", "kuhn-poker"]
meeting = "gauntlet"
deals = 3
seed = 4
on_fault = "forfeit"
match_seconds = 60.0
measures = ["length", "value"]
on_overrun = "count"
overrun_seconds = 0.2
trials = 1
isolate = false

[agents]
one = "uct:iterations=20"
"the other" = "random"

[stop]
rule = "sprt"
elo0 = 0.0
elo1 = 10.0
"""


class Believed(Exception):
    """An edited file was accepted with another meaning."""


@dataclass(frozen=True)
class Entry:
    """A place where input comes in.

    Attributes:
        name: its name in reports.
        seeds: makes true inputs, as bytes.
        read: reads an input, which lies in a folder of its own.
        change: makes another input of a true one; by default small changes of bytes.
        share: how many of 100 inputs come here.
    """

    name: str
    seeds: Callable[[Path], list[bytes]]
    read: Callable[[bytes, Path], object]
    change: Callable[[bytes, Random], bytes] = mutated
    share: int = 8


# -- texts


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")[: 2 * MOST_CHARACTERS]


def read_agent(data: bytes, folder: Path) -> None:
    """Read the text of an agent; whatever it is, it keeps a limit of time."""
    agent = pg.agent_from(_text(data))
    quick = replace(agent, budget=pg.Budget(seconds=0.02))
    game = pg.game_from("kuhn-poker" if len(data) % 2 else "tic-tac-toe")
    seat = quick.take_seat(game, 0, 3)
    world = game.start(5)
    if quick.cheats:
        seat.reveal(world.copy())
    seat.observe(None, world.hide(0))
    if seat.decide().action not in world.legal():
        raise Believed("an agent played an illegal action")


def read_game(data: bytes, folder: Path) -> None:
    """Read the text of a game, and play some actions of a small one."""
    game = pg.game_from(_text(data))
    if game.name in PLAYED:
        world = game.start(1)
        for _ in range(5):
            if not world.over:
                world.apply(world.legal()[-1])


def read_settings(data: bytes, folder: Path) -> None:
    """Read settings, and write and read them again."""
    (folder / "settings.toml").write_bytes(data)
    settings = Settings.load(folder / "settings.toml")
    if len(Schedule(settings)):
        Schedule(settings)[0]
    (folder / "again.toml").write_text(toml_of(settings), encoding="utf-8")
    if Settings.load(folder / "again.toml").run_id != settings.run_id:
        raise Believed("settings are written differently from how they are read")


# -- records


@cache
def _true_records() -> tuple[pg.Record, ...]:
    pairs = (("tic-tac-toe", "uct:iterations=9", "random"), ("kuhn-poker", "random", "random"),
             ("leduc-poker", "so-ismcts:iterations=5", "random"))  # fmt: skip
    return tuple(
        pg.record_of(
            pg.play(pg.game_from(game), [pg.agent_from(one), pg.agent_from(other)], seed=3)
        )
        for game, one, other in pairs
    )


def record_seeds(folder: Path) -> list[bytes]:
    found = []
    for record in _true_records():
        record.save(folder / "record.json")
        found.append((folder / "record.json").read_bytes())
    return found


def read_record(data: bytes, folder: Path) -> None:
    """Load and verify a record; what is accepted without doubt is what was written."""
    (folder / "record.json").write_bytes(data)
    record = pg.Record.load(folder / "record.json")
    if not record.unsealed and record not in _true_records():
        raise Believed("an edited record has its digest")
    read_any_record(data, folder)


def read_any_record(data: bytes, folder: Path) -> None:
    """Load a record that may be forged, and do everything with it that can be done."""
    (folder / "record.json").write_bytes(data)
    record = pg.Record.load(folder / "record.json")
    game = pg.game_from("tic-tac-toe")
    if record.moves and record.game == "tic-tac-toe":
        position(record, len(record.moves) - 1)
        moves_of(record, game)
    pg.verify(record, most_iterations=10_000)


def sealed_change(data: bytes, chance: Random) -> bytes:
    """A record with one claim changed, and the digest of the changed claims."""
    claims = {key: value for key, value in json.loads(data).items() if key != DIGEST}
    changed = mutated_value(claims, chance)
    if isinstance(changed, dict):
        changed[DIGEST] = digest_of(changed)
    return json.dumps(changed).encode()


def start_seeds(folder: Path) -> list[bytes]:
    found = []
    for record in _true_records():
        world = pg.game_from(record.game).start(3)
        replace(record, start=world.row().tobytes().hex()).save(folder / "start.json")
        found.append((folder / "start.json").read_bytes())
    return found


def start_change(data: bytes, chance: Random) -> bytes:
    """A record with other bytes in its start position, and their digest."""
    claims = {key: value for key, value in json.loads(data).items() if key != DIGEST}
    start = bytearray.fromhex(claims["start"])
    for _ in range(chance.choice((1, 1, 2, 8))):
        start[chance.randrange(len(start))] = chance.randrange(256)
    claims["start"] = start.hex()
    return json.dumps({**claims, DIGEST: digest_of(claims)}).encode()


# -- files of games


def map_seeds(folder: Path) -> list[bytes]:
    return [(tbsmap.FOLDER / f"{name}.tbsmap").read_bytes() for name in ("crossroads", "duelists")]


def read_map(data: bytes, folder: Path) -> None:
    """Read a map, and build the game on it."""
    (folder / "mine.tbsmap").write_bytes(data)
    found = tbsmap.load(str(folder / "mine.tbsmap"))
    pg.games.Tubstap(map=str(folder / "mine.tbsmap"))
    if tbsmap.parsed(tbsmap.written(found)) != found:
        raise Believed("a map is written differently from how it is read")


def deck_seeds(folder: Path) -> list[bytes]:
    return [json.dumps(each).encode() for each in list(decks.starters().values())[:2]]


def read_deck(data: bytes, folder: Path) -> None:
    (folder / "deck.json").write_bytes(data)
    decks.load(str(folder / "deck.json"))


def weight_seeds(folder: Path) -> list[bytes]:
    return [json.dumps({"weights": [0.5, -1.0, 2.0, 0.0]}).encode()]


def read_weight(data: bytes, folder: Path) -> None:
    (folder / "weights.json").write_bytes(data)
    if not np.isfinite(read_weights(str(folder / "weights.json"), folder, 3)).all():
        raise Believed("weights are not finite")


# -- stores


def _told(run: Run) -> tuple[Any, ...]:
    return run.settings.canonical, run.digest, run.codes, run.decision


def _reported(run: Run) -> None:
    if run.rows:
        assert page(run)
        assert markdown_of(run)
        assert tables_of(run)


def database_seeds(folder: Path) -> list[bytes]:
    place = forged_store(folder / "true.sqlite")
    with sqlite3.connect(place) as database:
        database.execute("PRAGMA journal_mode=DELETE")  # one file, without a log
        database.execute("PRAGMA journal_mode=WAL")
    database.close()
    return [place.read_bytes()]


def read_database(data: bytes, folder: Path) -> None:
    """Report on a store; what is accepted is what was written."""
    (folder / "run.sqlite").write_bytes(data)
    run = load(folder / "run.sqlite")
    if _told(run) != _told(load(folder / "true.sqlite")) and "so far" not in run.decision:
        raise Believed("an edited store is accepted")


def read_any_database(data: bytes, folder: Path) -> None:
    (folder / "run.sqlite").write_bytes(data)
    _reported(load(folder / "run.sqlite"))


def sealed_row(data: bytes, chance: Random) -> bytes:
    """A store with one value of its settings or of a row changed, and all seals."""
    database = sqlite3.connect(":memory:")
    database.deserialize(data[:18] + b"\x01\x01" + data[20:])  # in memory there is no log
    ((run_id, settings),) = database.execute("SELECT id, settings FROM run").fetchall()
    if chance.random() < 0.4:
        changed = mutated_value(json.loads(settings), chance)
        other = run_id_of(changed) if isinstance(changed, dict) else run_id
        text = json.dumps(changed)
        seal = Seal("run")((other, text))
        database.execute("UPDATE run SET id = ?, settings = ?, seal = ?", (other, text, seal))
        run_id = other
    rows = [row[:-1] for row in database.execute("SELECT * FROM matches").fetchall()]
    place = chance.randrange(len(rows))
    columns = Columns(*rows[place])
    name = chance.choice(Columns._fields)
    rows[place] = tuple(columns._replace(**{name: _changed_cell(getattr(columns, name), chance)}))
    database.execute("DELETE FROM matches")
    for row in rows:
        marks = ",".join("?" * (len(row) + 1))
        with suppress(sqlite3.Error, OverflowError):
            sealed = (*row, Seal(run_id)(row))
            database.execute(f"INSERT OR IGNORE INTO matches VALUES ({marks})", sealed)
    database.commit()
    data = database.serialize()
    database.close()
    return data[:18] + b"\x02\x02" + data[20:]


def _changed_cell(value: Any, chance: Random) -> Any:
    if isinstance(value, str):
        return mutated(value.encode(), chance).decode("utf-8", "replace")
    return chance.choice((None, -1, 0, 1, 2**40, 2**62, 1.5, -1.0, 1e300, "x", b"x", value))


def shard_seeds(folder: Path) -> list[bytes]:
    """The manifest of a store, and its shard after a byte 0."""
    place = forged_store(folder / "true")
    shard = next(place.glob("shard-*.parquet"))
    return [(place / "manifest.json").read_bytes(), b"\0" + shard.read_bytes()]


def read_shards(data: bytes, folder: Path) -> None:
    """Report on a folder of shards of which one file was edited."""
    true, place = folder / "true", folder / "run"
    place.mkdir(exist_ok=True)
    for file in true.iterdir():
        (place / file.name).write_bytes(file.read_bytes())
    shard = next(true.glob("shard-*.parquet"))
    if data[:1] == b"\0":
        (place / shard.name).write_bytes(data[1:])
    else:
        (place / "manifest.json").write_bytes(data)
    run = load(place)
    if _told(run) != _told(load(true)) and "so far" not in run.decision:
        raise Believed("an edited store is accepted")


def sealed_manifest(data: bytes, chance: Random) -> bytes:
    """A manifest with one value changed, and its digest."""
    if data[:1] == b"\0":
        return mutated(data, chance)
    content = mutated_value(json.loads(data)["content"], chance)
    return json.dumps({"content": content, "digest": _digest(content)}).encode()


def read_any_shards(data: bytes, folder: Path) -> None:
    try:
        read_shards(data, folder)
    except Believed:
        _reported(load(folder / "run"))


ENTRIES = (
    Entry("agents", lambda _: [text.encode() for text in AGENTS], read_agent, share=16),
    Entry("games", lambda _: [text.encode() for text in GAMES], read_game, share=12),
    Entry("settings", lambda _: [SETTINGS.encode()], read_settings, share=12),
    Entry("records", record_seeds, read_record, share=8),
    Entry("sealed records", record_seeds, read_any_record, sealed_change, share=12),
    Entry("starts", start_seeds, read_any_record, start_change, share=8),
    Entry("maps", map_seeds, read_map, share=8),
    Entry("decks", deck_seeds, read_deck, share=4),
    Entry("weights", weight_seeds, read_weight, share=2),
    Entry("databases", database_seeds, read_database, share=5),
    Entry("sealed databases", database_seeds, read_any_database, sealed_row, share=6),
    Entry("shards", shard_seeds, read_shards, share=3),
    Entry("sealed manifests", shard_seeds, read_any_shards, sealed_manifest, share=4),
)
