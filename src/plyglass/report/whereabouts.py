"""How well beliefs locate hidden things: the probability of true places, and calibration.

Games are played at random or by a policy. Before the first action of every turn, the beliefs of the
player to move answer questions: is a given thing at a given place? The game imagines worlds that
fit the view. There is a question for every hidden thing and every place that the thing has in these
worlds. So the questions depend neither on the truth nor on a belief. For things that cannot be told
apart, the question is whether any of them is at the place. Results are grouped by the number of
turns since the thing was seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.arena.audit.belief_walk import believed
from plyglass.beliefs import Belief
from plyglass.beliefs.propagation import RANDOM
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes
from plyglass.core.world import World
from plyglass.report.calibration import imagined
from plyglass.search.interface import LiveBelief
from plyglass.stats.reliability import Bin, reliability_bins

OLDEST = 12  # the most turns since a sighting; older sightings count as this old

Place = tuple[int, int]  # the numbers of a thing and of a place


@dataclass
class Whereabouts:
    """The predictions of a belief about places.

    Attributes:
        given: for each number of turns since a thing was seen, a list of pairs. A pair has the
            number of a game and the probability that the belief gave to the thing's true place.
        predicted, happened: for every question, the predicted probability, and whether the thing
            was there.
        refilled: number of times that the belief ran out of worlds and had to find new ones.
    """

    given: dict[int, list[tuple[int, float]]] = field(default_factory=lambda: defaultdict(list))
    predicted: list[float] = field(default_factory=list)
    happened: list[bool] = field(default_factory=list)
    refilled: int = 0

    @property
    def mean(self) -> float:
        """The mean probability that the belief gave to a true place."""
        return float(np.mean([said for each in self.given.values() for _, said in each]))

    @property
    def brier(self) -> float:
        """The mean squared error of the predictions."""
        return float(np.mean(np.square(np.subtract(self.predicted, self.happened))))

    @property
    def missed(self) -> float:
        """The share of true places to which the belief gave probability 0."""
        return float(np.mean([said == 0.0 for each in self.given.values() for _, said in each]))

    def by_age(self) -> dict[int, tuple[float, float, int]]:
        """By turns since the sighting: mean probability of the true place, its error, count."""
        return {age: _mean_over_games(self.given[age]) for age in sorted(self.given)}

    def bins(self, count: int = 10) -> list[Bin]:
        """The observed rate by predicted probability."""
        return reliability_bins(self.predicted, self.happened, count)


def whereabouts(
    game: Game,
    beliefs: Mapping[str, Belief],
    games: int,
    seed: int,
    play: str = RANDOM,
    worlds: int = 500,
) -> dict[str, Whereabouts]:
    """Ask several beliefs, given by name, the same questions during a number of games."""
    if any(belief.cheats for belief in beliefs.values()):
        raise ValueError("A belief that is told the truth has nothing to predict; leave it out.")
    found = {name: Whereabouts() for name in beliefs}
    for number in range(games):
        choice, seats = (
            np.random.default_rng(derive(seed, number, 1)),
            dict[int, list[LiveBelief]](),
        )
        for world, lives in _turns(game, [*beliefs.values()], derive(seed, number, 0), play):
            seats[world.to_move] = lives
            questions = sorted(
                {*_places(game, imagined(world, int(choice.integers(1 << 62))), world.to_move)}
            )
            truth = _true_places(game, world)
            for answers, live in zip(found.values(), lives, strict=True):
                _ask(answers, number, _probabilities(live, worlds), questions, truth)
        for lives in seats.values():
            for answers, live in zip(found.values(), lives, strict=True):
                answers.refilled += health.refilled if (health := live.health()) else 0
    return found


def _turns(
    game: Game, beliefs: list[Belief], seed: int, play: str
) -> Iterator[tuple[World, list[LiveBelief]]]:
    """Yield the world and the beliefs at the first decision of every turn."""
    before = -1
    for world, lives in believed(game, beliefs, seed, play):
        if world.to_move != before:
            yield world, lives
        before = world.to_move


def _ask(
    answers: Whereabouts,
    game: int,
    said: Mapping[Place, float],
    questions: Iterable[Place],
    truth: Mapping[Place, int],
) -> None:
    for place, age in truth.items():
        answers.given[min(age, OLDEST)].append((game, said.get(place, 0.0)))
    for place in questions:
        answers.predicted.append(said.get(place, 0.0))
        answers.happened.append(place in truth)


def _mean_over_games(given: list[tuple[int, float]]) -> tuple[float, float, int]:
    """The mean, its standard error with games as clusters, and the number of probabilities."""
    games, said = np.array([game for game, _ in given]), np.array([said for _, said in given])
    sums = np.bincount(games, said - said.mean())
    return float(said.mean()), float(np.sqrt(np.square(sums).sum()) / len(said)), len(said)


def _places(game: Game, worlds: Bytes, viewer: int) -> Iterator[Place]:
    """Yield each thing with each place that it has in any of these worlds."""
    things, places, _ = game.hidden_things(_records(game, worlds), viewer)
    hidden = places >= 0
    yield from zip(things[hidden].tolist(), places[hidden].tolist(), strict=True)


def _true_places(game: Game, world: World) -> dict[Place, int]:
    """The true places of hidden things, and the number of turns since each was seen."""
    things, places, ages = (
        each[0].tolist()
        for each in game.hidden_things(_records(game, world.row()[None]), world.to_move)
    )
    return {
        (thing, place): age
        for thing, place, age in zip(things, places, ages, strict=True)
        if place >= 0
    }


def _probabilities(live: LiveBelief, count: int) -> dict[Place, float]:
    """The belief's probability for each possible pair of a thing and a place."""
    worlds, weights = live.support(count)
    things, places, _ = live.game.hidden_things(_records(live.game, worlds), live.seat)
    hidden = places >= 0
    keys, numbers = np.unique(
        np.stack([things[hidden], places[hidden]], axis=1), axis=0, return_inverse=True
    )
    sums = np.bincount(
        numbers.reshape(-1), np.broadcast_to(weights[:, None], places.shape)[hidden], len(keys)
    )
    return {
        (int(thing), int(place)): min(1.0, float(total))
        for (thing, place), total in zip(keys, sums, strict=True)
    }


def _records(game: Game, worlds: Bytes) -> npt.NDArray[Any]:
    return np.ascontiguousarray(worlds).view(game.state)[:, 0]
