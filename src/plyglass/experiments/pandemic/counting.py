"""Games of the default policy, and lines of what was counted in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyglass.experiments.lines import Line
from plyglass.experiments.measuring import kept_values
from plyglass.games.pandemic import Pandemic
from plyglass.games.pandemic.tally import tally
from plyglass.stats.intervals import mean_interval, wilson

GAMES, SEED = 100_000, 9


def counted(scale: float) -> np.ndarray[Any, Any]:
    """One record for each of the document's 100,000 games, or so many times that."""
    return tally(Pandemic("as_coded"), max(2, round(scale * GAMES)), SEED)


def line(name: str, values: np.ndarray[Any, Any], drawn: int = 0) -> Line:
    """The mean of some values with its interval, and as many of them as are drawn; of what is so
    or not, the share of games.
    """
    mean, low, high = mean_interval(values.tolist())
    if values.dtype == bool:
        low, high = wilson(float(values.sum()), len(values))
    return Line(
        name,
        mean,
        low,
        high,
        len(values),
        values=kept_values(values.tolist(), drawn) if drawn else (),
    )
