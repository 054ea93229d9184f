"""Walk through games, and compare the beliefs of the player to move with the true world."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from plyglass.arena.match.match import Move, show
from plyglass.beliefs import Belief
from plyglass.beliefs.propagation import RANDOM, address_of_model
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.state import HEADER_BYTES
from plyglass.core.world import View, World
from plyglass.search.interface import Decision, LiveBelief


class Witness:
    """A seat that observes but does not decide, and keeps several beliefs at once."""

    def __init__(self, beliefs: Sequence[Belief], game: Game, seat: int, seed: int) -> None:
        self.live = [
            belief.begin(game, seat, derive(seed, seat, Purpose.BELIEF)) for belief in beliefs
        ]

    def observe(self, own_action: int | None, view: View) -> None:
        for belief in self.live:
            belief.observe(own_action, view)

    def decide(self) -> Decision:
        raise TypeError("A witness only watches; it does not decide.")


def believed(
    game: Game, beliefs: Sequence[Belief], seed: int, play: str = RANDOM
) -> Iterator[tuple[World, list[LiveBelief]]]:
    """Yield the true world and the beliefs of the player to move, at every decision of a game.

    All players play at random, or by a policy of the game.
    """
    seats = [Witness(beliefs, game, seat, seed) for seat in range(game.players)]
    choose = chooser(game, derive(seed, Purpose.TEST), play)
    world = game.start(derive(seed, Purpose.LUCK))
    shown: list[View | None] = [None] * game.players
    show(world, seats, shown)
    while (player := world.to_move) >= 0:
        yield world, seats[player].live
        decision = choose(world)
        world.apply(decision.action)
        show(world, seats, shown, Move(player, decision))


def chooser(game: Game, seed: int, play: str) -> Callable[[World], Decision]:
    """Return a function that decides in a given world: at random, or by a policy of the game."""
    choice, stream, policy = (
        np.random.default_rng(seed),
        np.array([seed], np.uint64),
        address_of_model(game, play),
    )

    def choose(world: World) -> Decision:
        actions = world.legal()
        if policy:
            row = world.row()
            return Decision(
                int(game.verbs.choose(game.table, row.ctypes.data, stream.ctypes.data, policy)),
                tuple(actions),
            )
        return Decision(actions[choice.integers(len(actions))], tuple(actions))

    return choose


def probabilities(live: LiveBelief, count: int) -> dict[bytes, float]:
    """Return the probability of each world; the keys are the worlds' bytes without the header.

    If a belief cannot list all its worlds, the probabilities come from `count` samples.
    """
    found: dict[bytes, float] = defaultdict(float)
    for row, weight in zip(*live.support(count), strict=True):
        found[row[HEADER_BYTES:].tobytes()] += float(weight)
    return found


def total_variation(one: Mapping[bytes, float], other: Mapping[bytes, float]) -> float:
    """Return the total variation distance: half the sum of all absolute differences."""
    return 0.5 * sum(abs(one.get(world, 0.0) - other.get(world, 0.0)) for world in {*one, *other})
