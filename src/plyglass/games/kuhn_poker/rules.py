"""Kuhn poker: three cards, one round of betting, one chip each."""

import numpy as np

from plyglass.core import draw, kernel, state_dtype

PASS, BET = 0, 1
CARDS, ANTE = 3, 1
UNKNOWN = -1

State = state_dtype(
    ("card", np.int8, (2,)),  # the card of each player: 0 jack, 1 queen, 2 king
    ("history", np.int8, (3,)),  # the actions so far
    ("length", np.int8),  # number of actions so far
    ("ended", np.int8),  # whether the betting is over
)


@kernel
def start(r, setup, s):
    s.card[0] = draw(s, CARDS)
    s.card[1] = _other_card(s.card[0], draw(s, CARDS - 1))


@kernel
def to_move(r, s):
    return -1 if s.ended else s.length % 2


@kernel
def legal(r, s, out):
    out[0] = PASS
    out[1] = BET
    return 2


@kernel
def apply(r, s, action):
    s.history[s.length] = action
    s.length += 1
    answered = s.length > 1 and (action == PASS or s.history[s.length - 2] == BET)
    s.ended = 1 if answered else 0


@kernel
def score(r, s, player):
    if not s.ended:
        return 0.0
    mine, theirs = _chips(s, player), _chips(s, 1 - player)
    won = mine > theirs or (mine == theirs and s.card[player] > s.card[1 - player])
    return 1.0 * theirs if won else -1.0 * mine


@kernel
def hide(r, s, viewer):
    # The cards stay hidden after a fold; a showdown shows them.
    if not s.ended or _chips(s, 0) != _chips(s, 1):
        s.card[1 - viewer] = UNKNOWN


@kernel
def imagine(r, s, viewer):
    if s.card[1 - viewer] == UNKNOWN:
        s.card[1 - viewer] = _other_card(s.card[viewer], draw(s, CARDS - 1))


@kernel
def _other_card(card, index):
    """Return one of the two cards other than `card`; `index` 0 is the lower card, 1 the higher."""
    return index if index < card else index + 1


@kernel
def _chips(s, player):
    """Return the chips that a player has put into the pot: one, and one more for a bet."""
    chips = ANTE
    for turn in range(player, s.length, 2):
        chips += s.history[turn]
    return chips
