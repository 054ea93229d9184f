"""Matches of several people: their seats, and their time for a turn.

A person names such a match as `ID.KEY`. The key is random and belongs to one seat. Only the person
in that seat knows the key, because the match keeps just the key's digest. An invitation can be
exchanged for a key only once, so the sender cannot later use the invitation to see that seat's
views.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any

from plyglass.serve.matches import HUMAN
from plyglass.serve.protocol import Refused

DOT = "."
SLACK = 2.0  # seconds that an action may be late, because requests take time to arrive
Match = dict[str, Any]


def opened(match: Match) -> tuple[Match, str, list[dict[str, Any]]]:
    """A new match with keys, the first person's handle, and invitations for the others."""
    own, people, invitations = secrets.token_urlsafe(16), [], []
    for seat, text in enumerate(match["seats"]):
        if text == HUMAN:
            code = secrets.token_urlsafe(16)
            people.append({"seat": seat, "name": "", "key": "", "invitation": _digest(code)})
            invitations.append({"seat": seat, "invitation": f"{match['id']}{DOT}{code}"})
    if not people:
        return match, "", []
    me = {"seat": match["seat"], "name": match["name"], "key": _digest(own), "invitation": ""}
    return {**match, "people": [me, *people]}, f"{match['id']}{DOT}{own}", invitations


def joined(match: Match, code: str, name: str) -> tuple[Match, int, str]:
    """The match after an invitation was used, the guest's seat, and the guest's handle."""
    for number, person in enumerate(match["people"]):
        if person["invitation"] and _fits(code, person["invitation"]):
            key = secrets.token_urlsafe(16)
            people = [*match["people"]]
            people[number] = {**person, "name": name, "key": _digest(key), "invitation": ""}
            handle = f"{match['id']}{DOT}{key}"
            return {**match, "people": people}, person["seat"], handle
    raise Refused("invitation", "There is no such invitation, or it was used.", "invitation")


def seat_of(match: Mapping[str, Any], handle: str) -> int:
    """The seat that a handle belongs to."""
    key = handle.partition(DOT)[2]
    people = match.get("people") or []
    if not people and not key:
        return int(match["seat"])
    for person in people:
        if person["key"] and _fits(key, person["key"]):
            return int(person["seat"])
    raise Refused("unknown-match", "There is no match of this name.", "match")


def timed(match: Match, mover: int, now: float) -> Match:
    """Return the match; once everybody has joined, the clock of the person to move runs in it."""
    if not match.get("clock_seconds"):
        return match
    if mover < 0 or not all(each["key"] for each in match["people"]):
        return {**match, "since": None}
    moves, alone = match["moves"], len(match["players"]) == 1
    if running := match.get("since"):
        later = moves[running[2] :]
        if running[0] == mover and not any(alone or move[0] != mover for move in later):
            return match
    return {**match, "since": [mover, now, len(moves)]}


def left_ms(match: Mapping[str, Any], seat: int, now: float) -> int | None:
    """The milliseconds left of a person's turn; None without a clock or outside this turn."""
    since = match.get("since")
    if not since or since[0] != seat:
        return None
    left: float = since[1] + match["clock_seconds"] - now
    return max(0, round(1000 * left))


def expired(match: Match, now: float) -> Match | None:
    """The match, resigned by the person whose time is over; None if there is time left."""
    since = match.get("since")
    if not since or now <= since[1] + match["clock_seconds"] + SLACK:
        return None
    return {**match, "resigned": since[0], "since": None}


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _fits(secret: str, digest: str) -> bool:
    return hmac.compare_digest(_digest(secret), digest)
