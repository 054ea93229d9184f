"""A set of match numbers as ranges, so matches played in order need only one pair of numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Ranges:
    """A set of numbers as ascending pairs (first, last), one for each range without gaps."""

    spans: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(numbers: Iterable[int]) -> Ranges:
        """Return the set of the given numbers; ascending numbers need the least memory."""
        return Ranges(tuple(_joined((number, number) for number in numbers)))

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self.spans, number, key=lambda span: span[0]) - 1
        return place >= 0 and number <= self.spans[place][1]

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.spans)

    def __iter__(self) -> Iterator[int]:
        for first, last in self.spans:
            yield from range(first, last + 1)

    def __or__(self, other: Ranges) -> Ranges:
        return Ranges(tuple(_joined(sorted(self.spans + other.spans))))

    def missing(self, total: int) -> Iterator[int]:
        """Yield the numbers from 0 to `total` - 1 that are not in the set, ascending."""
        start = 0
        for first, last in self.spans:
            yield from range(start, min(first, total))
            start = max(start, last + 1)
        yield from range(start, total)


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans, with spans that touch or overlap joined into one."""
    found: list[tuple[int, int]] = []
    start: int | None = None
    end = 0
    ordered = True
    for first, last in spans:
        if start is None:
            start, end = first, last
        elif start <= first <= end + 1:
            end = max(end, last)
        else:
            found.append((start, end))
            ordered = ordered and first > end
            start, end = first, last
    if start is None:
        return []
    found.append((start, end))
    return found if ordered else _joined(sorted(found))
