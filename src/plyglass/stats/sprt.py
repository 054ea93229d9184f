"""The sequential probability ratio test (Wald 1945) for wins, draws and losses.

Testers of chess engines use the same test. For other scores, use a test from `sequential` instead.
The error rates of the test are approximate, because the shares of outcomes are estimated from the
same pairs. Our tests measure the error rates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyglass.stats.likelihood import logistic_ratio, normalized_ratio

Decision = Literal["continue", "H0", "H1"]

PAIR_SCORES = (0.0, 0.5, 1.0, 1.5, 2.0)
# beyond this value, the fit to a given effect may leave the range possible with five outcomes
MOST_NORMALIZED_ELO = 200
BLOCK = 1 << 14  # prefixes computed at once


class SprtState(NamedTuple):
    """The state of the test: the log-likelihood ratio, its bounds, and the decision."""

    llr: float
    lower: float
    upper: float
    decision: Decision


class SprtStop(NamedTuple):
    """The index of the pair after which a test stopped, and the state of the test at that point."""

    pair: int
    state: SprtState


@dataclass(frozen=True)
class Sprt:
    """A test of H0 (the first agent is stronger by at most elo0) against H1 (by at least elo1).

    If the true difference is elo0, the test accepts H1 with probability about alpha. If the true
    difference is elo1, the test accepts H0 with probability about beta. Elo is logistic or
    normalized. With normalized Elo, the number of games needed does not depend on the share of
    draws.

    >>> Sprt(elo0=0, elo1=20).state([10, 20, 40, 35, 15]).decision
    'continue'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    normalized: bool = False

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(
                f"elo0 must be less than elo1, but {self.elo0} is not less than {self.elo1}."
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                "alpha and beta are probabilities of error: both above 0, and together below 1."
            )
        if self.normalized and max(abs(self.elo0), abs(self.elo1)) > MOST_NORMALIZED_ELO:
            raise ValueError(
                f"Normalized Elo is tested between -{MOST_NORMALIZED_ELO} and "
                f"{MOST_NORMALIZED_ELO} only."
            )

    @property
    def lower(self) -> float:
        """Return the log-likelihood ratio at or below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Return the log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def state(self, counts: Sequence[int]) -> SprtState:
        """Return the state after these counts of five pair scores, or of losses, draws and wins.

        The five pair scores are 0, 1/2, 1, 3/2 and 2. Call this method after every pair, in order.
        A test that skips pairs has other error rates.
        """
        return self._state(float(self._ratios(np.asarray(counts))))

    def first_decision(self, pair_scores: Sequence[float]) -> SprtStop | None:
        """Return the first pair after which the test decides, or None if it continues.

        The pair scores must be in the order of their deals.
        """
        counts = np.zeros(len(PAIR_SCORES), dtype=np.int64)
        outcomes = _outcomes(pair_scores)
        for start in range(0, len(outcomes), BLOCK):
            prefixes = counts + np.cumsum(
                np.eye(len(PAIR_SCORES), dtype=np.int64)[outcomes[start : start + BLOCK]], axis=0
            )
            ratios = self._ratios(prefixes)
            decided = np.flatnonzero((ratios <= self.lower) | (ratios >= self.upper))
            if decided.size:
                return SprtStop(start + int(decided[0]), self._state(float(ratios[decided[0]])))
            counts = prefixes[-1]
        return None

    def _ratios(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        ratio = normalized_ratio if self.normalized else logistic_ratio
        return ratio(counts, self.elo0, self.elo1)

    def _state(self, llr: float) -> SprtState:
        decision: Decision = (
            "H1" if llr >= self.upper else "H0" if llr <= self.lower else "continue"
        )
        return SprtState(llr, self.lower, self.upper, decision)


def _outcomes(pair_scores: Sequence[float]) -> NDArray[np.int64]:
    """Return the index of each pair score among the five possible scores."""
    doubled = 2 * np.asarray(pair_scores, dtype=np.float64)
    if not np.isin(doubled, (0, 1, 2, 3, 4)).all():
        raise ValueError(
            "A pair score is 0, 1/2, 1, 3/2 or 2: the sum of two games that were won (1), drawn "
            "(1/2) or lost (0)."
        )
    return doubled.astype(np.int64)
