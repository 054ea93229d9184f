"""Many matches as a `VecEnv` of Stable-Baselines3, with action masks.

model = MaskablePPO("MlpPolicy", SB3VecEnv("connect-four", 64, opponents="random"))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from plyglass.core.game import Game
from plyglass.interop.vector import PlyglassVectorEnv


class SB3VecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """Many matches in one compiled loop, in the form that Stable-Baselines3 expects.

    Args:
        game: a game, or a text such as "duel" or "pig:goal=30".
        num_envs: how many matches.
        opponents, seat, observation: as for `PlyglassVectorEnv`.
    """

    def __init__(self, game: str | Game, num_envs: int = 1, **options: Any) -> None:
        self.inner = PlyglassVectorEnv(game, num_envs, **options)
        self.render_mode = None
        self._seed: int | None = None
        super().__init__(
            num_envs, self.inner.single_observation_space, self.inner.single_action_space
        )

    def reset(self) -> Any:
        observations, _ = self.inner.reset(seed=self._seed)
        self._seed = None
        return _copied(observations)

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> Any:
        observations, rewards, over, _, infos = self.inner.step(self._actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for match in np.flatnonzero(over).tolist():
            last = _row(infos["final_obs"], match)
            told[match] = {"terminal_observation": last, "TimeLimit.truncated": False}
        return _copied(observations), rewards.astype(np.float32), over, told

    def seed(self, seed: int | None = None) -> Any:
        self._seed = seed
        return [seed] * self.num_envs

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(self._indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError("All matches share one compiled loop; their attributes are fixed.")

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **options: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"A match has no method {method_name!r}; it has action_masks.")
        masks = self.inner.action_masks()
        return [masks[match] for match in self._indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks" or hasattr(self, attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(self._indices(indices))

    def _indices(self, indices: Any) -> list[int]:
        return list(self._get_indices(indices))


def _copied(observations: Any) -> Any:
    if isinstance(observations, dict):
        return {name: values.copy() for name, values in observations.items()}
    return observations.copy()


def _row(observations: Any, match: int) -> Any:
    if isinstance(observations, dict):
        return {name: values[match].copy() for name, values in observations.items()}
    return observations[match].copy()
