"""What may be true: beliefs turn what a seat saw into worlds."""

from plyglass.beliefs.exact import Exact
from plyglass.beliefs.fresh import Fresh
from plyglass.beliefs.particles import Particles
from plyglass.beliefs.tracks import Tracks
from plyglass.beliefs.truth import Truth
from plyglass.search.interface import Belief

BELIEFS: dict[str, type[Belief]] = {
    belief.name: belief for belief in (Fresh, Particles, Tracks, Exact, Truth)
}

__all__ = ["BELIEFS", "Belief", "Exact", "Fresh", "Particles", "Tracks", "Truth"]
