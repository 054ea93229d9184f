"""Small games of two players, solved to the end: slow, obvious and exact."""

from collections import defaultdict
from collections.abc import Hashable, Iterable

from plyglass.core import World
from plyglass.core.state import HEADER_BYTES
from plyglass.core.tape import outcomes


def solved(starts: Iterable[tuple[float, World]]) -> tuple[float, int]:
    """The value for the first player if nothing is hidden, and how many positions that takes."""
    values: dict[bytes, float] = {}

    def value(at: World) -> float:
        key = at.row()[HEADER_BYTES:].tobytes()
        if key not in values:
            best = min if at.to_move else max
            afters = (outcomes(at, action) for action in at.legal())
            values[key] = (
                at.score(0)
                if at.over
                else best(sum(chance * value(after) for chance, after in each) for each in afters)
            )
        return values[key]

    return sum(chance * value(world) for chance, world in starts), len(values)


def summed(afters: Iterable[tuple[float, Hashable]]) -> frozenset[tuple[Hashable, float]]:
    """Positions with their probabilities, independent of order and of how they were reached."""
    total: dict[Hashable, float] = defaultdict(float)
    for chance, position in afters:
        total[position] += chance
    return frozenset((position, round(chance, 9)) for position, chance in total.items())
