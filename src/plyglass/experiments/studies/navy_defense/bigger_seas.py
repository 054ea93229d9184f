"""Draw the figure of `navy-defense/bigger-seas` from its recorded result.

Run `python -m plyglass.experiments.studies.navy_defense.bigger_seas figure.png`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plyglass.experiments.recorded import recorded
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.study import artifact_named

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AGENTS = ("30 particles", "300 particles")
BASE = "Static"
APART = 0.2  # horizontal distance between the agents of one sea
Point = tuple[float, float, float]


def seas(done: Reproduction) -> list[str]:
    """Return the seas by name, from small to large."""
    return list(dict.fromkeys(result.name.partition(",")[0] for result in done.results))


def relative_cost(done: Reproduction, sea: str, agent: str) -> Point:
    """Return an agent's mean cost divided by the mean cost of the agent Static, with an interval.

    The interval comes from the differences by deal. Static's mean cost is treated as exact.
    """
    (found,) = (
        each
        for each in done.findings
        if each.pair == (f"{sea}, {agent}: cost", f"{sea}, {BASE}: cost")
    )
    base = _means(done)[f"{sea}, {BASE}: cost"]
    low, high = (found.estimate if each is None else each for each in (found.low, found.high))
    return 1 + found.estimate / base, 1 + low / base, 1 + high / base


def milliseconds(done: Reproduction, sea: str, agent: str) -> Point:
    """Return the CPU time per decision with its interval.

    The time is the mean time of a match divided by the mean number of decisions.
    """
    (result,) = (each for each in done.results if each.name == f"{sea}, {agent}: seconds")
    low, high = (result.ours if each is None else each for each in (result.low, result.high))
    scale = 1000 / _means(done)[f"{sea}, {agent}: decisions"]
    return scale * result.ours, scale * low, scale * high


def _means(done: Reproduction) -> dict[str, float]:
    return {result.name: result.ours for result in done.results}


def figure(done: Reproduction) -> Figure:
    """Draw the cost relative to Static on the left, and the time per decision on the right."""
    from matplotlib.ticker import LogLocator

    from plyglass.report.style import MUTED, sheet

    games = f"{done.results[0].n} start positions per sea; 95 % intervals over start positions"
    drawn, (cost, time) = sheet("Hindsight on bigger seas", games, 3.0, 2, 9.0)
    names = seas(done)
    for place, agent in enumerate(AGENTS):
        _points(
            cost,
            place,
            agent,
            [tuple(100 * each for each in relative_cost(done, sea, agent)) for sea in names],
        )
        _points(time, place, agent, [milliseconds(done, sea, agent) for sea in names])
    cost.axhline(100, color=MUTED, linewidth=1, linestyle="dashed")
    cost.annotate(
        "Static",
        (len(names) - 0.5, 100),
        (0, 4),
        textcoords="offset points",
        ha="right",
        fontsize=9,
        color=MUTED,
    )
    cost.set(ylabel="cost, in % of Static's", ylim=(0, None))
    time.set(ylabel="CPU milliseconds per decision", yscale="log")
    time.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    time.yaxis.set_major_formatter("{x:g}")
    for axes in (cost, time):
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_xticks(range(len(names)), names)
        axes.grid(axis="y")
    drawn.legend(*cost.get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=9)
    return drawn


def _points(axes: Axes, place: int, agent: str, points: Sequence[tuple[float, ...]]) -> None:
    from plyglass.report.style import MARKERS, PALETTE

    at = [sea + APART * (place - 0.5) for sea in range(len(points))]
    spread = [
        [value - low for value, low, _ in points],
        [high - value for value, _, high in points],
    ]
    axes.errorbar(
        at,
        [value for value, _, _ in points],
        yerr=spread,
        fmt=MARKERS[place],
        color=PALETTE[place],
        capsize=3,
        label=f"Hindsight, {agent}",
    )


def main(path: Path) -> None:
    """Draw the recorded result into a file."""
    from plyglass.report.style import house_style

    with house_style():
        figure(recorded(artifact_named("navy-defense/bigger-seas"))).savefig(
            path, dpi=140, metadata={"Software": None}
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
