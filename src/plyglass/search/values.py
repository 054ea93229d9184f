"""This module judges positions and chooses among equally good actions."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Literal

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import address_of, call_real, read_int
from plyglass.core.seeds import derive
from plyglass.core.verbs import evaluate, score

BY_SCORE = 0  # in place of the address of an evaluator
NETS = "plyglass.core.nets.record"  # imported by name, so searches do not depend on its code


@kernel
def judge(table, s, player, evaluator):
    """Return the value of a position for `player`, by an evaluator or the score.

    A positive `evaluator` is the address of a function of the game. A negative `evaluator` is minus
    the address of a net's record. The record begins with the address of the function that evaluates
    the net.
    """
    if evaluator == BY_SCORE:
        return score(table, s, player)
    if evaluator < 0:
        return call_real(read_int(-evaluator, 0), (address_of(table), s, player, -evaluator))
    return evaluate(table, s, player, evaluator)


def evaluator_of(game: Game, name: str) -> int:
    """Return the argument `evaluator` of `judge` for a name; "score" gives BY_SCORE.

    The empty name means the game's first evaluator, or BY_SCORE if the game has no evaluator.
    `net(FILE)` is a net in a file, and `net` is the net that comes with the game.
    """
    if name.partition("(")[0] == "net" and name not in game.evaluators:
        return int(importlib.import_module(NETS).evaluator(game, name))
    if name == "score" or not (name or game.evaluators):
        return BY_SCORE
    return game.evaluator(name or next(iter(game.evaluators)))


def span_of(game: Game, evaluator: int, scale: str) -> float:
    """Return the scale of confidence bounds, where 0 means the range of values seen so far.

    With "raw", the scale is 1. For the score, the scale is the declared range of scores. A game
    declares no range for its evaluators, so the scale of an evaluator is 0.
    """
    if scale == "raw":
        return 1.0
    return game.scores[1] - game.scores[0] if evaluator == BY_SCORE else 0.0


# --- Ties, where values are exact and several actions are equally good ---

Ties = Literal["first", "last", "uniform"]
TIES = ("first", "last", "uniform")
# Values closer than this fraction of the scores' range are equal: the order of a sum can change its
# last digits.
SAME = 1e-9


def best_of(opinions: Sequence[Sequence[float | None]], span: float) -> list[int]:
    """Return the best actions by the first list of values; each further list breaks ties."""
    best = list(range(len(opinions[0])))
    for values in opinions:
        known = [value for index in best if (value := values[index]) is not None]
        least = max(known, default=0.0) - SAME * span
        best = [
            index for index in best if (value := values[index]) is not None and value >= least
        ] or best
    return best


def chosen_of(best: Sequence[int], ties: Ties, seed: int) -> int:
    """Return the first, the last, or a uniformly random one of the best actions."""
    if ties == "uniform":
        return best[derive(seed) % len(best)]
    return best[0] if ties == "first" else best[-1]
