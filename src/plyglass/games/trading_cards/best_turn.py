"""The value of the best turn by the evaluation of Taucer, Polk and Oommen 2018, without a search.

The gains of healing and attacking add up, in any order. Choosing battles is an assignment problem:
each of the mover's cards may battle one opposing card, and each opposing card can fall once.
`most[set]` is the most that the mover's cards can gain if exactly this set of opposing cards falls.
`most` is computed by adding the mover's cards one by one. The gain of a newly placed card is added
last. The placed card heals, attacks, or defeats a target that the other cards do not defeat.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.core.bits import lowest_one
from plyglass.games.trading_cards.cards import ATTACK, FIGHT, HEAL, REMOVAL
from plyglass.games.trading_cards.rules import can_place, stand_in_value
from plyglass.games.trading_cards.state import ACTING, imbalance, total_of, value_of

WIN = 1e15  # the gain of a winning turn; a gain above WIN / 2 means a win
NEVER = -1e18
MOST_TARGETS = 10  # opposing cards that can be battled; further cards are left alone
# Layout of the working memory: most[set]; Fight and total of each target; for each target, the
# highest gain if it does not fall; then single numbers.
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
    """Compute the most that the mover's unused cards can gain, and the sum of their Attack."""
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
    """Return the most that a turn can gain with this hand.

    The value is the gain of the cards on the field and of a placed card, minus the imbalance of the
    hand that is left.
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
    """Return the most that a turn can gain if a stand-in is placed and the hand does not change."""
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
    """Return the gain of a card without a battle: the larger of its Heal and its Attack."""
    return max(value_of(r, s, s.player, card, HEAL), value_of(r, s, s.player, card, ATTACK))


@kernel
def _add_card(work, subsets, alone, fight, total):
    """Update `most` for one more card of the mover.

    For every set of defeated cards, the new card either fights nobody or defeats one card of the
    set. Sets are updated from the largest down, because the update of a set reads only smaller
    sets.
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
    """Return the gain of a battle: a third of the fallen card's total.

    In a tie, both cards fall, so a third of the total of the mover's card is subtracted.
    """
    theirs = work[FIGHTS + target]
    if fight < theirs:
        return NEVER
    return (work[TOTALS + target] - (total if fight == theirs else 0)) / 3.0


@kernel
def _note_without(work, subsets):
    """Note the highest gain over all sets and, for each target, over all sets without it."""
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
    """Return the highest gain if a soldier with these values is placed."""
    if work[ATTACKS] + attack >= s.health[1 - s.player]:
        return WIN
    total = fight + heal + attack
    best = work[BEST] + max(heal, attack)
    for target in range(np.int64(work[COUNT])):
        best = max(best, work[WITHOUT + target] + _battle(work, target, fight, total))
    return best + total / 3.0


@kernel
def _gain_of_removal(work):
    """Return the highest gain if a Removal is played and there is a card to remove."""
    best = NEVER
    for target in range(np.int64(work[COUNT])):
        best = max(best, work[WITHOUT + target] + work[TOTALS + target] / 3.0)
    return best
