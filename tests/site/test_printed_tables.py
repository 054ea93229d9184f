"""Tables on pages are what the scripts in `measurements` print from recorded data."""

import runpy
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def script(name):
    return runpy.run_path(str(TOP / "measurements" / f"{name}.py"))


def page(name):
    return (TOP / "docs" / f"{name}.md").read_text(encoding="utf-8")


def test_the_page_about_beliefs_has_the_counts_of_the_glass_wall():
    assert script("glass_wall")["table"]() in page("beliefs")


def test_the_page_about_auto_has_the_tables_of_the_grid():
    for table in script("auto_grid")["tables"]():
        assert table in page("auto")
