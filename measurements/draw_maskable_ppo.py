"""Draw the learning curves of MaskablePPO that `train_maskable_ppo.py` recorded.

    python measurements/draw_maskable_ppo.py

writes docs/images/maskable-ppo.png and measurements/data/maskable-ppo.csv.
"""

from __future__ import annotations

import json
from pathlib import Path

from matplotlib.ticker import PercentFormatter

from plyglass.report.style import MUTED, PALETTE, Picture, house_style, sheet
from plyglass.report.tables import Table
from plyglass.stats.intervals import wilson

HERE = Path(__file__).parent
CURVES = {
    "Connect Four": "maskable_ppo_connect_four.json",
    "Duel": "maskable_ppo_duel.json",
}


def main() -> None:
    """Write the figure and the numbers."""
    curves = {game: json.loads((HERE / file).read_text()) for game, file in CURVES.items()}
    rows = [
        (game, each["steps"], each["minutes"], each["wins"] / each["games"],
         *wilson(each["wins"], each["games"]), each["games"])
        for game, points in curves.items() for each in points
    ]  # fmt: skip
    columns = ("game", "steps", "cpu_minutes", "wins", "low", "high", "games")
    table = Table("maskable-ppo", "MaskablePPO against random play", columns, tuple(rows))
    (HERE / "data" / "maskable-ppo.csv").write_text(table.csv(), encoding="utf-8")
    with house_style():
        title = "MaskablePPO learns against random play"
        subtitle = "Share of 400 games won after each stage of training; bands: 95 % (Wilson)"
        figure, (axes,) = sheet(title, subtitle, 3.4)
        for color, (game, points) in zip(PALETTE, curves.items(), strict=False):
            minutes = [each["minutes"] for each in points]
            low, high = zip(*(wilson(each["wins"], each["games"]) for each in points), strict=True)
            axes.fill_between(minutes, low, high, color=color, alpha=0.18, linewidth=0)
            rates = [each["wins"] / each["games"] for each in points]
            axes.plot(minutes, rates, color=color, linewidth=1.8, marker="o", markersize=3)
            axes.annotate(game, (minutes[-1], rates[-1]), xytext=(6, 0), color=color,
                          textcoords="offset points", va="center")  # fmt: skip
        axes.axhline(0.9, color=MUTED, linewidth=0.8, linestyle=(0, (3, 3)))
        axes.set(xlabel="CPU minutes of training", ylabel="games won", ylim=(0.25, 1.02))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.margins(x=0.12)
        axes.grid(axis="y")
        picture = Picture("maskable-ppo", title, subtitle, "", figure)
        image = HERE.parent / "docs" / "images" / "maskable-ppo.png"
        picture.figure.savefig(image, format="png", dpi=140, metadata={"Software": None})


if __name__ == "__main__":
    main()
