"""The completed prefix of match numbers.

Short matches finish first, and with more workers in another order. A test that looked at whatever
has arrived would be biased towards short matches and stop elsewhere each time; one that looks only
at matches 0..n-1 stops at the same match with 1 and with N workers.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import TypeVar

Value = TypeVar("Value")


class CompletedPrefix:
    """How far the numbers 0, 1, 2, ... are all there. Memory goes with the gaps, not with the
    matches played.
    """

    def __init__(self) -> None:
        self.length = 0
        self._ahead: list[
            tuple[int, int]
        ] = []  # heap of (start, stop), each begins beyond the prefix

    def add(self, numbers: int | range) -> int:
        """Take note of a match or a chunk of them, known already or not, and return the length
        of the prefix.
        """
        start, stop = _bounds(numbers)
        if stop > self.length:
            heapq.heappush(self._ahead, (start, stop))
        while self._ahead and self._ahead[0][0] <= self.length:
            self.length = max(self.length, heapq.heappop(self._ahead)[1])
        return self.length


def completed_prefix(numbers: Iterable[int | range]) -> int:
    """The largest n such that 0..n-1 are all among the numbers."""
    prefix = CompletedPrefix()
    for each in numbers:
        prefix.add(each)
    return prefix.length


def in_number_order(arrivals: Iterable[tuple[int, Value]]) -> Iterator[Value]:
    """The values in the order of their numbers, each as soon as all before it are there; a number
    that comes again is passed over.

    Only values that wait for an earlier one are kept.
    """
    waiting: dict[int, Value] = {}
    following = 0
    for number, value in arrivals:
        if number >= following:
            waiting.setdefault(number, value)
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _bounds(numbers: int | range) -> tuple[int, int]:
    if isinstance(numbers, range):
        if numbers.step != 1:
            raise ValueError(f"A chunk of matches is a range without gaps, not {numbers}.")
        start, stop = numbers.start, numbers.stop
    else:
        start, stop = numbers, numbers + 1
    if start < 0:
        raise ValueError(f"Match numbers begin at 0, not at {start}.")
    return start, stop
