"""Does `imagine` give each world the probability that it has when everybody plays uniformly at random?

A game that is small enough is enumerated with the tape and compared exactly. Of a larger one the views that random games meet often are
compared by chi-square tests, byte by byte, at a level that a right game does not fail.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import positions
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import HEADER_BYTES
from plyglass.core.tape import deals, imaginations, outcomes
from plyglass.core.world import View, World

MOST_POSITIONS = 6000
MOST_IMAGINATIONS = 4000
TOLERANCE = 1e-9
SAMPLED_GAMES, SAMPLED_STEPS = 1500, 12
OFTEN = 200  # how often a view must have been met to be tested
LEVEL = 1e-7
ADVICE = "draw hidden things with the probability that they have given the view, or declare exact_imagine = False"

Worlds = dict[bytes, float]


def posterior(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Compare `imagine` with the posterior, exactly if the game can be enumerated."""
    if not game.hides:
        return
    beliefs = _enumerated(game)
    if beliefs is not None:
        yield from _compare_exactly(game, beliefs)
    elif game.exact_imagine:
        yield from _compare_samples(game, seed)


def _enumerated(game: Game) -> dict[View, Worlds] | None:
    """For every view at a decision of its viewer, the probability of each world; None if the game is too large."""
    beliefs: dict[View, Worlds] = defaultdict(lambda: defaultdict(float))
    layer: dict[World, float] = defaultdict(float)
    seen = 0
    try:
        for probability, world in itertools.islice(deals(game), MOST_POSITIONS + 1):
            layer[world] += probability
        while layer:
            seen += len(layer)
            if seen > MOST_POSITIONS:
                return None
            layer = _next_layer(layer, beliefs)
    except RuntimeError:  # more luck in one action than a tape holds
        return None
    return beliefs


def _next_layer(layer: Mapping[World, float], beliefs: dict[View, Worlds]) -> dict[World, float]:
    following: dict[World, float] = defaultdict(float)
    for world, reached in layer.items():
        mover = world.to_move
        if mover < 0:
            continue
        beliefs[world.hide(mover)][_body(world)] += reached
        actions = world.legal()
        for action in actions:
            for probability, after in outcomes(world, action):
                following[after] += reached * probability / len(actions)
    return following


def _compare_exactly(game: Game, beliefs: Mapping[View, Worlds]) -> Iterator[Finding]:
    for view, worlds in beliefs.items():
        imagined: Worlds = defaultdict(float)
        drawn = list(itertools.islice(imaginations(view), MOST_IMAGINATIONS + 1))
        if len(drawn) > MOST_IMAGINATIONS:
            continue
        for probability, world in drawn:
            imagined[_body(world)] += probability
        total = sum(worlds.values())
        never = sum(1 for body in worlds if imagined.get(body, 0.0) == 0.0)
        if never:
            yield Finding("imagine", f"{never} of {len(worlds)} possible worlds are never imagined behind the view\n{view.text}", ADVICE)
            return
        distance = 0.5 * sum(abs(worlds.get(body, 0.0) / total - imagined.get(body, 0.0)) for body in {*worlds, *imagined})
        if game.exact_imagine and distance > TOLERANCE:
            problem = f"its distribution is {distance:.3f} away from the posterior (total variation) behind the view\n{view.text}"
            yield Finding("imagine", problem, ADVICE)
            return


def _compare_samples(game: Game, seed: int) -> Iterator[Finding]:
    met: dict[View, list[bytes]] = defaultdict(list)
    for probe in positions(game, SAMPLED_GAMES, derive(seed, 1)):
        if 0 <= probe.to_move() and len(probe.history) <= SAMPLED_STEPS:
            met[probe.world.hide(probe.to_move())].append(probe.body)
    for number, (view, bodies) in enumerate(met.items()):
        if len(bodies) < OFTEN:
            continue
        truth = _bytes(bodies)
        imagined = _bytes([_body(game.imagine(view, derive(seed, 2, number, i))) for i in range(2 * len(bodies))])
        for offset in range(truth.shape[1]):
            if _probability_of_chance(Counter(truth[:, offset].tolist()), Counter(imagined[:, offset].tolist())) < LEVEL:
                name = _field_at(game, HEADER_BYTES + offset)
                yield Finding(
                    "imagine", f"the field {name!r} is imagined with another distribution than it has behind the view\n{view.text}", ADVICE
                )
                return


def _probability_of_chance(one: Counter[int], other: Counter[int]) -> float:
    """How likely counts as different as these are when both come from one distribution: a chi-square test (Wilson and Hilferty 1931)."""
    values = [value for value in {*one, *other} if one[value] + other[value] >= 10]  # rarer ones say little
    size, other_size = sum(one[value] for value in values), sum(other[value] for value in values)
    if len(values) < 2 or not size or not other_size:
        return 1.0
    statistic = 0.0
    for value in values:
        share = (one[value] + other[value]) / (size + other_size)
        statistic += (one[value] - size * share) ** 2 / (size * share) + (other[value] - other_size * share) ** 2 / (other_size * share)
    freedom = len(values) - 1
    deviate = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return 0.5 * math.erfc(deviate / math.sqrt(2))


def _bytes(bodies: list[bytes]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.frombuffer(b"".join(bodies), np.uint8).reshape(len(bodies), -1)


def _body(world: World) -> bytes:
    return world.row()[HEADER_BYTES:].tobytes()


def _field_at(game: Game, offset: int) -> str:
    fields = game.state.fields or {}
    return max((name for name in fields if fields[name][1] <= offset), key=lambda name: fields[name][1])
