"""Sequential tests, valid at any stopping time, for scores other than win, draw and loss.

Both tests take the differences in the order of their deals and store a few sums. The state of a
test after n differences depends on these n differences alone. So a resumed run gives the same
result as an uninterrupted one, and N workers give the same result as one worker.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple

Direction = Literal["continue", "below", "above"]

BOLDEST = 0.5  # the largest bet on one difference; a bet of 1 could lose everything


class SequenceState(NamedTuple):
    """The interval of the mean after some differences, and whether the mean is above or below 0."""

    pairs: int
    mean: float
    low: float
    high: float
    decision: Direction


class ConfidenceSequence:
    """Intervals for the mean of bounded differences, jointly valid with probability 1 - alpha.

    The method is the predictable plug-in empirical-Bernstein sequence (Waudby-Smith and Ramdas
    2024, theorem 2 and equation 14). Each interval is intersected with all earlier intervals. The
    differences may have any distribution, as long as their conditional mean, given the past, stays
    the same. The interval is about twice as wide as Student's interval for the same number of
    differences, because it is valid at any time.
    """

    def __init__(self, lowest: float, highest: float, alpha: float = 0.05) -> None:
        if not (lowest < highest and math.isfinite(highest - lowest)):
            raise ValueError(
                f"The range of differences from {lowest} to {highest} is empty or infinite; give a "
                "finite lowest value and a larger highest one."
            )
        _check_alpha(alpha)
        self._lowest, self._width, self._alpha = lowest, highest - lowest, alpha
        self._count = 0
        self._total = 0.0  # the sum of differences; all sums here use differences scaled to 0..1
        self._squares = 0.0  # the sum of squared distances, of each difference to the mean after it
        self._bets = 0.0
        self._bet_total = 0.0  # the sum of bet times difference
        self._price = 0.0  # how much the spread of the differences so far widens the interval
        self._low, self._high = 0.0, 1.0

    def add(self, difference: float) -> SequenceState:
        """Add the next difference."""
        x = (difference - self._lowest) / self._width
        if not 0 <= x <= 1:
            raise ValueError(
                f"A difference of {difference} is outside the declared "
                f"{self._lowest}..{self._lowest + self._width}."
            )
        self._bet(x)
        self._count += 1
        self._total += x
        self._squares += (x - (0.5 + self._total) / (self._count + 1)) ** 2
        self._narrow()
        return self.state

    @property
    def state(self) -> SequenceState:
        """Return the present state."""
        mean = self._total / self._count if self._count else 0.5
        low, high = self._scaled(self._low), self._scaled(self._high)
        decision: Direction = "above" if low > 0 else "below" if high < 0 else "continue"
        return SequenceState(self._count, self._scaled(mean), low, high, decision)

    def _bet(self, x: float) -> None:
        """Bet on x; the size of the bet depends only on earlier values, so the bet is fair."""
        t = self._count + 1
        mean = (0.5 + self._total) / t
        variance = (0.25 + self._squares) / t
        bet = min(
            BOLDEST, math.sqrt(2 * math.log(2 / self._alpha) / (variance * t * math.log(1 + t)))
        )
        self._bets += bet
        self._bet_total += bet * x
        self._price += (x - mean) ** 2 * (-math.log1p(-bet) - bet)

    def _narrow(self) -> None:
        centre = self._bet_total / self._bets
        half = (math.log(2 / self._alpha) + self._price) / self._bets
        low, high = max(self._low, centre - half), min(self._high, centre + half)
        # otherwise an interval missed the mean or the mean moved, so keep the last interval
        if low <= high:
            self._low, self._high = low, high

    def _scaled(self, x: float) -> float:
        return self._lowest + self._width * x


class SymmetryState(NamedTuple):
    """The evidence against symmetry after some differences."""

    pairs: int
    mean: float
    p_value: float  # the smallest p-value so far, which is valid at any stopping time
    decision: Direction


class SymmetryTest:
    """A test of whether differences are symmetric around 0, as for equal agents that swap seats.

    The test is for scores without a known range. Let S be the sum of the differences and V the sum
    of their squares. If the differences are symmetric, exp(bS - b^2 V / 2) never grows in
    expectation (de la Pena 1999). The number b is drawn from a normal distribution as in Robbins'
    mixture (1970). `scale` is the typical size of a difference. With a wrong scale, the test has
    less power but stays valid.
    """

    def __init__(self, scale: float, alpha: float = 0.05) -> None:
        if not 0 < scale < math.inf:
            raise ValueError(f"The scale of a difference is a positive number, not {scale}.")
        _check_alpha(alpha)
        # this choice has the most power for differences that need tens to hundreds of pairs
        self._prior = 10 * scale**2
        self._alpha = alpha
        self._count = 0
        self._total = 0.0
        self._squares = 0.0
        self._p_value = 1.0
        self._decision: Direction = "continue"

    def add(self, difference: float) -> SymmetryState:
        """Add the next difference."""
        if not math.isfinite(difference):
            raise ValueError("A difference is a finite number.")
        self._count += 1
        self._total += difference
        self._squares += difference**2
        spread = self._squares + self._prior
        evidence = self._total**2 / (2 * spread) - 0.5 * math.log(spread / self._prior)
        self._p_value = min(self._p_value, math.exp(-evidence))
        if self._decision == "continue" and self._p_value <= self._alpha:
            self._decision = "above" if self._total > 0 else "below"
        return self.state

    @property
    def state(self) -> SymmetryState:
        """Return the present state."""
        mean = self._total / self._count if self._count else 0.0
        return SymmetryState(self._count, mean, self._p_value, self._decision)


def first_decision(
    test: ConfidenceSequence | SymmetryTest, differences: Iterable[float]
) -> int | None:
    """Return the index of the difference at which the test decides, or None if it continues.

    The function does not read later differences from the iterator.
    """
    for index, difference in enumerate(differences):
        if test.add(difference).decision != "continue":
            return index
    return None


def _check_alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is a probability of error between 0 and 1, not {alpha}.")
