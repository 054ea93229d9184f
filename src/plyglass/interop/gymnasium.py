"""Gymnasium: a game as an environment for one learner, with agents in the other seats.

Importing this module registers every game of Plyglass, under names such as
`plyglass/ConnectFour-v0`. Under the name `plyglass/Game-v0`, the argument `game` names any game as
text.

    import gymnasium
    import plyglass.interop.gymnasium

    env = gymnasium.make("plyglass/ConnectFour-v0", opponents="uct:iterations=100")
    many = gymnasium.make_vec("plyglass/ConnectFour-v0", num_envs=1024, opponents="random")

The reward is the change of the learner's score since its last decision. `info["action_mask"]` says
which actions are legal. An illegal action ends the game with the lowest score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np

from plyglass import games
from plyglass.arena.match.agent import Player, Seat
from plyglass.arena.match.match import Move, reveal, show
from plyglass.arena.specs import game_from, player_from
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import View, World
from plyglass.interop.codec import Mask, codec_of
from plyglass.interop.spaces import Observation, Observer
from plyglass.search.interface import Decision

Opponents = str | Player | Sequence[str | Player]


class Learner:
    """The learner's seat in a match. It observes views, and the learner's own code decides."""

    cheats = False

    def observe(self, own_action: int | None, view: View) -> None:
        pass

    def decide(self) -> Decision:
        raise RuntimeError("The learner decides by calling step of its environment.")


class PlyglassEnv(gymnasium.Env):  # type: ignore[misc, type-arg, unused-ignore]
    """A game for one learner.

    Args:
        game: a game, or a text such as "duel" or "pig:goal=30".
        opponents: the players of the other seats in order, or one player for all these seats.
            Players are given as objects or texts.
        seat: the learner's seat. If None, a new seat is drawn for every game.
        observation: the form of views. "flat" is one vector, "planes" are planes of a board with
            the remaining numbers, and "fields" are the fields of the view by name.
        render_mode: "ansi" renders positions as text, and None does not render.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        opponents: Opponents = "random",
        seat: int | None = 0,
        observation: Observation = "flat",
        render_mode: str | None = None,
    ) -> None:
        self.game = game_from(game) if isinstance(game, str) else game
        if seat is not None and not 0 <= seat < self.game.players:
            raise ValueError(
                f"{self.game.name} has the seats 0 to {self.game.players - 1}, not {seat}."
            )
        self.opponents = _players(opponents, self.game)
        self.codec, self.observer = codec_of(self.game), Observer(self.game, observation)
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Discrete(self.codec.size)
        self.observation_space = self.observer.space
        self._seat_given, self.seat = seat, seat or 0
        self._world: World | None = None
        self._score = 0.0

    @property
    def stable(self) -> bool:
        """Whether a number means the same action in every position."""
        return self.codec.stable

    @property
    def world(self) -> World:
        """The true position; a learner must not look at it."""
        if self._world is None:
            raise RuntimeError("The environment has no game yet; call reset first.")
        return self._world

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a new game; `options` may contain a setup of the game, as `{"setup": ...}`."""
        super().reset(seed=seed)
        while True:  # if a game ends before the learner's first decision, another game begins
            root = int(self.np_random.integers(1 << 62))
            self._begin(root, (options or {}).get("setup"))
            if not self.world.over:
                return self.observer.observe(self._view()), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the action with this number, and let the other players answer."""
        world = self.world
        chosen = None if world.over else self.codec.action(int(action), world.legal())
        if chosen is None:
            gain = self.game.scores[0] - self._score
            self._score = self.game.scores[0]
            over, more = True, {"illegal": not world.over}
        else:
            self._apply(Decision(chosen, ()))
            self._others()
            now = world.score(self.seat)
            gain, self._score = now - self._score, now
            over, more = world.over, {}
        info = {**self._info(), **more}
        return self.observer.observe(self._view()), float(gain), over, False, info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The mask of legal actions, in the form that sb3-contrib expects."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:  # type: ignore[override, unused-ignore]
        return self._view().text if self.render_mode == "ansi" else None

    def _begin(self, root: int, setup: Any) -> None:
        drawn = int(self.np_random.integers(self.game.players))
        self.seat = drawn if self._seat_given is None else self._seat_given
        others = iter(self.opponents)
        self._players: list[Any] = [
            Learner() if seat == self.seat else next(others) for seat in range(self.game.players)
        ]
        self._seats: list[Seat] = [
            player
            if isinstance(player, Learner)
            else player.take_seat(self.game, seat, derive(root, seat + 1))
            for seat, player in enumerate(self._players)
        ]
        self._shown: list[View | None] = [None] * self.game.players
        self._world = self.game.start(derive(root, 0, Purpose.LUCK), setup)
        reveal(self._world, self._players, self._seats)
        show(self._world, self._seats, self._shown)
        self._others()
        self._score = self._world.score(self.seat)

    def _others(self) -> None:
        while (player := self.world.to_move) >= 0 and player != self.seat:
            self._apply(self._seats[player].decide())

    def _apply(self, decision: Decision) -> None:
        move = Move(self.world.to_move, decision)
        self.world.apply(move.action)
        reveal(self.world, self._players, self._seats)
        show(self.world, self._seats, self._shown, move)

    def _view(self) -> View:
        return self.world.hide(self.seat)

    def _mask(self) -> Mask:
        legal = self.world.legal() if self.world.to_move == self.seat else []
        return self.codec.mask(legal)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "seat": self.seat}


def _players(opponents: Opponents, game: Game) -> list[Player]:
    """The players of the other seats."""
    given: list[Any]
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        given = [*opponents]
    else:
        given = [opponents] * (game.players - 1)
    if len(given) != game.players - 1:
        raise ValueError(
            f"{game.name} is for {game.players} players, so {game.players - 1} opponents are "
            f"needed, not {len(given)}."
        )
    return [player_from(each, game) if isinstance(each, str) else each for each in given]


def environment_id(name: str) -> str:
    """The id of a game in Gymnasium: `plyglass/ConnectFour-v0` for connect-four."""
    return f"plyglass/{''.join(part.capitalize() for part in name.split('-'))}-v0"


def _register() -> None:
    here = "plyglass.interop.gymnasium:PlyglassEnv"
    many = "plyglass.interop.vector:PlyglassVectorEnv"
    gymnasium.register("plyglass/Game-v0", here, vector_entry_point=many)
    for name in games.names():
        gymnasium.register(
            environment_id(name), here, vector_entry_point=many, kwargs={"game": name}
        )


_register()
