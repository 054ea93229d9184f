"""What may be true: beliefs turn what a seat saw into worlds."""

from plyglass.beliefs.fresh import Fresh
from plyglass.search.belief import Belief

BELIEFS: dict[str, type[Belief]] = {belief.name: belief for belief in (Fresh,)}

__all__ = ["BELIEFS", "Belief", "Fresh"]
