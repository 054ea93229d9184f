"""Does `imagine` follow the posterior in a game that is too large to enumerate?

Chi-square tests compare true worlds with imagined ones. If worlds are imagined with their
probability given the view, then the pairs (view, true world) and (view, imagined world) have the
same distribution. The same holds for every byte and every pair of bytes. Suppose that a view tells
a secret which `imagine` ignores. Then one byte tells the secret and another holds it. This pair
shows the fault, even in a game where no view occurs twice.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import Probe, positions
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import HEADER_BYTES
from plyglass.core.world import View

GAMES = 1500
STEPS, FIRST_STEPS = 24, 12  # views that occur often occur in the first steps
OFTEN = 200  # how often a view must occur to be tested by itself
RARE = 10  # values that are rarer in both samples together are counted as one
COARSE = 8  # the number of groups into which neighbouring values of a byte are merged
LEVEL = 1e-7  # the probability that a correct game fails, over all tests

Bodies = npt.NDArray[np.uint8]  # a row for each sample
Codes = npt.NDArray[np.int64]


def sampled(game: Game, seed: int) -> Iterator[Finding]:
    """Compare true with imagined worlds of random games: over all views, and for common views."""
    met: dict[View, list[bytes]] = defaultdict(list)
    # One position of each game, because positions of one game depend on each other.
    apart: list[tuple[View, bytes]] = []
    choice = np.random.default_rng(derive(seed, 3))
    for probe in positions(game, GAMES, derive(seed, 1), STEPS):
        if not probe.history:
            chosen = choice.integers(min(STEPS + 1, game.most_steps))
        if probe.to_move() >= 0 and (
            len(probe.history) == chosen or len(probe.history) <= FIRST_STEPS
        ):
            view = _view(probe)
            met[view].append(probe.body)
            if len(probe.history) == chosen:
                apart.append((view, probe.body))
    yield from _all_views(game, apart, seed)
    for view, bodies in met.items():
        if len(bodies) >= OFTEN:
            yield from _one_view(game, view, bodies, seed)


def _view(probe: Probe) -> View:
    return probe.world.hide(probe.to_move())


def _all_views(game: Game, apart: list[tuple[View, bytes]], seed: int) -> Iterator[Finding]:
    views = _bodies([view.row()[HEADER_BYTES:].tobytes() for view, _ in apart])
    truth = _bodies([body for _, body in apart])
    imagined = _bodies(
        [_imagine(game, view, derive(seed, 4, number)) for number, (view, _) in enumerate(apart)]
    )
    hidden = np.flatnonzero(((truth != views) | (imagined != views)).any(axis=0))
    true, false = np.hstack([views, truth[:, hidden]]), np.hstack([views, imagined[:, hidden]])
    places = [*range(views.shape[1]), *hidden.tolist()]
    least, left, right = _least_likely_pair(true, false, views.shape[1])
    if least < LEVEL:
        name, other = _field_at(game, places[right]), _field_at(game, places[left])
        of_the_view = " of the view" if left < views.shape[1] else ""
        told = (
            f"the field {name!r}"
            if left == right
            else f"the field {name!r} together with {other!r}{of_the_view}"
        )
        advice = (
            "if the viewer cannot know what they tell, let hide erase it; otherwise draw what is "
            "hidden with its probability given the view, or declare exact_imagine = False"
        )
        yield Finding(
            "hide or imagine", f"{told} is imagined with another distribution than it has", advice
        )


def _least_likely_pair(true: Bodies, false: Bodies, visible: int) -> tuple[float, int, int]:
    """The p-value of the most different pair of columns, and the two columns.

    The p-value is corrected for the number of tests. The second column is a hidden one, `visible`
    or above; paired with itself, it is tested alone. Merged values show small differences
    everywhere; unmerged values show differences in single values. So both are tried.
    """
    fine = [
        _codes(np.concatenate([true[:, column], false[:, column]]))
        for column in range(true.shape[1])
    ]
    coarse = [codes * COARSE // max(COARSE, int(codes.max()) + 1) for codes in fine]
    changing = [column for column, codes in enumerate(fine) if codes.any()]
    pairs = [
        (left, right)
        for right in changing
        if right >= visible
        for left in changing
        if left < visible or left <= right
    ]
    tests = (
        (_probability_of_chance(_codes(codes[a] << 8 | codes[b])), a, b)
        for a, b in pairs
        for codes in (fine, coarse)
    )
    least, left, right = min(tests, default=(1.0, 0, 0))
    return least * 2 * len(pairs), left, right


def _one_view(game: Game, view: View, bodies: list[bytes], seed: int) -> Iterator[Finding]:
    truth = _bodies(bodies)
    imagined = _bodies(
        [
            _imagine(game, view, derive(seed, 2, view.fingerprint, number))
            for number in range(len(bodies))
        ]
    )
    for offset in range(truth.shape[1]):
        codes = _codes(np.concatenate([truth[:, offset], imagined[:, offset]]))
        if _probability_of_chance(codes) < LEVEL / truth.shape[1]:
            field = _field_at(game, offset)
            problem = (
                f"the field {field!r} is imagined with another distribution than it has behind "
                f"the view\n{view.text}"
            )
            advice = (
                "draw hidden things with their probability given the view, or declare "
                "exact_imagine = False"
            )
            yield Finding("imagine", problem, advice)
            return


def _codes(values: npt.NDArray[np.integer]) -> Codes:
    """The values numbered from 0 up."""
    codes: Codes = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return codes


def _probability_of_chance(codes: Codes) -> float:
    """The p-value of a chi-square test that both halves have the same distribution.

    It uses the normal approximation of Wilson and Hilferty (1931).
    """
    half, values = len(codes) // 2, int(codes.max()) + 1
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


def _imagine(game: Game, view: View, seed: int) -> bytes:
    return game.imagine(view, seed).row()[HEADER_BYTES:].tobytes()


def _bodies(bodies: list[bytes]) -> Bodies:
    return np.frombuffer(b"".join(bodies), np.uint8).reshape(len(bodies), -1)


def _field_at(game: Game, offset: int) -> str:
    """The field that a byte of the body belongs to."""
    places = (
        {name: game.state.fields[name][1] for name in game.state.names or ()}
        if game.state.fields
        else {}
    )
    return max(
        (name for name in places if places[name] <= HEADER_BYTES + offset), key=places.__getitem__
    )
