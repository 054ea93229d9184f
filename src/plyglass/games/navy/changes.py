"""Events in one step of Navy Defense, as the captain sees them."""

from collections.abc import Iterator
from typing import Any

from plyglass.games.navy.state import NOWHERE
from plyglass.games.navy.view import cargo_name


def events(before: Any, after: Any, constants: Any) -> list[str]:
    """Return sentences about attacks, hits and losses in the last step."""
    struck = [int(cell) for cell in after["attacked"] if int(cell) != NOWHERE]
    return [
        *(f"a submarine attacks row {cell // 16 + 1}, column {cell % 16 + 1}" for cell in struck),
        *_harm(before, after, constants),
    ]


def _harm(before: Any, after: Any, constants: Any) -> Iterator[str]:
    for ship in range(int(constants["cargo"])):
        was, now = (int(record["cargo_health"][ship]) for record in (before, after))
        if now < was:
            yield f"cargo ship {cargo_name(ship)} is {_state(now)}"
    if after["navy_health"] < before["navy_health"]:
        yield f"the Navy ship is {_state(int(after['navy_health']))}"
    sunk = int(after["sunk"]) - int(before["sunk"])
    if sunk > 0:
        yield "you sink a submarine" if sunk == 1 else f"you sink {sunk} submarines"


def _state(health: int) -> str:
    return "hit" if health > 0 else "lost"
