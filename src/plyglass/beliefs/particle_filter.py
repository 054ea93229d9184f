"""This module updates a particle filter: a cloud of worlds and a new view give the next cloud.

The filter continues every world several times, with different chance and different actions by
others (`propagation`). Each continuation is a try, which succeeds if its view equals the view in
the match. The share of successful tries is an unbiased estimate of the view's probability in the
world. The worlds of successful tries form the next cloud. The weight of a new world is the weight
of the world from which it came, divided by the number of tries.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from plyglass.beliefs.cloud import Cloud, Weights, add_world, add_worlds, empty, pool_for
from plyglass.beliefs.prior import first_cloud, imagine_worlds
from plyglass.beliefs.propagation import FOUND, Lookout, follow_copy, is_seen, look
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.memory import address_of
from plyglass.core.state import Bytes
from plyglass.core.table import SIZE
from plyglass.core.verbs import copy_state, perturb
from plyglass.search.clock import late

ROOM = 4  # the most different worlds that an update can collect, for each world to keep


@kernel
def follow_all(table, sight, worlds, weights, tries, own_action, pool):
    """Continue every world as often as `tries` says; collect the results that match the view.

    The loop ends when the time is over. Returns (the number of results, whether chance or others
    decided anything).
    """
    found, open_ended = 0, False
    for i in range(len(weights)):
        for _ in range(tries[i]):
            if late(sight[0].clock):
                return found, open_ended
            outcome, by_chance = follow_copy(
                table, sight[0], address_of(worlds) + i * table[SIZE], own_action
            )
            if outcome == FOUND:
                add_world(
                    table, pool, sight[0].world, weights[i] / tries[i] if by_chance else weights[i]
                )
                found += 1
            if not by_chance:
                break  # another try would give the same result
            open_ended = True
    return found, open_ended


@kernel
def perturb_all(table, sight, worlds, weights, moves, pool):
    """Collect every world, and copies with up to `moves` small changes of the hidden part.

    The loop ends when the time is over.
    """
    add_worlds(table, pool, worlds, weights)
    for i in range(len(weights)):
        world = address_of(worlds) + i * table[SIZE]
        copy_state(table, sight[0].world, world)
        for _ in range(moves):
            if late(sight[0].clock):
                return
            agrees = perturb(table, sight[0].world, sight[0].viewer, next_word(sight[0].stream))
            look(table, sight[0])
            if agrees and is_seen(table, sight[0], sight[0].after):
                add_world(table, pool, sight[0].world, weights[i])
            else:
                copy_state(table, sight[0].world, world)


class Filter:
    """The updates of a particle filter for one seat in one match."""

    def __init__(
        self, game: Game, lookout: Lookout, worlds: int, tries: int, weighted: bool
    ) -> None:
        self._game, self._lookout = game, lookout
        self._worlds, self._tries, self._weighted = worlds, tries, weighted
        self._pool = pool_for(game, ROOM * worlds)

    def begin(self, view: Bytes) -> Cloud:
        """Return the cloud that fits the first view of a match."""
        return self._fitted(
            first_cloud(
                self._game, self._lookout, self._pool, view, ROOM * self._worlds, self._tries
            )
        )

    def advance(
        self, cloud: Cloud, before: Bytes, own_action: int, after: Bytes, patience: int = 1
    ) -> Cloud | None:
        """Return the cloud after a new view, or None if no try matched this view.

        `patience` multiplies the usual number of tries.
        """
        self._lookout.aim(before, after)
        tries = tries_of(cloud.weights, self._worlds)
        found, rounds, chancy, more_by_chance = 0, 0, False, True
        while (
            more_by_chance
            and not self._lookout.clock.belief_stopped
            and self._goes_on(found, rounds, patience)
            and self._has_room(int(tries.sum()))
        ):
            more, more_by_chance = follow_all(
                self._game.table, self._lookout.sight, cloud.worlds, cloud.weights, tries,
                own_action, self._pool
            )  # fmt: skip
            found, rounds, chancy = found + more, rounds + 1, chancy or more_by_chance
        if not found:
            return None
        # If neither chance nor others decided anything, the view only ruled out worlds.
        left = cloud.samples * float(self._pool.weights[: self._pool.used[0]].sum())
        return self._collected(found if chancy else left)

    def filled_up(self, cloud: Cloud | None, view: Bytes) -> Cloud:
        """Return the cloud with additional worlds that are imagined from the present view alone."""
        self._lookout.aim(view, view)
        samples = 0 if cloud is None else int(cloud.samples)
        if cloud is not None:
            add_worlds(self._game.table, self._pool, cloud.worlds, cloud.weights * samples)
        wanted = max(1, self._worlds - samples)
        made = imagine_worlds(self._game.table, self._lookout.sight, self._pool, wanted)
        found = self._worlds if made == wanted else min(self._worlds, samples + int(made))
        return self._collected(found)

    def perturbed(self, cloud: Cloud, view: Bytes) -> Cloud:
        """Return the cloud, with copies of its worlds that the rule `perturb` has changed."""
        self._lookout.aim(view, view)
        moves = self._worlds // len(cloud) + 1
        perturb_all(
            self._game.table, self._lookout.sight, cloud.worlds, cloud.weights, moves, self._pool
        )
        stopped = self._lookout.clock.belief_stopped
        return self._collected(cloud.samples if stopped else self._worlds)

    def _goes_on(self, found: int, rounds: int, patience: int) -> bool:
        """Return whether another round is needed, because there were too few rounds or worlds."""
        return rounds * 4 < self._tries or (
            found < self._worlds and rounds < patience * self._tries
        )

    def _has_room(self, tries: int) -> bool:
        """Return whether the pool can hold a full round.

        A round that ends early would favour the worlds that come first.
        """
        return int(self._pool.used[0]) + tries <= len(self._pool.weights)

    def _collected(self, samples: float) -> Cloud:
        """Return the worlds of the pool as a fitted cloud; then empty the pool.

        Only worlds that stay in the cloud are copied. Copying a full pool of large states takes 25
        ms.
        """
        used = int(self._pool.used[0])
        weights = self._pool.weights[:used] / self._pool.weights[:used].sum()
        found = self._fitted(Cloud(self._pool.rows[:used], weights, samples))
        kept = replace(found, worlds=found.worlds.copy()) if len(found) == used else found
        empty(self._pool)
        return kept

    def _fitted(self, cloud: Cloud) -> Cloud:
        """Return the cloud, resampled if there are too many worlds or weights must be equal."""
        if self._weighted and len(cloud) <= self._worlds:
            return cloud
        return cloud.rounded(self._worlds, self._lookout.stream)


def tries_of(weights: Weights, worlds: int) -> npt.NDArray[np.int64]:
    """Return each world's number of tries in a round: half shared evenly, half by weight.

    Every world gets at least one try, so only a view can rule a world out. Worlds with more weight
    get more tries, as they would after resampling.
    """
    return np.ceil(worlds * (0.5 / len(weights) + 0.5 * weights)).astype(np.int64)
