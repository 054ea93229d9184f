"""Measures for tournaments: the cost of a decision, and the quality of beliefs about a hand."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.arena.audit.belief_walk import Witness
from plyglass.arena.match.match import Match, first_position, show
from plyglass.beliefs import Belief, Fresh, Tracks
from plyglass.core import kind_of, source_of
from plyglass.core.world import View, World
from plyglass.games.duelyst.state import PLAY
from plyglass.search.interface import Decision, LiveBelief

WORLDS = 1000
BELIEFS: dict[str, Belief] = {
    "random deck": Fresh(),
    "plausible": Tracks(WORLDS, "plausible"),
    "archetypes": Tracks(WORLDS, "archetypes"),
}
Odds = npt.NDArray[np.float64]


def judged(decision: Decision) -> float:
    """Return the number of positions that were evaluated for a decision."""
    return decision.evaluated


def hands(match: Match) -> list[dict[str, float]]:
    """Return how good each seat's beliefs about the enemy's hand are, averaged over the match.

    Log-loss is measured whenever the enemy plays a card. Log-loss is minus the logarithm of the
    probability that the belief gave to this card just before. Any card in the enemy's hand may be
    played next. So the belief's probability of a card is the card's share of all cards in the
    imagined hands.

    The Brier score is measured whenever a turn begins. It is the mean squared error of the
    probability that each card of the enemy's pool is in the hand. The measure also returns the
    Brier score to expect if the belief's probabilities are right. For a calibrated belief, the
    Brier score and the expected score are equal on average.
    """
    found: list[dict[str, list[float]]] = [defaultdict(list), defaultdict(list)]
    world, turn = first_position(match.game, match.seed), -1
    seats = [Witness([*BELIEFS.values()], match.game, seat, match.seed) for seat in range(2)]
    shown: list[View | None] = [None, None]
    show(world, seats, shown)
    for move in match.moves:
        if world.record["turn"] != turn:
            turn = world.record["turn"]
            _ask_for_hand(found[move.player], world, seats[move.player].live)
        if kind_of(move.action) == PLAY:  # type: ignore[no-untyped-call]
            card = world.record["hand"][move.player, source_of(move.action)]  # type: ignore[no-untyped-call]
            _ask_for_next(found[1 - move.player], world, seats[1 - move.player].live, int(card))
        world.apply(move.action)
        show(world, seats, shown, move)
    return [
        {name: math.fsum(values) / len(values) for name, values in each.items()} for each in found
    ]


def _ask_for_next(
    found: dict[str, list[float]], world: World, beliefs: list[LiveBelief], card: int
) -> None:
    """Score the belief's prediction of the card that is about to be played.

    For the prediction, one more world is added, in which all cards are equally likely. So a card
    that is in none of the belief's worlds still has a probability above 0.
    """
    true_hand = world.record["hand"][world.to_move]
    found["known hand, log-loss"].append(
        -math.log(np.count_nonzero(true_hand == card) / np.count_nonzero(true_hand))
    )
    for name, live in zip(BELIEFS, beliefs, strict=True):
        hands_held, weights = _hands(live)
        share = float(
            (weights * (hands_held == card).sum(axis=1)).sum() / np.count_nonzero(true_hand)
        )
        found[f"{name}, log-loss"].append(
            -math.log((WORLDS * share + 1.0 / _cards(live)) / (WORLDS + 1))
        )


def _ask_for_hand(found: dict[str, list[float]], world: World, beliefs: list[LiveBelief]) -> None:
    """Score the belief's probability of each card in the enemy's hand."""
    enemy = 1 - world.to_move
    constants = world.game.constants_record[0]
    pool = constants["pool"][enemy, : constants["pool_size"][enemy]]
    happened = np.isin(pool, world.record["hand"][enemy])
    for name, live in zip(BELIEFS, beliefs, strict=True):
        hands_held, weights = _hands(live)
        said: Odds = np.array([weights[(hands_held == card).any(axis=1)].sum() for card in pool])
        found[f"{name}, Brier score"].append(float(np.square(said - happened).mean()))
        found[f"{name}, Brier score if right"].append(float((said * (1 - said)).mean()))


def _hands(live: LiveBelief) -> tuple[npt.NDArray[Any], Odds]:
    """Return the enemy's hand in every world of a belief, and the weights of the worlds."""
    worlds, weights = live.support(WORLDS)
    return np.ascontiguousarray(worlds).view(live.game.state)[:, 0]["hand"][
        :, 1 - live.seat
    ], weights


def _cards(live: LiveBelief) -> int:
    return int(live.game.constants_record[0]["cards"])
