"""Do the fields of all positions and views stay within the ranges that the game declares?"""

from __future__ import annotations

from collections.abc import Iterator

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import positions
from plyglass.core.game import Game
from plyglass.core.ranges import outside


def ranges(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Compare the fields of every position, view and imagined world with their ranges."""
    for probe in positions(game, games, seed):
        rows = [probe.row]
        for viewer in range(game.players if game.hides else 0):
            view = probe.hidden(viewer)
            rows += [view, probe.imagined(view, viewer)]
        for row in rows:
            for name, value, (low, high) in outside(game, row):
                yield probe.finding(
                    "limits",
                    f"the field {name!r} is {value}, outside of its range, {low} to {high}",
                    "declare the true range in `limits`, including what hide writes; a position "
                    "from outside is refused if a field is out of its range",
                )
