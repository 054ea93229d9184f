"""Reliability: bins by hand, and what is refused."""

import numpy as np
import pytest

from plyglass.stats.intervals import wilson
from plyglass.stats.reliability import reliability_bins


def test_predictions_are_put_into_bins_of_equal_width_and_counted_there():
    found = reliability_bins([0.0, 0.19, 0.2, 0.3, 1.0], [False, True, True, True, True], bins=5)
    assert [(each.predicted, each.count, each.rate) for each in found] == [
        (pytest.approx(0.095), 2, 0.5),
        (pytest.approx(0.25), 2, 1.0),
        (1.0, 1, 1.0),  # the highest probability belongs to the last bin
    ]
    assert [(each.low, each.high) for each in found] == [wilson(1, 2), wilson(2, 2), wilson(1, 1)]


def test_there_are_ten_bins_unless_another_number_is_given():
    values = np.arange(20) / 20
    assert [each.count for each in reliability_bins(values, values > 0.5)] == [2] * 10


def test_one_bin_holds_everything():
    (found,) = reliability_bins([0.1, 0.9], [False, True], bins=1)
    assert (found.predicted, found.count, found.rate) == (0.5, 2, 0.5)


@pytest.mark.parametrize(
    ("predicted", "outcomes", "bins", "says"),
    [
        ([0.5], [True, False], 10, "1 predictions and 2 outcomes"),
        ([], [], 10, "0 predictions and 0 outcomes"),
        ([[0.5]], [[True]], 10, "Every prediction needs an outcome"),
        ([1.1], [True], 10, "between 0 and 1"),
        ([-0.1], [True], 10, "between 0 and 1"),
        ([0.5], [True], 0, "into 0 bins"),
    ],
)
def test_what_cannot_be_binned_is_refused(predicted, outcomes, bins, says):
    with pytest.raises(ValueError, match=says):
        reliability_bins(predicted, outcomes, bins)
