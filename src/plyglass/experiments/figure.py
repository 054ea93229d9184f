"""Bars with intervals, and the document's values as marks. Needs matplotlib, which is loaded when something is drawn."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from plyglass.experiments.lines import NORMAL_95, Line
from plyglass.experiments.reproduction import Reproduction

MISSING = "No figure was drawn: it needs matplotlib, pip install 'plyglass[plot]'."


def draw(done: Reproduction, path: Path) -> bool:
    """Draw a reproduction into a file; False where matplotlib is not installed."""
    if importlib.util.find_spec("matplotlib") is None:
        return False
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 1.4 + 0.5 * len(done.lines)), layout="constrained")
    axes = figure.subplots()
    _draw_bars(axes, done.lines)
    axes.set_title(done.artifact.title, fontsize=10)
    figure.legend(loc="outside lower center", ncols=2, fontsize=8, frameon=False)
    figure.savefig(path, dpi=120, metadata={"Software": None})
    return True


def _draw_bars(axes: Any, lines: tuple[Line, ...]) -> None:
    places = range(len(lines))
    below = [line.ours - line.low if line.low is not None else 0.0 for line in lines]
    above = [line.high - line.ours if line.high is not None else 0.0 for line in lines]
    axes.barh(
        places, [line.ours for line in lines], xerr=(below, above), height=0.6, color="#7a9cc6", capsize=4, label="ours, 95 % interval"
    )
    told = [(line.document, place, NORMAL_95 * (line.error or 0.0)) for place, line in enumerate(lines) if line.document is not None]
    if told:
        values, heights, errors = zip(*told, strict=True)
        axes.errorbar(values, heights, xerr=errors, fmt="D", color="#c0392b", capsize=2, zorder=3, label="document")
    axes.set_yticks(places, [f"{line.name}\n{line.n} games" for line in lines], fontsize=8)
    axes.invert_yaxis()
