"""`pandemic/oracle`: games of the default policy beside those that the document's program plays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from plyglass.experiments.lines import Line
from plyglass.experiments.pandemic.counting import counted, line
from plyglass.games.pandemic.board import (
    KINDS,
    LOST_BY_CARDS,
    LOST_BY_CUBES,
    LOST_BY_OUTBREAKS,
    WON,
)

ENDS = {"outbreaks": LOST_BY_OUTBREAKS, "cubes": LOST_BY_CUBES, "cards": LOST_BY_CARDS}
TAKEN = (
    "drive", "direct flight", "charter flight", "shuttle flight", "build", "treat", "give", "take",
    "do nothing", "airlift",
    "government grant", "quiet night", "discard",
)  # fmt: skip


def run(scale: float, runner: str, workers: int, folder: Path) -> Sequence[Line]:
    """A line for everything that is known of the program's games; they take seconds, so nothing
    is kept.
    """
    del runner, workers, folder
    games = counted(scale)
    end, cures, stations = (
        games["end"],
        np.bitwise_count(games["end"]["cured"]),
        np.bitwise_count(games["end"]["stations"]),
    )
    return [
        line("decisions", games["decisions"]),
        line("actions to choose from", games["actions"] / games["decisions"]),
        line("won", end["result"] == WON),
        line("one cure", cures == 1),
        line("two cures", cures == 2),
        *(line(f"lost by {name}", end["result"] == result) for name, result in ENDS.items()),
        line("epidemics", end["epidemics"]),
        line("player cards left", end["left"]),
        line("stations", stations),
        *(line(name, games["uses"][:, KINDS.index(name)]) for name in TAKEN),
    ]
