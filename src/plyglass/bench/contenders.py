"""This module compares the speed of programs (contenders) that run the same search."""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable, Mapping
from typing import Any

from plyglass.core.seeds import derive

Contender = Callable[[int], float]  # takes a seed, returns iterations per CPU second


def race(
    contenders: Mapping[str, Mapping[str, Contender]], repetitions: int
) -> dict[str, dict[str, float]]:
    """Return the median speed of each contender in each race.

    In each repetition all contenders run, so other work on the machine slows all of them alike.
    """
    rates: dict[str, dict[str, list[float]]] = {
        name: {each: [] for each in entered} for name, entered in contenders.items()
    }
    for repetition in range(repetitions):
        for name, entered in contenders.items():
            for each, run in entered.items():
                rates[name][each].append(run(derive(1, repetition)))
    return {
        name: {each: statistics.median(values) for each, values in entered.items()}
        for name, entered in rates.items()
    }


def needed(module: str, library: str) -> Any:
    """Import a module of another library, or raise an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise RuntimeError(
            f"Cannot compare with {library}, because it is not installed; run pip install "
            "'plyglass[peers]'."
        ) from None
