"""Learn an evaluator by play: search for the weights with which greedy turns score most.

Regression (`arena.learning`) needs games of which enough are won. The cross-entropy method only
needs scores, so it also learns games that are nearly always lost. It takes more games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.arena.learning import with_weights
from plyglass.arena.self_play import Numbers, SelfPlay
from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less
from plyglass.core.seeds import derive
from plyglass.stats.cross_entropy import BEST, cross_entropy

SPREAD, LEAST = 0.3, 0.03  # the spread of the first candidates: relative, and added to all weights
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
    played: Callable[[], object] = lambda: None,
) -> Found:
    """Search for weights of the evaluator `learned`, starting from the weights of the game.

    Args:
        variants: variants of a game for one player or a team, played in turn.
        games: the number of games of each candidate in each round. In a round, all candidates play
            the same games.
        seed: the random seed.
        rounds: the number of rounds.
        candidates: the number of candidates in a round.
        aim: an evaluator of the game that says how near to a win the end of a game was. It helps
            if most games are lost. "" counts only scores.
        beam: the number of positions of a turn that are kept after each action; 0 for all.
        played: called after every game.
    """
    _refuse(variants, games, candidates)
    first = np.asarray(variants[0].constants_record["weights"][0])
    playing = [with_weights(game, first.tolist()) for game in variants]
    players = [SelfPlay(game, "learned", beam=beam) for game in playing]
    low, high = variants[0].scores

    def value(weights: Numbers, number: int) -> float:
        total = 0.0
        for deal in range(games):
            game, player = playing[deal % len(playing)], players[deal % len(players)]
            game.constants_record["weights"][0] = weights
            _, scores = player.play(derive(seed, number, deal))
            total += (scores[0] - low) / (high - low)
            total += AIM * player.end_value(game.evaluator(aim)) if aim else 0.0
            played()
        return total / games

    spread = SPREAD * np.abs(first) + LEAST
    found = list(
        cross_entropy(value, first, spread, rounds=rounds, candidates=candidates, seed=seed)
    )
    return Found(
        tuple(found[-1].mean.tolist()),
        tuple(each.value for each in found),
        tuple(each.best for each in found),
        rounds * candidates * games,
    )


def _refuse(variants: Sequence[Game], games: int, candidates: int) -> None:
    for game in variants:
        if game.players != 1:
            raise ValueError(
                f"Learning by play is for one player or a team, but {game.name} has "
                f"{game.players} players. Learn by regression instead."
            )
    refuse_less("games", games, 1)
    refuse_less("candidates", candidates, 2 * BEST)
