"""What games, planners and settings say when they are given what they do not take."""

from __future__ import annotations

from collections.abc import Sequence


def refuse_other(parameter: str, value: object, allowed: Sequence[str]) -> None:
    """Refuse a parameter that is none of the words it can be."""
    if value not in allowed:
        raise ValueError(f"{parameter} is one of {', '.join(allowed)}, not {value!r}.")
