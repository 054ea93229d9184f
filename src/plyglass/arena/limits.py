"""Limits for texts from outside: their length, their depth of brackets, and their numbers.

A limit is far above what a match on today's machines can use. Without limits, a typing error or a
file from a stranger could take all memory or run for years. Parameters that are given in Python
have only lower limits. With a value below such a limit, a kernel would write outside of its memory
or never end.
"""

from __future__ import annotations

import json
import math
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

MOST_CHARACTERS = 10_000
MOST_DEPTH = 20
MOST_NAME = 200
MOST_BYTES = 100_000_000
MOST_WHOLE = 10**6
MOST_REAL = 10**9
MOST_BY_NAME = {
    "iterations": 10**10,
    "seconds": 10**6,
    "turn_seconds": 10**6,
    "most_nodes": 10**8,
    "most_particles": 10**7,
    "most_worlds": 10**8,
    "memory": 2**26,
    "room": 2**24,
    "layout_seed": 2**63 - 1,
}
"""The upper limits of parameters that have a limit of their own, by name."""
LEAST_BY_NAME = dict.fromkeys(
    (
        "most_nodes",
        "most_particles",
        "most_worlds",
        "particles",
        "resample",
        "searches",
        "trees",
        "tries",
        "worlds",
    ),
    1,
)
"""The lower limits of the parameters that must not be 0, by name."""


def refuse_odd_text(what: str, text: object, most: int = MOST_CHARACTERS) -> None:
    """Refuse a value that is not a text, is too long, or has unprintable characters.

    Texts appear in terminals, pages and figures, where characters such as Escape have effects.
    """
    if not isinstance(text, str):
        raise TypeError(f"{what} must be text, not {shown(text)}.")
    if len(text) > most:
        raise ValueError(f"{what} has {len(text):,} characters; at most {most:,} are allowed.")
    if not text.isprintable():
        odd = next(sign for sign in text if not sign.isprintable())
        raise ValueError(f"{what} has the character {odd!a}, which does not print; leave it out.")


def refuse_odd_name(what: str, name: object) -> None:
    """Refuse a name that is empty, too long, or not printable."""
    refuse_odd_text(what, name, MOST_NAME)
    if not str(name).strip():
        raise ValueError(f"{what} is empty; give one.")


def refuse_depth(text: str) -> None:
    """Refuse a text whose brackets nest too deeply."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth > MOST_DEPTH:
            raise ValueError(
                f"{shown(text)} nests brackets more than {MOST_DEPTH} deep, which is the limit."
            )


def refuse_number(
    owner: str, name: str, value: object, whole: bool = False, most: int | None = None
) -> None:
    """Refuse a number that is not finite, or exceeds the limit of its parameter.

    `whole` says that the parameter takes whole numbers. Then the limit for whole numbers also holds
    for a value such as 3.0.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    usual = MOST_WHOLE if whole or isinstance(value, int) else MOST_REAL
    most = most or MOST_BY_NAME.get(name, usual)
    if not -most <= value <= most:  # also refuses what is not a number
        raise ValueError(f"{owner} takes at most {most:,} as {name}, not {shown(value)}.")
    if name in LEAST_BY_NAME and value < LEAST_BY_NAME[name]:
        raise ValueError(
            f"{owner} takes at least {LEAST_BY_NAME[name]} as {name}, not {shown(value)}."
        )


def refuse_parameters(owner: Any) -> None:
    """Refuse one of Plyglass's planners, beliefs or parts if a parameter has an impossible number.

    A user's own planners and beliefs check their own numbers.
    """
    if not is_dataclass(owner) or not type(owner).__module__.startswith("plyglass."):
        return
    name = getattr(owner, "name", type(owner).__name__)
    for each in fields(owner):
        value, least = getattr(owner, each.name), LEAST_BY_NAME.get(each.name, 0)
        if is_dataclass(value):
            refuse_parameters(value)
        elif isinstance(value, str) and "Literal" in str(each.type):
            continue  # a word in place of a number, which the class itself checks
        elif type(each.default) is int:
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
            if not whole or value < least:
                raise ValueError(
                    f"{name} takes a whole number from {least} up as {each.name}, not "
                    f"{shown(value)}."
                )
        elif type(each.default) is float and (
            not isinstance(value, int | float | np.number) or math.isnan(value)
        ):
            raise ValueError(f"{name} takes a number as {each.name}, not {shown(value)}.")


def shown(value: object) -> str:
    """Return a value for an error message, in at most about 60 printable characters."""
    if isinstance(value, int) and abs(value) >= 10**30:
        return f"a number of {int(math.log10(abs(value))) + 1} digits"
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def read_json(path: str | Path, what: str, most: int = MOST_BYTES) -> Any:
    """Return the JSON value in a file from outside; every fault gives an error of one sentence."""
    file = Path(path)
    if not file.is_file():
        raise ValueError(f"There is no file {file}.")
    if file.stat().st_size > most:
        raise ValueError(f"{file} is not {what}: it has more than {most:,} bytes.")
    return json_of(file.read_bytes(), str(file), what)


def json_of(data: bytes | str, name: str, what: str) -> Any:
    """Return the JSON value in a text from outside; NaN and infinite numbers are refused."""
    try:
        return json.loads(data, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError(f"{name} is not {what}: its brackets nest too deep.") from None
    except ValueError as error:
        raise ValueError(f"{name} is not {what}: {error}.") from None


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not allowed as a number")
