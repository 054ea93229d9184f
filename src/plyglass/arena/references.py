"""A user's functions as text: `file.py@function`, or `package.module:function` in a package."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyglass.extensions import module_of_file
from plyglass.trust import refuse_as_data

MOVED = (
    (r"plyglass\.arena\.measures", "plyglass.arena.tournament.measures"),
    (
        r"plyglass\.experiments\.duelyst\.hands",
        "plyglass.experiments.studies.duelyst.measures",
    ),
    (
        r"plyglass\.experiments\.navy_defense\.behaviour",
        "plyglass.experiments.studies.navy_defense.measures",
    ),
    (
        r"plyglass\.experiments\.navy_defense\.worlds",
        "plyglass.experiments.studies.navy_defense.starts",
    ),
    (
        r"plyglass\.experiments\."
        r"(duelyst|duelyst_multi_ply|fog_of_war|navy_defense|pandemic|representative_moves)\.(.+)",
        r"plyglass.experiments.studies.\1.\2",
    ),
)
"""Modules that were moved: a pattern of each former name, and the present name."""


def is_reference(text: str) -> bool:
    """Return whether a text has the form of a reference to a function."""
    return "@" in text or ":" in text


def function_from(text: str) -> Callable[..., Any]:
    """Return the function that a reference means."""
    refuse_as_data(text)
    place, sign, name = text.rpartition("@") if "@" in text else text.rpartition(":")
    if not sign or not place or place.startswith((".", ":")):
        raise ValueError(
            f"{text!r} is not a function; write file.py@function or package.module:function."
        )
    module = module_of_file(Path(place)) if sign == "@" else _module(place, name)
    if not hasattr(module, name):
        raise ValueError(f"{place} has no function {name!r}.")
    function: Callable[..., Any] = getattr(module, name)
    return function


def _module(name: str, function: str) -> Any:
    """Return the module of this name, or the module under its new name if it was moved."""
    now = _name_now(name)
    if now != name:
        warnings.warn(
            f"{name}:{function} has moved; write {now}:{function}.", FutureWarning, stacklevel=4
        )
    try:
        return importlib.import_module(now)
    except ImportError as error:
        raise ValueError(f"Cannot import the module {now!r}: {error}.") from error


def _name_now(name: str) -> str:
    for pattern, replacement in MOVED:
        if found := re.fullmatch(pattern, name):
            return found.expand(replacement)
    return name
