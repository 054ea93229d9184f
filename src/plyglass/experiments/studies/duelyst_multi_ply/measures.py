"""A measure for tournaments: how long a match lasted."""

from __future__ import annotations

from plyglass.arena.match.match import Match


def turns(match: Match) -> float:
    """Return the number of turns of both players; exchanging cards at the start does not count."""
    return int(match.end.record["turn"]) + 1
