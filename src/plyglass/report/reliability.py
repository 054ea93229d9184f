"""Reliability: do things said to happen with probability p happen at rate p? (Murphy and Winkler, 1977)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.report.style import MUTED, PALETTE, Picture, house_style, sheet
from plyglass.stats.intervals import wilson


@dataclass(frozen=True)
class Bin:
    """Predictions of about one probability, how many there were, and at which rate they came true."""

    predicted: float
    count: int
    rate: float
    low: float
    high: float


def reliability_bins(predicted: Sequence[float], outcomes: Sequence[bool], bins: int = 10) -> list[Bin]:
    """Bins of equal width from 0 to 1, those without predictions left out."""
    values, happened = np.asarray(predicted, dtype=np.float64), np.asarray(outcomes, dtype=np.bool_)
    if values.shape != happened.shape or values.ndim != 1 or not values.size:
        raise ValueError(f"Every prediction needs its outcome, but there are {values.size} predictions and {happened.size} outcomes.")
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("A probability lies between 0 and 1.")
    if bins < 1:
        raise ValueError(f"Predictions cannot be put into {bins} bins.")
    place = np.minimum((values * bins).astype(np.int64), bins - 1)
    found = []
    for each in np.unique(place):
        members = place == each
        true, count = int(happened[members].sum()), int(members.sum())
        found.append(Bin(float(values[members].mean()), count, true / count, *wilson(true, count)))
    return found


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
