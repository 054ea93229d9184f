"""Files that other programs read: workflows, hooks, the citation."""

import os
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
READ = [*ROOT.glob(".github/**/*.yml"), ROOT / ".pre-commit-config.yaml", ROOT / "CITATION.cff"]
CALLING = [*ROOT.glob(".github/workflows/*.yml"), ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("path", READ, ids=lambda path: path.name)
def test_files_for_other_programs_are_yaml(path):
    assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)


@pytest.mark.parametrize("path", CALLING, ids=lambda path: path.name)
def test_scripts_and_tests_that_are_called_exist(path):
    text = path.read_text(encoding="utf-8")
    for script in re.findall(r"(?<![\w/])\.ci/\w+", text):
        assert os.access(ROOT / script, os.X_OK), script
    for tests in re.findall(r"(?<![\w/])tests/[\w/]+(?:\.py)?", text):
        assert (ROOT / tests).exists(), tests


def test_the_version_is_in_one_place():
    for name in ("pyproject.toml", "CITATION.cff"):
        assert not re.search(r"^version\s*[=:]", (ROOT / name).read_text(), re.MULTILINE), name
