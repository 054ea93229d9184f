"""The list of folders on the architecture page is the tree."""

from pathlib import Path

import plyglass

TOP = Path(plyglass.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
ONE_FOR_EACH = ("games", "experiments/studies")  # whose folders are not listed one by one


def listed():
    block = PAGE.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    return [line.split()[0].removesuffix("/") for line in block.splitlines() if line.strip()]


def folders():
    found = {str(path.parent.relative_to(TOP)) for path in TOP.rglob("*.py")} - {"."}
    found |= {parent for each in found for parent in map(str, Path(each).parents) if parent != "."}
    return {
        each for each in found if not any(each.startswith(f"{parent}/") for parent in ONE_FOR_EACH)
    }


def test_the_architecture_page_lists_every_folder_once():
    assert len(listed()) == len(set(listed()))
    assert set(listed()) == folders()


def test_the_architecture_is_one_page():
    assert len(PAGE.read_text(encoding="utf-8").split()) < 1000
