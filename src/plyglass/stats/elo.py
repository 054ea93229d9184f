"""This module converts between score rates and logistic Elo, and defines normalized Elo."""

from __future__ import annotations

import math

ELO_PER_LOGIT = 400 / math.log(10)  # Elo per natural unit of log odds
# Elo per standard deviation of a game's score (Van den Bergh 2020). The number of games that a test
# needs depends on normalized Elo alone, not on the share of draws.
NORMALIZED_ELO = 800 / math.log(10)


def rate_of_elo(elo: float) -> float:
    """Return the expected score rate of an agent that is stronger by `elo` in logistic Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_rate(rate: float) -> float:
    """Return the logistic Elo difference of a score rate, which is infinite at 0 and 1."""
    if not 0 <= rate <= 1:
        raise ValueError(f"A score rate lies between 0 and 1, not at {rate}.")
    if rate in (0, 1):
        return math.inf if rate == 1 else -math.inf
    return 400 * math.log10(rate / (1 - rate))
