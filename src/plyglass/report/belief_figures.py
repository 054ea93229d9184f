"""Figures that show how reliable beliefs are, and how well beliefs locate hidden things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from plyglass.report.style import MARKERS, MUTED, PALETTE, Picture, house_style, plain, sheet
from plyglass.report.whereabouts import OLDEST, Whereabouts
from plyglass.stats.reliability import reliability_bins

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARES = (0.01, 0.03, 0.1, 0.3, 1.0)
RARE = 30  # a point needs at least this many things or predictions to be drawn


def reliability_picture(
    predicted: Sequence[float],
    outcomes: Sequence[bool],
    title: str,
    name: str = "reliability",
    bins: int = 10,
) -> Picture:
    """A figure of observed rates by predicted probability, in bins with intervals and sizes."""
    found = reliability_bins(predicted, outcomes, bins)
    subtitle = (
        f"{len(predicted):,} predictions in {len(found)} bins; 95 % Wilson intervals; bars: share "
        "of each bin"
    )
    with house_style():
        figure, (axes,) = sheet(title, subtitle, 4.4, width=5.6)
        _draw_diagonal(axes)
        share = [each.count / len(predicted) for each in found]
        axes.bar(
            [each.predicted for each in found],
            share,
            width=0.6 / bins,
            color=MUTED,
            alpha=0.3,
            linewidth=0,
        )
        for each in found:
            axes.plot(
                [each.predicted] * 2,
                [each.low, each.high],
                color=PALETTE[0],
                linewidth=2.2,
                alpha=0.55,
                solid_capstyle="butt",
            )
        axes.plot(
            [each.predicted for each in found],
            [each.rate for each in found],
            color=PALETTE[0],
            marker="o",
            markersize=6,
            linewidth=1.4,
        )
        caption = (
            "On the dashed line, predictions come true at the predicted rate; above it, more often."
        )
        return Picture(name, title, subtitle, caption, figure)


def whereabouts_picture(
    found: Mapping[str, Whereabouts], title: str, subtitle: str, name: str
) -> Picture:
    """A figure with two panels that compare beliefs.

    One panel shows the probability that beliefs give to the true place, by turns since the thing
    was seen. The other panel shows the reliability of beliefs.
    """
    with house_style():
        figure, (ages, rates) = sheet(title, subtitle, 3.6, columns=2, width=9.6)
        _draw_diagonal(rates)
        for number, (belief, each) in enumerate(found.items()):
            _draw_belief(
                ages,
                rates,
                each,
                plain(belief),
                PALETTE[number % len(PALETTE)],
                MARKERS[number % len(MARKERS)],
            )
        ages.set(
            xlabel=f"turns since it was seen ({OLDEST} or more at the right)",
            ylabel="mean probability of the true place",
            yscale="log",
            ylim=(0.009, 1.2),
        )
        ages.set_yticks(SHARES, [f"{share:.0%}" for share in SHARES])
        ages.yaxis.minorticks_off()
        ages.locator_params(axis="x", integer=True)
        ages.grid(axis="y")
        ages.legend(fontsize=9)
        caption = (
            "Left: higher is better. Right: on the dashed line, predictions come true at the "
            "predicted rate."
        )
        return Picture(name, title, subtitle, caption, figure)


def _draw_diagonal(axes: Axes) -> None:
    """Draw the dashed line on which predictions come true at the predicted rate."""
    axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
    limits = (-0.02, 1.02)
    axes.set(
        xlabel="predicted probability",
        ylabel="observed rate",
        xlim=limits,
        ylim=limits,
        aspect="equal",
    )


def _draw_belief(
    ages: Axes, rates: Axes, found: Whereabouts, label: str, color: str, marker: str
) -> None:
    means = {
        age: (mean, error) for age, (mean, error, count) in found.by_age().items() if count >= RARE
    }
    low, high = ([mean + sign * 1.96 * error for mean, error in means.values()] for sign in (-1, 1))
    ages.fill_between(
        [*means],
        [max(value, 1e-4) for value in low],
        [min(value, 1.0) for value in high],
        color=color,
        alpha=0.15,
        linewidth=0,
    )
    ages.plot(
        [*means],
        [mean for mean, _ in means.values()],
        color=color,
        marker=marker,
        markersize=5,
        linewidth=1.4,
        label=label,
    )
    bins = [each for each in found.bins() if each.count >= RARE]
    rates.plot(
        [each.predicted for each in bins],
        [each.rate for each in bins],
        color=color,
        marker=marker,
        markersize=5,
        linewidth=1.4,
    )
