"""Features of a position: each side's cards and health, and what a side may lose."""

from plyglass.core import kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.trading_cards.cards import ATTACK, FIGHT, HEAL, REMOVALS
from plyglass.games.trading_cards.state import FEATURES, FEATURES_EACH, POINT, total_of, value_of


@kernel
def features(r, s, player, values):
    """Write the features of the player's side and of the opponent's side, and whose turn it is."""
    _side(r, s, player, values, 0)
    _side(r, s, 1 - player, values, FEATURES_EACH)
    values[2 * FEATURES_EACH] = 1.0 if s.player == player else -1.0
    return FEATURES


@kernel
def _side(r, s, owner, values, at):
    """Write the features of one side: health, field, hand and deck.

    The features of the field are the sums of values, the number of cards, the best fighter, and the
    cards that the enemy can beat or tie.
    """
    for i in range(at, at + FEATURES_EACH):
        values[i] = 0.0
    values[at] = s.health[owner] / POINT
    cards = s.field[owner]
    values[at + 4] = count_ones(cards)
    while cards:
        card = lowest_one(cards)
        cards &= cards - 1
        _add_soldier(r, s, owner, card, values, at)
    values[at + 9] = values[at] / (3.0 + _attack_of(r, s, 1 - owner))
    _add_hand(r, s, owner, values, at)
    values[at + 16] = _sum_of_totals(r, s.deck[owner] & ~REMOVALS) / POINT + 8.0 * count_ones(
        s.deck[owner] & REMOVALS
    )
    _add_exposure(r, s, owner, values, at)


@kernel
def _add_soldier(r, s, owner, card, values, at):
    """Add the features of a soldier on the field."""
    fight = value_of(r, s, owner, card, FIGHT)
    total = total_of(r, s, owner, card) / POINT
    values[at + 1] += fight / POINT
    values[at + 2] += value_of(r, s, owner, card, HEAL) / POINT
    values[at + 3] += value_of(r, s, owner, card, ATTACK) / POINT
    values[at + 5] = max(values[at + 5], fight / POINT)
    strongest, ties = 0, 0
    enemies = s.field[1 - owner]
    while enemies:
        theirs = value_of(r, s, 1 - owner, lowest_one(enemies), FIGHT)
        enemies &= enemies - 1
        strongest, ties = max(strongest, theirs), ties + (theirs == fight)
    if strongest > fight:
        values[at + 6] += total
    elif ties > 0:
        values[at + 7] += total
    values[at + 8] += (
        max(value_of(r, s, owner, card, HEAL), value_of(r, s, owner, card, ATTACK)) / POINT
    )


@kernel
def _add_hand(r, s, owner, values, at):
    """Add the features of the hand: values, the best card, Removals, and the number of cards."""
    cards = s.hand[owner]
    values[at + 14] = count_ones(cards & REMOVALS)
    values[at + 15] = count_ones(cards)
    cards &= ~REMOVALS
    while cards:
        card = lowest_one(cards)
        cards &= cards - 1
        for attribute in range(3):
            values[at + 10 + attribute] += r.value[card, attribute] / POINT
        values[at + 13] = max(values[at + 13], r.total[card] / POINT)


@kernel
def _add_exposure(r, s, owner, values, at):
    """Add what the enemy's hand threatens, and the best Fight in the side's own hand.

    The best fighter in the enemy's hand threatens all cards that it beats. A Removal threatens the
    card with the highest total.
    """
    fighter, removal = _best_fight(r, s.hand[1 - owner] & ~REMOVALS), s.hand[1 - owner] & REMOVALS
    cards = s.field[owner]
    while cards:
        card = lowest_one(cards)
        cards &= cards - 1
        total = total_of(r, s, owner, card) / POINT
        if value_of(r, s, owner, card, FIGHT) < fighter:
            values[at + 17] += total
        if removal:
            values[at + 18] = max(values[at + 18], total)
    values[at + 19] = _best_fight(r, s.hand[owner] & ~REMOVALS) / POINT


@kernel
def _best_fight(r, cards):
    best = 0
    while cards:
        best = max(best, r.value[lowest_one(cards), FIGHT])
        cards &= cards - 1
    return best


@kernel
def _attack_of(r, s, owner):
    cards, found = s.field[owner], 0
    while cards:
        found += value_of(r, s, owner, lowest_one(cards), ATTACK)
        cards &= cards - 1
    return found / POINT


@kernel
def _sum_of_totals(r, cards):
    found = 0
    while cards:
        found += r.total[lowest_one(cards)]
        cards &= cards - 1
    return found
