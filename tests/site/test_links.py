"""Links lead somewhere: between Markdown files of the repository, and between pages of the site.

No test uses the network. Links to other places are not followed, and no page of the built site may
load anything from there.
"""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
MARKDOWN = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/README.md")})
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[ ]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^()<>\s]+)>?\s*\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
LOADING = ("script", "img", "iframe", "link", "source", "video")
SHOWING = ("canonical", "next", "prev")  # a link of these kinds is not loaded


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_of_markdown_lead_to_files_and_headings(path):
    links = LINK.findall(CODE.sub("", _text_of(path)))
    assert not [link for link in links if not _leads_somewhere(path, link)]


def test_the_site_builds_and_its_links_lead_to_pages_and_anchors(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    pages = {path: Page(path) for path in tmp_path.rglob("*.html")}
    assert len(pages) > 40
    links = [(page, link) for page in pages.values() for link in page.links]
    assert not [
        f"{page.path}: {link}" for page, link in links if _is_dead(link, page, pages, tmp_path)
    ]
    loads = [(page, link) for page in pages.values() for link in page.loads]
    assert not [f"{page.path}: {link}" for page, link in loads if urlsplit(link).netloc]


class Page(HTMLParser):
    """What a page of the site links to, what it loads, and the anchors that it has."""

    def __init__(self, path):
        super().__init__()
        self.path, self.links, self.loads, self.anchors = path, set(), set(), {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values.get("id"), values.get("name") if tag == "a" else None}
        if tag in ("a", *LOADING):
            found = {link for link in (values.get("href"), values.get("src")) if link}
            self.links |= found
            self.loads |= found if tag in LOADING and values.get("rel") not in SHOWING else set()


def _is_dead(link, page, pages, site):
    place = urlsplit(link)
    if place.scheme or place.netloc:
        return False
    if page.path == site / "404.html":
        target = site / place.path.lstrip("/")
    else:
        target = (page.path.parent / unquote(place.path)).resolve() if place.path else page.path
    target = target / "index.html" if target.is_dir() else target
    return not target.is_file() or (
        target in pages and unquote(place.fragment) not in pages[target].anchors
    )


def _text_of(path):
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def _leads_somewhere(path, target):
    place, _, anchor = target.partition("#")
    if re.match(r"[a-z]+:", place):
        return True
    file = (path.parent / unquote(place)).resolve() if place else path
    return file.exists() and (not anchor or file.suffix != ".md" or anchor in _anchors(file))


def _anchors(path):
    """The anchors of a Markdown file, as GitHub makes them of its headings."""
    found = []
    for heading in HEADING.findall(_text_of(path)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        found.append(slug if slug not in found else f"{slug}-{found.count(slug)}")
    return found
