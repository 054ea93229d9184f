"""The completed prefix, whatever order matches end in."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyglass.stats.prefix import CompletedPrefix, completed_prefix, in_number_order


@given(st.lists(st.integers(0, 30)))
def test_the_prefix_ends_at_the_first_number_that_is_missing(numbers):
    assert completed_prefix(numbers) == next(n for n in range(32) if n not in numbers)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5))))
def test_chunks_count_like_their_numbers_also_where_they_overlap(chunks):
    ranges = [range(start, start + length) for start, length in chunks]
    assert completed_prefix(ranges) == completed_prefix(
        number for chunk in ranges for number in chunk
    )


def test_a_chunk_within_another_does_not_take_the_prefix_back():
    assert completed_prefix([range(3, 8), range(4, 5), range(3)]) == 8


def test_the_prefix_keeps_gaps_and_not_matches():
    prefix = CompletedPrefix()
    for number in range(100_000):
        prefix.add(number ^ 7)  # out of order by at most seven
        assert len(prefix._ahead) <= 8
    assert prefix.length == 100_000


@given(st.permutations(range(12)), st.lists(st.integers(0, 11)))
def test_values_come_in_number_order_and_once(order, repeated):
    arrivals = [(number, f"match {number}") for number in [*order, *repeated]]
    random.Random(0).shuffle(arrivals)
    assert list(in_number_order(arrivals)) == [f"match {number}" for number in range(12)]


def test_a_value_comes_as_soon_as_it_can_and_not_before():
    arrived = []

    def arrivals():
        for number in (1, 0, 3, 2):
            arrived.append(number)
            yield number, number

    assert [(value, len(arrived)) for value in in_number_order(arrivals())] == [
        (0, 2),
        (1, 2),
        (2, 4),
        (3, 4),
    ]


def test_numbers_that_are_none_are_refused():
    with pytest.raises(ValueError, match="begin at 0"):
        completed_prefix([-1])
    with pytest.raises(ValueError, match="without gaps"):
        completed_prefix([range(0, 10, 2)])
