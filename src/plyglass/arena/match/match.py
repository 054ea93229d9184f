"""One match, which holds the true world and shows each seat what it may see."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from plyglass.arena.match.agent import CheatingSeat, Player, Seat, is_foreign
from plyglass.core.display import html_table, listed
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive, derive_secret, is_secret, new_secret
from plyglass.core.world import IllegalAction, View, World
from plyglass.search.interface import Decision

Watcher = Callable[[World, "Move | None"], None]
Start = Callable[[Game, int], World]
"""A function of a game and a seed that makes the position a match starts from."""


class AgentFault(Exception):
    """A player raised an error or played illegally. The cause is chained.

    Attributes:
        seat: the player's seat.
        kind: "crashed" or "illegal".
        actions: the actions that were played before.
    """

    def __init__(
        self, seat: int, kind: Literal["crashed", "illegal"], actions: Sequence[int]
    ) -> None:
        super().__init__(
            f"seat {seat + 1} {'raised an error' if kind == 'crashed' else 'played illegally'} "
            f"after {len(actions)} actions"
        )
        self.seat, self.kind, self.actions = seat, kind, tuple(actions)


@dataclass(frozen=True)
class Move:
    """A decision that was played, and the seconds that its player took by the match's clock."""

    player: int
    decision: Decision
    seconds: float = field(default=0.0, compare=False)

    @property
    def action(self) -> int:
        return self.decision.action


@dataclass(frozen=True)
class Match:
    """What happened in a match.

    Attributes:
        seed: the random seed; the same seed gives the same match.
        moves: every decision, in order.
        scores: by seat.
        end: the true world at the end.
        start: the position that it started from, or None for a new game.
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
        """Show the scores and every action by name in a notebook."""
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
    """Play a match with one player for each seat.

    The match starts with a new game, or with the position that `start(game, seed)` returns. In both
    cases the seed decides all later chance. Players know no history of a given position; their
    first views show the position.

    A user's own player could guess a short seed, and so all later chance. If such a player takes
    part, the match is played with a secret random seed instead. `Match.seed` gives the secret seed
    afterwards; a match with this `seed` is the same again.

    `watch` is called with the true world at the start and after every move. `on_turn` is called
    with the player that decides next.
    """
    if len(players) != game.players:
        raise ValueError(
            f"{game.name} is for {game.players} players, but {len(players)} were given."
        )
    if not is_secret(seed) and any(map(is_foreign, players)):
        seed = derive_secret(new_secret(), seed)
    seats = [
        player.take_seat(game, number, derive(seed, number + 1))
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
    world = first_position(game, seed, setup, start)
    given = world.copy() if start else None
    shown: list[View | None] = [None] * game.players
    reveal(world, players, seats)
    show(world, seats, shown)
    if watch:
        watch(world, None)
    moves: list[Move] = []
    while (player := world.to_move) >= 0:
        if on_turn:
            on_turn(player)
        move = _next_move(world, seats[player], moves)
        moves.append(move)
        reveal(world, players, seats)
        show(world, seats, shown, move)
        if watch:
            watch(world, move)
    return Match(game, tuple(players), seed, tuple(moves), tuple(world.scores), world, given)


def first_position(
    game: Game, seed: int, setup: Mapping[str, Any] | None = None, start: Start | None = None
) -> World:
    """Return the position that a match with this seed starts from.

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


def _next_move(world: World, seat: Seat, moves: Sequence[Move]) -> Move:
    """Let the seat decide and play its action. Any error is the fault of the seat."""
    player, actions = world.to_move, [move.action for move in moves]
    try:
        began = time.perf_counter()
        decision = seat.decide()
        move = Move(player, decision, time.perf_counter() - began)
    except (EOFError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise AgentFault(player, "crashed", actions) from error
    try:
        world.apply(move.action)
    except IllegalAction as error:
        raise AgentFault(player, "illegal", actions) from error
    return move


def reveal(world: World, players: Sequence[Player], seats: Sequence[Seat]) -> None:
    """Show the true world to players that cheat, and to no others."""
    for player, seat in zip(players, seats, strict=True):
        if player.cheats and isinstance(seat, CheatingSeat):
            seat.reveal(world.copy())


def show(
    world: World, seats: Sequence[Seat], shown: list[View | None], move: Move | None = None
) -> None:
    """Show every seat its own action, and its view if that changed.

    Showing an unchanged view would reveal how many unseen actions were played.
    """
    for number, seat in enumerate(seats):
        view = world.hide(number)
        own_action = move.action if move is not None and move.player == number else None
        if own_action is not None or view != shown[number]:
            shown[number] = view
            seat.observe(own_action, view)
