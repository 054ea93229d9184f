"""Start positions as text: a function that makes positions, or a ply of a recorded match.

`file.py@function` and `package.module:function` name a function of (game, seed) that returns a
World. `record.json@12` is the position in a record before move 13. Both matches of a pair have the
same seed, and so the same start position.
"""

from __future__ import annotations

import functools
from pathlib import Path

from plyglass.arena.match.match import Start
from plyglass.arena.match.record import Record, position, refuse_other_ply
from plyglass.arena.references import function_from
from plyglass.core.game import Game
from plyglass.core.world import World
from plyglass.trust import refuse_as_data


@functools.lru_cache(maxsize=8)
def start_from(text: str) -> Start | None:
    """Return the function that a text names, or None for an empty text, which means a new game."""
    if not text:
        return None
    file, _, ply = text.rpartition("@")
    return _ply_of_record(Path(file), int(ply)) if file and ply.isdecimal() else function_from(text)


def _ply_of_record(path: Path, ply: int) -> Start:
    refuse_as_data(path)
    if not path.is_file():
        raise ValueError(
            f"There is no record {path}. `plyglass play --save` and `Record.save` write records."
        )
    record = Record.load(path)
    refuse_other_ply(record, ply)
    found: dict[Game, World] = {}

    def start(game: Game, seed: int) -> World:
        if game not in found:
            found[game] = position(record, ply, game)
        return found[game]

    return start
