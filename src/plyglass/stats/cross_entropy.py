"""The cross-entropy method: find parameters with a high value by sampling (Rubinstein 1999).

    each round:
        draw candidates from a normal distribution, with a spread for each parameter
        move the mean and the spreads towards those of the best candidates

The spreads never shrink by more than a fixed share per round. Without this noise, the method often
stops too early (Szita and Lőrincz 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

BEST = 4  # one candidate in so many is among the best
STEP, SHRINK = 0.7, 0.5  # how far the mean and the spreads move towards those of the best
NOISE = 0.05  # share of a spread that is added to the spread of the best


@dataclass(frozen=True)
class Round:
    """A round of the method.

    Attributes:
        mean: the mean of the distribution after the round.
        value: the mean value of all candidates of the round.
        best: the mean value of the best candidates.
    """

    mean: Numbers
    value: float
    best: float


def cross_entropy(
    value: Callable[[Numbers, int], float],
    mean: Numbers,
    spread: Numbers,
    *,
    rounds: int,
    candidates: int,
    seed: int,
) -> Iterator[Round]:
    """Yield the rounds of a search for parameters with a high value.

    Args:
        value: a function of parameters and the number of the round. It may be random. In a round,
            all candidates should meet the same chance.
        mean, spread: the mean and the standard deviations of the first candidates.
        rounds: the number of rounds.
        candidates: the number of candidates in a round, at least 2 * BEST.
        seed: the random seed.
    """
    random = np.random.default_rng(seed)
    for number in range(rounds):
        drawn = mean + spread * random.standard_normal((candidates, len(mean)))
        values = np.array([value(each, number) for each in drawn])
        best = np.argsort(-values, kind="stable")[: candidates // BEST]
        mean = (1 - STEP) * mean + STEP * drawn[best].mean(axis=0)
        spread = (1 - SHRINK) * spread + SHRINK * (drawn[best].std(axis=0) + NOISE * spread)
        yield Round(mean, float(values.mean()), float(values[best].mean()))
