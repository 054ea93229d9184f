"""A compiled rule cannot raise: Numba prints the error and goes on. Here it fails the test that
caused it.
"""

import os
import sys

import hypothesis
import pytest

os.environ.setdefault(
    "RAY_worker_niceness", "0"
)  # else Ray's workers starve beside those of pytest
hypothesis.settings.register_profile(
    "compiling", deadline=None
)  # the first example of a kernel is compiled
hypothesis.settings.load_profile("compiling")


@pytest.fixture(autouse=True)
def nothing_is_unraisable(monkeypatch):
    caught = []
    monkeypatch.setattr(sys, "unraisablehook", caught.append)
    yield
    errors = [
        each for each in caught if not issubclass(each.exc_type, Warning)
    ]  # a library may leave a process to the collector
    assert not errors, f"an error in compiled code was swallowed: {errors[0].exc_value!r}"
