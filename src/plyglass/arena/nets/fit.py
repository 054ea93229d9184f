"""The fit of a net by Adam (Kingma and Ba 2015), in NumPy, and a converged linear baseline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from plyglass.arena.nets.shards import Samples
from plyglass.core.game import Game
from plyglass.core.nets.file import Encoding, Floats, Net
from plyglass.core.nets.record import encoded
from plyglass.stats.logistic import fit_logistic, log_loss

BATCH = 1024
FASTEST, SLOWEST = 2e-3, 2e-5  # the first and the last learning rate
FADE, FADE_SQUARES = 0.9, 0.999  # of the means of gradients, and of their squares
DECAY = 1e-5
LINEAR_SAMPLES, LINEAR_INPUTS = 40_000, 600  # of the baseline, at most


@dataclass(frozen=True, eq=False)
class Fit:
    """A net, its mean log-loss on held-out games, and the epoch it comes from."""

    net: Net
    held_out: float
    epoch: int


def fit_net(
    game: Game,
    encoding: Encoding,
    train: Samples,
    held: Samples,
    *,
    units: int = 32,
    epochs: int = 8,
    seed: int = 1,
    told: Callable[[int, float], object] = lambda epoch, loss: None,
) -> Fit:
    """Fit a net with `units` units, of which one is linear; keep the best epoch.

    The learning rate falls until the last epoch, so no run stops early: a loss that rises for some
    epochs falls again when the steps get small.
    """
    choice = np.random.default_rng(seed)
    parts = _first_parts(encoding, units, choice)
    means, squares = [0 * each for each in parts], [0 * each for each in parts]
    scale = np.float32(len(train) / train.weights.sum())
    steps = max(1, epochs * -(-len(train) // BATCH))
    best, kept, number, chosen = np.inf, [each.copy() for each in parts], 0, 0
    for epoch in range(1, epochs + 1):
        order = choice.permutation(len(train))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            inputs = encoded(game, encoding, train.rows[some], train.players[some])
            slopes = _slopes(parts, inputs, train.targets[some], train.weights[some] * scale)
            number += 1
            rate = SLOWEST + (FASTEST - SLOWEST) * max(0.0, 1 - number / steps)
            _step(parts, slopes, means, squares, number, rate)
        loss = held_out_loss(game, Net(encoding, *_shaped(parts)), held)
        told(epoch, loss)
        if loss < best:
            best, kept, chosen = loss, [each.copy() for each in parts], epoch
    return Fit(Net(encoding, *_shaped(kept)), best, chosen)


def _first_parts(encoding: Encoding, units: int, choice: np.random.Generator) -> list[Floats]:
    """Weights, biases, weights of the output and its bias; the linear unit begins with 0."""
    spread = np.sqrt(2.0 / max(4, min(encoding.most_active, encoding.inputs // 4)))
    weights = choice.normal(0, spread / 2, (encoding.rows, units)).astype(np.float32)
    weights[:, -1] = 0
    out = choice.normal(0, 1 / np.sqrt(units), units).astype(np.float32)
    out[-1] = 1
    return [weights, np.zeros(units, np.float32), out, np.zeros(1, np.float32)]


def _shaped(parts: list[Floats]) -> tuple[Floats, Floats]:
    """The weights and the output weights of a `Net`, each with its biases."""
    weights, biases, out, bias = parts
    return np.concatenate([weights, biases[None]]), np.concatenate([out, bias])


def _slopes(parts: list[Floats], inputs: Floats, targets: Floats, weights: Floats) -> list[Floats]:
    """The gradients of the mean weighted log-loss."""
    rows, biases, out, bias = parts
    sums = inputs @ rows + biases
    units = sums.copy()
    np.maximum(units[:, :-1], 0, out=units[:, :-1])
    likely = 1 / (1 + np.exp(-(units @ out + bias[0])))
    slope = ((likely - targets) * weights / np.float32(len(inputs))).astype(np.float32)
    back = slope[:, None] * out[None]
    back[:, :-1] *= sums[:, :-1] > 0
    return [
        inputs.T @ back + np.float32(DECAY) * rows,
        back.sum(axis=0),
        units.T @ slope,
        slope.sum(keepdims=True),
    ]


def _step(
    parts: list[Floats],
    slopes: list[Floats],
    means: list[Floats],
    squares: list[Floats],
    number: int,
    rate: float,
) -> None:
    """One step of Adam, in place."""
    for part, slope, mean, square in zip(parts, slopes, means, squares, strict=True):
        mean += np.float32(1 - FADE) * (slope - mean)
        square += np.float32(1 - FADE_SQUARES) * (slope * slope - square)
        true_mean = mean / np.float32(1 - FADE**number)
        true_square = square / np.float32(1 - FADE_SQUARES**number)
        part -= np.float32(rate) * true_mean / (np.sqrt(true_square) + np.float32(1e-8))


def held_out_loss(game: Game, net: Net, held: Samples) -> float:
    """The mean log-loss of a net."""
    likely = np.concatenate(
        [
            success(net, encoded(game, net.encoding, held.rows[some], held.players[some]))
            for some in np.array_split(np.arange(len(held)), max(1, len(held) // 8192))
        ]
    )
    return log_loss(likely, held.targets.astype(float), held.weights.astype(float))


def success(net: Net, inputs: Floats) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The expected success for rows of inputs, from 0 to 1."""
    units = inputs @ net.weights[:-1] + net.weights[-1]
    np.maximum(units[:, :-1], 0, out=units[:, :-1])
    return np.asarray(1 / (1 + np.exp(-(units @ net.out[:-1] + net.out[-1]).astype(float))))


def linear_loss(game: Game, encoding: Encoding, train: Samples, held: Samples) -> float:
    """The held-out log-loss of logistic regression on the same inputs, fitted by Newton.

    NaN for an encoding with too many inputs. A large training set is sampled evenly.
    """
    if encoding.rows > LINEAR_INPUTS:
        return float("nan")
    some = np.arange(0, len(train), max(1, len(train) // LINEAR_SAMPLES))
    inputs = encoded(game, encoding, train.rows[some], train.players[some]).astype(float)
    weights, _ = fit_logistic(
        inputs, train.targets[some].astype(float), train.weights[some].astype(float), 1e-5
    )
    tested = encoded(game, encoding, held.rows, held.players).astype(float)
    likely = 1 / (1 + np.exp(-(tested @ weights[:-1] + weights[-1])))
    return log_loss(likely, held.targets.astype(float), held.weights.astype(float))
