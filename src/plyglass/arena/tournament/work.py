"""The work of a worker: play the matches with given numbers and return their rows."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from plyglass.arena.code_version import code_of
from plyglass.arena.match.agent import Agent, Player, is_foreign
from plyglass.arena.match.faults import AgentFault, RuleFault
from plyglass.arena.match.isolation import is_foreign_text
from plyglass.arena.match.match import Match, Start, Watcher, first_position, play
from plyglass.arena.match.starts import start_from
from plyglass.arena.match.watchdog import watched
from plyglass.arena.specs import game_from
from plyglass.arena.tournament.match_row import MatchRow, Status, digest_of_actions
from plyglass.arena.tournament.measures import Measuring, measures_from
from plyglass.arena.tournament.note import Note
from plyglass.arena.tournament.referee import first_overrun
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.core.failures import noticed
from plyglass.core.game import Game
from plyglass.core.world import World
from plyglass.search.threads import one_thread


@dataclass(frozen=True)
class Told:
    """The row of a match, and a description of what went wrong in it.

    Attributes:
        about: the agent to blame, or the game of a match that is void.
        why: what went wrong; empty if nothing went wrong.
    """

    row: MatchRow
    about: str = ""
    why: str = ""


def play_match(
    settings: Settings, number: int, on_turn: Callable[[int], None] | None = None
) -> MatchRow:
    """Play a match; `settings` and `number` determine its row, except for times and code."""
    return told_match(settings, number, on_turn).row


def told_match(
    settings: Settings, number: int, on_turn: Callable[[int], None] | None = None
) -> Told:
    """Play a match, and describe what went wrong in it."""
    code = code_of(settings.canonical)
    began = time.process_time()
    try:
        measuring = Measuring(measures_from(settings.measures))
        with one_thread():
            match = replay_match(
                settings, number, on_turn, measuring.watch if settings.measures else None
            )
    except (AgentFault, RuleFault) as fault:
        kind: Status = fault.kind if isinstance(fault, AgentFault) else "void"
        seat = fault.seat if isinstance(fault, AgentFault) else -1
        digest = digest_of_actions(fault.actions)
        seconds, steps = time.process_time() - began, len(fault.actions)
        row = MatchRow(number, kind, seat, (), steps, digest, seconds, code=code)
        return Told(row, _blamed(settings, row), str(fault))
    seconds = time.process_time() - began
    late = first_overrun(match, settings.overrun_seconds)
    return Told(
        MatchRow(
            number,
            "overran" if late >= 0 else "played",
            late,
            match.scores,
            len(match.moves),
            digest_of_actions(match.actions),
            seconds,
            measuring.result(match),
            match.seconds,
            code,
        )
    )


def _blamed(settings: Settings, row: MatchRow) -> str:
    fixture = _schedule(settings.canonical)[row.number]
    return settings.games[fixture.game] if row.offender < 0 else fixture.agents[row.offender]


def replay_match(
    settings: Settings,
    number: int,
    on_turn: Callable[[int], None] | None = None,
    watch: Watcher | None = None,
) -> Match:
    """Play the match with this number again, and return it with all its decisions."""
    fixture = _schedule(settings.canonical)[number]
    players = [_player(settings, settings.agents[name]) for name in fixture.agents]
    game, start = _game(settings.games[fixture.game]), start_from(settings.start)
    if fixture.trial:
        start = functools.partial(_start_of_deal, fixture.deal_seed, start)
    return play(game, players, seed=fixture.seed, start=start, watch=watch, on_turn=on_turn)


def _start_of_deal(deal_seed: int, start: Start | None, game: Game, _: int) -> World:
    """Return the position from which all trials of a deal start."""
    return first_position(game, deal_seed, start=start)


def play_chunk(canonical: str, numbers: Sequence[int], note: Note | None = None) -> list[str]:
    """Play matches and return their rows as text, for a worker in another process.

    `note` says which match is in progress and whose turn it is, in case the worker dies or hangs.
    """
    settings = Settings.from_canonical(canonical)
    texts = []
    for number in numbers:
        told = noted_match(settings, number, note)
        texts.append(text_of(told.row, told.about, told.why))
    if note is not None:
        note.write(-1)
    return texts


def noted_match(settings: Settings, number: int, note: Note | None) -> Told:
    """Play a match, and write every step into `note`."""
    if note is None:
        return told_match(settings, number)
    note.write(number)
    return told_match(settings, number, note.turns_of(number))


@contextmanager
def watching(
    settings: Settings, advice: str, seconds: float | None = None
) -> Iterator[Note | None]:
    """Watch this process if a user's code takes part; yield the note that the watchdog reads."""
    texts = (*settings.games, *settings.agents.values())
    if not any(".py" in text or is_foreign_text(text) for text in texts):
        yield None
        return
    with watched(seconds or settings.patience, advice) as file:
        note = Note(file)
        try:
            yield note
        finally:
            note.close()


def text_of(row: MatchRow, about: str = "", why: str = "") -> str:
    """Return a match row and what went wrong as text, because processes exchange only text."""
    return json.dumps(
        {
            **{name: getattr(row, name) for name in row.__dataclass_fields__},
            "measures": dict(row.measures),
            **({"told": [about, why]} if why else {}),
        }
    )


def told_of(text: str) -> Told:
    """Return what `text_of` wrote: a match row, and what went wrong in the match."""
    values = json.loads(text)
    told = values.pop("told", ("", ""))
    row = MatchRow(
        **{
            **values,
            "scores": tuple(values["scores"]),
            "seat_seconds": tuple(values["seat_seconds"]),
        }
    )
    return Told(row, *told)


def row_of(text: str) -> MatchRow:
    """Return the match row that `text_of` wrote."""
    return told_of(text).row


def warm(canonical: str) -> None:
    """Compile or load everything that a run needs.

    The driver warms up first, because workers would otherwise compile the same things in parallel.
    A worker also warms up before its first match is timed. A user's own players are not called
    here, because all their work must happen in a match.
    """
    _warmed(canonical)


@functools.lru_cache(maxsize=8)
def _warmed(canonical: str) -> None:
    settings = Settings.from_canonical(canonical)
    code_of(canonical)
    players = map(settings.player, settings.agents.values())
    agents = [player for player in players if isinstance(player, Agent) and not is_foreign(player)]
    with noticed():  # faulty rules are reported by the matches
        for game in map(_game, settings.games):
            world = first_position(game, 0, start=start_from(settings.start))
            _ = world.to_move, world.hide(0)
            for agent in agents:
                agent.warm(game, world)


@functools.lru_cache(maxsize=8)
def _schedule(canonical: str) -> Schedule:
    return Schedule(Settings.from_canonical(canonical))


@functools.lru_cache(maxsize=64)
def _game(text: str) -> Game:
    return game_from(text)


def _player(settings: Settings, text: str) -> Player:
    """The player that a text names; a user's own player is made anew for each match."""
    if is_foreign_text(text) or not settings.trusted:
        return settings.player(text)
    return _agent(settings.canonical, text)


@functools.lru_cache(maxsize=64)
def _agent(canonical: str, text: str) -> Player:
    """One of Plyglass's agents, which never changes, so all matches share it."""
    return Settings.from_canonical(canonical).player(text)
