"""Exact: the full posterior (every possible world with its probability) for small games.

Needs: a game whose start positions and chance outcomes can be enumerated (`core.tape`).

`Exact` cannot handle games with many worlds. It raises an error if there are more than
`most_worlds` worlds. Worlds are distinguished by 64-bit hashes.

If others are assumed to follow a policy, the belief samples the policy many times to estimate the
probability of each action. The posterior is exact for these estimates. If the view can only come
from actions that the policy never chose, the belief assumes random play. If no world leads to the
view, the belief restarts with all worlds that the view allows. The belief's health counts these
restarts. If the time of a decision runs out, the belief has only the worlds found so far.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyglass.beliefs.cloud import Cloud, CloudBelief, Weights, empty, pool_for, with_room
from plyglass.beliefs.enumeration import BEGINNING, Place, Way, begin_on, play_on
from plyglass.beliefs.prior import LEAST, has_open_setup, imagine_worlds
from plyglass.beliefs.propagation import NOBODY_SAW, RANDOM, Lookout
from plyglass.core.game import Game
from plyglass.core.luck import TAPE_HEAD
from plyglass.core.state import Bytes, filled
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.world import View, World
from plyglass.search.expectimax.frames import LONG_TAPE
from plyglass.search.expectimax.lookahead import FAULTS
from plyglass.search.expectimax.outcomes import blank_tapes

ROOM = 256  # the capacity of a new pool, in worlds
WAYS = 64  # the most chance outcomes of a deal, for each possible world


@dataclass(frozen=True)
class Exact:
    """A belief that holds every possible world with its probability, for small games.

    Attributes:
        others: how other players are assumed to act: "random", or the name of a policy of the
            game.
        most_worlds: the largest number of possible worlds; more worlds raise an error.
        sampled: whether a planner that asks for N worlds gets N sampled worlds; otherwise the
            planner gets every possible world.
    """

    others: str = RANDOM
    most_worlds: int = 1_000_000
    sampled: bool = False

    name: ClassVar[str] = "exact"
    cheats: ClassVar[bool] = False
    audited: ClassVar[str] = "most_worlds=1000"

    def begin(self, game: Game, seat: int, seed: int) -> LiveExact:
        return LiveExact(self, game, seat, seed)


class LiveExact(CloudBelief):
    """An `Exact` belief of one seat in one match, updated when a planner asks for worlds."""

    def __init__(self, belief: Exact, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat)
        lookout = Lookout(game, seat, seed, belief.others, self.clock)
        self._enumeration = Enumeration(game, lookout, belief.most_worlds)
        self._belief, self._stream = belief, self._enumeration.stream
        # The seat's own actions and its views since the last update.
        self._waiting: deque[tuple[int, Bytes]] = deque()
        self._known: tuple[Bytes, Cloud] | None = None  # the last update's view, and its worlds

    def observe(self, own_action: int | None, view: View) -> None:
        self._waiting.append((NOBODY_SAW if own_action is None else own_action, view.row()))

    def fork(self) -> LiveExact:
        twin = LiveExact(self._belief, self.game, self.seat, int(self._stream[0]))
        twin._waiting, twin._known = self._waiting.copy(), self._known
        twin._refilled = self._refilled
        return twin

    @property
    def begun(self) -> bool:
        """Whether the belief has computed worlds."""
        return self._known is not None

    def adopt(self, twin: LiveExact) -> None:
        """Take over the worlds of a twin: a belief with the same seed that saw the same views."""
        assert not self.begun and not twin._waiting
        self._waiting, self._known = twin._waiting.copy(), twin._known
        self._refilled = twin._refilled
        self._stream[:] = twin._stream

    def support(self, count: int) -> tuple[Bytes, Weights]:
        """Return every possible world with its probability, or `count` samples if `sampled`."""
        cloud = self._cloud
        return super().support(count if self._belief.sampled else len(cloud))

    def posterior(self) -> dict[World, float]:
        """Return every possible world with its probability."""
        cloud = self._cloud
        return {
            World(self.game, row.copy()): float(weight)
            for row, weight in zip(cloud.worlds, cloud.weights, strict=True)
        }

    @property
    def _cloud(self) -> Cloud:
        """Return the cloud of worlds, given everything that the seat has seen."""
        while self._waiting:
            if self.clock.belief_stopped and self._known is not None:
                self._begin_anew()
                break
            own_action, view = self._waiting[0]
            self._known = view, self._after(own_action, view)
            self._waiting.popleft()
        if self._known is None:
            raise RuntimeError(
                "A belief has no worlds before its seat has seen anything; call observe first."
            )
        return self._known[1]

    def _begin_anew(self) -> None:
        """Imagine worlds from the last view, because there is no time to follow earlier views."""
        self._refilled += 1
        view = self._waiting[-1][1]
        self._known = view, self._enumeration.begin_anew(view)
        self._waiting.clear()

    def _after(self, own_action: int, view: Bytes) -> Cloud:
        if self._known is None:
            return self._enumeration.begin(view)
        before, cloud = self._known
        found = self._enumeration.advance(cloud, before, own_action, view)
        if found is None:
            self._refilled += 1
            return self._enumeration.begin_anew(view)
        return found


class Enumeration:
    """The updates of an exact belief for one seat in one match."""

    def __init__(self, game: Game, lookout: Lookout, most: int) -> None:
        self._game, self._most, self._lookout = game, most, lookout
        self._policy, self.stream = int(self._lookout.sight[0].policy), self._lookout.stream
        place, actions = np.zeros(1, Place).view(np.recarray), np.zeros(game.most_actions, np.int32)
        reached, unseen, self._spare = (pool_for(game, min(ROOM, most + 1)) for _ in range(3))
        self._way = Way(
            self._lookout.sight,
            place,
            actions,
            np.zeros(game.most_actions),
            blank_tapes(1)[0],
            reached,
            unseen,
        )

    def begin(self, view: Bytes) -> Cloud:
        """Return the start positions that match the first view.

        If no start position matches, or the setup is secret, return the worlds that the game
        imagines for the view.
        """
        if has_open_setup(self._game):
            self._lookout.aim(view, view)
            self._forget()
            setup = filled(self._game.setup, self._game.default_setup())
            self._run(WAYS * self._most, begin_on, setup.ctypes.data)
            if self._found > 0:
                return Cloud.of(self._way.reached, np.inf)
        return self.begin_anew(view)

    def begin_anew(self, view: Bytes) -> Cloud:
        """Return all worlds that the game imagines for a view, or only some if the time is over."""
        self._lookout.aim(view, view)
        self._forget()
        self._run(WAYS * self._most, begin_on, 0)
        if self._found == 0:
            imagine_worlds(self._game.table, self._lookout.sight, self._way.reached, LEAST)
        return Cloud.of(self._way.reached, np.inf)

    def advance(self, cloud: Cloud, before: Bytes, own_action: int, after: Bytes) -> Cloud | None:
        """Return the cloud after a new view, or None if no world leads to this view.

        If no action of the others' policy leads to the view, assume that the others acted at
        random.
        """
        self._lookout.aim(before, after)
        for policy in dict.fromkeys((self._policy, 0)):
            self._lookout.sight[0].policy = policy
            self._follow(cloud, own_action)
            if self._found > 0:
                return Cloud.of(self._way.reached, np.inf)
        return None

    @property
    def _found(self) -> int:
        return int(self._way.reached.used[0])

    def _follow(self, cloud: Cloud, own_action: int) -> None:
        """Continue all worlds until the seat sees something new in each world."""
        self._forget()
        worlds, weights = cloud.worlds, cloud.weights
        while len(weights) > 0:
            self._run(np.inf, play_on, worlds, weights, own_action)
            played_on, used = self._way.unseen, int(self._way.unseen.used[0])
            worlds, weights = played_on.rows[:used], played_on.weights[:used]
            empty(self._spare)
            self._way, self._spare = self._way._replace(unseen=self._spare), played_on

    def _forget(self) -> None:
        empty(self._way.reached)
        empty(self._way.unseen)

    def _run(self, most_outcomes: float, collect: Callable[..., bool], *what: Any) -> None:
        """Run a kernel until it is done, and enlarge every pool that becomes full."""
        tape, place, done = self._way.tape, self._way.place, False
        tape[0] = tape[TAPE_HEAD:] = 0
        place[0] = BEGINNING
        while not done:
            done = collect(self._game.table, self._way, *what) or self._lookout.clock.belief_stopped
            self._refuse(not done and place["outcomes"][0] > most_outcomes)
            reached, unseen = (
                with_room(self._game, pool, self._most + 1)
                for pool in (self._way.reached, self._way.unseen)
            )
            self._way = self._way._replace(reached=reached, unseen=unseen)

    def _refuse(self, too_many_ways: bool) -> None:
        """Raise an error if a limit is exceeded."""
        name = self._game.name
        if self._way.tape[0] > MOST_DRAWS:
            raise RuntimeError(f"{name} {FAULTS[LONG_TAPE]}")
        if self._found + int(self._way.unseen.used[0]) > self._most:
            raise RuntimeError(
                f"{name} has more than {self._most} possible worlds here; use particles instead "
                "of exact."
            )
        if too_many_ways:
            raise RuntimeError(
                f"{name} can start in more than {WAYS * self._most} ways; use particles instead "
                "of exact."
            )
