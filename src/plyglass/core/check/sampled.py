"""Does `imagine` follow the posterior in a game that is too large to enumerate?

The rules play random games from the start position. The world of such a game is a sample from the
posterior given the mover's view of this world. If `imagine` is right, the pairs (view, true world)
and (view, imagined world) have the same distribution. Then every byte and every pair of bytes also
has the same distribution, both over all views and for each view that occurs often. Chi-square tests
compare these distributions. Suppose that a view reveals a secret that `imagine` ignores. Then one
byte of the view reveals the secret, and one byte of the world holds the secret. This pair of bytes
shows the fault, even in a game where no view occurs twice.

There are thousands of pairs, so the tests have two stages. The first stage nominates the pairs that
differ most. The second stage tests only these pairs, on games that the first stage has not seen. So
only a few tests share `LEVEL`, the probability of a false alarm.

The impossible worlds that `imagine` draws can be spread over many rare values. So the second stage
also counts, for each hidden number, the values that no true world of the first stage had. Such
values must be as frequent in imagined worlds as in true ones.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import Probe, probes
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import HEADER_BYTES
from plyglass.core.world import View

NOMINATING, TESTING = 1500, 4000  # games of the two stages
# The random view of a game is among its first STEPS; views that occur often, in the FIRST_STEPS.
STEPS, FIRST_STEPS = 24, 12
OFTEN = 75  # how often a view must occur in the first stage to be tested on its own
MOST_VIEWS = 40  # the most views that are tested on their own
RARE = 10  # values that are rarer than this, in both samples together, are merged into one
COARSE = 8  # the number of groups into which neighbouring values of a byte are merged
NOMINATED = 8  # the most pairs that the second stage tests over all views, and over single views
LEVEL = 1e-6  # the probability that a correct game fails, over all tests
WHOLE = -1  # in place of a column: the whole hidden part

Bodies = npt.NDArray[np.uint8]  # a row for each sample
Codes = npt.NDArray[np.int64]
Met = dict[View, list[bytes]]


@dataclass(frozen=True)
class Pair:
    """Two columns to compare, either with all values or with neighbouring values merged.

    Attributes:
        view: the only view that counts, or None for all views.
        left, right: the numbers of the two columns. The columns are the bytes of the view, followed
            by the bytes of the world. -1 means the whole hidden part. If a column is tested alone,
            both numbers are the same.
    """

    view: View | None
    left: int
    right: int
    merged: bool


@dataclass(frozen=True)
class Element:
    """One number of a field: the field's name, and the number's bytes after the header."""

    field: str
    columns: slice


@dataclass(frozen=True)
class Samples:
    """Rows with true and with imagined worlds: the bytes of the view, then those of the world."""

    true: Bodies
    imagined: Bodies

    @cached_property
    def hidden(self) -> npt.NDArray[np.intp]:
        """The columns of the world that differ from the view in some sample."""
        width = self.true.shape[1] // 2
        views = self.true[:, :width]
        unlike = (self.true[:, width:] != views) | (self.imagined[:, width:] != views)
        found: npt.NDArray[np.intp] = np.flatnonzero(unlike.any(axis=0)) + width
        return found

    def codes(self, column: int) -> Codes:
        """The values of a column as code numbers, first in true rows, then in imagined rows."""
        if column == WHOLE:
            return _codes(
                np.concatenate([self.true[:, self.hidden], self.imagined[:, self.hidden]])
            )
        return _codes(np.concatenate([self.true[:, column], self.imagined[:, column]]))


def sampled(game: Game, seed: int) -> Iterator[Finding]:
    """Compare true worlds of random games with imagined worlds."""
    apart, met = _played(game, NOMINATING, derive(seed, 1))
    worlds = _bodies([body for bodies in met.values() for body in bodies])
    nominated = _nominated(_samples(game, apart, derive(seed, 2)), None)
    often = [view for view, bodies in met.items() if len(bodies) >= OFTEN]
    often = sorted(often, key=lambda view: -len(met[view]))[:MOST_VIEWS]
    of_views = [
        pair
        for view in often
        for pair in _nominated(_behind(game, view, met, derive(seed, 3)), view)
    ]
    nominated += sorted(of_views, key=lambda each: each[:2])[:NOMINATED]
    apart, met = _played(game, TESTING, derive(seed, 4))
    everywhere = _samples(game, apart, derive(seed, 5))
    found: list[tuple[float, Pair | Element]] = []
    for _, _, pair in nominated:
        tested = everywhere if pair.view is None else _behind(game, pair.view, met, derive(seed, 6))
        found.append((_probability_of_chance(_joint(tested, pair)), pair))
    found.extend(
        (_probability_of_chance(_unheard(worlds, everywhere, element)), element)
        for element in _hidden_elements(game, everywhere)
    )
    least, worst = min(found, key=lambda each: each[0], default=(1.0, None))
    if worst is not None and least * len(found) < LEVEL:
        yield _strange(worst) if isinstance(worst, Element) else _finding(game, worst)


def _played(game: Game, games: int, seed: int) -> tuple[list[tuple[View, bytes]], Met]:
    """Return a random view of each game with the true world, and all worlds behind early views.

    The first list has only one pair per game, because positions of one game depend on each other.
    """
    met: Met = defaultdict(list)
    apart: list[tuple[View, bytes]] = []
    depths = np.random.default_rng(derive(seed, 1))
    for probe, choice in probes(game, games, seed):
        chosen = int(depths.integers(min(STEPS + 1, game.most_steps)))
        probe.start()
        seen: set[View] = set()
        while (player := probe.to_move()) >= 0 and len(probe.history) <= max(chosen, FIRST_STEPS):
            if len(probe.history) == chosen or len(probe.history) <= FIRST_STEPS:
                view = _view(probe)
                if view not in seen:  # a view that stays the same would count the same game twice
                    seen.add(view)
                    met[view].append(probe.body)
                if len(probe.history) == chosen:
                    apart.append((view, probe.body))
            actions = probe.legal()
            probe.step(player, actions[choice.integers(len(actions))])
    return apart, met


def _view(probe: Probe) -> View:
    return probe.world.hide(probe.to_move())


def _samples(game: Game, apart: Sequence[tuple[View, bytes]], seed: int) -> Samples:
    seen = [view.row()[HEADER_BYTES:].tobytes() for view, _ in apart]
    true = [view + body for view, (_, body) in zip(seen, apart, strict=True)]
    imagined = [
        row + game.imagine(view, derive(seed, number)).row()[HEADER_BYTES:].tobytes()
        for number, (row, (view, _)) in enumerate(zip(seen, apart, strict=True))
    ]
    return Samples(_bodies(true), _bodies(imagined))


def _behind(game: Game, view: View, met: Mapping[View, list[bytes]], seed: int) -> Samples:
    worlds = met.get(view, [])
    if not worlds:  # the view did not occur again, so there is nothing to test
        width = 2 * (game.state.itemsize - HEADER_BYTES)
        return Samples(np.zeros((0, width), np.uint8), np.zeros((0, width), np.uint8))
    return _samples(game, [(view, body) for body in worlds], derive(seed, view.fingerprint))


def _nominated(samples: Samples, view: View | None) -> list[tuple[float, int, Pair]]:
    """The pairs of columns that differ most, each with its p-value, the smallest p-value first.

    The second column of a pair is hidden from the viewer. Merged values reveal a small error in all
    values. Unmerged values reveal an error in a single value. So both kinds are tried.
    """
    hidden = [int(column) for column in samples.hidden]
    if not hidden:
        return []
    visible = [] if view else list(range(samples.true.shape[1] // 2))
    fine = {column: samples.codes(column) for column in (*visible, *hidden)}
    fine = {column: codes for column, codes in fine.items() if codes.any()}
    if view:
        fine[WHOLE] = samples.codes(WHOLE)
    merged = {column: _merged(codes) for column, codes in fine.items()}
    pairs = [
        Pair(view, left, right, kind)
        for right in fine
        if right in hidden
        for left in fine
        if left != WHOLE and (left not in hidden or left <= right)
        for kind in (False, True)
    ]
    pairs += [Pair(view, WHOLE, WHOLE, False)] if view else []
    tried = []
    for number, pair in enumerate(pairs):
        codes = merged if pair.merged else fine
        joint = _codes(codes[pair.left] << 16 | codes[pair.right])
        tried.append((_probability_of_chance(joint), number, pair))
    return sorted(tried, key=lambda each: each[:2])[:NOMINATED]


def _hidden_elements(game: Game, samples: Samples) -> Iterator[Element]:
    """The numbers of the state that differ from the view in some sample."""
    width, hidden = samples.true.shape[1] // 2, {int(column) for column in samples.hidden}
    for name, (dtype, offset, *_) in (game.state.fields or {}).items():
        size = dtype.base.itemsize
        for begin in range(offset - HEADER_BYTES, offset - HEADER_BYTES + dtype.itemsize, size):
            if hidden.intersection(range(width + begin, width + begin + size)):
                yield Element(name, slice(begin, begin + size))


def _unheard(bodies: Bodies, samples: Samples, element: Element) -> Codes:
    """Whether each hidden value of the samples is missing from all bodies.

    A value counts as hidden if it differs from the view in the true or the imagined world.
    """
    width = samples.true.shape[1] // 2
    seen, true, imagined = (
        rows[:, element.columns]
        for rows in (samples.true, samples.true[:, width:], samples.imagined[:, width:])
    )
    hidden = ((true != seen) | (imagined != seen)).any(axis=1)
    known = {row.tobytes() for row in bodies[:, element.columns]}
    rows = np.concatenate([true[hidden], imagined[hidden]])
    return np.array([row.tobytes() not in known for row in rows], np.int64)


def _joint(samples: Samples, pair: Pair) -> Codes:
    left, right = samples.codes(pair.left), samples.codes(pair.right)
    if pair.merged:
        left, right = _merged(left), _merged(right)
    return _codes(left << 16 | right)


def _finding(game: Game, pair: Pair) -> Finding:
    width = game.state.itemsize - HEADER_BYTES
    if pair.right == WHOLE:
        what = "what is hidden as a whole"
    else:
        name, other = (_field_at(game, each % width) for each in (pair.right, pair.left))
        of_the_view = " of the view" if pair.left < width else ""
        what = f"the field {name!r}"
        what += "" if pair.left == pair.right else f" together with {other!r}{of_the_view}"
    if pair.view is None:
        advice = (
            "if the viewer cannot know what they tell, let hide erase it; otherwise draw what is "
            "hidden with its probability given the view, or declare exact_imagine = False"
        )
        problem = f"{what} is imagined with another distribution than it has"
        return Finding("hide or imagine", problem, advice)
    advice = (
        "draw hidden things with their probability given the view, or declare exact_imagine = False"
    )
    problem = (
        f"{what} is imagined with another distribution than it has behind the view of player "
        f"{pair.view.viewer}\n{pair.view.text}"
    )
    return Finding("imagine", problem, advice)


def _strange(element: Element) -> Finding:
    return Finding(
        "imagine",
        f"the field {element.field!r} often has values in imagined worlds that no world has",
        "draw only worlds that can be behind the view, or declare exact_imagine = False",
    )


def _codes(values: npt.NDArray[np.integer]) -> Codes:
    """Replace each value, or each row of values, by a code number from 0 up."""
    axis = 0 if values.ndim > 1 else None
    found = np.unique(values, return_inverse=True, axis=axis)[1]
    codes: Codes = found.reshape(-1).astype(np.int64)
    return codes


def _merged(codes: Codes) -> Codes:
    return codes * COARSE // max(COARSE, int(codes.max(initial=0)) + 1)


def _probability_of_chance(codes: Codes) -> float:
    """The p-value of a chi-square test of whether both halves have the same distribution.

    The test uses the normal approximation of Wilson and Hilferty (1931).
    """
    half, values = len(codes) // 2, int(codes.max(initial=0)) + 1
    counts = np.stack(
        [np.bincount(codes[:half], minlength=values), np.bincount(codes[half:], minlength=values)]
    )
    rare = counts.sum(axis=0) < RARE
    counts = np.hstack([counts[:, ~rare], counts[:, rare].sum(axis=1, keepdims=True)])
    counts = counts[:, counts.sum(axis=0) >= RARE]
    freedom = counts.shape[1] - 1
    if freedom < 1:
        return 1.0
    statistic = float(((counts[0] - counts[1]) ** 2 / counts.sum(axis=0)).sum())
    deviate = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(
        2 / (9 * freedom)
    )
    return 0.5 * math.erfc(deviate / math.sqrt(2))


def _bodies(bodies: list[bytes]) -> Bodies:
    return np.frombuffer(b"".join(bodies), np.uint8).reshape(len(bodies), -1)


def _field_at(game: Game, offset: int) -> str:
    """The field to which the byte at `offset` after the header belongs."""
    places = (
        {name: game.state.fields[name][1] for name in game.state.names or ()}
        if game.state.fields
        else {}
    )
    return max(
        (name for name in places if places[name] <= HEADER_BYTES + offset), key=places.__getitem__
    )
