"""Particles: worlds that are played along with the match, and kept while they look as the match
does.

Gordon, Salmond and Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation",
1993; unweighted as in Silver and Veness, "Monte-Carlo planning in large POMDPs", NIPS 2010;
weighted by how often what was seen came to pass in several tries.

Needs: nothing of a game but its rules; a game's own `perturb` helps where worlds run out. Cannot:
know how others play. It takes them to act at random, or by a policy of the game; its worlds have
the probabilities of that.

Differs from the papers in:
- every world is followed several times, and equal worlds are counted together (`cloud`), so that in
  a small game hardly any noise is added by a step; worlds are resampled, systematically, only where
  there are more than are kept, or where copies must weigh the same;
- what others do unseen is played until something shows, however often they act;
- where few samples are left of many possible worlds, more are found: by going through the last
  events once more from an earlier cloud; if that does not help, by small moves of the game, or else
  by imagining worlds from the view alone.
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
PATIENCE = 8  # times the usual tries, when worlds have run out
FEW = 8  # one sample for so many worlds is poor


@dataclass(frozen=True)
class Particles:
    """Worlds that are played along with the match and kept while they look as it does.

    Attributes:
        worlds: how many are kept.
        weighted: whether worlds carry weights; otherwise each is kept in as many equal copies as it
            is worth.
        others: how the other players are thought to act: "random", or a policy of the game by its
            name.
        tries: how often each world is followed, at most, for every thing that is seen.
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
                f"Particles need at least one world and one try, not {self.worlds} and "
                f"{self.tries}."
            )

    def begin(self, game: Game, seat: int, seed: int) -> LiveParticles:
        return LiveParticles(self, game, seat, seed)


@dataclass(frozen=True)
class Event:
    """A view, and the own action that led there or NOBODY_SAW."""

    own_action: int
    view: Bytes


class LiveParticles(CloudBelief):
    """A `Particles` belief of one seat in one match. What is seen is worked on when worlds are
    asked for.
    """

    def __init__(self, belief: Particles, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat)
        self._belief = belief
        self._lookout = Lookout(game, seat, seed, belief.others)
        self._stream = self._lookout.stream
        self._filter = Filter(game, self._lookout, belief.worlds, belief.tries, belief.weighted)
        self._events: list[Event] = []
        self._clouds: deque[tuple[int, Cloud]] = (
            deque()
        )  # (number of its event, cloud): the first one and the latest
        # whether there were more worlds than could be kept, so that some that are possible are
        # missing
        self._crowded = False

    def observe(self, own_action: int | None, view: View) -> None:
        self._events.append(Event(NOBODY_SAW if own_action is None else own_action, view.row()))

    @property
    def _cloud(self) -> Cloud:
        """The worlds after everything that was seen."""
        if not self._events:
            raise RuntimeError(
                "A belief is asked for worlds before its seat has seen anything; call observe "
                "first."
            )
        if not self._clouds:
            self._note(0, self._filter.begin(self._events[0].view))
        for number in range(self._clouds[-1][0] + 1, len(self._events)):
            self._note(number, self._after(number))
        return self._clouds[-1][1]

    def _note(self, number: int, cloud: Cloud) -> None:
        self._clouds.append((number, cloud))
        if len(self._clouds) > KEPT + 1:
            del self._clouds[1]
        self._crowded = self._crowded or 2 * len(cloud) > self._belief.worlds

    def _after(self, number: int) -> Cloud:
        """The cloud after an event; found anew where it is worth only a few samples of many
        possible worlds.
        """
        cloud = self._step(self._clouds[-1][1], number)
        if cloud is None or (self._crowded and self._is_poor(cloud)):
            self._refilled += 1
            return self._refill(cloud, number)
        return cloud

    def _refill(self, left: Cloud | None, number: int) -> Cloud:
        """Worlds from a cloud some steps back; where that is poor, too, neighbours of those
        left, or what the game imagines.
        """
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
        """Go through the last events once more with other luck, from the latest cloud that leads
        here with enough worlds.
        """
        found: Cloud | None = None
        for origin, cloud in [*self._clouds][-2::-2]:
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
