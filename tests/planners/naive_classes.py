"""Classes of similar actions, computed slowly and plainly from worlds and lists."""

from __future__ import annotations

import numpy as np

from plyglass.core.luck import mix
from plyglass.core.world import World


def chosen_actions(world: World, count: int, worlds: int, rounds: int) -> list[int]:
    """The few actions that stand for all, in the order of the game."""
    actions = world.legal()
    if len(actions) <= count:
        return actions
    tried = [
        [_after(imagined, action) for imagined in _imagined(world, worlds)] for action in actions
    ]
    worth = [sum(_judged(after, world.to_move) for after in each) for each in tried]
    passing = [all(after.to_move != world.to_move for after in each) for each in tried]
    points = _scaled(
        [
            [
                sum(column)
                for column in zip(
                    *(_described(after, world.to_move) for after in each), strict=True
                )
            ]
            for each in tried
        ]
    )
    return [
        actions[i] for i in sorted(representatives(points, _fixed(worth, passing), count, rounds))
    ]


def representatives(
    points: list[list[float]], fixed: list[int], count: int, rounds: int
) -> list[int]:
    """Farthest-first traversal from the fixed points, then k-medoids; the fixed points stay."""
    distance = [
        [sum(abs(a - b) for a, b in zip(one, other, strict=True)) for other in points]
        for one in points
    ]
    chosen, everyone = list(fixed), range(len(points))
    while len(chosen) < count:
        rest = [point for point in everyone if point not in chosen]
        chosen.append(max(rest, key=lambda point: min(distance[point][each] for each in chosen)))
    for _ in range(rounds):
        nearest = [
            chosen.index(i)
            if i in chosen
            else min(range(count), key=lambda k: distance[i][chosen[k]])
            for i in everyone
        ]
        classes = [
            [point for point in everyone if nearest[point] == place] for place in range(count)
        ]
        middles = [
            min(each, key=lambda point: sum(distance[point][other] for other in each))
            for each in classes
        ]
        chosen = [*fixed, *middles[len(fixed) :]]
    return chosen


def _fixed(worth: list[float], passing: list[bool]) -> list[int]:
    best = worth.index(max(worth))
    ends = [i for i in range(len(worth)) if passing[i]]
    return [best] if best in ends or not ends else [best, max(ends, key=lambda i: worth[i])]


def _scaled(points: list[list[float]]) -> list[list[float]]:
    spreads = [max(column) - min(column) for column in zip(*points, strict=True)]
    return [
        [value / spread if spread else 0.0 for value, spread in zip(point, spreads, strict=True)]
        for point in points
    ]


def _imagined(world: World, worlds: int) -> list[World]:
    view = world.hide(world.to_move)
    return [
        world.game.imagine(view, int(mix(np.uint64(view.fingerprint), number)))
        for number in range(worlds)
    ]


def _after(world: World, action: int) -> World:
    after = world.copy()
    after.apply(action)
    return after


def _judged(world: World, player: int) -> float:
    return (
        _evaluated(world, player, next(iter(world.game.evaluators)))
        if world.game.evaluators
        else world.score(player)
    )


def _evaluated(world: World, player: int, name: str) -> float:
    return float(
        world.game.verbs.evaluate(
            world.game.table, world.address, player, world.game.evaluator(name)
        )
    )


def _described(world: World, player: int) -> list[float]:
    game = world.game
    if not game.describes:
        players = range(game.players)
        return [_evaluated(world, each, name) for name in game.evaluators for each in players] or [
            world.score(each) for each in players
        ]
    values = np.zeros(game.most_features)
    game.verbs.features(game.table, world.address, player, values.ctypes.data)
    return values.tolist()
