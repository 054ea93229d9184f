"""Every action of Duelyst that can ever be legal."""

from plyglass.core import pack
from plyglass.games.duelyst.engine.board import CELLS
from plyglass.games.duelyst.state import (
    ATTACK,
    DECLINE,
    END,
    FOLLOW,
    HAND,
    MOVE,
    MULLIGAN,
    PLAY,
    REPLACE,
)


def vocabulary(opening: int, marks: int) -> list[int]:
    """Return all actions, sorted; a first hand has `opening` cards, an exchange at most `marks`.

    A unit moves to or attacks any cell but its own. Any card may be played on any cell.
    """
    cells, slots = range(CELLS), range(HAND)
    units = [
        pack(kind, here, there)
        for kind in (MOVE, ATTACK)
        for here in cells
        for there in cells
        if here != there
    ]
    plays = [pack(PLAY, slot, cell) for slot in slots for cell in cells]
    follows = [pack(FOLLOW, 0, cell) for cell in cells]
    exchanged = [
        pack(MULLIGAN, 0, cards) for cards in range(1 << opening) if cards.bit_count() <= marks
    ]
    replaced = [pack(REPLACE, slot, 0) for slot in slots]
    others = [pack(END, 0, 0), pack(DECLINE, 0, 0)]
    return sorted([*units, *plays, *follows, *exchanged, *replaced, *others])
