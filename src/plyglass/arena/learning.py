"""Learn an evaluator by self-play and logistic regression.

Every turn of a game gives a sample for every player: the features of the position after the turn,
and the player's result at the end of the game. Each game has the same weight, however long it is.

`core.learned` judges a position by the tanh of a weighted sum. The logistic function of x is (1 +
tanh(x / 2)) / 2, so the weights are half of the regression's weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.arena.self_play import Numbers, SelfPlay
from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less
from plyglass.core.seeds import derive
from plyglass.stats.logistic import fit_logistic, log_loss

Samples = tuple[Numbers, Numbers, Numbers]
"""Three arrays: the features of each sample, its success from 0 to 1, and its weight."""


@dataclass(frozen=True)
class Learned:
    """Weights for the features of a game, and how well they predict the winner.

    Attributes:
        weights: a weight for each feature, then the constant, in the order of
            `core.learned.judgement`.
        log_loss: the mean log-loss on the training games.
        held_out: the mean log-loss on held-out games.
        games, samples: the numbers of training games and of samples from them.
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
    """Let an evaluator play against itself and learn from its games; one game in ten is held out.

    Args:
        variants: variants of a game, such as its maps, played in turn.
        evaluator: the evaluator that plays in the first round. In later rounds, the game's
            evaluator `learned` plays with the learned weights.
        games: the number of games in a round. Every round learns from all games so far.
        seed: the random seed.
        dice: the probability of a random turn.
        rounds: the number of rounds.
        spread: the relative noise on the weights of each game after the first round. Without noise,
            all players play alike, and the fit cannot distinguish features that are common from
            features that help to win.
        beam: the number of positions of a turn that are kept after each action; 0 for all. Use a
            beam for games whose turns have too many positions.
        draws: the number of samples of each chance action before a turn is planned. With draws, the
            beam ranks a position by completing its turn, which finds better turns but takes longer.
        played: called after every game.
    """
    refuse_less("rounds", rounds, 1)
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
                samples_of(variants[which], *players[which].play(luck))
            )
            played()
        found = _fit(together(kept), together(others), len(kept))
    return found


def with_weights(game: Game, weights: Sequence[float]) -> Game:
    """Return a copy of the game with other weights for the evaluator `learned`.

    The evaluator reads the weights from the field `weights` of the game's constants.
    """
    if "weights" not in (game.constants.names or ()) or "learned" not in game.evaluators:
        raise ValueError(
            f"Cannot learn {game.name} in more than one round: it has no evaluator `learned` that "
            "reads a field `weights` of its constants."
        )
    other = game.variant({})
    _set_weights(other, weights)
    return other


def _set_weights(game: Game, weights: Sequence[float] | Numbers) -> None:
    game.constants_record["weights"][0] = weights


def _off(weights: Sequence[float], spread: float, seed: int) -> Numbers:
    """Return the weights, each with relative noise whose standard deviation is `spread`."""
    return np.asarray(weights) * (
        1 + spread * np.random.default_rng(seed).standard_normal(len(weights))
    )


def _nothing(game: Game) -> Learned:
    return Learned((0.0,) * (game.most_features + 1), 0.0, 0.0, 0, 0)


def _fit(kept: Samples, others: Samples, games: int) -> Learned:
    """Fit weights to the training samples, and test how well they predict the held-out samples."""
    features, success, share = kept
    found, loss = fit_logistic(features, success, share)
    weights = found / 2
    likely = (1 + np.tanh(others[0] @ weights[:-1] + weights[-1])) / 2
    return Learned(
        tuple(weights.tolist()), loss, log_loss(likely, others[1], others[2]), games, len(success)
    )


def together(samples: Sequence[Samples]) -> Samples:
    """Return the samples of several games as one."""
    features, success, share = zip(*samples, strict=True)
    return np.concatenate(features), np.concatenate(success), np.concatenate(share)


def samples_of(game: Game, seen: Numbers, scores: Numbers) -> Samples:
    """Return the samples of one game."""
    low, high = game.scores
    features = seen.reshape(-1, seen.shape[2])
    success = np.tile((scores - low) / (high - low), len(seen))
    return features, success, np.full(len(features), 1.0 / max(1, len(features)))
