"""Tables on pages are what the scripts in `measurements` print from recorded data."""

import runpy
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("script", "page"), [("glass_wall", "beliefs"), ("auto_grid", "auto")], ids=str
)
def test_the_page_has_the_printed_table(script, page):
    table = runpy.run_path(str(TOP / "measurements" / f"{script}.py"))["table"]()
    assert table in (TOP / "docs" / f"{page}.md").read_text(encoding="utf-8")
