"""Games of people, from a folder of records; each record is replayed before it counts.

A record counts if all of these hold:

- The replay of the record gives the recorded match.
- The game of the record is one of the run's games.
- The match began with a new game, like the run's matches.
- No action was taken back, and the game was not resumed. Otherwise a person could try twice.
- All players other than people are agents of the run.

Records that do not count are listed with the reason. Every name of a person is marked as such. Each
record is a deal of its own, because its match shares chance with no other match.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from plyglass.arena.match.agent import Agent
from plyglass.arena.match.record import Record, is_person, verify
from plyglass.arena.specs import agent_from, game_from, is_own_player, text_of_agent, text_of_game
from plyglass.arena.tournament.settings import Settings
from plyglass.core.game import Game
from plyglass.report.tables import Table
from plyglass.trust import NamesCode, as_data


@dataclass(frozen=True)
class PersonsGame:
    """A verified match: the index of its game in the settings, and players and scores by seat."""

    game: int
    agents: tuple[str, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True)
class People:
    """A folder's records that count, and the reasons why the other records do not."""

    games: tuple[tuple[str, PersonsGame], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> list[str]:
        """The people, in the order of their first game."""
        return list(
            dict.fromkeys(
                agent for _, game in self.games for agent in game.agents if agent.endswith(MARK)
            )
        )


MARK = " (person)"


class NotCounted(Exception):
    """Raised if a record does not count, with the reason as its message."""


def people_in(folder: str | Path, settings: Settings) -> People:
    """All records in a folder and its subfolders, verified."""
    top = Path(folder)
    if not top.is_dir():
        raise ValueError(
            f"There is no folder {top} of records; `plyglass play --save FOLDER/NAME.json` saves "
            "records."
        )
    reader, games, left_out = _Reader(settings), [], []
    for file in sorted(top.rglob("*.json")):
        name = file.relative_to(top).as_posix()
        try:
            games.append((name, reader.game_in(file)))
        except NotCounted as reason:
            left_out.append((name, str(reason)))
    return People(tuple(games), tuple(left_out))


class _Reader:
    """Reads records for one run; each match counts once."""

    def __init__(self, settings: Settings) -> None:
        self._from_start = not settings.start
        self._games: dict[str, tuple[int, Game]] = {}
        self._agents: dict[str, tuple[str, Agent]] = {}
        with nullcontext() if settings.trusted else as_data():
            for index, text in reversed(list(enumerate(settings.games))):
                with suppress(
                    NamesCode
                ):  # a game with code of its own needs settings from a person
                    game = game_from(text)
                    self._games[text_of_game(game)] = index, game
            for name, text in reversed(list(settings.agents.items())):
                with suppress(NamesCode):
                    if not is_own_player(text):
                        agent = agent_from(text)
                        self._agents[text_of_agent(agent)] = name, agent
        self._seen: dict[str, str] = {}

    def game_in(self, file: Path) -> PersonsGame:
        """Return the match in a file; raise `NotCounted` if the record does not count."""
        try:
            record = Record.load(file)
            players = self._players(record)
            index, game = self._games[record.game]
            verify(record, game, [self._agent(text) for text in record.players])
        except NotCounted:
            raise
        except Exception as error:  # a file may be damaged in any way
            raise NotCounted(f"it is damaged: {error or type(error).__name__}") from error
        moves = [move["action"] for move in record.moves]
        content = str((record.game, record.players, record.seed, moves))
        if (same := self._seen.setdefault(content, file.name)) != file.name:
            raise NotCounted(f"it is the same match as {same}")
        return PersonsGame(index, players, record.scores)

    def _players(self, record: Record) -> tuple[str, ...]:
        """The names of the players; raise `NotCounted` if the record does not fit the run.

        The names are checked before the replay, so a record from somebody else cannot choose which
        code runs.
        """
        if record.game not in self._games:
            raise NotCounted(f"its game, {record.game}, is not a game of the run")
        if not any(map(is_person, record.players)):
            raise NotCounted("no player in it is a person; the tournament plays agents itself")
        if not record.over:
            raise NotCounted("it is not over")
        if record.resigned is not None:
            raise NotCounted("a player resigned, so it has no scores")
        if record.aids:
            raise NotCounted(f"it is unrated: a person had {', '.join(record.aids)}")
        if record.undone or record.resumed:
            raise NotCounted(
                f"it is unrated: {record.undone} actions were taken back"
                if record.undone
                else "it is unrated: it was saved and resumed"
            )
        if record.start or not self._from_start:
            raise NotCounted("it does not begin as the matches of the run do")
        return tuple(map(self._name, record.players))

    def _agent(self, text: str) -> Agent | None:
        return self._agents[text][1] if text in self._agents else None

    def _name(self, text: str) -> str:
        if is_person(text):
            return (text.partition(":")[2] or "unnamed") + MARK
        if text not in self._agents:
            raise NotCounted(f"{text} is not an agent of the run")
        return self._agents[text][0]


def people_table(people: People, settings: Settings) -> Table:
    """A table of all records: whether each counts, or the reason why not."""
    rows = [
        *_counted(people, settings),
        *((file, "", "", "no", reason) for file, reason in people.left_out),
    ]
    note = (
        "Games of people, each replayed and compared before it counts. Games that count are in the "
        "cross table and the ratings, but not in standings, as people do not play every deal."
    )
    return Table(
        "people",
        "People",
        ("record", "game", "seats", "counts", "why_not"),
        tuple(sorted(rows)),
        note if rows else "",
    )


def _counted(people: People, settings: Settings) -> Iterator[tuple[str, str, str, str, str]]:
    for file, game in people.games:
        yield file, settings.games[game.game], ", ".join(game.agents), "yes", ""
