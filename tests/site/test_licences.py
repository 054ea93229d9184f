"""Dependencies: bounds, the lock of CI, and the list of licences."""

import re
import runpy
import subprocess
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LISTED = runpy.run_path(str(ROOT / ".ci" / "licences.py"))["dependencies"]()
LEFT_OUT = {"torch"}  # half a gigabyte; CI fits nets with NumPy, and a test compares the two
TOOLS = {"docs", "dev"}  # extras of those who work on Plyglass; the lock has their versions


def test_what_users_install_has_bounds_on_both_sides():
    for name, (bounds, extras) in LISTED.items():
        if set(extras) - TOOLS:
            signs = {each.operator for each in Requirement(f"{name}{bounds}").specifier}
            assert signs == {">=", "<"}, name


def test_the_lock_has_every_dependency_within_its_bounds_and_with_hashes():
    text = (ROOT / ".ci" / "lock.txt").read_text(encoding="utf-8")
    entries = re.findall(
        r"^([a-z0-9._-]+)==(\S+)[^\n]*\n((?:    --hash=\S+(?: \\)?\n?)+)", text, re.M
    )
    versions = {canonicalize_name(name): version for name, version, _ in entries}
    assert len(entries) == len(re.findall(r"^[A-Za-z0-9._-]+==", text, re.M))
    for name in LISTED.keys() - LEFT_OUT:
        bounds, _ = LISTED[name]
        version = Version(versions[canonicalize_name(name)])
        assert version in Requirement(f"{name}{bounds}").specifier, name
    assert "://" not in text


DATA = re.compile(
    r"games/\w+/(README\.md|playthrough\.txt|weights\.json|net\.npz|maps/\w+\.tbsmap)"
    r"|games/levels\.json|games/\w+/[\w/]*\.(md|txt|json)|experiments/studies/.*\.(toml|json|csv|md|js)"
    r"|benchmark/recorded/.*\.json|core/\w+\.[ch]|(bench|native)/\w+\.json|py\.typed"
    r"|report/.*\.(css|js|html)"
)
"""Files of the wheel that are no Python; docs/licences.md says where they come from."""


def test_no_file_of_another_kind_is_in_the_wheel():
    top = ROOT / "src" / "plyglass"
    names = subprocess.run(
        ["git", "ls-files", "."], cwd=top, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    odd = [name for name in names if not name.endswith(".py") and not DATA.fullmatch(name)]
    assert names
    assert not odd


def test_the_page_lists_every_dependency_with_its_bounds_and_a_licence():
    text = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    for name, (bounds, _) in LISTED.items():
        versions = re.escape(bounds.replace(",", ", ") or "any")
        row = re.search(rf"^\| {name} \| {versions} \| ([^|]+) \|", text, re.M)
        assert row, f"{name} {bounds}: run `python .ci/licences.py` and copy its table"
        assert not re.search("unknown|not installed", row[1]), name
