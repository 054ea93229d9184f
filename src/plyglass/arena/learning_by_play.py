"""Learn an evaluator by play: search for the weights with which greedy turns score most.

Regression (`arena.learning`) needs games of which enough are won. The cross-entropy method only
needs scores, so it also learns games that are nearly always lost. It takes more games.

Without samples of chance actions, greedy turns only compare positions. So the search does not
decide how large the weights are together. But a planner that averages judgements over worlds
depends on it. So in the end, all weights are multiplied by a number, and the constant is chosen, by
logistic regression (`calibrated`). A judgement then tells how likely greedy turns win.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.arena.learning import Samples, samples_of, together, with_weights
from plyglass.arena.self_play import Numbers, SelfPlay
from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less
from plyglass.core.seeds import derive
from plyglass.stats.cross_entropy import BEST, Round, cross_entropy
from plyglass.stats.logistic import fit_logistic

SPREAD, LEAST = 0.3, 0.03  # the spread of the first candidates: relative, and added to all weights
LAST = 1 << 32  # the number of the round that calibrates, however many rounds were before
AIM = 0.4  # an end that is as near a win as possible counts as this share of a win


@dataclass(frozen=True)
class Found:
    """Weights that a search by play found.

    Attributes:
        weights: a weight for each feature, then the constant.
        curve: for each round, the mean value of all candidates.
        best: for each round, the mean value of the best candidates.
        games: the number of games that were played.
    """

    weights: tuple[float, ...]
    curve: tuple[float, ...]
    best: tuple[float, ...]
    games: int


def learn_by_play(
    variants: Sequence[Game],
    games: int,
    *,
    seed: int,
    rounds: int,
    candidates: int = 36,
    aim: str = "",
    beam: int = 0,
    draws: int = 0,
    calibration: int = 1000,
    played: Callable[[float | None], object] = lambda last: None,
    improved: Callable[[Found], object] = lambda found: None,
) -> Found:
    """Search for weights of the evaluator `learned`, starting from the weights of the game.

    Args:
        variants: variants of a game, played in turn.
        games: the number of games of each candidate in each round. In a round, all candidates play
            the same games. Opponents play every deal from each seat.
        seed: the random seed.
        rounds: the number of rounds; with 0, the weights of the game are only calibrated.
        candidates: the number of candidates in a round.
        aim: an evaluator of the game that says how near to a win the end of a game was. It helps
            if most games are lost. "" counts only scores.
        beam: the number of positions of a turn that are kept after each action; 0 for all.
        draws: the number of samples of each chance action before a turn is planned.
        calibration: the number of games that calibrate the weights at the end; with 0, the weights
            stay as the search found them.
        played: called after every game with the mean value of the last finished round's candidates.
        improved: called after every round with the weights found so far, not yet calibrated.
    """
    _refuse(variants[0], games, candidates)
    first = np.asarray(variants[0].constants_record["weights"][0])
    trials = [_Trial(game, first, aim, beam, draws) for game in variants]
    seats = trials[0].seats

    last: float | None = None

    def value(weights: Numbers, number: int) -> float:
        total = 0.0
        for played_before in range(games):
            deal, seat = divmod(played_before, seats)
            luck = derive(seed, number, deal)
            total += trials[deal % len(trials)].value(weights, luck, seat)
            played(last)
        return total / games

    found: list[Round] = []
    mean = first
    spread = SPREAD * np.abs(first) + LEAST
    for each in cross_entropy(
        value, first, spread, rounds=rounds, candidates=candidates, seed=seed
    ):
        found.append(each)
        mean, last = each.mean, each.value
        improved(_found(mean, found, candidates * games))

    samples = []
    for number in range(calibration):
        luck = derive(seed, LAST, number)
        samples.append(trials[number % len(trials)].samples(mean, luck))
        played(last)
    final = calibrated(mean, together(samples)) if samples else mean
    return _found(final, found, candidates * games)


def calibrated(weights: Numbers, samples: Samples) -> Numbers:
    """Return weights that rank positions alike, and tell how likely the games of the samples win.

    The weights stay as they are if the samples do not tell, for example if no game was won.
    """
    features, success, share = samples
    sums = features @ weights[:-1] + weights[-1]
    if success.std() == 0.0 or sums.std() == 0.0:
        return weights
    scale, shift = fit_logistic(sums[:, None], success, share)[0] / 2
    return np.append(weights[:-1] * scale, weights[-1] * scale + shift) if scale > 0 else weights


def _found(weights: Numbers, rounds: Sequence[Round], games: int) -> Found:
    return Found(
        tuple(weights.tolist()),
        tuple(each.value for each in rounds),
        tuple(each.best for each in rounds),
        len(rounds) * games,
    )


class _Trial:
    """Games of a candidate, in one variant of a game.

    Attributes:
        seats: the number of seats that a candidate plays in turn.
    """

    def __init__(self, game: Game, first: Numbers, aim: str, beam: int, draws: int) -> None:
        self._game, self._aim = game, aim
        self._candidate, self._rival = (with_weights(game, first.tolist()) for _ in range(2))
        self._play = SelfPlay(self._candidate, "learned", beam=beam, draws=draws)
        self.seats = _seats(game)

    def value(self, weights: Numbers, luck: int, seat: int) -> float:
        """Return how well a candidate does in one game."""
        self._candidate.constants_record["weights"][0] = weights
        others = self._candidate if self._game.cooperative else self._rival
        seats = [self._candidate if s == seat else others for s in range(self._game.players)]
        _, scores = self._play.play(luck, seats=seats)
        low, high = self._game.scores
        aim = self._play.end_value(seat, self._game.evaluator(self._aim)) if self._aim else 0.0
        return float((scores[seat] - low) / (high - low) + AIM * aim)

    def samples(self, weights: Numbers, luck: int) -> Samples:
        """Return the samples of a game in which all seats have these weights."""
        self._candidate.constants_record["weights"][0] = weights
        return samples_of(self._game, *self._play.play(luck))


def _seats(game: Game) -> int:
    """The number of seats that a candidate plays in turn; a team plays all seats at once."""
    return 1 if game.cooperative else game.players


def _refuse(game: Game, games: int, candidates: int) -> None:
    seats = _seats(game)
    refuse_less("games", games, 1)
    if games % seats:
        raise ValueError(
            f"games is a multiple of {seats}, because each deal of {game.name} is played from "
            f"{seats} seats; it cannot be {games}."
        )
    refuse_less("candidates", candidates, 2 * BEST)
