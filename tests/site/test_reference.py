"""The API reference and the list of sources are complete."""

import re
from pathlib import Path

import plyglass as pg

DOCS = Path(__file__).parents[2] / "docs"


def test_every_public_name_is_on_a_page_of_the_reference_exactly_once():
    pages = [path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md")]
    named = [
        name for page in pages for name in re.findall(r"^::: plyglass\.(\S+)$", page, re.MULTILINE)
    ]
    assert sorted(named) == sorted(pg.__all__)


def test_every_page_of_the_reference_is_in_its_index():
    index = (DOCS / "reference" / "index.md").read_text(encoding="utf-8")
    for path in (DOCS / "reference").glob("*.md"):
        assert path.name == "index.md" or f"({path.name})" in index


def test_the_sources_are_the_same_on_the_page_and_in_the_bibtex_file():
    entries = dict(re.findall(r"^@\w+\{([\w-]+),\n((?:  .*\n)+)\}", _read("references.bib"), re.M))
    _, *sections = re.split(r"^### ", _read("references.md"), flags=re.M)
    texts = {_anchor(section.partition("\n")[0]): " ".join(section.split()) for section in sections}
    assert list(entries) == list(texts)
    for key, entry in entries.items():
        authors = re.findall(r"author = \{(.*)\},", entry)
        named = [name.strip("{}") for author in authors for name in author.split(" and ")]
        for part in (*named, *re.findall(r"year = \{(\d+)\}", entry)):
            assert part in texts[key], f"{part} is not in the section of {key}"


def test_an_anchor_for_each_of_the_studied_sources():
    page = _read("references.md")
    for anchor in (
        "mckenney-2023a",
        "mckenney-2023b",
        "taucer-2018",
        "pipan-2021",
        "pandemic-thesis",
    ):
        assert anchor in map(_anchor, re.findall(r"^### (.+)$", page, re.MULTILINE))


def _read(name):
    return (DOCS / name).read_text(encoding="utf-8")


def _anchor(heading):
    return heading.lower().replace(" ", "-")
