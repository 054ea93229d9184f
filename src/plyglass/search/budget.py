"""How much a planner may think."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields

SLICE_SECONDS = 0.004  # between two looks at the clock
FIRST_SLICE = 16


@dataclass(frozen=True)
class Budget:
    """Exactly one limit: `iterations` or `seconds` for each decision, or `turn_seconds` for all
    decisions of one turn.
    """

    iterations: int | None = None
    seconds: float | None = None
    turn_seconds: float | None = None

    def __post_init__(self) -> None:
        given = {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) is not None
        }
        if len(given) != 1:
            raise ValueError(
                "A budget has exactly one limit of iterations, seconds and turn_seconds; this "
                f"one has {len(given)}: {given}."
            )
        name, value = next(iter(given.items()))
        if value <= 0:
            raise ValueError(
                f"A budget of {value} {name} leaves no time to think; give a positive number."
            )


@dataclass
class Spent:
    """What a decision has used so far."""

    iterations: int = 0
    seconds: float = 0.0


def run_in_slices(
    grow: Callable[[int, int], None],
    spent: Spent,
    budget: Budget,
    most: int,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Call `grow(done, count)` with `count` up to `most` until the budget is used or `cancelled()`
    says so; adds to `spent`.

    Compiled code cannot look at a clock or at a signal, so it runs for a few milliseconds at a
    time.
    """
    began, before = time.perf_counter(), Spent(spent.iterations, spent.seconds)
    limit = budget.seconds if budget.seconds is not None else budget.turn_seconds
    size = most if limit is None else FIRST_SLICE
    while not (cancelled and cancelled()):
        here = spent.iterations - before.iterations
        left = most if budget.iterations is None else budget.iterations - here
        if left <= 0:
            break
        count = max(1, min(size, most, left))
        grow(spent.iterations, count)
        spent.iterations += count
        seconds = time.perf_counter() - began
        spent.seconds = before.seconds + seconds
        if limit is not None:
            if seconds >= limit:
                break
            size = int((here + count) / seconds * min(SLICE_SECONDS, limit - seconds))
