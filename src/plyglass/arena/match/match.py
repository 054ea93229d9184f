"""One match, which holds the true world and shows each seat only what that seat may see."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from plyglass.arena.match.agent import CheatingSeat, Player, Seat, is_foreign
from plyglass.arena.match.descriptors import Descriptors
from plyglass.arena.match.faults import (
    AgentFault,
    RuleFault,
    refuse_failed_rules,
    refuse_scores,
)
from plyglass.arena.match.guarded_seat import GuardedSeat, SeatFailed, described, take_guarded
from plyglass.core.display import html_table, listed, player_page
from plyglass.core.failures import Failures, noticed
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive, derive_secret, is_secret, new_secret
from plyglass.core.world import IllegalAction, View, World
from plyglass.search.interface import Decision

__all__ = ["AgentFault", "Match", "Move", "RuleFault", "first_position", "play", "run"]

Watcher = Callable[[World, "Move | None"], None]
Start = Callable[[Game, int], World]
"""A function of a game and a seed that makes the start position of a match."""


@dataclass(frozen=True)
class Move:
    """A decision that was played, and the seconds that its player took, measured by the match."""

    player: int
    decision: Decision
    seconds: float = field(default=0.0, compare=False)

    @property
    def action(self) -> int:
        return self.decision.action


@dataclass(frozen=True)
class Match:
    """The course and the result of a match.

    Attributes:
        seed: the random seed; the same seed gives the same match.
        moves: every decision, in order.
        scores: by seat.
        end: the true world at the end.
        start: the position that the match started from, or None for a new game.
    """

    game: Game
    players: tuple[Player, ...]
    seed: int
    moves: tuple[Move, ...]
    scores: tuple[float, ...]
    end: World
    start: World | None = None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(move.decision for move in self.moves)

    @property
    def actions(self) -> tuple[int, ...]:
        return tuple(move.action for move in self.moves)

    @property
    def seconds(self) -> tuple[float, ...]:
        """The seconds that each seat took to decide, in total."""
        return tuple(
            sum(move.seconds for move in self.moves if move.player == seat)
            for seat in range(self.game.players)
        )

    @property
    def cheated(self) -> bool:
        """Whether any player was given more than its views."""
        return any(player.cheats for player in self.players)

    def __repr__(self) -> str:
        scores = ", ".join(f"{score:g}" for score in self.scores)
        actions = listed(self.game, self.actions)
        return f"<Match of {self.game!r}, seed {self.seed}, scores {scores}: {actions}>"

    def _repr_html_(self) -> str:
        """Show a replay of the match in a notebook, or a table if the game cannot be drawn."""
        return player_page(self) or self._table()

    def _table(self) -> str:
        """The scores, and every action by name."""
        names = [self.game.player_name(seat) for seat in range(self.game.players)]
        rows = [
            (number, names[move.player], self.game.action_name(move.action))
            for number, move in enumerate(self.moves, 1)
        ]
        scores = html_table(["player", "score"], zip(names, self.scores, strict=True))
        return scores + html_table(["", "player", "action"], rows)


def play(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int = 0,
    setup: Mapping[str, Any] | None = None,
    start: Start | None = None,
    watch: Watcher | None = None,
    on_turn: Callable[[int], None] | None = None,
) -> Match:
    """Play a match with one player per seat.

    The match starts with a new game, or with the position that `start(game, seed)` returns. In both
    cases, the seed decides all later chance. Players do not know the actions before a given start
    position. Their first views show only this position.

    A user's own player could guess a short seed, and so predict all later chance. If a user's own
    player takes part, the match therefore uses a secret random seed instead of `seed`. Afterwards,
    `Match.seed` holds the secret seed, which gives an identical match when passed as `seed`.

    `watch` is called with the true world at the start and after every move. `on_turn` is called
    with the player who decides next.
    """
    if len(players) != game.players:
        raise ValueError(
            f"{game.name} is for {game.players} players, but {len(players)} were given."
        )
    foreign = [*map(is_foreign, players)]
    if any(foreign) and not is_secret(seed):
        seed = derive_secret(new_secret(), seed)
    with _kept(any(foreign)) as kept:
        seats = [
            _take_foreign_seat(player, game, number, derive(seed, number + 1), kept)
            if foreign[number]
            else player.take_seat(game, number, derive(seed, number + 1))
            for number, player in enumerate(players)
        ]
    return run(
        game, players, seats, seed=seed, setup=setup, start=start, watch=watch, on_turn=on_turn
    )


def run(
    game: Game,
    players: Sequence[Player],
    seats: Sequence[Seat],
    *,
    seed: int,
    setup: Mapping[str, Any] | None = None,
    start: Start | None = None,
    watch: Watcher | None = None,
    on_turn: Callable[[int], None] | None = None,
) -> Match:
    """Play a match with seats that are already taken."""
    foreign = [*map(is_foreign, players)]
    with noticed() as failures, _kept(any(foreign)) as kept:
        guarded = [
            GuardedSeat(seat, kept) if its_own_code else seat
            for its_own_code, seat in zip(foreign, seats, strict=True)
        ]
        world = first_position(game, seed, setup, start)
        table = _Table(world, players, guarded, failures)
        given = world.copy() if start else None
        table.show()
        if watch:
            watch(world, None)
        while (player := world.to_move) >= 0:
            if on_turn:
                on_turn(player)
            move = table.next_move()
            table.show(move)
            if watch:
                watch(world, move)
        table.refuse_failed_rules()
        refuse_scores(game, world, table.actions)
    moves = tuple(table.moves)
    return Match(game, tuple(players), seed, moves, tuple(world.scores), world, given)


class _Table:
    """The true world, the seats, and the moves so far."""

    def __init__(
        self, world: World, players: Sequence[Player], seats: Sequence[Seat], failures: Failures
    ) -> None:
        self._world, self._players, self._seats = world, players, seats
        self._failures = failures
        self._shown: list[View | None] = [None] * world.game.players
        self.moves: list[Move] = []

    @property
    def actions(self) -> list[int]:
        return [move.action for move in self.moves]

    def show(self, move: Move | None = None) -> None:
        """Show every seat its own action and its view, and show cheating seats the true world."""
        number = -1
        try:
            for number in range(len(self._seats)):
                reveal_seat(self._world, self._players[number], self._seats[number])
            for number in range(len(self._seats)):
                show_seat(self._world, self._seats, self._shown, number, move)
        except SeatFailed as error:
            self.refuse_failed_rules()
            raise _fault(number, self.actions, error) from error
        self.refuse_failed_rules()

    def next_move(self) -> Move:
        """Let the seat to move decide, and play its action; an error counts as the seat's fault.

        If a rule of the game has failed, the seat is not at fault for what its search did
        afterwards.
        """
        world, player = self._world, self._world.to_move
        try:
            began = time.perf_counter()
            decision = self._seats[player].decide()
            move = Move(player, decision, time.perf_counter() - began)
        except SeatFailed as error:
            self.refuse_failed_rules()
            raise _fault(player, self.actions, error) from (error.__cause__ or error)
        except (EOFError, KeyboardInterrupt):
            raise
        except Exception as error:
            self.refuse_failed_rules()
            raise AgentFault(player, "crashed", self.actions, described(error)) from error
        self.refuse_failed_rules()
        try:
            world.apply(move.action)
        except IllegalAction as error:
            raise AgentFault(player, "illegal", self.actions) from error
        self.moves.append(move)
        return move

    def refuse_failed_rules(self) -> None:
        refuse_failed_rules(self._world, self._failures, self.moves)


def _fault(seat: int, actions: Sequence[int], error: SeatFailed) -> AgentFault:
    return AgentFault(seat, error.kind, actions, str(error))


def _take_foreign_seat(
    player: Player, game: Game, number: int, seed: int, kept: Descriptors
) -> Seat:
    try:
        return take_guarded(player, game, number, seed, kept)
    except SeatFailed as error:
        raise _fault(number, (), error) from (error.__cause__ or error)


@contextmanager
def _kept(foreign: bool) -> Iterator[Descriptors]:
    """Protect the open files of this process if a user's own player takes part."""
    kept = Descriptors(foreign)
    try:
        yield kept
    finally:
        kept.close()


