"""What a decision cost."""

from __future__ import annotations

from plyglass.search.interface import Decision


def judged(decision: Decision) -> float:
    """How many positions were judged for it."""
    return decision.evaluated
