"""Games of the default policy: figure 9, and a comparison with the thesis's own program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plyglass.experiments.results import RowResult, kept_values
from plyglass.games.pandemic import Pandemic
from plyglass.games.pandemic.state import (
    KINDS,
    LOST_BY_CARDS,
    LOST_BY_CUBES,
    LOST_BY_OUTBREAKS,
    WON,
)
from plyglass.games.pandemic.tally import tally
from plyglass.stats.intervals import mean_interval, wilson

GAMES, SEED = 100_000, 9
AIRLIFT, GRANT = 1, 2  # as sets of events
SEEN = {
    "neither airlift nor grant seen": 0,
    "only the airlift seen": AIRLIFT,
    "only the grant seen": GRANT,
    "both seen": AIRLIFT | GRANT,
}
DRAWN = 400  # the number of values of each row in the figure of its distribution
ENDS = {"outbreaks": LOST_BY_OUTBREAKS, "cubes": LOST_BY_CUBES, "cards": LOST_BY_CARDS}
TAKEN = (
    "drive", "direct flight", "charter flight", "shuttle flight", "build", "treat", "give", "take",
    "do nothing", "airlift",
    "government grant", "quiet night", "discard",
)  # fmt: skip


def figure_9(scale: float, runner: str, workers: int, folder: Path) -> Sequence[RowResult]:
    """Return results about the length of games, and about the mean number of legal actions.

    The mean number of legal actions is given for all games, and for four groups of games by which
    of two event cards were seen. For games in which neither card was seen, the mean is also given
    by length of game.
    """
    del runner, workers, folder
    games = _played(scale)
    width, seen = games["actions"] / games["decisions"], games["events"] & (AIRLIFT | GRANT)
    of_length = by_length(games["decisions"][seen == 0], width[seen == 0])
    return [
        result_of("decisions in a game", games["decisions"], DRAWN),
        result_of("actions to choose from", width, DRAWN),
        *(
            result_of(f"actions, {name}", width[seen == events], DRAWN)
            for name, events in SEEN.items()
        ),
        result_of("actions, neither seen, by length of game", of_length, DRAWN),
    ]


def oracle(scale: float, runner: str, workers: int, folder: Path) -> Sequence[RowResult]:
    """Return our value of each statistic that we know of the thesis's program.

    The games take only seconds, so the protocol keeps nothing in the folder.
    """
    del runner, workers, folder
    games = _played(scale)
    end = games["end"]
    cures, stations = np.bitwise_count(end["cured"]), np.bitwise_count(end["stations"])
    return [
        result_of("decisions", games["decisions"]),
        result_of("actions to choose from", games["actions"] / games["decisions"]),
        result_of("won", end["result"] == WON),
        result_of("one cure", cures == 1),
        result_of("two cures", cures == 2),
        *(result_of(f"lost by {name}", end["result"] == result) for name, result in ENDS.items()),
        result_of("epidemics", end["epidemics"]),
        result_of("player cards left", end["left"]),
        result_of("stations", stations),
        *(result_of(name, games["uses"][:, KINDS.index(name)]) for name in TAKEN),
    ]


def by_length(lengths: np.ndarray[Any, Any], width: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return, for each length of a game, the mean of `width` over the games of this length."""
    return np.array([width[lengths == length].mean() for length in np.unique(lengths)])


def result_of(name: str, values: np.ndarray[Any, Any], drawn: int = 0) -> RowResult:
    """Return the mean of values with its interval, and a sample of `drawn` values for the figure.

    For Boolean values, the mean is the share of true values, with Wilson's interval for a share.
    """
    mean, low, high = mean_interval(values.tolist())
    if values.dtype == bool:
        low, high = wilson(float(values.sum()), len(values))
    kept = kept_values(values.tolist(), drawn) if drawn else ()
    return RowResult(name, mean, low, high, len(values), values=kept)


def _played(scale: float) -> np.ndarray[Any, Any]:
    """Return one record per game. At scale 1, there are 100,000 games as in the thesis."""
    return tally(Pandemic("as_coded"), max(2, round(scale * GAMES)), SEED)
