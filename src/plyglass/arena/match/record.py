"""Records of matches: files with all that is needed to replay and verify every decision."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyglass.arena.match.agent import Agent, AgentSeat, Player, Seat, Used
from plyglass.arena.match.match import Match, Move, Start, first_position, run
from plyglass.arena.match.resume import RenewedSeat
from plyglass.arena.specs import agent_from, game_from, text_of_agent, text_of_game
from plyglass.core import cache
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.world import View, World
from plyglass.search.interface import Decision

PERSON = "person"


class RecordMismatch(Exception):
    """A replayed match differs from its record."""


@dataclass(frozen=True)
class Record:
    """A saved match, as plain values.

    Attributes:
        game: the game as text.
        players: agents as text, or "person", or "person:name".
        seed: the random seed.
        moves: of every decision its player, action, iterations, visits and values, and where the
            clock stopped it if it had one.
        scores: by seat.
        cheated: whether any player was given more than its views.
        start: the bytes of the position that the match started from, as hexadecimal digits; empty
            for a new game.
        undone: how many actions a person took back.
        resumed: the plies at which the match was resumed after it was saved, or after an action was
            taken back. A resumed match has new seats.
        rules: a digest of the game's sources, empty in records from before it was kept.

    A match that is not over has no scores. The seed determines everything hidden and all later
    chance, so a reader of a saved match can learn them.
    """

    game: str
    players: tuple[str, ...]
    seed: int
    moves: tuple[dict[str, Any], ...]
    scores: tuple[float, ...]
    cheated: bool
    start: str = ""
    undone: int = 0
    resumed: tuple[int, ...] = ()
    rules: str = ""

    @property
    def over(self) -> bool:
        """Whether the match was played to its end."""
        return bool(self.scores)

    def save(self, path: str | Path) -> None:
        Path(path).write_text(json.dumps(asdict(self)) + "\n")

    @staticmethod
    def load(path: str | Path) -> Record:
        values: dict[str, Any] = json.loads(Path(path).read_text())
        lists: dict[str, Any] = {
            name: tuple(value) for name, value in values.items() if isinstance(value, list)
        }
        return Record(**{**values, **lists})


def record_of(match: Match) -> Record:
    """Return the record of a match."""
    return Record(
        game=text_of_game(match.game),
        players=tuple(_text_of(player) for player in match.players),
        seed=match.seed,
        moves=tuple(_written(move) for move in match.moves),
        scores=match.scores,
        cheated=match.cheated,
        start="" if match.start is None else match.start.row().tobytes().hex(),
        rules=rules_of(match.game),
    )


@functools.lru_cache(maxsize=64)
def rules_of(game: Game) -> str:
    """Return a digest of the fields of a game and of its sources, without those of the engine."""
    seal = hashlib.blake2b(repr(game.state.descr).encode(), digest_size=8)
    file = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    for source in sorted(cache.closure(os.path.realpath(file))) if file else ():
        path = Path(source)
        if not path.is_relative_to(cache.PACKAGE) or path.is_relative_to(cache.PACKAGE / "games"):
            seal.update(path.name.encode() + b"\0" + path.read_bytes())
    return seal.hexdigest()


def replay(
    record: Record, game: Game | None = None, players: Sequence[Player] | None = None
) -> Match:
    """Play a recorded match again.

    Every agent searches as much as in the recorded match. The actions of a person are taken from
    the record. Give the game and the agents that cannot be found by their names, such as those of a
    notebook.
    """
    game = _game_of(record, game)
    players, seats = seated(record, game, players)
    return run(game, players, seats, seed=record.seed, start=start_of(record))


def _game_of(record: Record, game: Game | None) -> Game:
    """Return the game of a record: the given game if it fits, or the one that the text names."""
    if game is None:
        try:
            return game_from(record.game)
        except ValueError as error:
            raise ValueError(
                f"The game of the record, {record.game}, is not found by this name; give it as "
                f"verify(record, game). ({error})"
            ) from error
    if text_of_game(game).rpartition("@")[2] != record.game.rpartition("@")[2]:
        raise ValueError(
            f"The record is of {record.game}, but {text_of_game(game)} was given; give the game "
            "that was played, with its parameters."
        )
    return game


def seated(
    record: Record, game: Game, given: Sequence[Player] | None = None
) -> tuple[list[Player], list[Seat]]:
    """Return the players of a recorded match, and their seats for a replay."""
    if not record.over:
        raise ValueError(
            "The match of this record is not over, so it cannot be played again; `plyglass play "
            "FILE.json` resumes it."
        )
    if given is not None and len(given) != len(record.players):
        raise ValueError(
            f"The record has {len(record.players)} players, but {len(given)} were given."
        )
    players: list[Player] = [
        _Scripted() if is_person(text) else given[number] if given else agent_from(text)
        for number, text in enumerate(record.players)
    ]
    seats = [_seat_again(record, game, player, number) for number, player in enumerate(players)]
    return players, seats


def _seat_again(record: Record, game: Game, player: Player, number: int) -> Seat:
    """Return a seat for a replay, which is taken again where the match was resumed."""
    own = [move for move in record.moves if move["player"] == number]

    def take(made: int) -> Seat:
        seat = player.take_seat(game, number, derive(record.seed, number + 1))
        if isinstance(seat, _ScriptedSeat):
            seat.actions = iter([move["action"] for move in own[made:]])
        elif isinstance(seat, AgentSeat):
            seat.repeat(_used(move) for move in own[made:])
        return seat

    renewals = [
        sum(move["player"] == number for move in record.moves[:ply]) for ply in record.resumed
    ]
    return RenewedSeat(take, renewals) if renewals else take(0)


def position(record: Record, ply: int, game: Game | None = None) -> World:
    """Return the true world after the first `ply` moves of a recorded match."""
    if not 0 <= ply < len(record.moves):
        raise ValueError(
            f"The record has {len(record.moves)} moves; a match can start at ply 0 to "
            f"{len(record.moves) - 1}, not {ply}."
        )
    world = first_position(_game_of(record, game), record.seed, start=start_of(record))
    for move in record.moves[:ply]:
        world.apply(move["action"])
    return world


def start_of(record: Record) -> Start | None:
    """Return the start of a recorded match, or None for a new game."""
    return (
        (lambda game, seed: _world_of(game, bytes.fromhex(record.start))) if record.start else None
    )


def _world_of(game: Game, data: bytes) -> World:
    if len(data) != game.state.itemsize:
        raise ValueError(
            f"The record starts from a position of {len(data)} bytes, but a position of "
            f"{game.name} has {game.state.itemsize}. It was made with another version of the game "
            "and cannot be played again with this one."
        )
    return World(game, np.frombuffer(data, np.uint8).copy())


def verify(
    record: Record, game: Game | None = None, players: Sequence[Player] | None = None
) -> None:
    """Replay a recorded match; raise `RecordMismatch` at the first decision that differs.

    Give the game, and the players if they are your own; otherwise they are found by their names.
    """
    again = record_of(replay(record, game, players))
    changed = (
        ""
        if record.rules in ("", again.rules)
        else f" The sources of {record.game} have changed since it was recorded."
    )
    for number, (then, now) in enumerate(zip(record.moves, again.moves, strict=False)):
        for name in then:
            if then[name] != now[name]:
                raise RecordMismatch(
                    f"Move {number + 1}, player {then['player'] + 1}: {name} was {then[name]}, "
                    f"but is now {now[name]}.{changed}"
                )
    if len(record.moves) != len(again.moves) or record.scores != again.scores:
        raise RecordMismatch(
            f"The record has {len(record.moves)} moves and scores {record.scores}. Played again, "
            f"the match has {len(again.moves)} moves and scores {again.scores}.{changed}"
        )


def is_person(text: str) -> bool:
    """Return whether a player's text means a person."""
    return text.partition(":")[0] == PERSON


