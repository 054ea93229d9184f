"""Figures of a benchmark: the table of ratings, and speed against strength."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from plyglass.benchmark.ratings import Board, Entry, Place
from plyglass.benchmark.tables import MEANS, short
from plyglass.report.style import (
    DIVERGING,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Picture,
    house_style,
    interval_line,
    plain,
    readable_on,
    sheet,
)

ROW = 0.42  # height of an agent's row, in inches
COLUMN = 0.86  # width of a game's column, in inches
SPAN = 400.0  # Elo with the strongest colour
WHOLE_WIDTH = 2.6  # width of the overall ratings, in inches
LONGEST = 24  # the most characters of a name
LEADER = {"arrowstyle": "-", "color": MUTED, "linewidth": 0.5, "relpos": (0.0, 0.5)}


def pictures(boards: Sequence[Board], places: Sequence[Place]) -> list[Picture]:
    """The figures that the results allow."""
    with house_style():
        found = [rating_picture(each) for each in boards]
        return [*found, frontier_picture(places)] if places else found


def rating_picture(ranked: Board) -> Picture:
    """A heat map of planners by games, beside the mean over games with its interval."""
    total = sum(entry.games for entry in ranked.entries.values())
    counts = [entry.games for entry in ranked.entries.values()]
    title = f"{len(ranked.agents)} agents in {len(ranked.games)} games at {MEANS[ranked.mode]}"
    subtitle = (
        f"Elo relative to two references; {total:,} matches, {_range(counts)} a cell; 95 % "
        "intervals from resampled deals"
    )
    width = 3.2 + COLUMN * len(ranked.games) + WHOLE_WIDTH
    figure, (grid, whole) = sheet(
        title, subtitle, 1.1 + ROW * len(ranked.agents), 2, width, share_y=True
    )
    shares = grid.get_gridspec()
    assert shares is not None
    shares.set_width_ratios([COLUMN * len(ranked.games), WHOLE_WIDTH])
    _grid(grid, ranked)
    _whole(whole, ranked)
    caption = (
        "Each cell has the rating and half the width of its 95 % interval. < or > is a bound: "
        "every match was lost or won. Right: the mean over all games."
    )
    return Picture(f"ratings-{ranked.mode}", title, subtitle, caption, figure)


def _range(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low}" if low == high else f"{low} to {high}"


def _grid(axes: Axes, ranked: Board) -> None:
    for row, agent in enumerate(ranked.agents):
        for column, game in enumerate(ranked.games):
            entry = ranked.entries.get((agent, game))
            if entry is None:
                axes.text(column, row, "–", ha="center", va="center", color=MUTED)
            else:
                _cell(axes, column, row, entry)
    axes.set_xticks(
        range(len(ranked.games)), [plain(short(game)) for game in ranked.games], rotation=30
    )
    for label in axes.get_xticklabels():
        label.set_horizontalalignment("left")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(ranked.agents)), [_name(agent) for agent in ranked.agents])
    axes.set_xlim(-0.5, len(ranked.games) - 0.5)
    axes.set_ylim(len(ranked.agents) - 0.5, -0.5)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _cell(axes: Axes, column: int, row: int, entry: Entry) -> None:
    shade = DIVERGING(float(np.clip(0.5 + entry.elo / (2 * SPAN), 0, 1)))
    axes.add_patch(_box(column, row, shade))
    if entry.one_sided:
        lost = entry.high > entry.elo
        number, span = (f"< {entry.high:.0f}" if lost else f"> {entry.low:.0f}"), ""
    else:
        number, span = f"{round(entry.elo):+d}", f"± {(entry.high - entry.low) / 2:.0f}"
    color = readable_on(shade)
    lift = 0.14 if span else 0.0
    axes.text(column, row - lift, number, ha="center", va="center", color=color, fontsize=9.5)
    axes.text(column, row + 0.24, span, ha="center", va="center", color=color, fontsize=7)


def _name(agent: str) -> str:
    """Shorten a name to fit the figure. A long name keeps its end."""
    return plain(agent if len(agent) <= LONGEST else f"…{agent[1 - LONGEST :]}")


def _box(column: int, row: int, shade: tuple[float, float, float, float]) -> Rectangle:
    return Rectangle((column - 0.48, row - 0.47), 0.96, 0.94, facecolor=shade, edgecolor="none")


def _whole(axes: Axes, ranked: Board) -> None:
    for row, agent in enumerate(ranked.agents):
        entry = ranked.overall.get(agent)
        if entry is not None:
            interval_line(axes, row, entry.low, entry.elo, entry.high, INK)
    axes.axvline(0, color=MUTED, linewidth=0.8, linestyle=(0, (3, 3)), zorder=0)
    axes.tick_params(axis="y", length=0, labelleft=False)
    axes.grid(axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(f"mean of {len(ranked.whole)} games, Elo")


def frontier_picture(places: Sequence[Place]) -> Picture:
    """A figure of the mean rating by the CPU time of a decision, at equal iterations."""
    total = sum(each.entry.games for each in places)
    title = "Speed and strength at equal iterations"
    subtitle = f"{total:,} matches; 95 % intervals from resampled deals"
    figure, (axes,) = sheet(title, subtitle, 4.4)
    on = [each for each in places if not each.beaten_by]
    axes.plot(
        [each.ms for each in on],
        [each.entry.elo for each in on],
        color=PALETTE[0],
        linewidth=1.2,
        drawstyle="steps-post",
        alpha=0.7,
        zorder=1,
    )
    for each in places:
        color = PALETTE[0] if not each.beaten_by else MUTED
        axes.plot([each.ms] * 2, [each.entry.low, each.entry.high], color=color, linewidth=1.4)
        filled = color if not each.surely else "white"
        axes.plot(
            [each.ms], [each.entry.elo], "o", color=color, markerfacecolor=filled, markersize=6
        )
    _name_points(axes, places)
    axes.set_xscale("log")
    ticks = [tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if _within(tick, places)]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlim(min(each.ms for each in places) / 1.3, max(each.ms for each in places) * 1.9)
    axes.set(xlabel="CPU milliseconds a decision (logarithmic)", ylabel="mean rating, Elo")
    axes.grid(axis="y")
    caption = (
        "The line joins the agents that no faster agent beats. Hollow dots are surely beaten by a "
        "faster agent; grey filled dots only perhaps."
    )
    return Picture("frontier", title, subtitle, caption, figure)


def _within(tick: float, places: Sequence[Place]) -> bool:
    return min(each.ms for each in places) / 1.3 <= tick <= max(each.ms for each in places) * 1.9


def _name_points(axes: Axes, places: Sequence[Place]) -> None:
    """Write the names of points in a column on the right, or beside a point far to the left."""
    low, high = (extreme(each.entry.elo for each in places) for extreme in (min, max))
    gap, right = 0.062 * max(1.0, high - low), max(each.ms for each in places) * 1.25
    before = -np.inf
    for each in sorted(places, key=lambda place: place.entry.elo):
        alone = all(other is each or other.ms > 3 * each.ms for other in places)
        height = each.entry.elo if alone else max(each.entry.elo, before + gap)
        before = before if alone else height
        axes.annotate(
            _name(each.agent),
            (each.ms, each.entry.elo),
            xytext=(each.ms * 1.06 if alone else right, height),
            fontsize=8.5,
            va="center",
            color=INK,
            path_effects=[withStroke(linewidth=3, foreground=PAPER)],
            arrowprops=None if alone else LEADER,
        )
