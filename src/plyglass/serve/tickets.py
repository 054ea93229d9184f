"""Tickets: encrypted matches that clients carry, so any replica can continue them.

A ticket is compressed JSON, padded and sealed by Fernet (AES-128 and HMAC-SHA-256). A client can
neither read nor change a ticket. If a game hides something, all tickets of the game have the same
length, so the length tells nothing about unseen actions.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import zlib
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from plyglass.core.game import Game
from plyglass.serve.protocol import Refused

VERSION = 1
DAYS = 7  # how long a ticket is accepted
BLOCK = 4096  # a ticket is padded to a multiple of this
MOST = 16 * BLOCK  # the largest ticket of a game with hidden information
HEAD, MOVE = 1024, 24  # the most bytes for the players, and for each move, after compression
MOST_INFLATED = 1 << 22


def room_for(game: Game) -> int:
    """The size of all tickets of a game with hidden information, in bytes; 0 for other games."""
    if not game.hides:
        return 0
    return min(MOST, -(-(HEAD + MOVE * game.most_steps) // BLOCK) * BLOCK)


class Seal:
    """The keys of a server: the first key seals tickets, and every key opens them."""

    def __init__(self, keys: list[str]) -> None:
        if not keys:
            raise ValueError("A server needs at least one key to seal tickets.")
        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys])
        except (ValueError, binascii.Error):
            raise ValueError(
                "A line of the key file is not a Fernet key; delete the file to get a new key."
            ) from None

    @staticmethod
    def of_file(path: Path | None) -> Seal:
        """The keys in a file, one per line, newest first; a new file gets a new key.

        Without a file, tickets are valid only until the server stops.
        """
        if path is None:
            return Seal([Fernet.generate_key().decode()])
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(Fernet.generate_key().decode() + "\n")
        except FileExistsError:
            pass
        return Seal(path.read_text(encoding="ascii").split())

    def ticket(self, match: dict[str, Any], room: int) -> str:
        """A match as a ticket, padded to `room` bytes, or to the next block if `room` is 0."""
        packed = zlib.compress(json.dumps({"version": VERSION, **match}).encode(), 9)
        size = 4 + len(packed)
        if room and size > room:
            raise Refused(
                "too-long", "The match is too long for a ticket; play it on a server with --store."
            )
        padding = bytes((room or -(-size // BLOCK) * BLOCK) - size)
        return self._fernet.encrypt(len(packed).to_bytes(4, "big") + packed + padding).decode()

    def open(self, ticket: str) -> dict[str, Any]:
        """The match in a ticket; refuses a ticket that was not sealed with one of these keys."""
        try:
            _refuse_loose_form(ticket)
            opened = self._fernet.decrypt(ticket.encode("ascii"), ttl=DAYS * 24 * 3600)
        except (InvalidToken, ValueError):
            raise Refused(
                "ticket",
                f"This is no ticket of this server, or it is older than {DAYS} days.",
                "ticket",
            ) from None
        size = int.from_bytes(opened[:4], "big")
        match: dict[str, Any] = json.loads(
            zlib.decompressobj().decompress(opened[4 : 4 + size], MOST_INFLATED)
        )
        if match.pop("version") != VERSION:
            raise Refused(
                "ticket", "The ticket is of another version of the server; start anew.", "ticket"
            )
        return match


def _refuse_loose_form(ticket: str) -> None:
    """Refuse a text that decodes to a ticket but is not exactly the ticket's text."""
    data = base64.b64decode(ticket.encode("ascii"), altchars=b"-_", validate=True)
    if base64.urlsafe_b64encode(data).decode() != ticket:
        raise ValueError
