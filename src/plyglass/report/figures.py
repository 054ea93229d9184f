"""Figures of a run: ratings, cross tables, budgets, scores, seats and lengths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from plyglass.report.budgets import Series, budget_series
from plyglass.report.course import lengths, seat_table
from plyglass.report.run import Run
from plyglass.report.standings import Standing, standings
from plyglass.report.strength import ALL_GAMES, Rate, cross_rates, order_of_agents, ratings, scopes
from plyglass.report.style import (
    DIVERGING,
    INK,
    MARKERS,
    MUTED,
    PALETTE,
    WIDTH,
    Picture,
    house_style,
    interval_line,
    name_rows,
    plain,
    readable_on,
    sheet,
)  # fmt: skip
from plyglass.stats.ratings import Ratings

ROW = 0.34  # height of an agent's row, in inches
MOST_PANELS = 4  # most panels side by side
RESAMPLED = "95 % intervals from resampled deals"


def pictures(run: Run) -> list[Picture]:
    """Every figure for which the run has data."""
    with house_style():
        return _named_apart(
            [
                *_ratings(run),
                *_heat_maps(run),
                *_budgets(run),
                *_scores(run),
                *_seats(run),
                *_lengths(run),
            ]
        )


def _named_apart(found: list[Picture]) -> list[Picture]:
    """Add numbers to pictures that have the same name.

    Two pictures have the same name if their games' names differ only in characters that file names
    cannot have.
    """
    seen: Counter[str] = Counter()
    for place, picture in enumerate(found):
        seen[picture.name] += 1
        if seen[picture.name] > 1:
            found[place] = replace(picture, name=f"{picture.name}-{seen[picture.name]}")
    return found


def _ratings(run: Run) -> Iterator[Picture]:
    """Ratings as dots with intervals, one panel per game.

    Bars would be misleading, because Elo has no natural zero.
    """
    rated = [(label, found) for label, game in scopes(run) if (found := ratings(run, game))]
    order = order_of_agents(run)
    for part, start in enumerate(range(0, len(rated), MOST_PANELS)):
        shown = rated[start : start + MOST_PANELS]
        subtitle = f"Bradley-Terry ratings in Elo, mean 0; {RESAMPLED}; {_count(run)} games"
        title = f"Strength of {len(order)} agents in {_plural(len(run.contests), 'game')}"
        figure, panels = sheet(
            title,
            subtitle,
            0.85 + ROW * len(order),
            len(shown),
            max(WIDTH, 2.5 * len(shown)),
            share_y=True,
        )
        for color, axes, (label, found) in zip(_colours(shown), panels, shown, strict=False):
            _rating_panel(axes, label, found, order, color)
        caption = (
            "Dots are ratings, lines their intervals. A difference of 400 means that decisive "
            "games are won ten to one."
        )
        yield Picture(
            "ratings" if part == 0 else f"ratings-{part + 1}", title, subtitle, caption, figure
        )


def _colours(shown: list[tuple[str, Ratings]]) -> list[str]:
    """The colour of each panel: `INK` for all games together, a palette colour for each game."""
    rest = iter(PALETTE * len(shown))
    return [INK if label == ALL_GAMES else next(rest) for label, _ in shown]


def _rating_panel(axes: Axes, label: str, found: Ratings, order: list[str], color: str) -> None:
    for each in found.ratings:
        interval_line(axes, order.index(each.agent), each.low, each.elo, each.high, color)
    axes.axvline(0, color=MUTED, linewidth=0.8, linestyle=(0, (3, 3)), zorder=0)
    name_rows(axes, order)
    axes.set_title(plain(label), loc="left", fontsize=10, color=color, fontweight="bold")
    axes.set_xlabel("Elo")
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10], min_n_ticks=3))
    axes.margins(x=0.1)


def _heat_maps(run: Run) -> Iterator[Picture]:
    order = order_of_agents(run)
    for label, game in scopes(run):
        rates = cross_rates(run, game)
        if not rates:
            continue
        counts = sorted({rate.games for rate in rates.values()})
        each = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        title, subtitle = (
            f"Who beats whom: {label}",
            f"Points of the row against the column, 95 % intervals over deals; {each} games per "
            "cell",
        )
        side = 0.82 * len(order)
        figure, (axes,) = sheet(
            title, subtitle, 0.62 * len(order) + 0.9, width=max(WIDTH, side + 2.2)
        )
        _heat_map(axes, rates, order)
        caption = "Blue: the row's agent scores more than half against the column's; orange: less."
        yield Picture(f"cross-{slug(label)}", title, subtitle, caption, figure)


def _heat_map(axes: Axes, rates: dict[tuple[str, str], Rate], order: list[str]) -> None:
    values = np.array(
        [[rates[a, b].rate if (a, b) in rates else np.nan for b in order] for a in order]
    )
    image = axes.pcolormesh(values, cmap=DIVERGING, vmin=0, vmax=1, edgecolors=MUTED, linewidth=0)
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            rate, color = rates[order[row], order[column]], readable_on(DIVERGING(float(value)))
            axes.text(
                column + 0.5,
                row + 0.42,
                f"{value:.0%}",
                ha="center",
                va="center",
                color=color,
                fontsize=10.5,
                fontweight="bold",
            )
            span = f"{100 * rate.low:.0f} to {100 * rate.high:.0f}"
            axes.text(
                column + 0.5, row + 0.74, span, ha="center", va="center", color=color, fontsize=7.5
            )
    names = [plain(name) for name in order]
    places = np.arange(len(order)) + 0.5
    axes.set_xticks(
        places,
        names,
        rotation=0 if max(map(len, names)) < 10 else 30,
        ha="center" if max(map(len, names)) < 10 else "left",
    )
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel("agent")
    axes.set_title("opponent", fontsize=10, pad=6)
    assert axes.figure is not None
    bar = axes.figure.colorbar(
        image,
        ax=axes,
        fraction=0.035,
        pad=0.02,
        format=PercentFormatter(1.0),
        ticks=[0, 0.25, 0.5, 0.75, 1],
    )
    bar.outline.set_visible(False)
    bar.set_label("points per game")


def _budgets(run: Run) -> Iterator[Picture]:
    """Ratings by iterations, one figure per planner that played with several budgets."""
    for planner, series in budget_series(run).items():
        by_game = [each for each in series if each.game != ALL_GAMES]
        title = f"Strength of {planner} by its budget"
        subtitle = f"Bradley-Terry ratings in Elo, mean 0; {RESAMPLED}; {_count(run)} games"
        figure, (axes,) = sheet(title, subtitle, 3.6)
        for index, each in enumerate(by_game):
            _budget_line(axes, each, PALETTE[index % len(PALETTE)], MARKERS[index % len(MARKERS)])
        budgets = sorted({point.iterations for each in by_game for point in each.points})
        axes.set_xscale("log")
        axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
        axes.minorticks_off()
        axes.set(xlabel="iterations per decision (logarithmic)", ylabel="Elo")
        axes.grid(axis="y")
        axes.legend(loc="best")
        caption = (
            "One line per game. Ratings of different games share no scale: compare slopes, not "
            "heights."
        )
        yield Picture(f"budget-{slug(planner)}", title, subtitle, caption, figure)


def _budget_line(axes: Axes, series: Series, color: str, marker: str) -> None:
    budgets = [point.iterations for point in series.points]
    elo = [point.elo for point in series.points]
    bounded = [point for point in series.points if point.low is not None and point.high is not None]
    low, high = [point.low or 0.0 for point in bounded], [point.high or 0.0 for point in bounded]
    axes.fill_between(
        [point.iterations for point in bounded], low, high, color=color, alpha=0.16, linewidth=0
    )
    axes.plot(
        budgets,
        elo,
        color=color,
        marker=marker,
        markersize=6,
        linewidth=1.8,
        label=plain(series.game),
    )


def _scores(run: Run) -> Iterator[Picture]:
    """Mean scores of games without opponents, which have no rates or ratings."""
    for game in (
        text for index, text in enumerate(run.settings.games) if index not in run.contests
    ):
        found = [each for each in standings(run.settings, run.rows) if each.game == game]
        if found:
            yield _score_picture(game, found)


def _score_picture(game: str, found: list[Standing]) -> Picture:
    title, subtitle = (
        f"Scores in {game}",
        "Means with 95 % intervals (Student's t over deals); "
        f"{_each([each.games for each in found])} games per agent",
    )
    figure, (axes,) = sheet(title, subtitle, 0.75 + ROW * len(found))
    for place, each in enumerate(found):
        interval_line(axes, place, each.mean_low, each.mean, each.mean_high, PALETTE[0])
    name_rows(axes, [each.agent for each in found])
    axes.set_xlabel("mean score")
    return Picture(
        f"scores-{slug(game)}",
        title,
        subtitle,
        "An agent whose scores were all equal has no interval.",
        figure,
    )


def _seats(run: Run) -> Iterator[Picture]:
    rows = seat_table(run).rows
    if not rows:
        return
    title, subtitle = (
        "Advantage of the first seat",
        "Points of the first seat per match, 95 % intervals over deals; all agents sit there "
        "equally often",
    )
    figure, (axes,) = sheet(title, subtitle, 0.75 + 0.42 * len(rows))
    for place, (_, rate, low, high, _) in enumerate(rows):
        interval_line(axes, place, _number(low), _number(rate), _number(high), PALETTE[0])
    name_rows(axes, [f"{row[0]}  (n = {row[-1]})" for row in rows])
    axes.axvline(0.5, color=MUTED, linewidth=0.8, linestyle=(0, (3, 3)), zorder=0)
    widest = max(0.05, *(abs(_number(end) - 0.5) for row in rows for end in row[2:4]))
    axes.set_xlim(0.5 - 1.15 * widest, 0.5 + 1.15 * widest)
    axes.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("points of the first seat (dashed: no advantage)")
    yield Picture(
        "seats",
        title,
        subtitle,
        "An interval that does not cross the dashed line shows an advantage of a seat.",
        figure,
    )


def _lengths(run: Run) -> Iterator[Picture]:
    found = lengths(run)
    if not found:
        return
    title, subtitle = (
        "Length of matches",
        "Actions of all seats; white dot: median, thick line: middle half, width: share of matches",
    )
    figure, (axes,) = sheet(title, subtitle, 0.75 + 0.75 * len(found))
    for place, steps in enumerate(found.values()):
        _violin(axes, place, steps, PALETTE[place % len(PALETTE)])
    name_rows(axes, [f"{game}\n(n = {len(steps)})" for game, steps in found.items()])
    axes.grid(visible=False, axis="y")
    axes.grid(axis="x")
    axes.set_xlabel("actions in a match")
    axes.set_xlim(left=0)
    yield Picture("lengths", title, subtitle, "Only matches that ended.", figure)


def _violin(axes: Axes, place: int, steps: list[int], color: str) -> None:
    if len(set(steps)) > 1:  # equal values have no width to estimate
        body = axes.violinplot(
            [steps], positions=[place], orientation="horizontal", widths=0.85, showextrema=False
        )
        for shape in body["bodies"]:  # type: ignore[attr-defined]
            shape.set(facecolor=color, alpha=0.45, linewidth=0)
    low, middle, high = np.quantile(steps, (0.25, 0.5, 0.75))
    axes.plot([low, high], [place, place], color=color, linewidth=5, solid_capstyle="butt")
    axes.plot([middle], [place], marker="o", color="#fdfdfd", markeredgecolor=color, markersize=5.5)


def slug(text: str) -> str:
    """A name for files and addresses."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:80].strip("-") or "unnamed"


def _number(value: object) -> float:
    assert isinstance(value, (int, float))
    return float(value)


def _each(counts: list[int]) -> str:
    return f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _count(run: Run) -> str:
    return f"{sum(result.game in run.contests for result in run.results):,}"
