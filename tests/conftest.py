"""A compiled rule cannot raise: Numba prints the error and goes on. Here it fails the test that caused it."""

import sys

import pytest


@pytest.fixture(autouse=True)
def nothing_is_unraisable(monkeypatch):
    caught = []
    monkeypatch.setattr(sys, "unraisablehook", caught.append)
    yield
    assert not caught, f"an error in compiled code was swallowed: {caught[0].exc_value!r}"
