"""Connect Four as text and as a scene."""

from typing import Any

from plyglass.core.scene import Disc, Label, Path, Role, Scene, Shape, named, spots
from plyglass.games.connect_four.rules import COLUMNS, ROWS
from plyglass.games.pieces import SIGNS, signed_disc, state_line, table


def text(record: Any) -> str:
    lines = [
        "│"
        + " ".join(("." + SIGNS)[record["cell"][row, column]] for column in range(COLUMNS))
        + "│"
        for row in reversed(range(ROWS))
    ]
    return "\n".join(
        [
            *lines,
            "└" + "─" * (2 * COLUMNS - 1) + "┘",
            " " + " ".join(str(column + 1) for column in range(COLUMNS)),
        ]
    )


def scene(record: Any, connect: int, viewer: int) -> Scene:
    """Return the board with its holes and discs; a click on any cell chooses its column."""
    holes = [
        shape
        for row in range(ROWS)
        for column in range(COLUMNS)
        for shape in _hole(record, row, column, viewer)
    ]
    numbers = [
        Label(column + 0.5, ROWS + 0.3, str(column + 1), 0.3, role="muted", key=column_key(column))
        for column in range(COLUMNS)
    ]
    shapes = (
        table(COLUMNS, ROWS, "water"),
        *spots(COLUMNS, ROWS, lambda x, _: column_key(x)),
        *holes,
        *_line(record, connect),
        *numbers,
    )
    state = state_line(int(record["winner"]), int(record["player"]), SIGNS)
    return Scene(COLUMNS, ROWS, shapes, "Connect Four", (state,), "water")


def column_key(column: int) -> str:
    return f"column {column + 1}"


def _hole(record: Any, row: int, column: int, viewer: int) -> list[Shape]:
    """Return an empty hole, or a disc with the mark of its player."""
    x, y, player = column + 0.5, ROWS - 0.5 - row, int(record["cell"][row, column]) - 1
    if player < 0:
        return [Disc(x, y, 0.4, role="grid", key=column_key(column))]
    role: Role = "own" if player == viewer else "enemy"
    disc = signed_disc(player, x, y, 0.42, role)
    return named(disc, column_key(column), f"disc {row + 1} in {column_key(column)}")


def _line(record: Any, connect: int) -> list[Shape]:
    """Return a line through the discs that have won."""
    cells, winner = record["cell"], int(record["winner"])
    if winner not in (1, 2):
        return []
    for row in range(ROWS):
        for column in range(COLUMNS):
            for up, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last, side = row + (connect - 1) * up, column + (connect - 1) * across
                inside = last < ROWS and 0 <= side < COLUMNS
                run = [(row + up * step, column + across * step) for step in range(connect)]
                if inside and all(cells[place] == winner for place in run):
                    ends = (column + 0.5, ROWS - 0.5 - row), (side + 0.5, ROWS - 0.5 - last)
                    return [Path(ends, width=0.1, role="goal", tip="this line wins")]
    return []
