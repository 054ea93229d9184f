"""Always-valid tests for scores that are not win, draw and loss: look after every pair, stop when
you like.

Both take differences in the order of their numbers and keep a few sums. What they say after n
differences depends on those n alone, so a run and its continuation agree, and so do 1 and N workers
that feed them the completed prefix.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple

Direction = Literal["continue", "below", "above"]

BOLDEST = 0.5  # the largest bet on one difference; 1 could lose everything at once


class SequenceState(NamedTuple):
    """The interval of the mean after so many differences, and on which side of 0 it lies."""

    pairs: int
    mean: float
    low: float
    high: float
    decision: Direction


class ConfidenceSequence:
    """Intervals for the mean of differences from a declared range, all of them right at once with
    probability 1 - alpha.

    The predictable plug-in empirical-Bernstein sequence (Waudby-Smith and Ramdas, 2024, theorem 2
    and equation 14), each interval intersected with all before it. The differences need no
    distribution, only the same mean given the past. It pays for looking at any time: its interval
    is about twice as wide as Student's at a given count.
    """

    def __init__(self, lowest: float, highest: float, alpha: float = 0.05) -> None:
        if not (lowest < highest and math.isfinite(highest - lowest)):
            raise ValueError(
                f"The range of a difference goes from a number to a larger one, not from {lowest} "
                f"to {highest}."
            )
        _check_alpha(alpha)
        self._lowest, self._width, self._alpha = lowest, highest - lowest, alpha
        self._count = 0
        self._total = 0.0  # of differences, scaled to 0..1 like all sums here
        self._squares = 0.0  # of each difference's distance from the mean known after it
        self._bets = 0.0
        self._bet_total = 0.0  # of bet times difference
        self._price = 0.0  # what the spread seen costs in width
        self._low, self._high = 0.0, 1.0

    def add(self, difference: float) -> SequenceState:
        """Take in the next difference."""
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
        """What is known now."""
        mean = self._total / self._count if self._count else 0.5
        low, high = self._scaled(self._low), self._scaled(self._high)
        decision: Direction = "above" if low > 0 else "below" if high < 0 else "continue"
        return SequenceState(self._count, self._scaled(mean), low, high, decision)

    def _bet(self, x: float) -> None:
        """The bet is fixed by the past alone: one that knew x would not be fair."""
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
        if low <= high:  # else one interval has missed, or the mean has moved: the last one stands
            self._low, self._high = low, high

    def _scaled(self, x: float) -> float:
        return self._lowest + self._width * x


class SymmetryState(NamedTuple):
    """The evidence against symmetry after so many differences."""

    pairs: int
    mean: float
    p_value: float  # the least so far: valid whenever one stops
    decision: Direction


class SymmetryTest:
    """Tests that differences lie symmetrically around 0, whatever their range: two equal agents
    that swap seats have no other choice.

    For scores without a known range. exp(bS - b^2 V / 2), with S the sum of differences and V that
    of their squares, never grows in expectation if they are symmetric (de la Pena, 1999); b is
    drawn from a normal distribution as in Robbins' mixture (1970). `scale` is about the size of a
    difference: a wrong guess costs power, never validity.
    """

    def __init__(self, scale: float, alpha: float = 0.05) -> None:
        if not 0 < scale < math.inf:
            raise ValueError(f"The scale of a difference is a positive number, not {scale}.")
        _check_alpha(alpha)
        self._prior = (
            10 * scale**2
        )  # most powerful for differences that take tens to hundreds of pairs to see
        self._alpha = alpha
        self._count = 0
        self._total = 0.0
        self._squares = 0.0
        self._p_value = 1.0
        self._decision: Direction = "continue"

    def add(self, difference: float) -> SymmetryState:
        """Take in the next difference."""
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
        """What is known now."""
        mean = self._total / self._count if self._count else 0.0
        return SymmetryState(self._count, mean, self._p_value, self._decision)


def first_decision(
    test: ConfidenceSequence | SymmetryTest, differences: Iterable[float]
) -> int | None:
    """The index of the difference at which the test decides; None if it goes on. What comes
    after is left in the iterator.
    """
    for index, difference in enumerate(differences):
        if test.add(difference).decision != "continue":
            return index
    return None


def _check_alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is a probability of error between 0 and 1, not {alpha}.")
