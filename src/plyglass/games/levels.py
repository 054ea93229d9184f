"""Measured strengths of a game's levels: the result of each level against the level before it.

`measurements/levels.py` plays the matches and writes `levels.json` beside this file. A result holds
only for the two agents that played. So a level has no result if its agent, or the agent of the
level before it, has changed since.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from plyglass.core.game import Game

FILE = Path(__file__).with_name("levels.json")
POINTS, GAIN = "points", "gain"


@dataclass(frozen=True)
class Measured:
    """The result of a level against the level before it.

    Attributes:
        kind: "points" is the share of points in matches between the two levels, where a win counts
            1 and a draw 0.5. "gain" is the mean score of this level minus the mean score of the
            level before, on the same deals, in a game for one player.
        score: the points or the gain, with the 95 % interval `low` to `high`.
        games: the number of games that were measured for this level.
        against: the name of the level before it.
    """

    kind: Literal["points", "gain"]
    score: float
    low: float
    high: float
    games: int
    against: str

    def __str__(self) -> str:
        """Return the result in words."""
        if self.kind == GAIN:
            return (
                f"scores {self.score:+.4g} ({self.low:+.4g} to {self.high:+.4g}) against "
                f"{self.against}, {self.games:,} games"
            )
        return (
            f"{100 * self.score:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f}) against "
            f"{self.against}, {self.games:,} games"
        )


def measured_levels(game: Game, levels: Mapping[str, str] | None = None) -> dict[str, Measured]:
    """Return the measured results of a game's levels.

    `levels` maps levels to agent specs, the easiest level first. The default is the game's own
    levels. A result counts only if it was measured with the two agents that `levels` names. Only
    games with default parameters have results.
    """
    if not _is_usual(game):
        return {}
    known = {(each["agent"], each["before"]): each for each in recorded().get(game.name, ())}
    found = {}
    for (before, weaker), (level, text) in pairwise((levels or game.levels).items()):
        if result := known.get((text, weaker)):
            values = {field.name: result[field.name] for field in fields(Measured)[:-1]}
            found[level] = Measured(**values, against=before)
    return found


@cache
def recorded() -> dict[str, list[dict[str, Any]]]:
    """Return all recorded results by game, as `measurements/levels.py` wrote them."""
    found: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def _is_usual(game: Game) -> bool:
    """Return whether a game comes with Plyglass and has its default parameters."""
    usual = inspect.signature(type(game).__init__).parameters
    return type(game).__module__.startswith("plyglass.games.") and all(
        value == usual[name].default for name, value in game.parameters.items()
    )
