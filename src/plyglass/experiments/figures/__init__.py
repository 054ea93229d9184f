"""The figures of reproduced artifacts. Each file draws one kind of figure.

Figures need matplotlib, which is imported only when a figure is drawn.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.study import Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MISSING = "No figure was drawn: it needs matplotlib, pip install 'plyglass[plot]'."


def draw(done: Reproduction, path: Path) -> bool:
    """Draw a reproduced artifact into a file; return False if matplotlib is not installed."""
    if importlib.util.find_spec("matplotlib") is None:
        return False
    from plyglass.report.style import house_style

    with house_style():
        _kinds()[done.artifact.drawn](done).savefig(path, dpi=140, metadata={"Software": None})
    return True


def _kinds() -> dict[Drawing, Callable[[Reproduction], Figure]]:
    from plyglass.experiments.figures.bars import draw_bars, draw_counts, draw_times
    from plyglass.experiments.figures.curves import draw_curves
    from plyglass.experiments.figures.heat_map import draw_heat_maps
    from plyglass.experiments.figures.violin import draw_violins

    return {
        "bars": draw_bars, "heat map": draw_heat_maps, "violin": draw_violins, "times": draw_times,
        "counts": draw_counts,
        "curves": draw_curves,
    }  # fmt: skip
