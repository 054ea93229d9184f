"""`pandemic/figure-9`: how long games of the default policy are, and how wide, by the events
that show up.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plyglass.experiments.lines import Line
from plyglass.experiments.pandemic.counting import counted, line

AIRLIFT, GRANT = 1, 2  # as sets of events
SEEN = {
    "neither airlift nor grant seen": 0,
    "only the airlift seen": AIRLIFT,
    "only the grant seen": GRANT,
    "both seen": AIRLIFT | GRANT,
}
DRAWN = 400  # values of each row that its shape is drawn from


def run(scale: float, runner: str, workers: int, folder: Path) -> Sequence[Line]:
    """The length of games, the mean number of actions to choose from in each, and the latter by
    events.
    """
    del runner, workers, folder
    games = counted(scale)
    width, seen = games["actions"] / games["decisions"], games["events"] & (AIRLIFT | GRANT)
    lines = [
        line("decisions in a game", games["decisions"], DRAWN),
        line("actions to choose from", width, DRAWN),
    ]
    lines += [
        line(f"actions, {name}", width[seen == events], DRAWN) for name, events in SEEN.items()
    ]
    return [
        *lines,
        line(
            "actions, neither seen, by length of game",
            by_length(games["decisions"][seen == 0], width[seen == 0]),
            DRAWN,
        ),
    ]


def by_length(lengths: np.ndarray[Any, Any], width: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The mean width of games of the same length, for every length that there is."""
    return np.array([width[lengths == length].mean() for length in np.unique(lengths)])
