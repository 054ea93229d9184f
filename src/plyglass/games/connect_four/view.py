"""Connect Four as text."""

from typing import Any

from plyglass.games.connect_four.rules import COLUMNS, ROWS


def text(record: Any) -> str:
    lines = [
        "│" + " ".join(".XO"[record["cell"][row, column]] for column in range(COLUMNS)) + "│"
        for row in reversed(range(ROWS))
    ]
    return "\n".join(
        [
            *lines,
            "└" + "─" * (2 * COLUMNS - 1) + "┘",
            " " + " ".join(str(column + 1) for column in range(COLUMNS)),
        ]
    )
