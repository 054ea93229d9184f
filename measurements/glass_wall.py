"""Print the table of docs/beliefs.md from the recorded cells of `plyglass wall`.

    plyglass wall --seconds 5 --out measurements/data/glass-wall.json
    python measurements/glass_wall.py

A cell is a planner with a belief in a game, or a game's default opponent.
"""

import json
from pathlib import Path

KEPT = Path(__file__).parent / "data" / "glass-wall.json"


def table() -> str:
    """The table as Markdown, with a row for each game."""
    cells = json.loads(KEPT.read_text(encoding="utf-8"))
    played = [cell for cell in cells if cell["swapped"]]
    games = sorted({cell["game"] for cell in played})
    rows = [_row(game, [cell for cell in played if cell["game"] == game]) for game in games]
    head = "| game | cells | decisions | of these with another world | changed |"
    return "\n".join([head, "|---|--:|--:|--:|--:|", *rows, _row("all", played)])


def _row(name, cells):
    sums = (sum(cell[each] for cell in cells) for each in ("points", "swapped", "differences"))
    return f"| {name} | {len(cells)} | " + " | ".join(f"{each:,}" for each in sums) + " |"


if __name__ == "__main__":
    print(table())
