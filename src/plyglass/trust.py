"""Trust: a text that a person gives may name code, but a text in a record or store may not.

Plyglass reads records and stores within `as_data()`. There, Plyglass refuses any text that names a
module to import or a file to open. To check this, the functions that load modules and files first
call `refuse_as_data`. This module imports no other part of Plyglass, so games and loaders can both
import it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

_data: ContextVar[bool] = ContextVar("plyglass_texts_are_data", default=False)


class NamesCode(ValueError):
    """A record or a store names code or a file, which only a person may name."""


@contextlib.contextmanager
def as_data() -> Iterator[None]:
    """Treat texts within the block as data: no text can import code or open a file."""
    before = _data.set(True)
    try:
        yield
    finally:
        _data.reset(before)


def refuse_as_data(named: object) -> None:
    """Raise `NamesCode` within `as_data()`.

    Call this function before importing code or opening a file that a text names.
    """
    if _data.get():
        raise NamesCode(
            f"{str(named)!r} is not part of Plyglass. Records and stores are data, so nothing that "
            "they name is imported or opened; name the game and the players yourself."
        )
