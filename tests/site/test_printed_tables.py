"""The table of the glass wall on the page about beliefs shows the recorded cells."""

import runpy
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def test_the_page_has_the_counts_of_the_recorded_cells():
    script = runpy.run_path(str(TOP / "measurements" / "glass_wall.py"))
    assert script["table"]() in (TOP / "docs" / "beliefs.md").read_text(encoding="utf-8")
