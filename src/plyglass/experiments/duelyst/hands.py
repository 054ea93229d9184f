"""What beliefs say of the enemy's hand, as a measure for tournaments.

Whenever the enemy plays a card, what every belief says of it just before: any card of his hand may
be the next one, so it is as likely as its share of the hands that the belief takes to be possible.
Log-loss is minus the logarithm of that. And whenever a turn begins, how likely each card of the
enemy's pool is to be in his hand: the mean squared error of these (the Brier score), and what that
would be if every probability were right. A belief that is right about how much it knows has both
the same.
"""

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
from plyglass.games.duelyst.board import PLAY
from plyglass.search.interface import LiveBelief

WORLDS = 1000
BELIEFS: dict[str, Belief] = {
    "random deck": Fresh(),
    "plausible": Tracks(WORLDS, "plausible"),
    "archetypes": Tracks(WORLDS, "archetypes"),
}
Odds = npt.NDArray[np.float64]


def hands(match: Match) -> list[dict[str, float]]:
    """What each seat's beliefs say, on average over the match."""
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
    """Ask for the card that is about to be played; a card in none of the worlds is as likely as
    any is in one world more.
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
    """Ask how likely each card is to be in the enemy's hand."""
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
    """The enemy's hand in every world of a belief, and the weights of the worlds."""
    worlds, weights = live.support(WORLDS)
    return np.ascontiguousarray(worlds).view(live.game.state)[:, 0]["hand"][
        :, 1 - live.seat
    ], weights


def _cards(live: LiveBelief) -> int:
    return int(live.game.constants_record[0]["cards"])
