"""Learning an evaluator from games of another against itself: which features of a position between turns go with winning.

Every turn of a game is a sample for every player: the features of what the turn came to, and how the game ended for him. Each game
counts the same, however long it is. The judgement of `core.learned` presses a sum by tanh, which is a probability of success by half
the sum: hence the half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.search.whole_turns.selfplay import Numbers, SelfPlay
from plyglass.stats.logistic import fit_logistic, log_loss

Samples = tuple[Numbers, Numbers, Numbers]  # features, success from 0 to 1, and how much each counts


@dataclass(frozen=True)
class Learned:
    """Weights for the features of a game, and one alone behind them; with how well they tell who wins.

    Attributes:
        weights: as `core.learned.judgement` takes them.
        log_loss: the mean log-loss on the games that were learned from.
        held_out: the mean log-loss on games that were not.
        games, samples: what was learned from.
    """

    weights: tuple[float, ...]
    log_loss: float
    held_out: float
    games: int
    samples: int


def learn(game: Game, evaluator: str, games: int, *, seed: int, dice: float, played: Callable[[], object] = lambda: None) -> Learned:
    """Let an evaluator play against itself, now and then any turn at random, and learn from the games; one in ten is held out."""
    players = SelfPlay(game, evaluator, dice=dice)
    samples = []
    for number in range(games):
        samples.append(_samples(game, *players.play(derive(seed, number))))
        played()
    held = max(1, games // 10)
    features, success, share = _together(samples[held:])
    found, loss = fit_logistic(features, success, share)
    weights = found / 2
    others, ends, counts = _together(samples[:held])
    held_out = log_loss((1 + np.tanh(others @ weights[:-1] + weights[-1])) / 2, ends, counts)
    return Learned(tuple(weights.tolist()), loss, held_out, games - held, len(success))


def _together(samples: Sequence[Samples]) -> Samples:
    features, success, share = zip(*samples, strict=True)
    return np.concatenate(features), np.concatenate(success), np.concatenate(share)


def _samples(game: Game, seen: Numbers, scores: Numbers) -> Samples:
    """The samples of one game."""
    low, high = game.scores
    features = seen.reshape(-1, seen.shape[2])
    success = np.tile((scores - low) / (high - low), len(seen))
    return features, success, np.full(len(features), 1.0 / max(1, len(features)))
