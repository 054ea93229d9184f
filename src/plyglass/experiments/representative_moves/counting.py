"""Tables 2 and 3: leaves by depth, by the rules as the game has them and in the reading that
takes the text literally.
"""

from __future__ import annotations

from collections.abc import Sequence

from plyglass.experiments.lines import Line
from plyglass.experiments.representative_moves.leaves import Tree
from plyglass.experiments.representative_moves.readings import LITERAL, PROPOSED


def counted(representative: bool, depths: Sequence[int]) -> list[Line]:
    """A line for every depth in both readings."""
    lines = []
    for name, reading in {"": PROPOSED, ", literal reading": LITERAL}.items():
        tree = Tree(reading, representative)
        leaves = {depth: float(tree.leaves(depth)) for depth in depths}
        lines += [
            Line(f"depth {depth}{name}", each, each, each, 1) for depth, each in leaves.items()
        ]
    return lines
