"""What a decision cost."""

from __future__ import annotations

from plyglass.search.planner import Decision


def milliseconds(decision: Decision) -> float:
    """How long it took, by the clock on the wall."""
    return 1000 * decision.seconds


def judged(decision: Decision) -> float:
    """How many positions were judged for it."""
    return decision.evaluated
