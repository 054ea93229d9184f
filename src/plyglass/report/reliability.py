"""Reliability as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from plyglass.report.style import MUTED, PALETTE, Picture, house_style, sheet
from plyglass.stats.reliability import reliability_bins


def reliability_picture(
    predicted: Sequence[float], outcomes: Sequence[bool], title: str, name: str = "reliability", bins: int = 10
) -> Picture:
    """Rates over predicted probabilities with Wilson intervals; the number of predictions in each bin below."""
    found = reliability_bins(predicted, outcomes, bins)
    subtitle = f"{len(predicted):,} predictions in {len(found)} bins; 95 % Wilson intervals; bars: share of each bin"
    with house_style():
        figure, (axes,) = sheet(title, subtitle, 4.4, width=5.6)
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
        share = [each.count / len(predicted) for each in found]
        axes.bar([each.predicted for each in found], share, width=0.6 / bins, color=MUTED, alpha=0.3, linewidth=0)
        for each in found:
            axes.plot([each.predicted] * 2, [each.low, each.high], color=PALETTE[0], linewidth=2.2, alpha=0.55, solid_capstyle="butt")
        axes.plot(
            [each.predicted for each in found], [each.rate for each in found], color=PALETTE[0], marker="o", markersize=6, linewidth=1.4
        )
        axes.set(xlabel="predicted probability", ylabel="observed rate", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
        caption = "On the dashed line, what is said to happen with a probability happens at that rate; above it, more often."
        return Picture(name, title, subtitle, caption, figure)
