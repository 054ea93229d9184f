"""Print what Plyglass depends on directly, as the table of docs/licences.md."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
KNOWN = {  # where the metadata of a package has a whole text, a short name, or nothing
    "numba": "BSD-2-Clause",
    "pebble": "LGPL-3.0",
    "matplotlib": "Matplotlib License, of the Python Software Foundation kind",
    "optuna": "MIT",
    "duckdb": "MIT",
    "ray": "Apache-2.0",
    "open_spiel": "Apache-2.0",
    "pomdp-py": "MIT",
    "import-linter": "BSD-2-Clause",
    "pexpect": "ISC",
    "scipy": "BSD-3-Clause",
    "torch": "BSD-3-Clause",
}


def dependencies() -> dict[str, tuple[str, list[str]]]:
    """For each package its bounds, and the extras that need it; "" is Plyglass itself."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    found: dict[str, tuple[str, list[str]]] = {}
    for extra, needed in groups.items():
        for text in needed:
            name, bounds = re.fullmatch(r"([A-Za-z0-9_-]+)(?:\[[^]]*\])?(.*)", text).groups()
            if name != "plyglass":
                kept = found.setdefault(name, (bounds, []))
                kept[1].append(extra)
    return found


def licence_of(name: str) -> str:
    """The licence of an installed package."""
    if name in KNOWN:
        return KNOWN[name]
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return "not installed here"
    words = about.get("License-Expression") or about.get("License") or ""
    listed = [each.rpartition(":: ")[2] for each in about.get_all("Classifier") or ()
              if each.startswith("License :: OSI")]  # fmt: skip
    words = words.removesuffix(" License")
    return words if 0 < len(words) < 60 else ", ".join(listed) or "unknown"


def table() -> str:
    """The table as Markdown."""
    lines = ["| package | versions | licence | for |", "|---|---|---|---|"]
    for name, (bounds, extras) in dependencies().items():
        use = ", ".join(f"`{extra}`" if extra else "everything" for extra in extras)
        versions = bounds.replace(",", ", ") or "any"
        lines.append(f"| {name} | {versions} | {licence_of(name)} | {use} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
