"""PettingZoo: a game as an environment for all its players, who move in turn (AEC).

    from plyglass.interop import pettingzoo

    env = pettingzoo.env("leduc-poker")

An observation is `{"observation": ..., "action_mask": ...}`. Players who are not to move have an
empty mask. `parallel_env` is for libraries in which all players act at once. `parallel_env` ignores
the actions of players who are not to move.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from plyglass.arena.specs import game_from
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import World
from plyglass.interop.codec import codec_of
from plyglass.interop.spaces import Observation, Observer


def env(
    game: str | Game, observation: Observation = "flat", render_mode: str | None = None
) -> AECEnv:
    """An environment for all players of a game, inside PettingZoo's usual wrappers."""
    raw = PlyglassAEC(game, observation, render_mode)
    checked = wrappers.TerminateIllegalWrapper(raw, illegal_reward=raw.game.scores[0])
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


def parallel_env(
    game: str | Game, observation: Observation = "flat", render_mode: str | None = None
) -> Any:
    """An environment of the same game for libraries in which all players act at once."""
    raw = PlyglassAEC(game, observation, render_mode)
    return turn_based_aec_to_parallel(wrappers.OrderEnforcingWrapper(raw))


class PlyglassAEC(AECEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """A game for all its players. Rewards are changes of scores."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "plyglass_v0",
        "render_modes": ["ansi"],
        "render_fps": 1,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        game: str | Game,
        observation: Observation = "flat",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game_from(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        self.codec, self.observer = codec_of(self.game), Observer(self.game, observation)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        space = gymnasium.spaces.Dict(
            {
                "observation": self.observer.space,
                "action_mask": gymnasium.spaces.Box(0, 1, (self.codec.size,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.codec.size) for agent in self.possible_agents
        }
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; `options` may contain a setup of the game, as `{"setup": ...}`."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        root = int(self._random.integers(1 << 62))
        self.world: World = self.game.start(
            derive(root, 0, Purpose.LUCK), (options or {}).get("setup")
        )
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.world.over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._scores = self.world.scores
        self.agent_selection = self.agents[max(0, self.world.to_move)]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        legal = self.world.legal() if self.world.to_move == seat else []
        return {
            "observation": self.observer.observe(self.world.hide(seat)),
            "action_mask": self.codec.mask(legal),
        }

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = self.codec.action(int(action), self.world.legal())
        if chosen is None:
            raise ValueError(f"The action {action} is not legal here; obey the action mask.")
        self._cumulative_rewards[agent] = 0.0
        self.world.apply(chosen)
        now = self.world.scores
        gains = np.subtract(now, self._scores).tolist()
        self.rewards = dict(zip(self.possible_agents, gains, strict=True))
        self._scores = now
        if self.world.over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.world.to_move]
        self._accumulate_rewards()

    def clone(self) -> PlyglassAEC:
        """An independent copy in the same position, with the same future chance."""
        twin = PlyglassAEC(self.game, self.observer.observation, self.render_mode)
        twin._random.bit_generator.state = self._random.bit_generator.state
        if not hasattr(self, "world"):
            return twin
        twin.world, twin._scores = self.world.copy(), [*self._scores]
        twin.agents, twin.agent_selection = [*self.agents], self.agent_selection
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            setattr(twin, name, {**getattr(self, name)})
        return twin

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        return self.world.hide(self.possible_agents.index(self.agent_selection)).text

    def close(self) -> None:
        pass
