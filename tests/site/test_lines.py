"""Lines of Markdown are short enough, except tables, links and code."""

import subprocess

from tests.site.test_links import ROOT

LONGEST = 120


def prose(text):
    """The numbered lines of a page that are neither code nor of a table, and hold no link."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        code ^= line.lstrip().startswith("```")
        if not code and "|" not in line and "](" not in line:
            yield number, line


def test_lines_of_prose_have_at_most_120_columns():
    names = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "README.md" in names
    long = [
        f"{name}:{number}"
        for name in names
        for number, line in prose((ROOT / name).read_text(encoding="utf-8"))
        if len(line) > LONGEST
    ]
    assert long == []
