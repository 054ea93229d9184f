"""The work of a worker: play the matches with given numbers and return their rows."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from plyglass.arena.code_version import code_of
from plyglass.arena.match.agent import Agent
from plyglass.arena.match.match import AgentFault, Match, Start, Watcher, first_position, play
from plyglass.arena.match.starts import start_from
from plyglass.arena.specs import game_from
from plyglass.arena.tournament.match_row import MatchRow, digest_of_actions
from plyglass.arena.tournament.measures import Measuring, measures_from
from plyglass.arena.tournament.referee import first_overrun
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.core.game import Game
from plyglass.core.world import World
from plyglass.search.threads import one_thread


def play_match(
    settings: Settings, number: int, on_turn: Callable[[int], None] | None = None
) -> MatchRow:
    """Play a match; settings and number determine its row, except for times and code."""
    code = code_of(settings.canonical)
    began = time.process_time()
    try:
        measuring = Measuring(measures_from(settings.measures))
        with one_thread():
            match = replay_match(
                settings, number, on_turn, measuring.watch if settings.measures else None
            )
    except AgentFault as fault:
        seconds, digest = time.process_time() - began, digest_of_actions(fault.actions)
        return MatchRow(
            number, fault.kind, fault.seat, (), len(fault.actions), digest, seconds, code=code
        )
    seconds = time.process_time() - began
    late = first_overrun(match, settings.overrun_seconds)
    return MatchRow(
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


def replay_match(
    settings: Settings,
    number: int,
    on_turn: Callable[[int], None] | None = None,
    watch: Watcher | None = None,
) -> Match:
    """Play the match of a number and return it with all its decisions."""
    fixture = _schedule(settings.canonical)[number]
    players = [settings.player(settings.agents[name]) for name in fixture.agents]
    game, start = _game(settings.games[fixture.game]), start_from(settings.start)
    if fixture.trial:
        start = functools.partial(_start_of_deal, fixture.deal_seed, start)
    return play(game, players, seed=fixture.seed, start=start, watch=watch, on_turn=on_turn)


def _start_of_deal(deal_seed: int, start: Start | None, game: Game, _: int) -> World:
    """Return the position that all trials of a deal start from."""
    return first_position(game, deal_seed, start=start)


def play_chunk(canonical: str, numbers: Sequence[int], note: str | None = None) -> list[str]:
    """Play matches and return their rows as text, for a worker in another process.

    `note` names a file that says which match is in progress, in case the worker dies. If a match is
    played alone, the file also says whose turn it is.
    """
    settings = Settings.from_canonical(canonical)
    texts = []
    for number in numbers:
        if note is not None:
            Path(note).write_text(f"{number} -1")
        on_turn = (
            functools.partial(_note_turn, note, number)
            if note is not None and len(numbers) == 1
            else None
        )
        texts.append(text_of(play_match(settings, number, on_turn)))
    return texts


def read_note(note: Path) -> tuple[int | None, int]:
    """Return (match in progress, seat to move) as the worker last noted them, or (None, -1)."""
    words = note.read_text().split() if note.exists() else []
    return (int(words[0]), int(words[1])) if len(words) == 2 else (None, -1)


def _note_turn(note: str, number: int, seat: int) -> None:
    Path(note).write_text(f"{number} {seat}")


def text_of(row: MatchRow) -> str:
    """Return a row as text: only texts are pickled between processes."""
    return json.dumps(
        {
            **{name: getattr(row, name) for name in row.__dataclass_fields__},
            "measures": dict(row.measures),
        }
    )


def row_of(text: str) -> MatchRow:
    """Return the row that a text means."""
    values = json.loads(text)
    return MatchRow(
        **{
            **values,
            "scores": tuple(values["scores"]),
            "seat_seconds": tuple(values["seat_seconds"]),
        }
    )


def warm(canonical: str) -> None:
    """Compile or load all that a run needs.

    The driver warms up first, because workers would compile the same things in parallel. A worker
    also warms up before its first match is timed. A user's own players are not called here, because
    all their work must happen in a match.
    """
    _warmed(canonical)


@functools.lru_cache(maxsize=8)
def _warmed(canonical: str) -> None:
    settings = Settings.from_canonical(canonical)
    code_of(canonical)
    players = map(settings.player, settings.agents.values())
    agents = [player for player in players if isinstance(player, Agent)]
    for game in map(_game, settings.games):
        world = first_position(game, 0, start=start_from(settings.start))
        for agent in agents:
            agent.warm(game, world)


@functools.lru_cache(maxsize=8)
def _schedule(canonical: str) -> Schedule:
    return Schedule(Settings.from_canonical(canonical))


@functools.lru_cache(maxsize=64)
def _game(text: str) -> Game:
    return game_from(text)
