"""The action and observation spaces of a game, for Gymnasium."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces

from plyglass.core.game import Game
from plyglass.core.world import View
from plyglass.interop.observation import Layout, by_field, fields_of

Observation = Literal["flat", "planes", "fields"]


class Observer:
    """Turns views into observations for a learner: "flat" vectors, "planes", or "fields"."""

    def __init__(self, game: Game, observation: Observation) -> None:
        if observation not in get_args(Observation):
            raise ValueError(f"observation is 'flat', 'planes' or 'fields', not {observation!r}.")
        self.game, self.observation = game, observation
        self.layout = None if observation == "fields" else Layout(game, observation)
        self.space = self._space()

    def observe(self, view: View) -> Any:
        """A view as an element of the space."""
        if self.layout is None:
            return {
                name: values.reshape(values.shape or (1,))
                for name, values in by_field(view).items()
            }
        vector = self.layout.encode(view)
        return self.layout.split(vector) if self.observation == "planes" else vector

    def _space(self) -> spaces.Space[Any]:
        if self.layout is None:
            return spaces.Dict(
                {field.name: _box_of(field) for field in fields_of(self.game).values()}
            )
        low, high = self.layout.low, self.layout.high
        if self.observation == "flat":
            return spaces.Box(low, high, dtype=np.float32)
        lows, highs = self.layout.split(low), self.layout.split(high)
        return spaces.Dict(
            {part: spaces.Box(lows[part], highs[part], dtype=np.float32) for part in lows}
        )


def _box_of(field: Any) -> spaces.Box:
    shape = field.shape or (1,)
    if field.dtype.kind == "f":
        limits = np.finfo(field.dtype)
        return spaces.Box(float(limits.min), float(limits.max), shape, field.dtype.type)
    limits_ = np.iinfo(field.dtype)
    return spaces.Box(limits_.min, limits_.max, shape, field.dtype.type)
