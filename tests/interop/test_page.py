"""The page about other libraries: every block runs if the library that it needs is installed."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "interop.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?:<!-- needs: (\w+) -->\n)?```(sh|python)\n(.*?)```", PAGE, re.DOTALL)
LIBRARIES = ("gymnasium", "pettingzoo", "open_spiel", "pyspiel", "sb3_contrib")


def run(language, body, folder):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    commands = [line for line in body.splitlines() if line and not line.startswith("pip")]
    if language == "python":
        (folder / "block.py").write_text(body)
        commands = [f"{sys.executable} block.py"]
    for command in commands:
        command = re.sub(r"^plyglass ", f"{sys.executable} -m plyglass ", command)
        done = subprocess.run(
            command, shell=True, cwd=folder, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_block_of_the_page_runs(number, tmp_path):
    needs, language, body = BLOCKS[number]
    if needs:
        pytest.skip("the block trains; another test runs all of them")
    for library in LIBRARIES:
        if f"import {library}" in body or f"from {library}" in body:
            pytest.importorskip(library)
    if "spiel" in body and importlib.util.find_spec("pyspiel") is None:
        pytest.skip("open_spiel is not installed")
    run(language, body, tmp_path)


@pytest.mark.nightly
def test_what_is_trained_joins_a_tournament(tmp_path):
    pytest.importorskip("sb3_contrib")
    for needs, language, body in BLOCKS:
        if needs:
            run(language, body, tmp_path)
