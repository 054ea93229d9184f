"""A cache of beliefs in a worker.

All decisions of one turn start from one belief, which is computed from all views up to the turn. A
worker caches this belief before any planner samples from it, and every decision uses a copy. So the
cache saves time and changes no answer.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from plyglass.arena.match.agent import Agent
from plyglass.beliefs.exact import LiveExact
from plyglass.beliefs.particles import KEPT, LiveParticles
from plyglass.core.world import View
from plyglass.search.interface import LiveBelief

Shown = tuple[int | None, View]
Kept = LiveExact | LiveParticles
MOST_BELIEFS = 64
MOST_BYTES = 256 << 20


class BeliefCache:
    """The most recently used beliefs, limited in number and in bytes."""

    def __init__(self, most: int = MOST_BELIEFS, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._kept: OrderedDict[bytes, tuple[Kept, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> Kept | None:
        """Return the belief with this key, or None if the cache does not have it."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: bytes, belief: Kept) -> None:
        """Keep a belief; drop the least recently used beliefs while a limit is exceeded."""
        size = _bytes_of(belief)
        if size > self._most_bytes:
            return
        self._kept[key] = belief, size
        self._bytes += size
        while len(self._kept) > self._most or self._bytes > self._most_bytes:
            self._bytes -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._bytes = 0


class Lookup:
    """The search of the cache for one request's belief.

    Attributes:
        found: whether the cache had the belief. None if the cache was not searched, for example
            because it does not keep beliefs of this kind.
    """

    def __init__(
        self, cache: BeliefCache, about: tuple[str, Agent, int, int], seen: Sequence[Shown]
    ) -> None:
        """Take what identifies a belief: game, agent, seat and seed, and the views of the seat."""
        self._cache, self._about, self._seen = cache, about, seen
        self.found: bool | None = None

    def prepare(self, belief: LiveBelief, over: Callable[[], bool], counted: bool) -> None:
        """Fill a belief from the cache; on a miss, compute and cache the belief if `counted`.

        `counted` is true if the budget of the search is a number of iterations. A search with a
        time limit computes its belief itself, within this limit. If the planner has already sampled
        from the belief, nothing changes.
        """
        if not isinstance(belief, LiveExact | LiveParticles) or belief.begun:
            return
        key = self._key()
        kept = self._cache.get(key)
        self.found = kept is not None
        if kept is None and counted:
            kept = _computed(belief, over)
            if kept is not None:
                self._cache.put(key, kept)
        if kept is not None:
            belief.adopt(kept)  # type: ignore[arg-type]

    def _key(self) -> bytes:
        game, agent, seat, seed = self._about
        told = repr((game, agent.belief, sorted(agent.model.items()), seat, seed))
        digest = hashlib.blake2b(told.encode(), digest_size=16)
        for own, view in self._seen:
            digest.update(repr(own).encode() + b"\0")
            digest.update(view.row().tobytes())
        return digest.digest()


def _computed(belief: Kept, over: Callable[[], bool]) -> Kept | None:
    """A copy of a belief with its worlds computed; None if `over()` stopped the computation."""
    twin = belief.fork()
    with twin.clock.started(None, over):
        twin.health()
        return None if twin.clock.belief_stopped else twin


def _bytes_of(belief: Kept) -> int:
    """The approximate size of a belief in memory, in bytes."""
    worlds: Any = belief.health()
    clouds = KEPT + 1 if isinstance(belief, LiveParticles) else 1
    return int(clouds * worlds.worlds * belief.game.state.itemsize)
