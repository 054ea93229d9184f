"""Pages name files that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "measurements").rglob("*.md"),
    *(ROOT / "src").rglob("*.md"),
]
NAMED = re.compile(r"(?<![\w/@.])((?:[a-z_]+/)+[a-z_0-9]+\.(?:py|toml|json|csv|c|h))\b")
OWN = ("my_", "results/", "records/")  # files that a reader writes or a command makes


def missing(page):
    """Paths in code that lie neither in the repository, nor in the package, nor beside the page."""
    for path in set(NAMED.findall(page.read_text(encoding="utf-8"))):
        tops = (ROOT, ROOT / "src", ROOT / "src" / "plyglass", page.parent)
        if not path.startswith(OWN) and not any((top / path).exists() for top in tops):
            yield path


def test_every_path_on_a_page_exists():
    lost = {f"{page.relative_to(ROOT)}: {path}" for page in PAGES for path in missing(page)}
    assert lost == set()


def test_a_path_that_does_not_exist_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("See `core/game.py` and `core/nothing_of_the_kind.py`.")
    assert list(missing(page)) == ["core/nothing_of_the_kind.py"]
