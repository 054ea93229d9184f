"""Calibration of a belief: whether events with predicted probability p happen at the rate p.

Games are played at random or by a policy. At every decision, the belief of the player to move
answers one question: with which probability does a hidden number of the state have a given value?
To choose a question, the game imagines worlds that fit the view. A number is hidden if its value
differs between these worlds, and the question asks for one of these values. The belief's
probability is compared with the truth. The choice of questions depends neither on the truth nor on
the belief, so no belief gets easier questions than another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plyglass.arena.audit.belief_walk import believed
from plyglass.beliefs import Belief, Fresh
from plyglass.beliefs.propagation import RANDOM
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import HEADER, Bytes, new_states
from plyglass.core.world import World
from plyglass.search.interface import LiveBelief
from plyglass.stats.reliability import Bin, reliability_bins

IMAGINED = 100  # number of imagined worlds; a number of the state that differs in them is hidden

Numbers = npt.NDArray[np.generic]


@dataclass(frozen=True)
class Calibration:
    """The predictions of a belief, and the truth.

    Attributes:
        predicted, happened: for every prediction, its probability and whether it was true.
        games: number of games played.
        refilled: number of times that a belief ran out of worlds and had to find new ones.
    """

    predicted: tuple[float, ...]
    happened: tuple[bool, ...]
    games: int
    refilled: int

    @property
    def brier(self) -> float:
        """The mean squared error of the probabilities (Brier 1950); 0 is perfect."""
        return math.fsum(
            (said - was) ** 2 for said, was in zip(self.predicted, self.happened, strict=True)
        ) / len(self.predicted)

    @property
    def brier_of_rate(self) -> float:
        """The Brier score of a belief that always predicts the overall rate."""
        rate = sum(self.happened) / len(self.happened)
        return rate * (1 - rate)

    @property
    def expected_brier(self) -> float:
        """The expected Brier score if all predicted probabilities are correct."""
        return math.fsum(said * (1 - said) for said in self.predicted) / len(self.predicted)

    def bins(self, count: int = 10) -> list[Bin]:
        """The observed rate by predicted probability."""
        return reliability_bins(self.predicted, self.happened, count)


def calibration(
    game: Game, belief: Belief, games: int, seed: int, worlds: int = 500, play: str = RANDOM
) -> Calibration:
    """Play games; at every decision, ask the belief of the player to move one question.

    A belief that cannot list all its worlds samples `worlds` worlds.
    """
    if not game.hides:
        raise ValueError(f"Nothing is hidden in {game.name}, so it has no beliefs to calibrate.")
    if belief.cheats:
        raise ValueError(
            f"The belief {belief.name} is told the truth, so there is nothing to calibrate; give "
            "another belief."
        )
    predicted, happened, refilled = [], [], 0
    for number in range(games):
        choice = np.random.default_rng(derive(seed, number, 1))
        lives: set[LiveBelief] = set()
        for world, (live,) in believed(game, [belief], derive(seed, number, 0), play):
            lives.add(live)
            for said, was in _asked(world, live, worlds, choice):
                predicted.append(said)
                happened.append(was)
        refilled += sum(health.refilled for live in lives if (health := live.health()) is not None)
    if not predicted:
        raise ValueError(f"Nothing was uncertain in {games} games of {game.name}; play more games.")
    return Calibration(tuple(predicted), tuple(happened), games, refilled)


def _asked(
    world: World, live: LiveBelief, count: int, choice: np.random.Generator
) -> Iterator[tuple[float, bool]]:
    """Yield (predicted probability, truth) for one question, or nothing if no number is hidden."""
    hidden = [*_uncertain(imagined(world, int(choice.integers(1 << 62))), world.game)]
    if hidden:
        name, place, values = hidden[choice.integers(len(hidden))]
        value = values[choice.integers(len(values))]
        worlds, weights = live.support(count)
        alike = _numbers(worlds, world.game, name)[:, place] == value
        yield (
            min(1.0, float(weights[alike].sum())),
            bool(_numbers(world.row()[None], world.game, name)[0, place] == value),
        )


def imagined(world: World, seed: int) -> Bytes:
    """Worlds that the game imagines from the view of the player to move."""
    worlds, fresh = (
        new_states(IMAGINED, world.game.state),
        Fresh().begin(world.game, world.to_move, seed),
    )
    fresh.observe(None, world.hide(world.to_move))
    fresh.sample(worlds)
    return worlds


def _uncertain(worlds: Bytes, game: Game) -> Iterator[tuple[str, int, Numbers]]:
    """Yield each number of the state that differs among worlds: its field, index and values."""
    for name in game.state.names or ():
        if name not in dict(HEADER):
            numbers = _numbers(worlds, game, name)
            for place in np.flatnonzero((numbers != numbers[0]).any(axis=0)):
                yield name, int(place), np.unique(numbers[:, place])


def _numbers(worlds: Bytes, game: Game, name: str) -> Numbers:
    """The numbers of a field, one row per world."""
    numbers: Numbers = (
        np.ascontiguousarray(worlds).view(game.state)[:, 0][name].reshape(len(worlds), -1)
    )
    return numbers
