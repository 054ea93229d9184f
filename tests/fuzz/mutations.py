"""Small random changes to bytes and to JSON values, made from a seed."""

from __future__ import annotations

import re
from random import Random
from typing import Any

NUMBERS = (
    "0", "-1", "1", "2", "7", "255", "256", "65536", "2147483647", "2147483648", "1e18", "-1e18",
    "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e308", "1e999", "nan",
    "inf", "-inf", "0.5", "1.5", "1e-300", "99999999999999999999999999", "True", "None", "null",
)  # fmt: skip
TOKENS = (
    "", "'", '"', "(", ")", "[", "]", "{", "}", ",", ":", "=", "@", ".", "/", "..", "\\", "%s", "#",
    "\n", "\r", "\t", "\0", "\x1b[31m", "\x7f", "\u202e", "\ud7ff", "\U0001f600", "é", "<script>",
    "evil.py@Evil", "evil_module:evil", "../../etc/passwd", "/dev/zero", "person", "random", "uct",
    "uct(", "pimc(inner=", "belief=particles(worlds=", "belief=truth", "model=game(", "iterations=",
    "tic-tac-toe", "kuhn-poker", "game", "players", "scores", "digest", "=1+1", "[/b]", "$x$",
    "((((((((((((((((((((((((((((((", "[" * 300, "x" * 300,
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**30, -(10**30), 0.5, -1e308, 1e308, "", "0", "x",
    "person", "evil.py@Evil", "\x1b[31m", "ff", "f" * 64, [], [1], [[]], {}, {"a": 1},
)  # fmt: skip


def mutated(data: bytes, chance: Random) -> bytes:
    """The bytes after one to four small changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        data = chance.choice(CHANGES)(data, chance)
    return data


def _flip(data: bytes, chance: Random) -> bytes:
    if not data:
        return data
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]


def _replace(data: bytes, chance: Random) -> bytes:
    place = chance.randrange(len(data) + 1)
    return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]


def _insert(data: bytes, chance: Random) -> bytes:
    place = chance.randrange(len(data) + 1)
    token = chance.choice(TOKENS).encode("utf-8", "surrogatepass")
    return data[:place] + token + data[place:]


def _delete(data: bytes, chance: Random) -> bytes:
    first, last = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return data[:first] + data[min(last, first + 40) :]


def _double(data: bytes, chance: Random) -> bytes:
    first, last = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    piece = data[first : min(last, first + 400)]
    return data[:last] + piece * chance.choice((1, 1, 2, 20)) + data[last:]


def _cut(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _swap(data: bytes, chance: Random) -> bytes:
    one, two = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    size = chance.randrange(1, 20)
    return data[:one] + data[two : two + size] + data[one + size : two] + data[one : one + size]


def _number(data: bytes, chance: Random) -> bytes:
    """The bytes with one of their numbers replaced."""
    found = list(re.finditer(rb"-?\d+(\.\d+)?", data))
    if not found:
        return data
    chosen = chance.choice(found)
    return data[: chosen.start()] + chance.choice(NUMBERS).encode() + data[chosen.end() :]


CHANGES = (_flip, _replace, _insert, _delete, _double, _cut, _swap, _number, _number)


def mutated_value(value: Any, chance: Random) -> Any:
    """A JSON value in which one part is replaced, removed, doubled or changed."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        changed, name = dict(value), chance.choice(list(value))
        kind = chance.random()
        if kind < 0.1:
            del changed[name]
        elif kind < 0.15:
            changed[chance.choice(TOKENS) or "x"] = chance.choice(VALUES)
        else:
            changed[name] = mutated_value(value[name], chance)
        return changed
    if isinstance(value, list) and value and chance.random() < 0.9:
        changed, place = list(value), chance.randrange(len(value))
        kind = chance.random()
        if kind < 0.1:
            del changed[place]
        elif kind < 0.2:
            changed.insert(place, changed[place])
        else:
            changed[place] = mutated_value(value[place], chance)
        return changed
    if isinstance(value, str) and chance.random() < 0.6:
        return mutated(value.encode(), chance).decode("utf-8", "replace")
    if isinstance(value, int) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 2, 256, -256))
    return chance.choice(VALUES)
