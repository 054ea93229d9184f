"""Beliefs: distributions over worlds, given what a seat has seen."""

from plyglass.beliefs.exact import Exact
from plyglass.beliefs.fresh import Fresh
from plyglass.beliefs.particles import Particles
from plyglass.beliefs.tracks import Tracks
from plyglass.beliefs.truth import Truth
from plyglass.extensions import current_name, find_class
from plyglass.search.interface import Belief

BELIEFS: dict[str, type[Belief]] = {
    belief.name: belief for belief in (Fresh, Particles, Tracks, Exact, Truth)
}
FORMER: dict[str, str] = {}  # old names of beliefs, each with its new one


def find(name: str) -> type[Belief]:
    """Return the class of a belief by its name, its entry point, or `file.py@Class`."""
    name = current_name("belief", name, FORMER)
    if name in BELIEFS:
        return BELIEFS[name]
    found: type[Belief] = find_class("belief", name, BELIEFS)
    return found


__all__ = ["BELIEFS", "Belief", "Exact", "Fresh", "Particles", "Tracks", "Truth", "find"]
