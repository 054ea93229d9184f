"""Learning an evaluator from games of another against itself: which features of a position between
turns go with winning.

Every turn of a game is a sample for every player: the features of what the turn came to, and how
the game ended for him. Each game counts the same, however long it is. The judgement of
`core.learned` presses a sum by tanh, which is a probability of success by half the sum: hence the
half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.arena.self_play import Numbers, SelfPlay
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.stats.logistic import fit_logistic, log_loss

Samples = tuple[
    Numbers, Numbers, Numbers
]  # features, success from 0 to 1, and how much each counts


@dataclass(frozen=True)
class Learned:
    """Weights for the features of a game, and one alone behind them; with how well they tell who
    wins.

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


def learn(
    variants: Sequence[Game],
    evaluator: str,
    games: int,
    *,
    seed: int,
    dice: float,
    rounds: int = 1,
    spread: float = 0.0,
    beam: int = 0,
    draws: int = 0,
    played: Callable[[], object] = lambda: None,
) -> Learned:
    """Let an evaluator play against itself, now and then any turn at random, and learn from the
    games; one in ten is held out.

    In further rounds what was learned plays, by the game's evaluator `learned`, and all games so
    far are learned from. With a `spread`, each of these games has weights of its own, off by about
    that share: what all players do alike cannot be told from what is good.

    Variants of a game, as its maps, are played in turn. A `beam` is for games whose turns have too
    many positions to look at all of them. With `draws`, luck is drawn so often before a turn is
    planned, and completed turns rank positions: better turns, which cost more.
    """
    held, kept, others = max(1, games // 10), list[Samples](), list[Samples]()
    found = _nothing(variants[0])
    for number in range(rounds):
        playing = [with_weights(game, found.weights) for game in variants] if number else variants
        players = [
            SelfPlay(game, "learned" if number else evaluator, dice=dice, beam=beam, draws=draws)
            for game in playing
        ]
        for deal in range(games):
            luck, which = derive(seed, number * games + deal), deal % len(variants)
            if number:
                _set_weights(playing[which], _off(found.weights, spread, luck))
            (others if deal < held else kept).append(
                _samples(variants[which], *players[which].play(luck))
            )
            played()
        found = _fit(_together(kept), _together(others), len(kept))
    return found


def with_weights(game: Game, weights: Sequence[float]) -> Game:
    """The same game with other weights for its evaluator `learned`, which reads them from the
    field `weights` of its constants.
    """
    if "weights" not in (game.constants.names or ()) or "learned" not in game.evaluators:
        raise ValueError(
            f"{game.name} has no evaluator `learned` with a field `weights` of its constants, so "
            "there is one round only."
        )
    other = game.variant({})
    _set_weights(other, weights)
    return other


def _set_weights(game: Game, weights: Sequence[float] | Numbers) -> None:
    game.constants_record["weights"][0] = weights


def _off(weights: Sequence[float], spread: float, seed: int) -> Numbers:
    """Weights that are off by about a share of themselves, each by another one."""
    return np.asarray(weights) * (
        1 + spread * np.random.default_rng(seed).standard_normal(len(weights))
    )


def _nothing(game: Game) -> Learned:
    return Learned((0.0,) * (game.most_features + 1), 0.0, 0.0, 0, 0)


def _fit(kept: Samples, others: Samples, games: int) -> Learned:
    """Weights from the samples that are kept, and how well they tell the end of the others."""
    features, success, share = kept
    found, loss = fit_logistic(features, success, share)
    weights = found / 2
    likely = (1 + np.tanh(others[0] @ weights[:-1] + weights[-1])) / 2
    return Learned(
        tuple(weights.tolist()), loss, log_loss(likely, others[1], others[2]), games, len(success)
    )


def _together(samples: Sequence[Samples]) -> Samples:
    features, success, share = zip(*samples, strict=True)
    return np.concatenate(features), np.concatenate(success), np.concatenate(share)


def _samples(game: Game, seen: Numbers, scores: Numbers) -> Samples:
    """The samples of one game."""
    low, high = game.scores
    features = seen.reshape(-1, seen.shape[2])
    success = np.tile((scores - low) / (high - low), len(seen))
    return features, success, np.full(len(features), 1.0 / max(1, len(features)))
