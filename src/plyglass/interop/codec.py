"""Actions as numbers from 0 to n - 1, as other libraries need them."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plyglass.core.check.finding import Finding
from plyglass.core.check.vocabulary import vocabulary
from plyglass.core.game import Game

Mask = npt.NDArray[np.int8]


@functools.lru_cache(maxsize=64)
def codec_of(game: Game) -> Codec:
    """The codec of a game. Codecs are cached, because making a codec plays some random games."""
    return Codec(game)


class Codec:
    """The numbers of a game's actions.

    The number of an action is its index in `Game.vocabulary`, so a number means the same action in
    every position. In a game without a vocabulary, the number of an action is its index in the
    position's list of legal actions, and `stable` is False.

    Attributes:
        size: how many numbers there are.
        stable: whether a number means the same action in every position.
        actions: the vocabulary. Empty if the game has none.
    """

    def __init__(self, game: Game) -> None:
        told = next(vocabulary(game, 1, 0), None)
        if isinstance(told, Finding):
            message = f"The vocabulary of {game.name} is wrong. {told}"
            raise ValueError(message)  # noqa: TRY004 - it is about the game, not about a type
        self.game = game
        self.stable = told is None
        self.actions = np.array(game.vocabulary() if self.stable else (), np.int32)
        self.size = len(self.actions) if self.stable else game.most_actions
        self._places = {int(action): place for place, action in enumerate(self.actions)}

    def number(self, action: int, legal: Sequence[int] = ()) -> int:
        """The number of an action; `legal` is needed if the numbers are not stable."""
        if not self.stable:
            return legal.index(action)
        if action not in self._places:
            raise ValueError(
                f"{self.game.action_name(action)!r} ({action}) is not in the vocabulary of "
                f"{self.game.name}; correct Game.vocabulary."
            )
        return self._places[action]

    def action(self, number: int, legal: Sequence[int]) -> int | None:
        """The action with this number, or None if the action is not legal."""
        if not 0 <= number < self.size:
            return None
        if not self.stable:
            return legal[number] if number < len(legal) else None
        action = int(self.actions[number])
        return action if action in legal else None

    def mask(self, legal: Sequence[int]) -> Mask:
        """An array with 1 at the number of each legal action, and 0 elsewhere."""
        mask = np.zeros(self.size, np.int8)
        mask[[self.number(action, legal) for action in legal]] = 1
        return mask
