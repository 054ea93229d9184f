"""Gymnasium's vectorised environments: one compiled loop steps many matches in one process.

The opponents are also compiled, so only `random` and policies of the game can play. For other
agents use `gymnasium.make_vec(..., vectorization_mode="sync")`, which steps Python environments
one after the other.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from plyglass.arena.specs import game_from
from plyglass.core.game import Game
from plyglass.interop.codec import codec_of
from plyglass.interop.matches import EVERY_SEAT, Matches, Seen, policy_of
from plyglass.interop.spaces import Observation, Observer


class PlyglassVectorEnv(VectorEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """Many matches of a game at once. When a match ends, a new match begins in the same step.

    `infos` contains "action_mask", "seat" (the seat whose view and mask are returned), "rewards"
    (of all players) and, if a match ended, "final_obs" and "illegal". The next step overwrites the
    arrays. So copy the values that you want to keep.

    Args:
        game: a game, or a text such as "duel" or "pig:goal=30".
        num_envs: how many matches.
        opponents: "random", or "policy:NAME" for a policy of the game. None means that the learner
            plays all seats. The reward then belongs to the player who has just moved.
        seat: the learner's seat. None means that the learner takes the seats in turn, one per game.
        observation: "flat" or "planes".
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        opponents: str | None = "random",
        seat: int | None = 0,
        observation: Observation = "flat",
        render_mode: None = None,
    ) -> None:
        self.game = game_from(game) if isinstance(game, str) else game
        self.num_envs, self.render_mode = num_envs, render_mode
        codec, self.observer = codec_of(self.game), Observer(self.game, observation)
        if self.observer.layout is None:
            raise ValueError("Vectorised environments have observations 'flat' and 'planes'.")
        policy = "" if opponents is None else policy_of(self.game, opponents)
        if policy is None:
            raise ValueError(
                f"{opponents!r} cannot play in a compiled loop; choose 'random' or a policy of "
                "the game, or give make_vec vectorization_mode='sync'."
            )
        self.everyone = opponents is None
        seat = EVERY_SEAT if self.everyone else seat
        self.matches = Matches(codec, self.observer.layout, num_envs, seat, policy)
        self.codec = codec
        self.single_action_space = gymnasium.spaces.Discrete(codec.size)
        self.single_observation_space = self.observer.space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._players = np.arange(num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all matches anew; each match has its own seed, derived from `seed`."""
        super().reset(seed=seed)
        seen = self.matches.begin(int(self.np_random.integers(1 << 62)))
        return self._observations(seen.views), self._infos(seen)

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[
        Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Play the action with the given number in each match."""
        seen = self.matches.play(actions)
        rewards = seen.gains[self._players, seen.actor]
        infos = self._infos(seen)
        infos["rewards"] = seen.gains
        if seen.over.any():
            infos["final_obs"], infos["_final_obs"] = self._observations(seen.last), seen.over
            infos["illegal"], infos["_illegal"] = seen.illegal, seen.over
        return (
            self._observations(seen.views),
            rewards,
            seen.over.copy(),
            np.zeros(self.num_envs, np.bool_),
            infos,
        )

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The masks of legal actions in all matches, in the form that sb3-contrib expects."""
        return self.matches.seen.masks.astype(np.bool_)

    def _observations(self, vectors: npt.NDArray[np.float32]) -> Any:
        layout = self.observer.layout
        assert layout is not None
        return layout.split(vectors) if self.observer.observation == "planes" else vectors

    @staticmethod
    def _infos(seen: Seen) -> dict[str, Any]:
        return {"action_mask": seen.masks, "seat": seen.viewer}
