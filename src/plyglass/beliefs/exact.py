"""Exact: the whole posterior, every possible world with its probability, for games that are small enough to enumerate.

Needs: a game whose starts and outcomes of luck can be enumerated (`core.tape`).
Cannot: keep up with a game of many worlds; it refuses one when there are more than `most_worlds`. With others playing by a policy of the
game, how often the policy does what is counted in many tries, and the posterior is exact only for those counts; others who did what the
policy never does are taken to have acted at random that time.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.beliefs.cloud import Cloud, Weights
from plyglass.beliefs.following import RANDOM, address_of_model
from plyglass.beliefs.prior import has_open_setup
from plyglass.core.game import Game
from plyglass.core.state import Bytes
from plyglass.core.tape import deals, imaginations, outcomes
from plyglass.core.world import View, World
from plyglass.search.belief import Health, LiveBelief

ASKED = 1000  # times that a policy is asked what it does in a position

Posterior = dict[World, float]


@dataclass(frozen=True)
class Exact:
    """Every possible world with its probability, for games that can be enumerated.

    Attributes:
        others: how the other players are thought to act: "random", or a policy of the game by its name.
        most_worlds: how many worlds may be possible at a time.
    """

    others: str = RANDOM
    most_worlds: int = 100_000

    name: ClassVar[str] = "exact"
    cheats: ClassVar[bool] = False

    def begin(self, game: Game, seat: int, seed: int) -> LiveExact:
        return LiveExact(self, game, seat, seed)


class LiveExact(LiveBelief):
    """An `Exact` belief of one seat in one match. What is seen is worked on when worlds are asked for."""

    def __init__(self, belief: Exact, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat)
        self._most = belief.most_worlds
        self._policy = address_of_model(game, belief.others)
        self._stream = np.array([seed], np.uint64)
        self._waiting: list[tuple[int | None, View]] = []  # what was seen and not yet worked on
        self._view: View | None = None
        self._posterior: Posterior = {}

    def observe(self, own_action: int | None, view: View) -> None:
        self._waiting.append((own_action, view))

    def sample(self, worlds: Bytes) -> None:
        self._cloud().draw(self.game, worlds, self._stream)

    def support(self, count: int) -> tuple[Bytes, Weights]:
        """Every possible world and its probability, however many are asked for."""
        cloud = self._cloud()
        return cloud.worlds, cloud.weights

    def health(self) -> Health:
        cloud = self._cloud()
        return Health(len(cloud), cloud.effective)

    def posterior(self) -> Posterior:
        """Every possible world with its probability."""
        if self._view is None and not self._waiting:
            raise RuntimeError("A belief is asked for worlds before its seat has seen anything; call observe first.")
        for own_action, view in self._waiting:
            worlds = self._prior(view) if self._view is None else self._next(own_action, view)
            total = sum(worlds.values())
            self._posterior, self._view = {world: weight / total for world, weight in worlds.items()}, view
        self._waiting.clear()
        return self._posterior

    def _cloud(self) -> Cloud:
        worlds = self.posterior()
        return Cloud(np.stack([world.row() for world in worlds]), np.array([*worlds.values()]), np.inf)

    def _prior(self, view: View) -> Posterior:
        """The starts that look like the first view; where none does, or the setup is secret, what the game imagines behind it."""
        starts = self._merged(deals(self.game)) if has_open_setup(self.game) else {}
        alike = {world: weight for world, weight in starts.items() if world.hide(self.seat) == view}
        return alike or self._merged(imaginations(view))

    def _next(self, own_action: int | None, view: View) -> Posterior:
        """The worlds after something more was seen, with weights."""
        found = self._followed(own_action, view, self._policy) or self._followed(own_action, view, 0)
        if not found:
            raise RuntimeError(f"No world of {self.game.name} that was possible leads to what player {view.viewer} sees now.")
        return found

    def _followed(self, own_action: int | None, view: View, policy: int) -> Posterior:
        """Every world played on, in every way, to what the seat saw next."""
        reached: Posterior = defaultdict(float)
        unseen = self._posterior
        while unseen:
            following: Posterior = defaultdict(float)
            for world, weight, by_me in self._steps(unseen, own_action, policy):
                seen = world.hide(self.seat)
                if seen == view and by_me == (own_action is not None):
                    reached[world] += weight
                elif seen == self._view and not by_me:
                    following[world] += weight
            self._refuse_too_many(len(following) + len(reached))
            unseen = following
        return reached

    def _steps(self, worlds: Posterior, own_action: int | None, policy: int) -> Iterator[tuple[World, float, bool]]:
        """(what a world becomes, its weight, whether the seat itself acted) for every action that may follow."""
        for world, weight in worlds.items():
            mover = world.to_move
            if mover == self.seat and own_action is not None:
                for share, after in outcomes(world, own_action):
                    yield after, weight * share, True
            elif mover not in (self.seat, -1):
                for action, likely in self._others_do(world, policy):
                    for share, after in outcomes(world, action):
                        yield after, weight * likely * share, False

    def _others_do(self, world: World, policy: int) -> Iterable[tuple[int, float]]:
        """What the player to move may do, and how likely that is by the model of him."""
        if policy == 0:
            actions = world.legal()
            return [(action, 1.0 / len(actions)) for action in actions]
        verbs, table, stream = self.game.verbs, self.game.table, self._stream.ctypes.data
        chosen = Counter(int(verbs.choose(table, world.address, stream, policy)) for _ in range(ASKED))
        return [(action, count / ASKED) for action, count in chosen.items()]

    def _merged(self, worlds: Iterable[tuple[float, World]]) -> Posterior:
        sums: Posterior = defaultdict(float)
        for probability, world in itertools.islice(worlds, self._most + 1):
            sums[world] += probability
        self._refuse_too_many(len(sums))
        return sums

    def _refuse_too_many(self, count: int) -> None:
        if count > self._most:
            raise RuntimeError(f"{self.game.name} has more than {self._most} possible worlds here; use particles instead of exact.")
