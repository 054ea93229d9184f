"""A function of a user's own as text: `file.py@function`, or `package.module:function` of what
is installed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyglass import games


def is_reference(text: str) -> bool:
    """Whether a text has the form of a reference."""
    return "@" in text or ":" in text


def function_from(text: str) -> Callable[..., Any]:
    """The function that a reference means."""
    place, sign, name = text.rpartition("@") if "@" in text else text.rpartition(":")
    if not sign:
        raise ValueError(
            f"{text!r} is not a function; write file.py@function or package.module:function."
        )
    module = games.module_of_file(Path(place)) if sign == "@" else _module(place)
    if not hasattr(module, name):
        raise ValueError(f"{place} has no function {name!r}.")
    function: Callable[..., Any] = getattr(module, name)
    return function


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ValueError(f"The module {name!r} cannot be imported: {error}.") from error
