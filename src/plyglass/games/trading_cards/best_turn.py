"""The best turn by the evaluation of Taucer, Polk and Oommen 2018, without a search.

Healing and attacking add up in any order. What is left is an assignment problem: the mover's cards
battle opposing cards, each of which can fall once. `most[set]` is the most that the cards can gain
if exactly this set falls. It is computed card by card. The gain of a placed card follows from
`most` without that card.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.core.bits import lowest_one
from plyglass.games.trading_cards.cards import ATTACK, FIGHT, HEAL, REMOVAL
from plyglass.games.trading_cards.rules import can_place, stand_in_value
from plyglass.games.trading_cards.state import ACTING, imbalance, total_of, value_of

WIN = 1e15  # more than half of it is a win, whatever else counts
NEVER = -1e18
MOST_TARGETS = 10  # opposing cards that can be battled; any further ones are left alone
# Layout of the working memory: most[set], then Fight and total of the targets, and the most
# without each of them.
MOST = 0
FIGHTS = MOST + (1 << MOST_TARGETS)
TOTALS = FIGHTS + MOST_TARGETS
WITHOUT = TOTALS + MOST_TARGETS
COUNT = WITHOUT + MOST_TARGETS
ATTACKS = COUNT + 1
BEST = ATTACKS + 1
WORDS = BEST + 1


@kernel
def prepare(r, s, work):
    """Compute what the cards that can act now can gain, and their total attack."""
    _note_targets(r, s, work)
    subsets = 1 << np.int64(work[COUNT])
    for each in range(subsets):
        work[MOST + each] = 0.0 if each == 0 else NEVER
    cards, attacks = s.fresh, 0
    while cards:
        card = lowest_one(cards)
        cards &= cards - 1
        attacks += value_of(r, s, s.player, card, ATTACK)
        _add_card(
            work,
            subsets,
            _alone(r, s, card),
            value_of(r, s, s.player, card, FIGHT),
            total_of(r, s, s.player, card),
        )
    work[ATTACKS] = attacks
    _note_without(work, subsets)


@kernel
def best_gain(r, s, work, hand):
    """The most that a turn gains with this hand.

    Cards on the field gain, a placed card adds to the gain, and the hand's imbalance is subtracted.
    """
    if work[ATTACKS] >= s.health[1 - s.player]:
        return WIN
    best = work[BEST] - r.balance * imbalance(r, hand)
    cards = hand if s.phase != ACTING else 0
    while cards:
        card = lowest_one(cards)
        cards &= cards - 1
        if card >= REMOVAL:
            gain = _gain_of_removal(work)
        else:
            gain = _gain_of(
                s, work, r.value[card, FIGHT], r.value[card, HEAL], r.value[card, ATTACK]
            )
        best = max(best, gain - r.balance * imbalance(r, hand & ~(1 << card)))
    return best


@kernel
def best_gain_with_stand_ins(r, s, work):
    """The most that a turn gains if a stand-in is placed; the hand stays."""
    if work[ATTACKS] >= s.health[1 - s.player]:
        return WIN
    hand, best = s.hand[s.player], work[BEST]
    if can_place(s):
        best = NEVER
        for card in range(3):
            fight, heal = (
                stand_in_value(r, s, s.player, card, FIGHT),
                stand_in_value(r, s, s.player, card, HEAL),
            )
            best = max(
                best, _gain_of(s, work, fight, heal, stand_in_value(r, s, s.player, card, ATTACK))
            )
    return best - r.balance * imbalance(r, hand)


@kernel
def _note_targets(r, s, work):
    cards, count = s.field[1 - s.player], 0
    while cards and count < MOST_TARGETS:
        card = lowest_one(cards)
        cards &= cards - 1
        work[FIGHTS + count] = value_of(r, s, 1 - s.player, card, FIGHT)
        work[TOTALS + count] = total_of(r, s, 1 - s.player, card)
        count += 1
    work[COUNT] = count


@kernel
def _alone(r, s, card):
    """What a card gains without a battle."""
    return max(value_of(r, s, s.player, card, HEAL), value_of(r, s, s.player, card, ATTACK))


@kernel
def _add_card(work, subsets, alone, fight, total):
    """Add a card: in every set, it gains alone or defeats one card of the set.

    The largest set comes first, because each reads only smaller ones.
    """
    for each in range(subsets - 1, -1, -1):
        best, left = work[MOST + each] + alone, each
        while left:
            target = lowest_one(left)
            left &= left - 1
            gain = _battle(work, target, fight, total)
            if gain > NEVER:
                best = max(best, work[MOST + (each & ~(1 << target))] + gain)
        work[MOST + each] = best


@kernel
def _battle(work, target, fight, total):
    """The gain of a battle: a third of the fallen card's total, minus its own third in a tie."""
    theirs = work[FIGHTS + target]
    if fight < theirs:
        return NEVER
    return (work[TOTALS + target] - (total if fight == theirs else 0)) / 3.0


@kernel
def _note_without(work, subsets):
    """Note the highest gain of all sets, and the highest without each target."""
    count, best = np.int64(work[COUNT]), NEVER
    for target in range(count):
        work[WITHOUT + target] = NEVER
    for each in range(subsets):
        most = work[MOST + each]
        best = max(best, most)
        for target in range(count):
            if not each >> target & 1:
                work[WITHOUT + target] = max(most, work[WITHOUT + target])
    work[BEST] = best


@kernel
def _gain_of(s, work, fight, heal, attack):
    """The highest gain if a soldier with these values is placed."""
    if work[ATTACKS] + attack >= s.health[1 - s.player]:
        return WIN
    total = fight + heal + attack
    best = work[BEST] + max(heal, attack)
    for target in range(np.int64(work[COUNT])):
        best = max(best, work[WITHOUT + target] + _battle(work, target, fight, total))
    return best + total / 3.0


@kernel
def _gain_of_removal(work):
    """The highest gain if a Removal is played and there is a card to remove."""
    best = NEVER
    for target in range(np.int64(work[COUNT])):
        best = max(best, work[WITHOUT + target] + work[TOTALS + target] / 3.0)
    return best
