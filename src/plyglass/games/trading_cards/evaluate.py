"""Evaluators by Taucer, Polk and Oommen 2018, and an evaluator learned by self-play.

A health point counts 0.001, so no position is worth as much as a win.
"""

from plyglass.core import kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.core.learned import judgement
from plyglass.core.memory import stack_reals
from plyglass.games.trading_cards.best_turn import (
    WIN,
    WORDS,
    best_gain,
    best_gain_with_stand_ins,
    prepare,
)
from plyglass.games.trading_cards.features import features
from plyglass.games.trading_cards.rules import score, to_move
from plyglass.games.trading_cards.state import DRAWING, FEATURES, POINT, imbalance, total_of

SCALE = 1000.0 * POINT


@kernel
def balance(r, s, player):
    """Return the paper's evaluation: the player's standing minus the opponent's, divided by 1,000.

    A standing is health, plus a third of all values on the field, minus the imbalance of the hand.
    """
    if to_move(r, s) < 0:
        return score(r, s, player)
    return bounded(
        (standing(r, s, player, s.hand[player]) - standing(r, s, 1 - player, s.hand[1 - player]))
        / SCALE
    )


@kernel
def turn(r, s, player):
    """Return `balance` after the mover's best turn, averaged over the draw, without a search."""
    if to_move(r, s) < 0:
        return score(r, s, player)
    mover = s.player
    work = stack_reals(WORDS)
    prepare(r, s, work)
    deck, hand, worth = s.deck[mover], s.hand[mover], 0.0
    if s.phase != DRAWING:
        worth = _worth(r, s, best_gain(r, s, work, hand))
    else:
        while deck:
            worth += _worth(r, s, best_gain(r, s, work, hand | deck & -deck))
            deck &= deck - 1
        worth /= count_ones(s.deck[mover])
    return worth if player == mover else -worth


@kernel
def representative_turn(r, s, player):
    """Evaluate as `turn` does, but place a stand-in instead of a card."""
    if to_move(r, s) < 0:
        return score(r, s, player)
    work = stack_reals(WORDS)
    prepare(r, s, work)
    worth = _worth(r, s, best_gain_with_stand_ins(r, s, work))
    return worth if player == s.player else -worth


@kernel
def learned(r, s, player):
    """Return a weighted sum of the features, scaled to a score, with weights from self-play."""
    if to_move(r, s) < 0:
        return score(r, s, player)
    values = stack_reals(FEATURES)
    return 0.999 * judgement(values, features(r, s, player, values), r.weights)


@kernel
def bounded(worth):
    """Clip a value to lie between a loss and a win."""
    return min(max(worth, -0.999), 0.999)


@kernel
def standing(r, s, player, hand):
    """Return a player's standing with this hand, in hundredths of a point."""
    cards, total = s.field[player], 0
    while cards:
        total += total_of(r, s, player, lowest_one(cards))
        cards &= cards - 1
    return s.health[player] + total / 3.0 - r.balance * imbalance(r, hand)


@kernel
def _worth(r, s, gain):
    """Return the position's value for the mover after a turn with this gain.

    The gain already includes the imbalance of the mover's hand.
    """
    if gain > WIN / 2:
        return 1.0
    if s.turn + 1 >= r.turns:
        return 0.0  # after the last turn, nobody has won
    return bounded(
        (standing(r, s, s.player, 0) - standing(r, s, 1 - s.player, s.hand[1 - s.player]) + gain)
        / SCALE
    )
