"""One match: the runner owns the truth and shows each seat what it may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plyglass.arena.agent import Player, Seat
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import IllegalAction, View, World
from plyglass.search.planner import Decision

Watcher = Callable[[World, "Move | None"], None]


class AgentFault(Exception):
    """An agent raised an error or played illegally: its seat, which of the two, and the actions up to then. The cause is chained."""

    def __init__(self, seat: int, kind: Literal["crashed", "illegal"], actions: Sequence[int]) -> None:
        super().__init__(f"seat {seat + 1} {'raised an error' if kind == 'crashed' else 'played illegally'} after {len(actions)} actions")
        self.seat, self.kind, self.actions = seat, kind, tuple(actions)


@dataclass(frozen=True)
class Move:
    """A decision that was played."""

    player: int
    decision: Decision

    @property
    def action(self) -> int:
        return self.decision.action


@dataclass(frozen=True)
class Match:
    """What happened."""

    game: Game
    players: tuple[Player, ...]
    seed: int
    moves: tuple[Move, ...]
    scores: tuple[float, ...]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(move.decision for move in self.moves)

    @property
    def actions(self) -> tuple[int, ...]:
        return tuple(move.action for move in self.moves)

    @property
    def cheated(self) -> bool:
        """Whether anybody was given more than his views."""
        return any(player.cheats for player in self.players)


def play(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int = 0,
    setup: Mapping[str, Any] | None = None,
    watch: Watcher | None = None,
    on_turn: Callable[[int], None] | None = None,
) -> Match:
    """Play a match, one player for each seat.

    `watch` is called with the truth at the start and after every move, `on_turn` with the player who is about to decide.
    """
    if len(players) != game.players:
        raise ValueError(f"{game.name} is for {game.players} players, but {len(players)} were given.")
    seats = [player.take_seat(game, number, derive(seed, number + 1)) for number, player in enumerate(players)]
    return run(game, players, seats, seed=seed, setup=setup, watch=watch, on_turn=on_turn)


def run(
    game: Game,
    players: Sequence[Player],
    seats: Sequence[Seat],
    *,
    seed: int,
    setup: Mapping[str, Any] | None = None,
    watch: Watcher | None = None,
    on_turn: Callable[[int], None] | None = None,
) -> Match:
    """Play a match with seats that are already taken."""
    world = game.start(derive(seed, 0, Purpose.LUCK), setup)
    shown: list[View | None] = [None] * game.players
    show(world, seats, shown)
    if watch:
        watch(world, None)
    moves: list[Move] = []
    while (player := world.to_move) >= 0:
        if on_turn:
            on_turn(player)
        move = _next_move(world, seats[player], moves)
        moves.append(move)
        show(world, seats, shown, move)
        if watch:
            watch(world, move)
    return Match(game, tuple(players), seed, tuple(moves), tuple(world.scores))


def _next_move(world: World, seat: Seat, moves: Sequence[Move]) -> Move:
    """Let the seat decide and play it; what goes wrong on the way is the seat's fault."""
    player, actions = world.to_move, [move.action for move in moves]
    try:
        move = Move(player, seat.decide())
    except (EOFError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise AgentFault(player, "crashed", actions) from error
    try:
        world.apply(move.action)
    except IllegalAction as error:
        raise AgentFault(player, "illegal", actions) from error
    return move


def show(world: World, seats: Sequence[Seat], shown: list[View | None], move: Move | None = None) -> None:
    """Show every seat its own action, and its view where it changed: a view repeated would tell how many unseen things happened."""
    for number, seat in enumerate(seats):
        view = world.hide(number)
        own_action = move.action if move is not None and move.player == number else None
        if own_action is not None or view != shown[number]:
            shown[number] = view
            seat.observe(own_action, view)
