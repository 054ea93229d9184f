"""Leduc poker: six cards, two rounds of betting, one public card between them."""

import numpy as np

from plyglass.core import draw, kernel, state_dtype

FOLD, CALL, RAISE = 0, 1, 2
CARDS, SUITS = 6, 2  # card c has the rank c // 2: 0 jack, 1 queen, 2 king
ANTE, FIRST_BET, MOST_RAISES = 1, 2, 2  # in the second round, a bet is twice FIRST_BET
ROUNDS, MOST_TURNS = 2, 4  # the longest round is call, raise, raise, call
UNKNOWN = -1
SHOWDOWN, FOLDED = 1, 2

State = state_dtype(
    ("card", np.int8, (2,)),  # the card of each player
    ("public", np.int8),  # the card on the table, or UNKNOWN before it is drawn
    ("round", np.int8),  # 0 or 1
    ("history", np.int8, (ROUNDS, MOST_TURNS)),  # the actions of each round
    ("turns", np.int8, (ROUNDS,)),  # number of actions in each round
    ("raises", np.int8),  # number of raises in this round
    ("chips", np.int8, (2,)),  # chips that each player has put into the pot
    ("ended", np.int8),  # 0 while the betting goes on, then SHOWDOWN or FOLDED
)


@kernel
def start(r, setup, s):
    s.public = UNKNOWN
    s.chips[0] = ANTE
    s.chips[1] = ANTE
    s.card[0] = draw(s, CARDS)
    s.card[1] = _card_left(draw(s, CARDS - 1), s.card[0], UNKNOWN)


@kernel
def to_move(r, s):
    return -1 if s.ended else s.turns[s.round] % 2


@kernel
def legal(r, s, out):
    count = 0
    if s.chips[0] != s.chips[1]:
        out[count] = FOLD
        count += 1
    out[count] = CALL
    count += 1
    if s.raises < MOST_RAISES:
        out[count] = RAISE
        count += 1
    return count


@kernel
def apply(r, s, action):
    player = s.turns[s.round] % 2
    s.history[s.round, s.turns[s.round]] = action
    s.turns[s.round] += 1
    if action == FOLD:
        s.ended = FOLDED
    else:
        s.chips[player] = s.chips[1 - player]
    if action == RAISE:
        s.chips[player] += FIRST_BET * (s.round + 1)
        s.raises += 1
    elif action == CALL and s.turns[s.round] > 1:
        _end_round(s)


@kernel
def score(r, s, player):
    if not s.ended:
        return 0.0
    if s.ended == FOLDED:
        lost = s.chips[player] < s.chips[1 - player]
        return -1.0 * s.chips[player] if lost else 1.0 * s.chips[1 - player]
    mine, theirs = _strength(s, player), _strength(s, 1 - player)
    if mine == theirs:
        return 0.0
    return 1.0 * s.chips[player] if mine > theirs else -1.0 * s.chips[player]


@kernel
def hide(r, s, viewer):
    # The cards stay hidden after a fold; a showdown shows them.
    if s.ended != SHOWDOWN:
        s.card[1 - viewer] = UNKNOWN


@kernel
def imagine(r, s, viewer):
    if s.card[1 - viewer] == UNKNOWN:
        seen = 1 if s.public == UNKNOWN else 2
        s.card[1 - viewer] = _card_left(draw(s, CARDS - seen), s.card[viewer], s.public)


@kernel
def _end_round(s):
    """Draw the public card after the first round; show the hands after the second."""
    if s.round == 0:
        s.public = _card_left(draw(s, CARDS - 2), s.card[0], s.card[1])
        s.round = 1
        s.raises = 0
    else:
        s.ended = SHOWDOWN


@kernel
def _card_left(index, first, second):
    """Return card `index`, counted from 0, among all cards other than `first` and `second`."""
    for card in range(CARDS):
        if card != first and card != second:
            if index == 0:
                return card
            index -= 1
    return UNKNOWN


@kernel
def _strength(s, player):
    """Return the strength of a player's hand: the card's rank, or a higher number for a pair."""
    rank = s.card[player] // SUITS
    return CARDS if rank == s.public // SUITS else rank
