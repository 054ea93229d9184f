"""A compiled rule cannot raise: Numba prints the error and goes on. Here it fails the test that
caused it.
"""

import importlib
import os
import sys

import hypothesis
import pytest

from tests.sizes import NIGHTLY

os.environ.setdefault("RAY_worker_niceness", "0")  # else its workers starve beside those of pytest
# No deadline: the first example of a kernel is compiled.
hypothesis.settings.register_profile("compiling", deadline=None)
hypothesis.settings.load_profile("compiling")


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: takes too long for CI; run by .ci/nightly")


def pytest_collection_modifyitems(config, items):
    """Leave out what is for the night, unless it is night or the test is named."""
    left_out = [] if NIGHTLY else [each for each in items if each.get_closest_marker("nightly")]
    named = [word for word in config.args if "::" in word]
    if left_out and not named:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [each for each in items if each not in left_out]


@pytest.fixture(autouse=True)
def nothing_is_unraisable(monkeypatch):
    caught = []
    monkeypatch.setattr(sys, "unraisablehook", caught.append)
    yield
    # A library may leave a process to the collector, which warns.
    errors = [each for each in caught if not issubclass(each.exc_type, Warning)]
    assert not errors, f"an error in compiled code was swallowed: {errors[0].exc_value!r}"


@pytest.fixture
def small_checks(monkeypatch):
    """`check` compares fewer positions and fewer sampled games in CI than at night."""
    if not NIGHTLY:
        posterior, sampled = (
            importlib.import_module(f"plyglass.core.check.{name}")
            for name in ("posterior", "sampled")
        )
        monkeypatch.setattr(posterior, "MOST_POSITIONS", 1500)
        monkeypatch.setattr(sampled, "NOMINATING", 400)
        monkeypatch.setattr(sampled, "TESTING", 1000)
