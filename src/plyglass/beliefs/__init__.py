"""Beliefs: distributions over worlds, given what a seat has seen.

The module of a belief is imported when the belief is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyglass.extensions import current_name, find_class
from plyglass.lazy import Lazily, attributes
from plyglass.search.interface import Belief

if TYPE_CHECKING:
    from plyglass.beliefs.exact import Exact
    from plyglass.beliefs.fresh import Fresh
    from plyglass.beliefs.particles import Particles
    from plyglass.beliefs.tracks import Tracks
    from plyglass.beliefs.truth import Truth

BELIEFS: Lazily[type[Belief]] = Lazily(
    {
        "fresh": "plyglass.beliefs.fresh:Fresh",
        "particles": "plyglass.beliefs.particles:Particles",
        "tracks": "plyglass.beliefs.tracks:Tracks",
        "exact": "plyglass.beliefs.exact:Exact",
        "truth": "plyglass.beliefs.truth:Truth",
    }
)
__getattr__ = attributes(__name__, BELIEFS.modules)
FORMER: dict[str, str] = {}  # old names of beliefs, each with its new one


def find(name: str) -> type[Belief]:
    """Return the class of a belief by its name, its entry point, or `file.py@Class`."""
    name = current_name("belief", name, FORMER)
    if name in BELIEFS:
        return BELIEFS[name]
    found: type[Belief] = find_class("belief", name, BELIEFS)
    return found


__all__ = ["BELIEFS", "Belief", "Exact", "Fresh", "Particles", "Tracks", "Truth", "find"]
