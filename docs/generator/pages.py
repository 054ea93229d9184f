"""Pages of the site that come from elsewhere in the repository, and the links between pages.

The rules of a game and the numbers of a study lie beside their code. Here each README becomes a
page of the site, and so do CONTRIBUTING, SECURITY and CHANGELOG. A link to a file that has no page
becomes the name of that file, because there is no address to link to.
"""

from __future__ import annotations

import ast
import functools
import posixpath
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
PROJECT = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changes.md",
}
FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]+)\)")
NAMED_BLOCK = re.compile(r"^<!-- file: (?P<file>\S+) -->\n```(?P<language>\w+)$", re.MULTILINE)
PATH = re.compile(r"(?<!\[)`(?P<path>[\w./-]+\.md)`(?!\])")
GAMES = "<!-- games -->"
ITEM = re.compile(r"[-*] |1\. ")


@functools.cache
def pages() -> dict[str, str]:
    """The page of every file from outside of `docs/`, by the file's path in the repository."""
    games = {
        path: f"games/{path.parent.name.replace('_', '-')}.md"
        for path in ROOT.glob("src/plyglass/games/*/README.md")
    }
    studies = {
        path: f"studies/{path.parent.name.replace('_', '-')}.md"
        for path in ROOT.glob("src/plyglass/experiments/**/README.md")
    }
    project = {ROOT / name: page for name, page in PROJECT.items()}
    return {
        path.relative_to(ROOT).as_posix(): page
        for path, page in {**games, **studies, **project}.items()
        if path.is_file()
    }


def on_config(config: Any) -> None:
    """Write out the stars in the navigation: `games/*` stands for all pages in that folder."""
    pages.cache_clear()  # `mkdocs serve` builds again and again
    config.nav = [_written_out(entry, config.docs_dir) for entry in config.nav]


def _written_out(entry: Any, docs: str) -> Any:
    if not isinstance(entry, dict):
        return entry
    ((title, inside),) = entry.items()
    if isinstance(inside, list):
        return {title: [_written_out(each, docs) for each in inside]}
    if not inside.endswith("/*"):
        return entry
    folder = inside.removesuffix("/*")
    own = {path.relative_to(docs).as_posix() for path in Path(docs, folder).rglob("*.md")}
    added = {page for page in pages().values() if page.startswith(f"{folder}/")}
    index = {f"{folder}/README.md", f"{folder}/index.md"}
    listed = [{"Overview": page} for page in own & index]
    return {title: listed + [_titled(page) for page in sorted((own | added) - index)]}


def _titled(page: str) -> str | dict[str, str]:
    """An entry of the navigation; a study is called what its `study.toml` says."""
    title = _title_of_study(page)
    return {title: page} if title else page


def _title_of_study(page: str) -> str:
    source = next((source for source, each in pages().items() if each == page), "")
    settings = (ROOT / source).with_name("study.toml")
    if not page.startswith("studies/") or not settings.is_file():
        return ""
    return str(tomllib.loads(settings.read_text(encoding="utf-8"))["title"])


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that lie elsewhere."""
    for source, page in pages().items():
        if page != "index.md":
            text = (ROOT / source).read_text(encoding="utf-8")
            files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Make Markdown as GitHub reads it into Markdown as the site generator reads it."""
    here = page.file.src_uri
    sources = {site: source for source, site in pages().items() if site != "index.md"}
    source = sources.get(here, f"docs/{here}")
    if GAMES in markdown:
        markdown = markdown.replace(GAMES, _table_of_games())
    if title := _title_of_study(here):
        markdown = re.sub(r"\A# .*", f"# {title}", markdown)
    markdown = NAMED_BLOCK.sub(r'```\g<language> title="\g<file>"', markdown)

    def change(text: str) -> str:
        text = LINK.sub(lambda link: _linked(link, source, here, files), text)
        return _with_blank_lines(PATH.sub(lambda path: _linked_path(path, here), text))

    return _outside_of_code(markdown, change)


def _table_of_games() -> str:
    """Every game of the package: its class, a link to its rules, and one line about it."""
    lines = ["| class | name | |", "|---|---|---|"]
    for path in sorted(ROOT.glob("src/plyglass/games/*/README.md")):
        module = ast.parse((path.parent / "__init__.py").read_text(encoding="utf-8"))
        classes = [
            node.name
            for node in module.body
            if isinstance(node, ast.ClassDef) and "Game" in map(ast.unparse, node.bases)
        ]
        _, _, about = (ast.get_docstring(module) or "").partition("\n")[0].partition(": ")
        rules = f"[{path.parent.name.replace('_', '-')}](../../{path.relative_to(ROOT).as_posix()})"
        lines.append(f"| {', '.join(f'`{each}`' for each in classes)} | {rules} | {about} |")
    return "\n".join(lines)


def _outside_of_code(markdown: str, change: Callable[[str], str]) -> str:
    parts, end = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [change(markdown[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(markdown[end:])])


def _linked(link: re.Match[str], source: str, here: str, files: Files) -> str:
    """A link between files of the repository as a link between pages."""
    target, sign, anchor = link["target"].partition("#")
    if not target or re.match(r"[a-z]+:", target):
        return link[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    page = _page_of(path, files)
    if page:
        return f"{link['image']}[{link['text']}]({_way(here, page)}{sign}{anchor})"
    if (ROOT / path).exists():
        return f"{link['text']} (`{path}`)"
    return link[0]  # a dead link, which a strict build refuses


def _linked_path(path: re.Match[str], here: str) -> str:
    """The path of a file as a link, if the file has a page."""
    page = pages().get(path["path"])
    return f"[{path[0]}]({_way(here, page)})" if page else path[0]


def _way(here: str, page: str) -> str:
    return posixpath.relpath(page, posixpath.dirname(here) or ".")


def _page_of(path: str, files: Files) -> str | None:
    """The page, or the file of the site, that stands for a path in the repository."""
    known = pages()
    for candidate in (path, f"{path}/README.md", f"{path}/index.md"):
        in_docs = candidate.removeprefix("docs/") if candidate.startswith("docs/") else ""
        page = known.get(candidate, in_docs)
        if page and files.get_file_from_path(page):
            return page
    return None


def _with_blank_lines(text: str) -> str:
    """Put a blank line before each list, which GitHub does not need but this site does."""
    lines: list[str] = []
    in_list = False
    for line in text.split("\n"):
        item = bool(ITEM.match(line))
        if item and not in_list and lines and lines[-1].strip():
            lines.append("")
        in_list = item or (in_list and bool(line.strip()))
        lines.append(line)
    return "\n".join(lines)
