"""Compiled and interpreted code give the same beliefs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from plyglass.core.compile import JIT


def worlds(**environment):
    command = [sys.executable, str(Path(__file__).parent / "worlds.py")]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(not JIT, reason="nothing is compiled to compare with")
def test_particles_are_the_same_to_the_last_bit_with_and_without_compiling():
    assert worlds() == worlds(NUMBA_DISABLE_JIT="1")
