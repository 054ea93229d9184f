"""The claims (named values) in the file of a record: all are checked, and a digest reveals edits.

The digest reveals accidental changes and edits by hand. The digest is not a signature, because
anybody can compute it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from plyglass.arena.limits import MOST_NAME, refuse_odd_text, shown
from plyglass.core.game import MOST_PLAYERS

DIGEST = "digest"
MOST_MOVES = 1_000_000
MOST_SEED = 2**256
MOST_ITERATIONS = 10**8
"""The default limit on the iterations of a replay, over all decisions of a record."""
MOST_SECONDS = 3600.0
"""The default limit on the seconds of a replay."""


class EditedRecord(ValueError):
    """The digest in the file of a record is wrong, so the file was edited or damaged."""


def digest_of(claims: Mapping[str, Any]) -> str:
    """Return a digest over all claims of a record."""
    text = json.dumps(claims, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def checked_claims(values: Any, required: Mapping[str, bool]) -> tuple[dict[str, Any], bool]:
    """Return the claims in a file, and whether the file has a digest of them.

    `required` says for each claim whether a record must have it. Records from before version 0.2
    have no digest. Raises `EditedRecord` if the digest is wrong, and ValueError if a claim is
    impossible.
    """
    if not isinstance(values, dict):
        raise TypeError(f"a record is a JSON object, not {shown(values)}")
    claims = {name: value for name, value in values.items() if name != DIGEST}
    for name in claims:
        if name not in required:
            raise ValueError(f"a record has no {shown(name)}")
    for name, needed in required.items():
        if needed and name not in claims:
            raise ValueError(f"it has no {name!r}")
    if DIGEST in values and values[DIGEST] != digest_of(claims):
        raise EditedRecord("its content does not have its digest, so it was edited or damaged")
    for name, value in claims.items():
        CHECKS[name](name, value)
    _refuse_contradictions(claims)
    return claims, DIGEST in values


def _refuse_contradictions(claims: Mapping[str, Any]) -> None:
    players, moves, scores = len(claims["players"]), claims["moves"], claims["scores"]
    if scores and len(scores) != players:
        raise ValueError(f"it has {players} players, but {len(scores)} scores")
    resigned = claims.get("resigned")
    if resigned is not None and (scores or resigned >= players):
        raise ValueError(f"player {resigned + 1} of {players} resigned, with {len(scores)} scores")
    for number, move in enumerate(moves):
        if move["player"] >= players:
            raise ValueError(
                f"move {number + 1} is by player {move['player'] + 1}, but there are {players} "
                "players"
            )
    plies = claims.get("resumed", [])
    if any(not 0 <= ply <= len(moves) for ply in plies) or plies != sorted(set(plies)):
        raise ValueError(f"it was resumed at plies {shown(plies)}, but has {len(moves)} moves")


def _text(name: str, value: Any) -> None:
    refuse_odd_text(f"{name!r}", value)


def _texts(name: str, value: Any) -> None:
    _list(name, value, MOST_PLAYERS)
    if not value:
        raise ValueError(f"{name!r} is empty")
    for each in value:
        refuse_odd_text(f"{name!r}", each)
        if each.partition(":")[0] == "person" and len(each) > MOST_NAME + 1000:
            raise ValueError(f"a name in {name!r} has {len(each):,} characters")


def _list(name: str, value: Any, most: int) -> None:
    if not isinstance(value, list):
        raise TypeError(f"{name!r} must be a list, not {shown(value)}")
    if len(value) > most:
        raise ValueError(f"{name!r} has {len(value):,} entries; at most {most:,} are possible")


def _whole(name: str, value: Any, most: int = 2**31 - 1) -> None:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{name!r} must be a whole number from 0 to {most}, not {shown(value)}")


def _number(name: str, value: Any) -> None:
    if type(value) not in (int, float) or not -1e300 < value < 1e300:
        raise ValueError(f"{name!r} must be numbers, not {shown(value)}")


def _boolean(name: str, value: Any) -> None:
    if type(value) is not bool:
        raise TypeError(f"{name!r} must be true or false, not {shown(value)}")


def _digits(name: str, value: Any) -> None:
    if not isinstance(value, str) or not set(value) <= set("0123456789abcdef") or len(value) % 2:
        raise ValueError(f"{name!r} must be hexadecimal digits, not {shown(value)}")


def _all(check: Callable[..., None], most: int) -> Callable[[str, Any], None]:
    def check_all(name: str, value: Any) -> None:
        _list(name, value, most)
        for each in value:
            check(name, each)

    return check_all


def _value(name: str, value: Any) -> None:
    if value is not None:
        _number(name, value)


def _stop(name: str, value: Any) -> None:
    _list(name, value, 2)
    if len(value) != 2:
        raise ValueError(f"{name!r} must be two numbers, not {shown(value)}")
    for each in value:
        _whole(name, each, 2**63 - 1)


MOVE: dict[str, Callable[[str, Any], None]] = {
    "player": lambda name, value: _whole(name, value, MOST_PLAYERS - 1),
    "action": _whole,
    "iterations": lambda name, value: _whole(name, value, 2**63 - 1),
    "visits": _all(lambda name, value: _whole(name, value, 2**63 - 1), 1 << 15),
    "values": _all(_value, 1 << 15),
    "stop": _stop,
}


def _moves(name: str, value: Any) -> None:
    _list(name, value, MOST_MOVES)
    for number, move in enumerate(value, 1):
        if not isinstance(move, dict) or not MOVE.keys() - {"stop"} <= move.keys() <= MOVE.keys():
            raise ValueError(f"move {number} does not have the values of a move")
        for key, each in move.items():
            MOVE[key](f"{key} of move {number}", each)


def _aids(name: str, value: Any) -> None:
    _list(name, value, 2 * MOST_PLAYERS)
    for each in value:
        refuse_odd_text(f"{name!r}", each)


CHECKS: dict[str, Callable[[str, Any], None]] = {
    "game": _text,
    "players": _texts,
    "seed": lambda name, value: _whole(name, value, MOST_SEED - 1),
    "moves": _moves,
    "scores": _all(_number, MOST_PLAYERS),
    "cheated": _boolean,
    "start": _digits,
    "undone": lambda name, value: _whole(name, value, 10**9),
    "resumed": _all(_whole, MOST_MOVES),
    "rules": _digits,
    "aids": _aids,
    "resigned": lambda name, value: _whole(name, value, MOST_PLAYERS - 1),
}
