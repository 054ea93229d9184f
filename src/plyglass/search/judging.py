"""What a position is worth to a player: by an evaluator of the game, or by the score so far
where it has none.
"""

from __future__ import annotations

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.verbs import evaluate, score

BY_SCORE = 0  # in place of the address of an evaluator


@kernel
def judge(table, s, player, evaluator):
    """What the evaluator at an address, or the score, says of a position for `player`."""
    if evaluator == BY_SCORE:
        return score(table, s, player)
    return evaluate(table, s, player, evaluator)


def evaluator_of(game: Game, name: str) -> int:
    """The address of an evaluator by name: "" is the first that the game offers, or its score if
    it offers none; so is "score".
    """
    if name == "score" or not (name or game.evaluators):
        return BY_SCORE
    return game.evaluator(name or next(iter(game.evaluators)))


def span_of(game: Game, evaluator: int, scale: str) -> float:
    """What confidence bounds are measured by: 1 for "raw" values, else the range of the scores; 0
    for the range seen so far.

    A game declares no range for its evaluators, so with these the range is the one between the
    lowest and the highest value seen.
    """
    if scale == "raw":
        return 1.0
    return game.scores[1] - game.scores[0] if evaluator == BY_SCORE else 0.0
