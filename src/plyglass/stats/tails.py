"""This module computes tails of the normal and of Student's distribution without SciPy."""

from __future__ import annotations

import math

# terms of the continued fraction, which needs about the square root of its larger parameter
MOST_TERMS = 100_000
SMALLEST = 1e-300  # stands for a denominator of zero (Lentz, 1976)


def normal_tail(z: float) -> float:
    """Return P(Z > z), exact even for large z, where 1 - P(Z <= z) would round to zero."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def student_tail(t: float, freedom: float) -> float:
    """Return P(T > t) for Student's t."""
    if t < 0:
        return 1 - student_tail(-t, freedom)
    square = t * t
    return 0.5 * incomplete_beta(
        freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square)
    )


def student_quantile(probability: float, freedom: float) -> float:
    """Return the t for which P(T <= t) = probability."""
    if not 0 < probability < 1:
        raise ValueError(f"A quantile needs a probability between 0 and 1, not {probability}.")
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -_student_upper(probability, freedom)
    return _student_upper(1 - probability, freedom)


def _student_upper(tail: float, freedom: float) -> float:
    """Return the t for which P(T > t) = tail, by Newton's method on the logarithm of the tail.

    A Newton step that leaves the bracket is replaced by bisection.
    """
    low, high = 0.0, 1.0
    while student_tail(high, freedom) > tail:
        low, high = high, 2 * high
    t = (low + high) / 2
    while high - low > 1e-14 * high:
        now = student_tail(t, freedom)
        low, high = (t, high) if now > tail else (low, t)
        step = math.log(now / tail) * now / _student_density(t, freedom)
        following = t + step if low < t + step < high else (low + high) / 2
        if abs(following - t) <= 1e-14 * high:
            return following
        t = following
    return t


def incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """Return the regularized incomplete beta function at x.

    The argument y is 1 - x. The caller gives y separately, because 1 - x loses digits if x is near
    1.
    """
    if x <= 0 or y <= 0:
        return 0.0 if x <= 0 else 1.0
    if x * (a + b + 2) > a + 1:  # the fraction converges quickly only for the mirrored arguments
        return 1 - incomplete_beta(b, a, y, x)
    return _beta_front(a, b, x, y) * _beta_fraction(a, b, x) / a


def _student_density(t: float, freedom: float) -> float:
    square = t * t
    return (
        _beta_front(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square)) / t
    )


def _beta_front(a: float, b: float, x: float, y: float) -> float:
    """Return x^a y^b / B(a, b) without loss of digits.

    The sum of three large log-gammas would lose nine digits by cancellation.
    """
    total = a + b
    peak = (
        0.5 * math.log(a * b / (total * 2 * math.pi))
        + _stirling(total)
        - _stirling(a)
        - _stirling(b)
    )
    return math.exp(peak + a * _log_ratio(x * total, a) + b * _log_ratio(y * total, b))


def _log_ratio(value: float, reference: float) -> float:
    return (
        math.log1p((value - reference) / reference)
        if abs(value - reference) < 0.5 * reference
        else math.log(value / reference)
    )


def _stirling(a: float) -> float:
    """Return the difference between log-gamma and Stirling's formula."""
    if a < 15:
        return math.lgamma(a) - ((a - 0.5) * math.log(a) - a + 0.5 * math.log(2 * math.pi))
    square = a * a
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / a


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    numerator, denominator = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = denominator
    for m in range(1, MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            denominator = 1 / _not_zero(1 + term * denominator)
            numerator = _not_zero(1 + term / numerator)
            change = numerator * denominator
            value *= change
        if abs(change - 1) < 1e-15:
            return value
    raise ArithmeticError(f"The incomplete beta function did not converge at {a}, {b}, {x}.")


def _not_zero(value: float) -> float:
    return value if abs(value) > SMALLEST else SMALLEST