def first_position(
    game: Game, seed: int, setup: Mapping[str, Any] | None = None, start: Start | None = None
) -> World:
    """Return the start position of a match with this seed.

    The seed also decides the chance that follows a given start position.
    """
    luck = derive(seed, 0, Purpose.LUCK)
    if start is None:
        return game.start(luck, setup)
    if setup is not None:
        raise ValueError("A match starts from a setup or from a given position, not from both.")
    given = start(game, derive(seed, 0, Purpose.SETUP))
    if not isinstance(given, World) or (given.game.name, given.game.parameters) != (
        game.name,
        game.parameters,
    ):
        raise ValueError(
            f"The start of a match of {game!r} must be a World of this game, not {given!r}."
        )
    if given.over:
        raise ValueError(f"Cannot start {game.name} from a finished position.")
    world = World(game, given.row())
    world.change_luck(luck)
    return world


def reveal(world: World, players: Sequence[Player], seats: Sequence[Seat]) -> None:
    """Show the true world to players that cheat, and to no others."""
    for player, seat in zip(players, seats, strict=True):
        reveal_seat(world, player, seat)


def reveal_seat(world: World, player: Player, seat: Seat) -> None:
    """Show the true world to a player if the player cheats."""
    if player.cheats and isinstance(seat, CheatingSeat):
        seat.reveal(world.copy())


def show(
    world: World, seats: Sequence[Seat], shown: list[View | None], move: Move | None = None
) -> None:
    """Show every seat its own action, and its view if the view changed."""
    for number in range(len(seats)):
        show_seat(world, seats, shown, number, move)


def is_shown(own_action: int | None, view: View, last: View | None) -> bool:
    """Whether a seat gets a view: after its own action, or if the view differs from its last view.

    Showing an unchanged view would reveal how many unseen actions were played.
    """
    return own_action is not None or view != last


def show_seat(
    world: World,
    seats: Sequence[Seat],
    shown: list[View | None],
    number: int,
    move: Move | None = None,
) -> None:
    """Show one seat its own action, and its view if the view changed."""
    view = world.hide(number)
    own_action = move.action if move is not None and move.player == number else None
    if is_shown(own_action, view, shown[number]):
        shown[number] = view
        seats[number].observe(own_action, view)
