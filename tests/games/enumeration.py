"""Whole games enumerated: positions with probabilities, information sets, and posteriors.

The code is slow, obvious and exact.
"""

from collections import defaultdict
from collections.abc import Iterator

import pytest

from plyglass.core import Game, View, World
from plyglass.core.tape import deals, imaginations, outcomes


def reached(game: Game) -> dict[World, float]:
    """Every position with its probability when everybody plays uniformly at random."""
    found: dict[World, float] = defaultdict(float)
    layer = _merged(deals(game))
    while layer:
        for world, probability in layer.items():
            found[world] += probability
        layer = _merged(
            after
            for world, probability in layer.items()
            for after in _random_steps(world, probability)
        )
    return found


def posteriors(game: Game) -> dict[View, dict[World, float]]:
    """P(position | view) for every view that a player can have."""
    joint: dict[View, dict[World, float]] = defaultdict(dict)
    for world, probability in reached(game).items():
        for viewer in range(game.players):
            joint[world.hide(viewer)][world] = probability
    return {
        view: {world: share / sum(worlds.values()) for world, share in worlds.items()}
        for view, worlds in joint.items()
    }


def imagined(view: View) -> dict[World, float]:
    """The worlds that the game imagines behind a view, with probabilities.

    Every one of them must look like the view.
    """
    worlds = _merged(imaginations(view))
    assert all(world.hide(view.viewer) == view for world in worlds)
    return worlds


def assert_imagines_the_posterior(game: Game) -> None:
    for view, exact in posteriors(game).items():
        assert imagined(view) == pytest.approx(exact, abs=1e-12)


def information_sets(game: Game) -> set[tuple[int, tuple[object, ...]]]:
    """The player and everything they have seen and done, at every decision.

    A view is seen when it differs from the one before.
    """
    found: set[tuple[int, tuple[object, ...]]] = set()
    for _, world in deals(game):
        _collect(world, ((),) * game.players, found)
    return found


def _collect(
    world: World, before: tuple[tuple[object, ...], ...], found: set[tuple[int, tuple[object, ...]]]
) -> None:
    views = [world.hide(player) for player in range(world.game.players)]
    seen = [
        memory if memory and memory[-1] == view else (*memory, view)
        for memory, view in zip(before, views, strict=True)
    ]
    player = world.to_move
    if player < 0:
        return
    found.add((player, seen[player]))
    for action in world.legal():
        memories = tuple(
            (*memory, action) if who == player else memory for who, memory in enumerate(seen)
        )
        for _, after in outcomes(world, action):
            _collect(after, memories, found)


def _random_steps(world: World, probability: float) -> Iterator[tuple[float, World]]:
    actions = world.legal()
    for action in actions:
        for share, after in outcomes(world, action):
            yield probability * share / len(actions), after


def _merged(worlds: Iterator[tuple[float, World]]) -> dict[World, float]:
    sums: dict[World, float] = defaultdict(float)
    for probability, world in worlds:
        sums[world] += probability
    return dict(sums)