def _text_of(player: Player) -> str:
    if isinstance(player, Agent):
        return text_of_agent(player)
    name = getattr(player, "name", "")
    return f"{PERSON}:{name}" if name else PERSON


def _used(move: dict[str, Any]) -> Used:
    return Used(move["iterations"], tuple(move["stop"]) if move.get("stop") else None)


def _written(move: Move) -> dict[str, Any]:
    decision = move.decision
    stop = {} if decision.stop is None else {"stop": list(decision.stop)}
    return {
        **stop,
        "player": move.player,
        "action": decision.action,
        "iterations": decision.iterations,
        "visits": list(decision.visits),
        "values": list(decision.values),
    }


def moves_of(record: Record, game: Game) -> list[Move]:
    """Return the moves of a record, with as much of each decision as it keeps."""
    world, moves = first_position(game, record.seed, start=start_of(record)), []
    for move in record.moves:
        decision = Decision(
            move["action"],
            tuple(world.legal()),
            tuple(move["values"]),
            tuple(move["visits"]),
            iterations=move["iterations"],
            stop=_used(move).stop,
        )
        moves.append(Move(move["player"], decision))
        world.apply(move["action"])
    return moves


class _Scripted:
    """Plays the recorded actions of a person."""

    cheats = False

    def take_seat(self, game: Game, seat: int, seed: int) -> _ScriptedSeat:
        return _ScriptedSeat()


class _ScriptedSeat:
    actions: Any = iter(())

    def observe(self, own_action: int | None, view: View) -> None:
        self._legal: Sequence[int] = view.legal()

    def decide(self) -> Decision:
        return Decision(next(self.actions), tuple(self._legal))
