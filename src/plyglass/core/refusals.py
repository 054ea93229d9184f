"""Errors with which games, planners and settings refuse a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def refuse_other(parameter: str, value: object, allowed: Sequence[str]) -> None:
    """Refuse a parameter whose value is not one of the allowed words."""
    if value not in allowed:
        raise ValueError(f"{parameter} is one of {', '.join(allowed)}, not {value!r}.")


def refuse_less(parameter: str, value: int, least: int) -> None:
    """Refuse a number that is too small."""
    if value < least:
        raise ValueError(f"{parameter} is at least {least}; it cannot be {value}.")


def refuse_unknown(owner: str, kind: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse an unknown name; the error lists the known names.

    `owner` begins the error's sentence, such as "The planner uct". `kind` says what is named, such
    as "parameter".
    """
    for name in given:
        if name not in known:
            raise ValueError(
                f"{owner} has no {kind} {name!r}; it has {', '.join(known) or 'none'}."
            )
