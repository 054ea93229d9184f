"""Resamples are uniform, and equal in all versions."""

import numpy as np
import pytest

from plyglass.stats import resampling
from plyglass.stats.resampling import resamples

PINNED = [[6, 8, 7, 2, 3, 8, 0, 8, 7, 4], [3, 2, 2, 4, 5, 5, 9, 7, 6, 9]]


def test_the_stream_is_pinned():
    assert np.concatenate(list(resamples(10, 2, seed=7))).tolist() == PINNED


def test_blocks_change_nothing(monkeypatch):
    whole = np.concatenate(list(resamples(7, 50, seed=1)))
    monkeypatch.setattr(resampling, "BLOCK", 20)
    assert np.array_equal(np.concatenate(list(resamples(7, 50, seed=1))), whole)


def test_every_observation_is_drawn_as_often():
    drawn = np.bincount(np.concatenate(list(resamples(5, 20_000, seed=3))).ravel(), minlength=5)
    assert (
        (drawn - 20_000) ** 2 / 20_000
    ).sum() < 18.5  # chi-square with 4 degrees, one in a thousand


def test_nothing_cannot_be_resampled():
    with pytest.raises(ValueError, match="Cannot resample 0"):
        next(resamples(0, 1, seed=0))
