"""The events between two of a player's views in Duelyst, without hidden cards."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.view import Position, place


def events(before: Any, after: Any, constants: Any, viewer: int) -> list[str]:
    """Return sentences about cards played or drawn, and about units that came, went or changed."""
    was, now = (_units(record, constants) for record in (before, after))
    return [
        *_played(before, after, 1 - viewer),
        *_own_draws(before, after, viewer),
        *_draws(before, after, 1 - viewer),
        *_changes(was, now),
        *_turn(before, after),
    ]


def _turn(before: Any, after: Any) -> Iterator[str]:
    if after["turn"] != before["turn"] and not after["result"]:
        yield f"turn {int(after['turn']) + 1} of player {int(after['player']) + 1} begins"


def _units(record: Any, constants: Any) -> dict[int, tuple[str, int, int]]:
    """Return units by cell, each with name, owner, attack and health."""
    position = Position(record, constants)
    return {
        cell: (
            f"{cards()[int(record['card'][unit])].name} of player {int(record['owner'][unit]) + 1}",
            position.attack(unit),
            position.health(unit),
        )
        for cell, unit in enumerate(map(int, record["at"]))
        if unit
    }


def _played(before: Any, after: Any, player: int) -> Iterator[str]:
    """Yield a sentence about each card that a player played."""
    shown = Counter(after["shown"][player].tolist())
    shown.subtract(before["shown"][player].tolist())
    for card, count in shown.items():
        if card and count > 0:
            yield f"player {player + 1} plays {cards()[card].name}"


def _own_draws(before: Any, after: Any, viewer: int) -> Iterator[str]:
    drawn = Counter(after["hand"][viewer].tolist())
    drawn.subtract(before["hand"][viewer].tolist())
    names = [cards()[card].name for card in (+drawn).elements() if card > 0]
    if names:
        yield f"you draw {', '.join(names)}"


def _draws(before: Any, after: Any, player: int) -> Iterator[str]:
    """Yield how many cards a player drew, and whether they replaced a card, but not which cards."""
    held = [np.count_nonzero(record["hand"][player]) for record in (before, after)]
    if held[1] > held[0]:
        yield f"player {player + 1} draws {held[1] - held[0]}, {held[1]} in hand"
    if after["replaced"][player] > before["replaced"][player]:
        yield f"player {player + 1} replaces a card"


def _changes(
    was: dict[int, tuple[str, int, int]], now: dict[int, tuple[str, int, int]]
) -> Iterator[str]:
    """Yield sentences about units that moved, came, went or changed."""
    gone = {cell: unit for cell, unit in was.items() if _name(now, cell) != unit[0]}
    new = {cell: unit for cell, unit in now.items() if _name(was, cell) != unit[0]}
    for cell, unit in new.items():
        origin = next((other for other, each in gone.items() if each[0] == unit[0]), None)
        if origin is None:
            yield f"{unit[0]} comes to {place(cell)}, {unit[1]}/{unit[2]}"
            continue
        yield f"{unit[0]} moves from {place(origin)} to {place(cell)}"
        yield from _harm(gone.pop(origin), unit, cell)
    for cell, unit in gone.items():
        yield f"{unit[0]} at {place(cell)} is gone"
    for cell, unit in now.items():
        if cell not in new:
            yield from _harm(was[cell], unit, cell)


def _name(units: dict[int, tuple[str, int, int]], cell: int) -> str:
    return units[cell][0] if cell in units else ""


def _harm(was: tuple[str, int, int], now: tuple[str, int, int], cell: int) -> Iterator[str]:
    if was[1:] != now[1:]:
        yield f"{now[0]} at {place(cell)}: {was[1]}/{was[2]} becomes {now[1]}/{now[2]}"
