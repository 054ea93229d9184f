"""One match at the terminal; the person can take actions back, save the match and resume it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from plyglass.cli.output import console
from plyglass.cli.person import Person
from plyglass.trust import as_data

if TYPE_CHECKING:
    from plyglass.arena.match.agent import Agent
    from plyglass.arena.match.match import Match, Move
    from plyglass.arena.match.record import Record
    from plyglass.core.game import Game
    from plyglass.core.world import World


class TakeBack(KeyboardInterrupt):
    """Raised when the person takes actions back, to continue from an earlier position."""


@dataclass
class Session:
    """A match of a person, from a new or saved game to its end.

    After an action is taken back, the match is replayed up to this action. All players then take
    new seats and observe their earlier views again, but do not repeat their decisions.

    Attributes:
        person, seat: the person and their seat.
        agents: the other players, by seat.
        seed: the random seed; chance repeats after an action is taken back.
        file: the file in which the match is saved; None if the person has named no file.
        moves: all actions played so far.
        undone, resumed: as in a record.
    """

    game: Game
    person: Person
    seat: int
    agents: Sequence[Agent | None]
    seed: int
    file: Path | None = None
    moves: list[Move] = field(default_factory=list)
    undone: int = 0
    resumed: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.person.commands.update({"u": self._undo, "s": self._save})
        self._world: World | None = None
        self._saved = len(self.moves)

    @property
    def unsaved(self) -> bool:
        """Whether the person has played since the game was saved."""
        return any(move.player == self.seat for move in self.moves[self._saved :])

    def play(self) -> Match:
        """Play to the end."""
        while True:
            try:
                return self._run()
            except TakeBack:
                continue

    def record(self) -> Record:
        """The record of the match so far; it has no scores if the match is not over."""
        from plyglass.arena.match.match import Match
        from plyglass.arena.match.record import record_of

        assert self._world is not None
        scores = tuple(self._world.scores) if self._world.over else ()
        players = tuple(agent or self.person for agent in self.agents)
        match = Match(self.game, players, self.seed, tuple(self.moves), scores, self._world)
        return replace(record_of(match), undone=self.undone, resumed=self.resumed)

    def save(self, file: Path) -> None:
        """Write the match's record to a file. An unfinished match can be resumed from the file."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self.record().save(file)
        self.file, self._saved = file, len(self.moves)

    def take_back(self, count: int = 1) -> bool:
        """Take back the person's last `count` actions and all actions after them.

        Return False, and change nothing, if the person has played fewer actions than that.
        """
        own = [ply for ply, move in enumerate(self.moves) if move.player == self.seat]
        if not 1 <= count <= len(own):
            return False
        ply = own[-count]
        del self.moves[ply:]
        self._saved = min(self._saved, ply)
        self.undone += count
        self._resume()
        self.person.forget()
        return True

    def _resume(self) -> None:
        """Note for the record that all players take new seats at this point of the match."""
        ply = len(self.moves)
        self.resumed = (*(before for before in self.resumed if before < ply), ply)

    def _run(self) -> Match:
        from plyglass.arena.match.match import run
        from plyglass.arena.match.resume import CaughtUpSeat
        from plyglass.core.seeds import derive

        self.person.note = self.status
        played, self.moves = tuple(self.moves), []
        players = tuple(agent or self.person for agent in self.agents)
        seats = [
            CaughtUpSeat(
                player.take_seat(self.game, seat, derive(self.seed, seat + 1)),
                [move.decision for move in played if move.player == seat],
            )
            for seat, player in enumerate(players)
        ]

        def watch(world: World, move: Move | None) -> None:
            self._world = world
            if move is not None:
                self.moves.append(move)
            self.person.watch(world, move, quiet=len(self.moves) <= len(played))

        return run(self.game, players, seats, seed=self.seed, watch=watch)

    @property
    def status(self) -> str:
        """Why the match is unrated; empty if it is rated."""
        if self.undone:
            actions = "1 action" if self.undone == 1 else f"{self.undone} actions"
            return f"unrated, {actions} taken back"
        return "unrated, resumed" if self.resumed else ""

    def _undo(self, said: str) -> None:
        if said and not said.isdecimal():
            console.print("Type u, or u and a number of actions, such as u 3.")
        elif self.take_back(int(said or 1)):
            raise TakeBack
        else:
            own = sum(move.player == self.seat for move in self.moves)
            console.print(
                f"You can take back at most {own} actions."
                if own
                else "You have no action to take back."
            )

    def _save(self, said: str) -> None:
        file = Path(said).with_suffix(".json") if said else self.file or self._free_file()
        try:
            self.save(file)
        except OSError as error:
            console.print(f"[yellow]Not saved:[/] {escape(str(error))}")
            return
        secrets = " The file also has what is hidden from you." if self.game.hides else ""
        console.print(
            f"Saved. [bold]plyglass play {escape(str(file))}[/] resumes it.{secrets}",
            soft_wrap=True,
        )

    def _free_file(self) -> Path:
        """The name of a file that does not exist yet."""
        number = 1
        while (file := Path(f"{self.game.name}-{number}.json")).exists():
            number += 1
        return file


def resumed_session(file: Path, timer: float | None, game: Game | None = None) -> Session:
    """The session of a saved game; give `game` if the game is not part of Plyglass."""
    from plyglass.arena.match.record import Record, agent_of, game_given, is_person, moves_of

    record = Record.load(file)
    people = [seat for seat, text in enumerate(record.players) if is_person(text)]
    if record.over:
        raise ValueError(
            f"The match in {file} is over; `plyglass draw {file}` shows it, and `pg.verify` "
            "plays it again."
        )
    if len(people) != 1 or record.start:
        raise ValueError(f"{file} is not a saved game of exactly one person.")
    game = game_given(record, game)
    name, _, advice = record.players[people[0]].partition(":")[2].partition(" advised by ")
    with as_data():
        person = Person(game, name, advice, timer)
    session = Session(
        game,
        person,
        people[0],
        [None if is_person(text) else agent_of(text) for text in record.players],
        record.seed,
        file,
        moves_of(record, game),
        record.undone,
        record.resumed,
    )
    session._resume()
    return session
