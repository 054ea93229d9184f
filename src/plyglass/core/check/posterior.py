"""Does `imagine` follow the posterior over worlds, if all players act uniformly at random?

For a small game, a tape enumerates all positions, and the comparison is exact. For a larger game,
small variants are compared exactly (`variants`), and the game itself is compared by samples
(`sampled`). Samples can show a fault, but cannot prove that there is none, and the report says so.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from plyglass.core.check.finding import Finding, Note
from plyglass.core.check.sampled import LEVEL, sampled
from plyglass.core.check.variants import small_variants
from plyglass.core.game import Game
from plyglass.core.state import HEADER, HEADER_BYTES
from plyglass.core.tape import deals, imaginations, outcomes
from plyglass.core.world import View, World

MOST_POSITIONS = 6000
MOST_IMAGINATIONS = 4000
TOLERANCE = 1e-9
ADVICE = (
    "draw hidden things with their probability given the view, or declare exact_imagine = False"
)
LEAK = (
    "if the viewer cannot know that, let hide erase every field that tells it; otherwise let "
    "imagine use it"
)

Worlds = dict[bytes, float]


def posterior(game: Game, games: int, seed: int) -> Iterator[Finding | Note]:
    """Compare `imagine` with the posterior, and do so exactly if the game can be enumerated."""
    if not game.hides:
        return
    whole = Exactly(game)
    if whole.small:
        yield from whole.compare()
        if whole.skipped == 0:
            yield Note("compared exactly")
            return
    last, enumerated = None, {repr(game): whole}

    def exactly_in(variant: Game) -> Exactly:
        if repr(variant) not in enumerated:
            enumerated[repr(variant)] = Exactly(variant)
        return enumerated[repr(variant)]

    for variant in small_variants(game, lambda each: exactly_in(each).small):
        exactly = exactly_in(variant)
        findings = list(exactly.compare())
        yield from (replace(each, problem=f"in {variant!r}, {each.problem}") for each in findings)
        if findings:
            return
        last = variant if exactly.compared else last
    if game.exact_imagine:
        yield from sampled(game, seed)
    yield Note(_how(game, last))


def _how(game: Game, last: Game | None) -> str:
    """Describe for the report how the game was compared."""
    exactly = "" if last is None else f"; exactly in {last!r}"
    if not game.exact_imagine:
        none = "not compared, because exact_imagine = False"
        return none if last is None else f"only possible worlds{exactly}"
    return f"sampled, not proven: a correct game fails once in {1 / LEVEL:,.0f} times{exactly}"


class Exactly:
    """A game whose positions are enumerated, if they are few enough.

    Attributes:
        small: whether the positions are few enough.
        compared, skipped: the numbers of views that were compared, and of views with too many
            imagined worlds.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._beliefs = game, _enumerated(game)
        self.small = self._beliefs is not None
        self.compared = self.skipped = 0

    def compare(self) -> Iterator[Finding]:
        """Yield the faults of the first view for which `imagine` draws worlds wrongly."""
        for view, worlds in (self._beliefs or {}).items():
            drawn = list(itertools.islice(imaginations(view), MOST_IMAGINATIONS + 1))
            if len(drawn) > MOST_IMAGINATIONS:
                self.skipped += 1
                continue
            self.compared += 1
            imagined: Worlds = defaultdict(float)
            for probability, world in drawn:
                imagined[_body(world)] += probability
            findings = list(_compare_worlds(self._game, view, worlds, imagined))
            yield from findings
            if findings:
                return


def _enumerated(game: Game) -> dict[View, Worlds] | None:
    """For every view of a player to move, return the probability of each possible world.

    Returns None if the game is too large.
    """
    beliefs: dict[View, Worlds] = defaultdict(lambda: defaultdict(float))
    layer: dict[World, float] = defaultdict(float)
    seen = 0
    try:
        for number, (probability, world) in enumerate(deals(game)):
            if number == MOST_POSITIONS:
                return None  # even if many start positions are equal
            layer[world] += probability
        while layer:
            seen += len(layer)
            if seen > MOST_POSITIONS:
                return None
            layer = _next_layer(layer, beliefs)
    except RuntimeError:  # more draws in one action than a tape holds
        return None
    return beliefs


def _next_layer(layer: Mapping[World, float], beliefs: dict[View, Worlds]) -> dict[World, float]:
    following: dict[World, float] = defaultdict(float)
    for world, reached in layer.items():
        mover = world.to_move
        if len(following) > MOST_POSITIONS:
            break  # the game is too large, whatever follows
        if mover < 0:
            continue
        beliefs[world.hide(mover)][_body(world)] += reached
        actions = world.legal()
        for action in actions:
            for probability, after in outcomes(world, action):
                following[after] += reached * probability / len(actions)
    return following


def _compare_worlds(game: Game, view: View, worlds: Worlds, imagined: Worlds) -> Iterator[Finding]:
    """Compare possible worlds with imagined ones.

    If a view reveals too much, some imagined worlds are impossible. If `imagine` is wrong, worlds
    are missing or have wrong probabilities.
    """
    never, impossible = worlds.keys() - imagined.keys(), imagined.keys() - worlds.keys()
    total = sum(worlds.values())
    distance = 0.5 * sum(
        abs(worlds.get(body, 0.0) / total - imagined.get(body, 0.0))
        for body in {*worlds, *imagined}
    )
    behind = f"behind player {view.viewer}'s view\n{view.text}"
    if impossible and game.exact_imagine:
        fields = (
            " and ".join(repr(name) for name in _impossible_fields(game, worlds, impossible))
            or "several fields together"
        )
        problem = (
            f"{len(impossible)} of {len(imagined)} imagined worlds, by {fields}, cannot be {behind}"
        )
        yield Finding("hide or imagine", problem, LEAK)
    elif never:
        yield Finding(
            "imagine",
            f"{len(never)} of {len(worlds)} possible worlds are never imagined {behind}",
            ADVICE,
        )
    elif game.exact_imagine and distance > TOLERANCE:
        yield Finding(
            "imagine",
            f"its distribution is {distance:.3f} away from the posterior (total variation) "
            f"{behind}",
            ADVICE,
        )


def _impossible_fields(game: Game, worlds: Worlds, impossible: set[bytes]) -> list[str]:
    """The fields that hold an impossible value in some imagined world."""
    true, false = (
        [_fields(game, body) for body in worlds],
        [_fields(game, body) for body in impossible],
    )
    return [
        name
        for name in true[0]
        if {fields[name] for fields in false} - {fields[name] for fields in true}
    ]


def _fields(game: Game, body: bytes) -> dict[str, bytes]:
    record = np.frombuffer(bytes(HEADER_BYTES) + body, game.state)[0]
    return {
        name: record[name].tobytes() for name in game.state.names or () if name not in dict(HEADER)
    }


def _body(world: World) -> bytes:
    return world.row()[HEADER_BYTES:].tobytes()
