"""Beliefs that a worker keeps, so it need not compute them again.

The decisions of one turn begin with the same belief, which follows all views of the match so far. A
worker keeps it as it was before any planner drew from it, and every decision takes over a copy. So
a worker that has kept a belief is faster, and its answer is the same.
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
    """The beliefs that were used last, up to a number and a size."""

    def __init__(self, most: int = MOST_BELIEFS, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._kept: OrderedDict[bytes, tuple[Kept, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> Kept | None:
        """The belief with this key, if it was kept."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: bytes, belief: Kept) -> None:
        """Keep a belief, and forget the one that was not used for longest if there are too many."""
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
    """The belief of one request.

    Attributes:
        found: whether the belief was kept; None if it is of a kind that is not kept.
    """

    def __init__(
        self, cache: BeliefCache, about: tuple[str, Agent, int, int], seen: Sequence[Shown]
    ) -> None:
        """A request about a game, an agent, a seat and a seed, after what the seat has seen."""
        self._cache, self._about, self._seen = cache, about, seen
        self.found: bool | None = None

    def prepare(self, belief: LiveBelief, over: Callable[[], bool], counted: bool) -> None:
        """Let a belief take over what was kept; else compute it apart if `counted`, and keep it.

        A decision with a time limit computes its belief itself, within this limit. A planner that
        has drawn from its belief already keeps its own.
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
    """A twin of a belief that has computed its worlds; None if it was stopped before."""
    twin = belief.fork()
    with twin.clock.started(None, over):
        twin.health()
        return None if twin.clock.belief_stopped else twin


def _bytes_of(belief: Kept) -> int:
    """About how much memory a belief takes."""
    worlds: Any = belief.health()
    clouds = KEPT + 1 if isinstance(belief, LiveParticles) else 1
    return int(clouds * worlds.worlds * belief.game.state.itemsize)
