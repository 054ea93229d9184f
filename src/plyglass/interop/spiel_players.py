"""Policies and bots of OpenSpiel as players in matches and tournaments of Plyglass.

A policy receives only its information state, so it cannot use hidden information. A bot receives
the whole state. So a bot cheats in a game with hidden information, and matches report this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.world import View, World
from plyglass.interop.codec import codec_of
from plyglass.interop.spiel_in import SpielGame
from plyglass.interop.spiel_out import information_state, register, remembered, state_at
from plyglass.search.interface import Decision

Table = Mapping[str, Mapping[int, float]]


@dataclass(frozen=True)
class SpielPolicy:
    """A policy of OpenSpiel as a player.

    Args:
        policy: a tabular policy of a solver, in Python or C++, or a mapping from information
            states to probabilities by action. The policy must be made for the game that `register`
            returns, or for the game that `spiel:NAME` wraps.
    """

    policy: Any
    foreign: ClassVar[bool] = True
    cheats: ClassVar[bool] = False

    def take_seat(self, game: Game, seat: int, seed: int) -> _PolicySeat:
        return _PolicySeat(self.policy, game, seat, seed)


class _PolicySeat:
    def __init__(self, policy: Any, game: Game, seat: int, seed: int) -> None:
        self._policy, self._game, self._codec = policy, game, codec_of(game)
        self._random = np.random.default_rng(derive(seed, seat))
        self._memory: tuple[tuple[int | None, bytes], ...] = ()
        self._view: View | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        self._memory, self._view = remembered(self._memory, own_action, view), view

    def decide(self) -> Decision:
        assert self._view is not None, "observe comes before decide"
        if isinstance(self._game, SpielGame):
            key = self._game.information_state(self._view)
        else:
            key = information_state(self._memory)
        legal = self._view.legal()
        found = _probabilities(self._policy, key)
        weights = np.array([found.get(self._codec.number(action), 0.0) for action in legal])
        if weights.sum() <= 0:
            raise ValueError(f"The policy has no legal action for the information state {key!r}.")
        chosen = legal[int(self._random.choice(len(legal), p=weights / weights.sum()))]
        return Decision(chosen, tuple(legal))


def _probabilities(policy: Any, key: str) -> dict[int, float]:
    """The policy's probabilities at the information state `key`, by the number of the action."""
    if isinstance(policy, Mapping):
        return dict(policy.get(key, {}))
    if hasattr(policy, "policy_for_key"):  # a TabularPolicy in Python
        return dict(enumerate(policy.policy_for_key(key)))
    if hasattr(policy, "get_state_policy"):  # in C++
        return dict(policy.get_state_policy(key))
    raise TypeError(
        f"{type(policy).__name__} cannot be asked by information state; give a tabular policy or a "
        "table, or play it as a bot."
    )


@dataclass(frozen=True)
class SpielBot:
    """A bot of OpenSpiel as a player.

    Args:
        game: the game that the bot plays.
        make: a function that takes OpenSpiel's game, the seat and a seed, and returns the bot.
    """

    game: Game
    make: Callable[[Any, int, int], Any]
    foreign: ClassVar[bool] = True

    @property
    def cheats(self) -> bool:
        return self.game.hides

    def take_seat(self, game: Game, seat: int, seed: int) -> _BotSeat:
        if (game.name, game.parameters) != (self.game.name, self.game.parameters):
            raise ValueError(f"This bot plays {self.game!r}, not {game!r}.")
        spiel = game.spiel if isinstance(game, SpielGame) else register(game)
        return _BotSeat(self.make(spiel, seat, derive(seed, seat) & 0x7FFFFFFF), game, spiel)


class _BotSeat:
    def __init__(self, bot: Any, game: Game, spiel: Any) -> None:
        self._bot, self._game, self._spiel, self._codec = bot, game, spiel, codec_of(game)
        self._position: World | View | None = None
        self._view: View | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        self._view = view
        if not self._game.hides:
            self._position = view

    def reveal(self, world: World) -> None:
        self._position = world

    def decide(self) -> Decision:
        assert self._view is not None and self._position is not None, "observe comes first"
        legal = self._view.legal()
        if isinstance(self._game, SpielGame):
            return Decision(int(self._bot.step(self._game.spiel_state(self._position))), (*legal,))
        world = World(self._game, self._position.row())
        number = int(self._bot.step(state_at(self._spiel, world)))
        return Decision(int(self._codec.actions[number]), tuple(legal))
