"""The table of lateness on the page about comparing planners shows the recorded cells."""

import runpy
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def test_the_page_has_the_table_of_the_recorded_cells():
    script = runpy.run_path(str(TOP / "measurements" / "lateness_table.py"))
    page = (TOP / "docs" / "comparing-planners.md").read_text(encoding="utf-8")
    assert script["table"]() in page
