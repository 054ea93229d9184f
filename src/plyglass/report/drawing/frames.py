"""Frames: a match decision by decision, from the view of one or all seats, with agents' thoughts.

Taking frames changes no decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plyglass.arena.match.agent import AgentSeat, Player, Seat
from plyglass.arena.match.claims import MOST_SECONDS
from plyglass.arena.match.match import Match, Move, Start, first_position, run
from plyglass.arena.match.record import Deadline, Record, comparing, prepared, start_of
from plyglass.core.game import Game
from plyglass.core.scene import Imagined, Scene
from plyglass.core.seeds import derive
from plyglass.core.world import World
from plyglass.planners.random import RandomSearch
from plyglass.search.interface import Decision, Health, LiveBelief


@dataclass(frozen=True)
class Thought:
    """How an agent judged one action: its value and visits, as far as the planner reports them."""

    action: str
    value: float | None = None
    visits: int | None = None


@dataclass(frozen=True)
class Frame:
    """One decision of a seat, or the end of the match.

    Attributes:
        scenes: what each watched seat saw and believed, and the true position if `Lens.truth` is
            set.
        step: the number of earlier decisions of the watched seats.
        scores: the scores so far, by player.
        action: the action played. Empty at the end.
        thoughts: how the deciding agent judged every action. The most visited action is first, or
            the best if visits are unknown.
        health: how good the deciding agent's belief is.
        eyes: for each scene, the player who sees it, or "the truth".
        mover: the deciding player, if several seats are watched.
        ply: the number of earlier actions of all players.
    """

    scenes: tuple[Scene, ...]
    step: int
    scores: tuple[tuple[str, float], ...]
    action: str = ""
    thoughts: tuple[Thought, ...] = ()
    health: Health | None = None
    eyes: tuple[str, ...] = ()
    mover: str = ""
    ply: int = 0

    @property
    def heading(self) -> str:
        """The step, the deciding player and the action, in one line."""
        return (
            f"Step {self.step}: {f'{self.mover}, ' if self.mover else ''}{self.action or 'the end'}"
        )

    @property
    def score_line(self) -> str:
        """The scores so far, in one line, with names if there are several players."""
        named = [f"{player} {score:g}" for player, score in self.scores]
        return ", ".join(named) if len(named) > 1 else f"{self.scores[0][1]:g}"


@dataclass(frozen=True)
class Lens:
    """The parts of a match to show.

    Attributes:
        seat: the seat to watch. None watches all seats.
        worlds: number of worlds of the seat's belief to show in a frame.
        truth: whether to show the true position as well.
        views: whether to show what watched seats see.
    """

    seat: int | None = 0
    worlds: int = 300
    truth: bool = False
    views: bool = True


def frames_of_match(
    game: Game,
    players: Sequence[Player],
    lens: Lens | None = None,
    *,
    seed: int = 0,
    start: Start | None = None,
) -> tuple[Match, list[Frame]]:
    """Play a match; return it with a frame for each decision of a watched seat and for the end."""
    if len(players) != game.players:
        raise ValueError(
            f"{game.name} needs {game.players} players, but {len(players)} were given."
        )
    seats = [
        player.take_seat(game, number, derive(seed, number + 1))
        for number, player in enumerate(players)
    ]
    return _filmed(game, players, seats, lens or Lens(), seed, start)


def frames_of_record(
    record: Record,
    lens: Lens | None = None,
    game: Game | None = None,
    players: Sequence[Player | None] | None = None,
) -> tuple[Match, list[Frame]]:
    """Replay a record; return the match with a frame for each watched decision and for the end.

    Pass a game or players of your own, because nothing that a record names is imported.
    """
    deadline = Deadline(MOST_SECONDS)
    game, players, seats = prepared(record, game, players, deadline)
    with comparing(record):
        found = _filmed(
            game, players, seats, lens or Lens(), record.seed, start_of(record), deadline.refuse
        )
    deadline.refuse()
    return found


def frames_of_moves(match: Match, most: int) -> list[Frame] | None:
    """A frame for each move of a match, without beliefs; no agent decides again.

    If frames with views would have more than `most` boards in all, frames show only the true
    position. The result is None if there are still more than `most` boards. It is also None if
    repeating the moves does not lead to the match's end, because the match had a setup of its own.
    """
    game, count = match.game, len(match.moves) + 1
    if count > most:
        return None
    views = not game.hides or (game.players + 1) * count <= most
    camera = _Camera(game, Lens(None, 0, game.hides or not views, views))
    world = first_position(game, match.seed) if match.start is None else match.start.copy()
    camera.watch(world, None)
    for move in match.moves:
        if world.to_move != move.player or move.action not in world.legal():
            return None
        world.apply(move.action)
        camera.watch(world, move)
    return camera.frames if world == match.end else None


def _filmed(
    game: Game,
    players: Sequence[Player],
    seats: Sequence[Seat],
    lens: Lens,
    seed: int,
    start: Start | None,
    on_turn: Callable[[int], None] | None = None,
) -> tuple[Match, list[Frame]]:
    if lens.seat is not None and not 0 <= lens.seat < game.players:
        raise ValueError(
            f"{game.name} has players 1 to {game.players}; there is no seat {lens.seat + 1} to "
            "watch."
        )
    camera = _Camera(game, lens, seats)
    match = run(game, players, seats, seed=seed, start=start, watch=camera.watch, on_turn=on_turn)
    return match, camera.frames


class _Camera:
    """Takes a frame whenever a watched seat decides, and another frame at the end."""

    def __init__(self, game: Game, lens: Lens, seats: Sequence[Seat] = ()) -> None:
        self.frames: list[Frame] = []
        self._game, self._lens, self._ply = game, lens, 0
        self._players = list(range(game.players)) if lens.seat is None else [lens.seat]
        self._eyes = self._players if lens.views else []
        self._beliefs = {
            player: belief
            for player, seat in enumerate(seats)
            if (belief := _belief_of(seat)) and game.hides and lens.worlds
        }

    def watch(self, world: World, move: Move | None) -> None:
        if move is None and _is_open(world):
            self._eyes = self._eyes[:1]  # one board shows what everybody sees
        if move is not None:
            self._ply += 1
        if move is not None and move.player in self._players:
            self.frames[-1] = self._decided(self.frames[-1], move)
        if world.to_move in self._players or world.over:
            self.frames.append(self._taken(world))

    def _taken(self, world: World) -> Frame:
        names = [self._game.player_name(player) for player in range(self._game.players)]
        eyes = (
            *(names[player] for player in self._eyes),
            *(["the truth"] if self._lens.truth else []),
        )
        scenes = (
            *(self._seen(world, player) for player in self._eyes),
            *([self._truth(world)] if self._lens.truth else []),
        )
        mover = names[world.to_move] if len(self._players) > 1 and not world.over else ""
        return Frame(
            scenes,
            len(self.frames),
            tuple(zip(names, world.scores, strict=True)),
            eyes=eyes,
            mover=mover,
            ply=self._ply,
        )

    def _seen(self, world: World, player: int) -> Scene:
        imagined = None
        if player in self._beliefs and not world.over:
            imagined = Imagined.of(
                *self._beliefs[player].glimpse(self._lens.worlds), self._game.state
            )
        return self._game.scene(world.hide(player), imagined)

    def _truth(self, world: World) -> Scene:
        truth = self._game.scene(
            world.hide(self._players[0]), Imagined.truth(world.row(), self._game.state)
        )
        # The caption describes a player's view, so the truth gets empty lines instead. They keep
        # all boards equally large.
        return replace(truth, title=f"{truth.title}: the truth", caption=("",) * len(truth.caption))

    def _decided(self, frame: Frame, move: Move) -> Frame:
        """The frame with the decision added.

        The scenes of the other seats do not show the action.
        """
        shown = self._game.action_shapes(move.action)
        alone = len(self._eyes) < len(self._players)
        hidden_from = [player != move.player and not alone for player in self._eyes] + [
            False
        ] * self._lens.truth
        return replace(
            frame,
            scenes=tuple(
                scene if hidden else replace(scene, shapes=(*scene.shapes, *shown))
                for scene, hidden in zip(frame.scenes, hidden_from, strict=True)
            ),
            action=self._game.action_name(move.action),
            thoughts=_thoughts(self._game, move.decision),
            health=move.decision.health,
        )


def _is_open(world: World) -> bool:
    """Whether all players see the same: nothing is hidden, or a team has one common view."""
    game = world.game
    views = {world.hide(player).row().tobytes() for player in range(game.players)}
    return not game.hides or (game.cooperative and len(views) == 1)


def _belief_of(seat: Seat) -> LiveBelief | None:
    """The belief of a seat; None for a random player, which does not update a belief."""
    return (
        seat.belief
        if isinstance(seat, AgentSeat) and not isinstance(seat.search, RandomSearch)
        else None
    )


def _thoughts(game: Game, decision: Decision) -> tuple[Thought, ...]:
    count = len(decision.actions)
    values = decision.values or (None,) * count
    visits: Sequence[int | None] = decision.visits or (None,) * count
    if not any(visits) and not any(value is not None for value in values):
        return ()
    rows = zip(decision.actions, values, visits, strict=True)
    best_first = sorted(
        rows, key=lambda row: (-(row[2] or 0), -(row[1] if row[1] is not None else -np.inf))
    )
    return tuple(
        Thought(game.action_name(action), value, count) for action, value, count in best_first
    )
