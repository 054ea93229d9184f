"""Who may name code: a person's text may, and a text in a record or a store may not.

Texts of records and stores are read within `as_data()`. Within `as_data()`, every import and every
file that a text names is refused. Code that imports a module or opens a file because a text names
it calls `refuse_as_data` first. This module imports nothing of Plyglass, so games and loaders share
it.
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
    """Within the block, texts are data: no text imports code or opens a file."""
    before = _data.set(True)
    try:
        yield
    finally:
        _data.reset(before)


def refuse_as_data(named: object) -> None:
    """Refuse code or a file that a text within `as_data()` names."""
    if _data.get():
        raise NamesCode(
            f"{str(named)!r} is not part of Plyglass. Records and stores are data, so nothing that "
            "they name is imported or opened; name the game and the players yourself."
        )
