"""Compiled, interpreted and bounds-checked processes do the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from plyglass.core.compile import JIT
from tests.sizes import sized

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled to compare with")


def decisions(**environment):
    command = [sys.executable, str(HERE / "decisions.py")]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    assert not done.stderr
    return json.loads(done.stdout)


def test_searches_decide_the_same_to_the_last_bit_with_and_without_compiling():
    compiled, interpreted = decisions(), decisions(NUMBA_DISABLE_JIT="1")
    assert len(compiled) > 100
    for case, expected in compiled.items():
        assert interpreted[case] == expected, case


def test_bounds_checked_code_runs_clean():
    words = sized(["tests/whole/bounds.py"], ["tests/search", "tests/whole/bounds.py"])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-x", *words]
    done = subprocess.run(
        command,
        cwd=HERE.parents[1],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout
