"""Frames: a match as one seat saw it, decision by decision, with what it thought. Looking on changes no decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from plyglass.arena.agent import AgentSeat, Player, Seat
from plyglass.arena.match import Match, Move, Start, run
from plyglass.arena.record import Record, seated, start_of
from plyglass.arena.specs import game_from
from plyglass.core.game import Game
from plyglass.core.scene import Imagined, Scene
from plyglass.core.seeds import derive
from plyglass.core.world import World
from plyglass.search.belief import Health
from plyglass.search.planner import Decision


@dataclass(frozen=True)
class Thought:
    """What an agent thought of one action, as far as its planner says."""

    action: str
    value: float | None = None
    visits: int | None = None


@dataclass(frozen=True)
class Frame:
    """One decision of a seat, or the end of the match.

    Attributes:
        scenes: what it saw, with what it believed; the truth beside it where that is asked for.
        step: how many decisions it had made before.
        scores: by player, so far.
        action: what it played; empty at the end.
        thoughts: what it thought of every action, the most searched or best one first.
        health: how its belief fared.
    """

    scenes: tuple[Scene, ...]
    step: int
    scores: tuple[tuple[str, float], ...]
    action: str = ""
    thoughts: tuple[Thought, ...] = ()
    health: Health | None = None

    @property
    def heading(self) -> str:
        """What happens here, in a line."""
        return f"Step {self.step}: {self.action or 'the end'}"

    @property
    def score_line(self) -> str:
        """The scores so far, in a line; a single player needs no name."""
        named = [f"{player} {score:g}" for player, score in self.scores]
        return ", ".join(named) if len(named) > 1 else f"{self.scores[0][1]:g}"


@dataclass(frozen=True)
class Lens:
    """What to look at: whose seat, how many worlds of its belief at a time (0 for none), and whether the truth beside it."""

    seat: int = 0
    worlds: int = 300
    truth: bool = False


def frames_of_match(
    game: Game, players: Sequence[Player], lens: Lens | None = None, *, seed: int = 0, start: Start | None = None
) -> tuple[Match, list[Frame]]:
    """Play a match, and a frame for each decision of a seat and for the end."""
    if len(players) != game.players:
        raise ValueError(f"{game.name} is for {game.players} players; give as many agents, not {len(players)}.")
    seats = [player.take_seat(game, number, derive(seed, number + 1)) for number, player in enumerate(players)]
    return _filmed(game, players, seats, lens or Lens(), seed, start)


def frames_of_record(record: Record, lens: Lens | None = None, game: Game | None = None) -> tuple[Match, list[Frame]]:
    """Play a recorded match again, and a frame for each decision of a seat and for the end."""
    game = game or game_from(record.game)
    players, seats = seated(record, game)
    return _filmed(game, players, seats, lens or Lens(), record.seed, start_of(record))


def _filmed(
    game: Game, players: Sequence[Player], seats: Sequence[Seat], lens: Lens, seed: int, start: Start | None
) -> tuple[Match, list[Frame]]:
    if not 0 <= lens.seat < game.players:
        raise ValueError(f"{game.name} has players 1 to {game.players}; there is no seat {lens.seat + 1} to look from.")
    camera = _Camera(game, lens, seats[lens.seat])
    match = run(game, players, seats, seed=seed, start=start, watch=camera.watch)
    return match, camera.frames


class _Camera:
    """Watches a match and takes a frame whenever its seat is to decide, and one at the end."""

    def __init__(self, game: Game, lens: Lens, seat: Seat) -> None:
        self.frames: list[Frame] = []
        self._game, self._lens = game, lens
        self._belief = seat.belief if isinstance(seat, AgentSeat) and game.hides and lens.worlds > 0 else None

    def watch(self, world: World, move: Move | None) -> None:
        if move is not None and move.player == self._lens.seat:
            self.frames[-1] = self._decided(self.frames[-1], move.decision)
        if world.to_move == self._lens.seat or world.over:
            self.frames.append(self._taken(world))

    def _taken(self, world: World) -> Frame:
        scores = tuple((self._game.player_name(player), score) for player, score in enumerate(world.scores))
        return Frame(tuple(self._scenes(world)), len(self.frames), scores)

    def _scenes(self, world: World) -> list[Scene]:
        view = world.hide(self._lens.seat)
        imagined = None
        if self._belief is not None and not world.over:
            imagined = Imagined.of(*self._belief.glimpse(self._lens.worlds), self._game.state)
        seen = self._game.scene(view, imagined)
        if not self._lens.truth:
            return [seen]
        # The truth is what a belief would imagine that is sure of it.
        truth = self._game.scene(view, Imagined.of(world.row()[None], np.ones(1), self._game.state))
        return [seen, replace(truth, title=f"{truth.title}: the truth", caption=())]

    def _decided(self, frame: Frame, decision: Decision) -> Frame:
        return replace(
            frame,
            action=self._game.action_name(decision.action),
            thoughts=_thoughts(self._game, decision),
            health=decision.health,
        )


def _thoughts(game: Game, decision: Decision) -> tuple[Thought, ...]:
    count = len(decision.actions)
    values = decision.values or (None,) * count
    visits: Sequence[int | None] = decision.visits or (None,) * count
    if not any(visits) and not any(value is not None for value in values):
        return ()
    rows = zip(decision.actions, values, visits, strict=True)
    best_first = sorted(rows, key=lambda row: (-(row[2] or 0), -(row[1] if row[1] is not None else -np.inf)))
    return tuple(Thought(game.action_name(action), value, count) for action, value, count in best_first)
