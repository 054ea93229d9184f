"""Particles: a particle filter. Worlds are played along and kept while they look like the match.

Gordon, Salmond and Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation",
1993; unweighted as in Silver and Veness, "Monte-Carlo planning in large POMDPs", NIPS 2010. A
weight counts how many of several tries came to look like the match.

Needs: only the rules of a game. A rule `perturb` helps where worlds run out.

It cannot know how others play. It assumes random play or a policy of the game, and its
probabilities are right only under this assumption.

Differs from the papers:
- Every world is followed several times, and equal worlds are stored once (`cloud`). In a small game
  a step then adds hardly any noise. Resampling is systematic, and happens only if there are more
  worlds than are kept, or if copies must have equal weight.
- Unseen actions of others are played until something shows, however often they act.
- If few samples of many possible worlds are left, more are found. The last events are replayed from
  an earlier cloud. If that does not help, the game perturbs worlds, or else imagines new ones from
  the view alone.
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

KEPT = 4  # clouds to go back to, besides the first one
PATIENCE = 8  # how many times the usual tries are made when worlds have run out
FEW = 8  # fewer than one sample for so many worlds is poor


@dataclass(frozen=True)
class Particles:
    """Worlds that are played along with the match and kept while they look like it.

    Attributes:
        worlds: how many worlds to keep.
        weighted: whether worlds have weights; otherwise equal copies of a world stand for its
            weight.
        others: how other players are assumed to act: "random", or the name of a policy of the
            game.
        tries: the most times that each world is followed, for every new view.
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
    """A view, and the seat's own action that led there, or NOBODY_SAW."""

    own_action: int
    view: Bytes


class LiveParticles(CloudBelief):
    """A `Particles` belief of one seat in one match; it is updated when worlds are asked for."""

    def __init__(self, belief: Particles, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat)
        self._belief = belief
        self._lookout = Lookout(game, seat, seed, belief.others, self.clock)
        self._stream = self._lookout.stream
        self._filter = Filter(game, self._lookout, belief.worlds, belief.tries, belief.weighted)
        self._events: list[Event] = []
        # The first cloud and the latest ones, each as (number of its event, cloud).
        self._clouds: deque[tuple[int, Cloud]] = deque()
        # Whether there were more worlds than could be kept: some possible ones are missing.
        self._crowded = False

    def observe(self, own_action: int | None, view: View) -> None:
        self._events.append(Event(NOBODY_SAW if own_action is None else own_action, view.row()))

    @property
    def _cloud(self) -> Cloud:
        """The worlds, given everything that was seen."""
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
        """There is no time to follow the last events: imagine worlds behind the last view."""
        self._refilled += 1
        last = len(self._events) - 1
        self._note(last, self._filter.filled_up(None, self._events[last].view))

    def _note(self, number: int, cloud: Cloud) -> None:
        self._clouds.append((number, cloud))
        if len(self._clouds) > KEPT + 1:
            del self._clouds[1]
        self._crowded = self._crowded or 2 * len(cloud) > self._belief.worlds

    def _after(self, number: int) -> Cloud:
        """The cloud after an event, refilled if it has few samples of many possible worlds."""
        cloud = self._step(self._clouds[-1][1], number)
        if cloud is None or (self._crowded and self._is_poor(cloud)):
            self._refilled += 1
            return self._refill(cloud, number)
        return cloud

    def _refill(self, left: Cloud | None, number: int) -> Cloud:
        """Worlds from an earlier cloud; if these are poor too, neighbours or imagined worlds."""
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
        """Replay the last events from the latest cloud that leads here with enough worlds."""
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
