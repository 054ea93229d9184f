"""The fit of a net, and a linear baseline that is fitted to convergence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from plyglass.arena.nets.blas import one_thread
from plyglass.arena.nets.engines import engine_named
from plyglass.arena.nets.shards import Samples
from plyglass.core.game import Game
from plyglass.core.nets.file import Encoding, Floats, Net
from plyglass.core.nets.record import encoded
from plyglass.stats.logistic import fit_logistic, log_loss

BATCH = 1024
FASTEST, SLOWEST = 2e-3, 2e-5  # the first and the last learning rate
LINEAR_SAMPLES, LINEAR_INPUTS = 40_000, 600  # the most samples and inputs of the baseline


@dataclass(frozen=True, eq=False)
class Fit:
    """A net, its mean log-loss on held-out games, and the epoch that gave this net."""

    net: Net
    held_out: float
    epoch: int


@one_thread()
def fit_net(
    game: Game,
    encoding: Encoding,
    train: Samples,
    held: Samples,
    *,
    units: int = 32,
    epochs: int = 8,
    seed: int = 1,
    engine: str = "numpy",
    told: Callable[[int, float], object] = lambda epoch, loss: None,
) -> Fit:
    """Fit a net with `units` units, of which one is linear; return the net of the best epoch.

    The learning rate falls until the last epoch. A run never stops early, because a loss that rises
    for a few epochs can fall again when the steps get small.
    """
    choice = np.random.default_rng(seed)
    first = _first_parts(encoding, units, choice)
    fitted, kept = engine_named(engine, first), first
    scale = np.float32(len(train) / train.weights.sum())
    steps = max(1, epochs * -(-len(train) // BATCH))
    best, number, chosen = np.inf, 0, 0
    for epoch in range(1, epochs + 1):
        order = choice.permutation(len(train))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            inputs = encoded(game, encoding, train.rows[some], train.players[some])
            number += 1
            rate = SLOWEST + (FASTEST - SLOWEST) * max(0.0, 1 - number / steps)
            fitted.step(inputs, train.targets[some], train.weights[some] * scale, rate)
        loss = held_out_loss(game, Net(encoding, *_shaped(fitted.parts())), held)
        told(epoch, loss)
        if loss < best:
            best, kept, chosen = loss, fitted.parts(), epoch
    return Fit(Net(encoding, *_shaped(kept)), best, chosen)


def _first_parts(encoding: Encoding, units: int, choice: np.random.Generator) -> list[Floats]:
    """The first parts of a net (see `Engine`); the linear unit begins with weights of 0."""
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


@one_thread()
def linear_loss(game: Game, encoding: Encoding, train: Samples, held: Samples) -> float:
    """The held-out log-loss of logistic regression on the same inputs, fitted by Newton's method.

    The result is NaN for an encoding with too many inputs. A large training set is sampled evenly.
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
