"""Duelyst as text: the board, both players, and the cards in hand with what they do."""

from collections.abc import Iterator
from typing import Any

from plyglass.core import unpack
from plyglass.games.duelyst import board
from plyglass.games.duelyst.cells import HEIGHT, WIDTH


def text(record: Any, constants: Any, viewer: int) -> str:
    return "\n".join(_lines(record, constants, viewer))


def _lines(record: Any, constants: Any, viewer: int) -> Iterator[str]:
    yield ""


def place(cell: int) -> str:
    """The name of a cell: a column and a row, as in c3."""
    return f"{'abcdefghi'[cell % WIDTH]}{1 + cell // WIDTH}"


def action_name(action: int) -> str:
    kind, source, target = unpack(action)
    return {
        board.END: lambda: "end turn",
        board.MOVE: lambda: f"move {place(source)} {place(target)}",
        board.ATTACK: lambda: f"attack {place(source)} {place(target)}",
        board.PLAY: lambda: f"play {source + 1} {place(target)}",
        board.FOLLOW: lambda: f"choose {place(target)}",
        board.DECLINE: lambda: "choose nothing",
        board.REPLACE: lambda: f"replace {source + 1}",
        board.MULLIGAN: lambda: "keep all" if target == 0 else "exchange " + "+".join(str(1 + n) for n in range(board.HAND) if target >> n & 1),
    }[kind]()
