"""Elo: the same strength told as a score rate, as logistic Elo or as normalized Elo."""

from __future__ import annotations

import math

ELO_PER_LOGIT = 400 / math.log(10)  # Elo for one natural unit of log odds
NORMALIZED_ELO = 800 / math.log(
    10
)  # Elo for one standard deviation of a game's score (Van den Bergh, 2020)


def rate_of_elo(elo: float) -> float:
    """The score rate expected of somebody stronger by this much logistic Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_rate(rate: float) -> float:
    """Logistic Elo of a score rate; infinite at 0 and 1, where no finite strength explains the
    score.
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"A score rate lies between 0 and 1, not at {rate}.")
    if rate in (0, 1):
        return math.inf if rate == 1 else -math.inf
    return 400 * math.log10(rate / (1 - rate))


def normalized_elo(rate: float, deviation: float) -> float:
    """How far a score rate is from one half in standard deviations of one game's score.

    The number of games that a test needs depends on this alone, whatever the share of draws; the
    factor makes it logistic Elo for a small difference without draws. Where games are paired, the
    deviation of one game is the square root of two times the deviation of the mean score of a pair.
    """
    if deviation <= 0:
        raise ValueError("Normalized Elo needs scores with some spread.")
    return NORMALIZED_ELO * (rate - 0.5) / deviation
