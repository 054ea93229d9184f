"""A cloud is a set of different worlds, each with a weight.

Equal worlds are stored once. So resampling, which adds noise, is not needed in a game with few
worlds.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word, uniform
from plyglass.core.memory import address_of, borrow
from plyglass.core.state import Bytes, new_states
from plyglass.core.table import SIZE
from plyglass.core.verbs import change_luck, copy_state, fingerprint
from plyglass.search.interface import Health, LiveBelief

Weights = npt.NDArray[np.float64]


class Pool(NamedTuple):
    """A hash table that collects different worlds, keyed by their fingerprints.

    Attributes:
        rows: (capacity, bytes of a state): the worlds.
        weights: (capacity,).
        keys: (capacity,): fingerprints.
        slots: (a power of two,): the hash table with open addressing. A slot holds 1 + the index of
            a world, or 0 if the slot is free.
        used: (1,): the number of worlds in the pool.
    """

    rows: Bytes
    weights: Weights
    keys: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.int64]
    used: npt.NDArray[np.int64]


@kernel
def borrow_pool(pool):
    """Return the pool with arrays that Numba does not reference-count."""
    return Pool(
        borrow(pool.rows),
        borrow(pool.weights),
        borrow(pool.keys),
        borrow(pool.slots),
        borrow(pool.used),
    )


@kernel
def slot_of(pool, key):
    """Return the slot of the world with this fingerprint, or the free slot for this world."""
    last = len(pool.slots) - 1
    slot = np.int64(key >> np.uint64(1)) & last
    while pool.slots[slot] != 0 and pool.keys[pool.slots[slot] - 1] != key:
        slot = (slot + 1) & last
    return slot


@kernel
def add_world(table, pool, world, weight):
    """Add a world, or only its weight if the pool holds the world; the pool must not be full."""
    key = fingerprint(table, world)
    slot = slot_of(pool, key)
    if pool.slots[slot] == 0:
        place = pool.used[0]
        copy_state(table, address_of(pool.rows) + place * table[SIZE], world)
        pool.keys[place] = key
        pool.weights[place] = 0.0
        pool.used[0] = place + 1
        pool.slots[slot] = place + 1
    pool.weights[pool.slots[slot] - 1] += weight


@kernel
def add_worlds(table, pool, worlds, weights):
    """Add several worlds."""
    for i in range(len(weights)):
        add_world(table, pool, address_of(worlds) + i * table[SIZE], weights[i])


@kernel
def note_slots(pool):
    """Enter all worlds into the hash table, whose slots must all be free."""
    for place in range(pool.used[0]):
        pool.slots[slot_of(pool, pool.keys[place])] = place + 1


@kernel
def draw_rows(table, worlds, sums, drawn, stream):
    """Fill `drawn` with samples, each with a new random seed; `sums` are the cumulative weights."""
    for row in range(drawn.shape[0]):
        point = uniform(address_of(stream)) * sums[-1]
        low, high = 0, len(sums) - 1
        while low < high:
            middle = (low + high) // 2
            if sums[middle] > point:
                high = middle
            else:
                low = middle + 1
        target = address_of(drawn) + row * table[SIZE]
        copy_state(table, target, address_of(worlds) + low * table[SIZE])
        change_luck(target, next_word(address_of(stream)))


def pool_for(game: Game, most: int) -> Pool:
    """Return an empty pool with a capacity of `most` worlds."""
    slots = 1 << (2 * most).bit_length()
    return Pool(
        new_states(most, game.state), np.zeros(most), np.zeros(most, np.uint64),
        np.zeros(slots, np.int64), np.zeros(1, np.int64)
    )  # fmt: skip


def with_room(game: Game, pool: Pool, most: int) -> Pool:
    """Return the pool if it is not full, or else a copy with twice the capacity.

    The capacity of the copy is at most `most` worlds.
    """
    used = int(pool.used[0])
    if used < len(pool.weights):
        return pool
    larger = pool_for(game, min(2 * used, most))
    larger.rows[:used], larger.weights[:used], larger.keys[:used], larger.used[0] = (
        pool.rows,
        pool.weights,
        pool.keys,
        used,
    )
    note_slots(larger)
    return larger


def empty(pool: Pool) -> None:
    """Empty a pool."""
    pool.used[0] = 0
    pool.slots[:] = 0


@dataclass(frozen=True)
class Cloud:
    """Different worlds with weights.

    Attributes:
        worlds: (worlds, bytes of a state).
        weights: (worlds,): the weights, which sum to 1.
        samples: the approximate number of independent samples that would be as informative as the
            cloud.
    """

    worlds: Bytes
    weights: Weights
    samples: float

    @staticmethod
    def of(pool: Pool, samples: float) -> Cloud:
        """Return a cloud of the worlds in a pool that is not empty; then empty the pool."""
        used = int(pool.used[0])
        cloud = Cloud(
            pool.rows[:used].copy(), pool.weights[:used] / pool.weights[:used].sum(), samples
        )
        empty(pool)
        return cloud

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def effective(self) -> float:
        """Return the effective sample size of the weights (Kish 1965)."""
        return float(1.0 / np.square(self.weights).sum())

    def rounded(self, count: int, stream: npt.NDArray[np.uint64]) -> Cloud:
        """Resample `count` worlds systematically (Kitagawa 1996), and merge equal ones."""
        sums = np.cumsum(self.weights)
        places = np.floor(sums / sums[-1] * count + uniform(stream.ctypes.data))
        copies = np.diff(places, prepend=0.0)
        kept = copies > 0
        return Cloud(self.worlds[kept], copies[kept] / count, min(self.samples, count))

    def draw(self, game: Game, worlds: Bytes, stream: npt.NDArray[np.uint64]) -> None:
        """Fill every row of `worlds` with a sample of the cloud."""
        draw_rows(game.table, self.worlds, np.cumsum(self.weights), worlds, stream)


class CloudBelief(LiveBelief):
    """The base class for beliefs that hold a cloud of worlds."""

    def __init__(self, game: Game, seat: int) -> None:
        super().__init__(game, seat)
        self._refilled = 0  # how often the belief ran out of worlds or lost a track

    @property
    @abstractmethod
    def _cloud(self) -> Cloud:
        """Return the cloud of worlds, given everything that the seat has seen."""

    def sample(self, worlds: Bytes) -> None:
        self._cloud.draw(self.game, worlds, self._stream)

    def support(self, count: int) -> tuple[Bytes, Weights]:
        """Return all different worlds with weights, or samples if there are more than `count`."""
        cloud = self._cloud
        if len(cloud) > count:
            return super().support(count)
        worlds = new_states(len(cloud), self.game.state)
        worlds[:] = cloud.worlds
        return worlds, cloud.weights.copy()

    def health(self) -> Health:
        cloud = self._cloud
        return Health(len(cloud), cloud.effective, self._refilled)
