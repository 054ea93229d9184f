"""Events of TUBSTAP that a side sees between two of its views."""

from collections.abc import Iterator
from typing import Any

from plyglass.games.tubstap.units import KINDS, SIDES
from plyglass.games.tubstap.view import cell_name


def events(before: Any, after: Any, constants: Any, viewer: int, own_turn: bool) -> list[str]:
    """Return sentences about the moves and losses that the viewer sees.

    In the viewer's own turn, moves of the viewer's units are left out.
    """
    sides = (1 - viewer, viewer)
    return [
        line
        for side in sides
        for slot in range(int(constants["units"][side]))
        for line in _unit(before, after, constants, side, slot, own_turn and side == viewer)
    ]


def _unit(
    before: Any, after: Any, constants: Any, side: int, slot: int, moved_itself: bool
) -> Iterator[str]:
    kind = KINDS[int(constants["kind"][side, slot])]
    name = f"{SIDES[side]} {kind.name}"
    was, now = (int(record["cell"][side, slot]) for record in (before, after))
    health, left = (int(record["health"][side, slot]) for record in (before, after))
    place = f" at {cell_name(was)}" if was >= 0 else ""
    if health > 0 and left == 0:
        yield f"{name}{place} is destroyed"
        return
    if was != now and not moved_itself:
        yield _moved(name, was, now)
    if left < health:
        place = f" at {cell_name(now)}" if now >= 0 else ""
        yield f"{name}{place} loses {health - left}, {left} left"


def _moved(name: str, was: int, now: int) -> str:
    if now < 0:
        return f"{name} goes out of sight from {cell_name(was)}"
    return (
        f"{name} goes from {cell_name(was)} to {cell_name(now)}"
        if was >= 0
        else f"{name} comes into sight at {cell_name(now)}"
    )
