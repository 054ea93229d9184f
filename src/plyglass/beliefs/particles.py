"""Particles: a particle filter, which keeps the sampled worlds that agree with what was seen.

Gordon, Salmond and Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation",
1993; the unweighted form follows Silver and Veness, "Monte-Carlo planning in large POMDPs", NIPS
2010. The weight of a world counts the tries that agreed with the new view.

Needs: only the rules of a game. A rule `perturb` helps when few worlds are left.

`Particles` cannot know how others play. The filter assumes random play or a policy of the game, and
its probabilities are right only under this assumption.

Differs from the papers:
- Every world is continued several times, and equal worlds are stored once (`cloud`). So an update
  in a small game adds hardly any noise. Resampling is systematic. The filter resamples only if
  there are more worlds than `worlds`, or if all worlds must have equal weight.
- Unseen actions by others are simulated until the seat's view changes, however many actions this
  takes.
- If few of many possible worlds are left, the filter finds more worlds. It first replays the last
  events from an earlier cloud. If this replay finds too few worlds, the game perturbs worlds. If no
  world is left, or the game has no rule `perturb`, the game imagines new worlds from the view
  alone.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import ClassVar

from plyglass.beliefs.cloud import Cloud, CloudBelief
from plyglass.beliefs.particle_filter import Filter
from plyglass.beliefs.propagation import NOBODY_SAW, RANDOM, Lookout
from plyglass.core.game import Game
from plyglass.core.state import Bytes
from plyglass.core.world import View

KEPT = 4  # latest clouds that are kept for a replay, besides the first cloud
PATIENCE = 8  # factor on the number of tries when worlds have run out
FEW = 8  # a cloud is poor with less than one sample for this many wanted worlds


@dataclass(frozen=True)
class Particles:
    """A particle filter, which keeps the sampled worlds that agree with what was seen.

    Attributes:
        worlds: the number of worlds to keep.
        weighted: whether worlds have arbitrary weights; otherwise the weight of a world is its
            number of equal copies.
        others: how other players are assumed to act: "random", or the name of a policy of the
            game.
        tries: the largest number of rounds for a new view. Each round continues every world at
            least once.
    """

    worlds: int = 2000
    weighted: bool = True
    others: str = RANDOM
    tries: int = 16

    name: ClassVar[str] = "particles"
    cheats: ClassVar[bool] = False
    audited: ClassVar[str] = "worlds=50,tries=4"

    def __post_init__(self) -> None:
        if self.worlds < 1 or self.tries < 1:
            raise ValueError(
                f"worlds={self.worlds} and tries={self.tries} are not possible; particles need at "
                "least one world and one try."
            )

    def begin(self, game: Game, seat: int, seed: int) -> LiveParticles:
        return LiveParticles(self, game, seat, seed)


@dataclass(frozen=True)
class Event:
    """A view, with the seat's own action that led to it, or NOBODY_SAW if another player acted."""

    own_action: int
    view: Bytes


class LiveParticles(CloudBelief):
    """A `Particles` belief of one seat in one match, updated when a planner asks for worlds."""

    def __init__(self, belief: Particles, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat)
        self._belief = belief
        self._lookout = Lookout(game, seat, seed, belief.others, self.clock)
        self._stream = self._lookout.stream
        self._filter = Filter(game, self._lookout, belief.worlds, belief.tries, belief.weighted)
        self._events: list[Event] = []
        # The first cloud and the latest clouds, each as (number of its event, cloud).
        self._clouds: deque[tuple[int, Cloud]] = deque()
        # Whether there were more worlds than could be kept, so some possible worlds are missing.
        self._crowded = False

    def observe(self, own_action: int | None, view: View) -> None:
        self._events.append(Event(NOBODY_SAW if own_action is None else own_action, view.row()))

    def fork(self) -> LiveParticles:
        twin = LiveParticles(self._belief, self.game, self.seat, int(self._stream[0]))
        twin._events, twin._clouds = self._events.copy(), self._clouds.copy()
        twin._crowded, twin._refilled = self._crowded, self._refilled
        return twin

    @property
    def begun(self) -> bool:
        """Whether the belief has computed worlds."""
        return bool(self._clouds)

    def adopt(self, twin: LiveParticles) -> None:
        """Take over the worlds of a twin, a belief with the same seed that saw the same views."""
        assert not self.begun and len(twin._events) == len(self._events)
        self._clouds = twin._clouds.copy()
        self._crowded, self._refilled = twin._crowded, twin._refilled
        self._stream[:] = twin._stream

    @property
    def _cloud(self) -> Cloud:
        """Return the cloud of worlds, given everything that the seat has seen."""
        if not self._events:
            raise RuntimeError(
                "A belief has no worlds before its seat has seen anything; call observe first."
            )
        if not self._clouds:
            self._note(0, self._filter.begin(self._events[0].view))
        for number in range(self._clouds[-1][0] + 1, len(self._events)):
            if self.clock.belief_stopped:
                self._begin_anew()
                break
            self._note(number, self._after(number))
        return self._clouds[-1][1]

    def _begin_anew(self) -> None:
        """Imagine worlds from the last view, because there is no time to follow the last events."""
        self._refilled += 1
        last = len(self._events) - 1
        self._note(last, self._filter.filled_up(None, self._events[last].view))

    def _note(self, number: int, cloud: Cloud) -> None:
        self._clouds.append((number, cloud))
        if len(self._clouds) > KEPT + 1:
            del self._clouds[1]
        self._crowded = self._crowded or 2 * len(cloud) > self._belief.worlds

    def _after(self, number: int) -> Cloud:
        """Return the cloud after an event, refilled if few of many possible worlds are left."""
        cloud = self._step(self._clouds[-1][1], number)
        if cloud is None or (self._crowded and self._is_poor(cloud)):
            self._refilled += 1
            return self._refill(cloud, number)
        return cloud

    def _refill(self, left: Cloud | None, number: int) -> Cloud:
        """Return worlds replayed from an earlier cloud; perturb or imagine worlds if that fails."""
        view = self._events[number].view
        best = max(
            (cloud for cloud in (left, self._again(number)) if cloud is not None),
            key=lambda cloud: cloud.samples,
            default=None,
        )
        if best is None or not self._is_poor(best):
            return best or self._filter.filled_up(None, view)
        return (
            self._filter.perturbed(best, view)
            if self.game.perturbs
            else self._filter.filled_up(best, view)
        )

    def _again(self, number: int) -> Cloud | None:
        """Replay the last events from the latest stored cloud that yields enough worlds."""
        found: Cloud | None = None
        for origin, cloud in [*self._clouds][-2::-2]:
            if self.clock.belief_stopped:
                break
            found = self._replay(cloud, origin, number) or found
            if found is not None and not self._is_poor(found):
                break
        return found

    def _replay(self, cloud: Cloud, origin: int, number: int) -> Cloud | None:
        reached: Cloud | None = cloud
        for event in range(origin + 1, number + 1):
            if reached is not None:
                reached = self._step(reached, event, PATIENCE)
        return reached

    def _step(self, cloud: Cloud, number: int, patience: int = 1) -> Cloud | None:
        before, event = self._events[number - 1], self._events[number]
        return self._filter.advance(cloud, before.view, event.own_action, event.view, patience)

    def _is_poor(self, cloud: Cloud) -> bool:
        return FEW * cloud.samples < self._belief.worlds
