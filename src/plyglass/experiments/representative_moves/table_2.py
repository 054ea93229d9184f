"""`representative-moves/table-2`: leaves of a search with representative moves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plyglass.experiments.lines import Line
from plyglass.experiments.representative_moves.counting import counted


def run(scale: float, runner: str, workers: int, folder: Path) -> Sequence[Line]:
    """Exact counts, at any scale."""
    del scale, runner, workers, folder
    return counted(representative=True, depths=(3, 4, 5))
