"""Where the rocks lie: the two published layouts, and random layouts from a seed."""

from plyglass.core.seeds import derive

# The (x, y) of each rock, counted from the south-west corner, by (size, rocks). The layouts are
# those of the POMCP 1.0 release of Silver and Veness.
PUBLISHED = {
    (7, 8): ((2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)),
    (11, 11): (
        (0, 3),
        (0, 7),
        (1, 8),
        (2, 4),
        (3, 3),
        (3, 8),
        (4, 3),
        (5, 8),
        (6, 1),
        (9, 3),
        (9, 9),
    ),
}


def layout(size: int, rocks: int, seed: int | None) -> tuple[tuple[int, int], ...]:
    """Return the rocks' places.

    Without a seed, the places are those of the published layout, or of seed 0 if no layout was
    published.
    """
    if seed is None and (size, rocks) in PUBLISHED:
        return PUBLISHED[size, rocks]
    # Sort the cells by random keys: no library release can change the result of this shuffle.
    cells = sorted(range(size * size), key=lambda cell: derive(seed or 0, cell))
    return tuple((cell % size, cell // size) for cell in cells[:rocks])
