"""The learning curve of a net: how well the net predicts and plays after each round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plyglass.arena.nets.loop import Round
from plyglass.report.style import MUTED, PALETTE, Picture, house_style, sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def net_curve(game: str, curve: Sequence[Round]) -> Picture:
    """A figure of held-out log-losses, and of each net's points against the last accepted agent."""
    games = curve[-1].games
    title = f"Learning a net for {game}"
    rounds = "1 round" if len(curve) == 1 else f"{len(curve)} rounds"
    subtitle = f"{games:,} games in {rounds}; 95 % intervals by deals"
    with house_style():
        figure, (losses, points) = sheet(title, subtitle, 2.6, columns=2)
        _draw_losses(losses, curve)
        _draw_points(points, curve)
    caption = (
        "Left: mean log-loss on held-out games, of the net and of a converged logistic regression "
        "on the same inputs. Right: the share of points in the gate against what played before; "
        "a filled mark is an accepted net."
    )
    return Picture("curve", title, subtitle, caption, figure)


def _draw_losses(axes: Axes, curve: Sequence[Round]) -> None:
    rounds = [point.round for point in curve]
    for values, name, color in (
        ([point.net for point in curve], "net", PALETTE[0]),
        ([point.linear for point in curve], "linear", PALETTE[1]),
    ):
        axes.plot(rounds, values, marker="o", color=color, label=name)
    axes.set(xlabel="round", ylabel="held-out log-loss", xticks=rounds)
    axes.legend()


def _draw_points(axes: Axes, curve: Sequence[Round]) -> None:
    for point in curve:
        if not math.isnan(point.points):
            axes.plot([point.round] * 2, [100 * point.low, 100 * point.high], color=PALETTE[0])
            inside = PALETTE[0] if point.accepted else "white"
            axes.plot(point.round, 100 * point.points, "o", color=PALETTE[0], mfc=inside)
    axes.axhline(50, color=MUTED, linewidth=0.8)
    axes.set(xlabel="round", ylabel="points in the gate, %", xticks=[each.round for each in curve])
