"""The gain of playing every deal in both orders of the seats.

    python measurements/pairing.py measurements/round-robin.toml results/RUN.sqlite

Compares the variance of a pair's mean with the variance of the mean of two games with random seats.
Prints the ratio of the two variances for each game as JSON. This ratio is also the share of games
that paired deals need for an equally wide interval.
"""

import json
import sys
from collections import defaultdict

import numpy as np

from plyglass.arena.store import open_store
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.settings import Settings


def pairs_by_game(settings, rows):
    """By game and meeting, the points of one agent in the first and in the second order."""
    found = defaultdict(dict)
    for result in Referee(settings).results(rows):
        agent = min(result.agents)
        seat = result.agents.index(agent)
        found[settings.games[result.game], tuple(sorted(result.agents)), result.pair][seat] = (
            result.points(seat)
        )
    meetings = defaultdict(lambda: defaultdict(list))
    for (game, meeting, _), points in found.items():
        if len(points) == 2:
            meetings[game][meeting].append((points[0], points[1]))
    return meetings


def share_needed(meetings):
    """The variance of a pair's mean, divided by that of two games with random seats."""
    paired = sum(np.cov(np.array(points).T).sum() / 4 for points in meetings.values())
    by_lot = sum(np.array(points).ravel().var(ddof=1) / 2 for points in meetings.values())
    return float(paired / by_lot)


if __name__ == "__main__":
    settings = Settings.load(sys.argv[1])
    with open_store(sys.argv[2], settings.run_id, settings.canonical) as store:
        meetings = pairs_by_game(settings, list(store.rows()))
    print(json.dumps({game: round(share_needed(found), 3) for game, found in meetings.items()}))
