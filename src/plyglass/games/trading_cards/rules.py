"""Rules of the trading card game: soldiers fight, heal and attack until a player has no health."""

from plyglass.core import draw, kernel, kind_of, pack, source_of, target_of
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.trading_cards.cards import (
    ATTACK,
    FIGHT,
    HEAL,
    MOST_STAND_INS,
    REMOVAL,
    REMOVALS,
    STAND_IN,
)
from plyglass.games.trading_cards.state import (
    ACTING,
    ATTACKS,
    BATTLE,
    DRAW,
    DRAWING,
    END,
    HEALS,
    IMAGINE,
    PLACE,
    PLACING,
    POINT,
    REMOVE,
    value_of,
)


@kernel
def start(r, setup, s):
    for player in range(2):
        s.health[player] = POINT * r.health
        s.deck[player] = ((1 << r.soldiers) - 1) | (((1 << r.removals) - 1) << REMOVAL)
        s.hand[player] = setup.hand[player]
        s.deck[player] &= ~s.hand[player]
        if s.hand[player] == 0:
            for _ in range(r.hand):
                _draw_card(s, player)
    _begin_turn(r, s, 0)


@kernel
def to_move(r, s):
    return -1 if s.health[0] <= 0 or s.health[1] <= 0 or s.turn >= r.turns else s.player


@kernel
def legal(r, s, out):
    """List the legal actions of the present phase: drawing, placing, or acting with cards."""
    if s.phase == DRAWING:
        out[0] = pack(DRAW, 0, 0)
        return 1
    count = list_placements(s, out, 0) if s.phase == PLACING else 0
    cards = s.fresh
    while cards:
        card = lowest_one(cards)
        cards &= cards - 1
        count = list_gains(r, s, card, out, count)
        count = list_battles(r, s, card, s.field[1 - s.player], out, count)
    out[count] = pack(END, 0, 0)
    return count + 1


@kernel
def apply(r, s, action):
    kind, card, target, player = kind_of(action), source_of(action), target_of(action), s.player
    if kind == END:
        _begin_turn(r, s, 1 - player)
        s.turn += 1
    elif kind == DRAW:
        _draw_card(s, player)
        s.phase = PLACING
    elif kind == PLACE:
        s.hand[player] &= ~(1 << card)
        _put(s, card)
    elif kind == REMOVE:
        # All Removals are alike. A player always plays the first one, so equal positions have equal
        # bytes.
        s.hand[player] &= ~(1 << lowest_one(s.hand[player] & REMOVALS))
        s.field[1 - player] &= ~(1 << target)
        s.phase = ACTING
    elif kind == IMAGINE:
        _put_stand_in(r, s, card)
    else:
        _act(r, s, kind, card, target)


@kernel
def score(r, s, player):
    if s.health[player] <= 0:
        return -1.0
    return 1.0 if s.health[1 - player] <= 0 else 0.0


@kernel
def list_placements(s, out, count):
    """List the placement of every soldier in hand, and the removal of every opposing card."""
    cards = s.hand[s.player] & ~REMOVALS
    while cards:
        out[count] = pack(PLACE, lowest_one(cards), 0)
        cards &= cards - 1
        count += 1
    targets = s.field[1 - s.player] if s.hand[s.player] & REMOVALS else 0
    while targets:
        out[count] = pack(REMOVE, 0, lowest_one(targets))
        targets &= targets - 1
        count += 1
    return count


@kernel
def list_gains(r, s, card, out, count):
    """List the attack and the heal of a card, each only if its value is not 0.

    The attack is listed first, because a search plays the first of equally good turns, and attacks
    end games sooner.
    """
    if value_of(r, s, s.player, card, ATTACK) > 0:
        out[count] = pack(ATTACKS, card, 0)
        count += 1
    if value_of(r, s, s.player, card, HEAL) > 0:
        out[count] = pack(HEALS, card, 0)
        count += 1
    return count


@kernel
def list_battles(r, s, card, targets, out, count):
    """List a battle with each of these opposing cards."""
    while targets:
        out[count] = pack(BATTLE, card, lowest_one(targets))
        targets &= targets - 1
        count += 1
    return count


@kernel
def can_place(s):
    """Return whether the mover can place a card now or after a draw; a Removal needs a target."""
    hand = s.hand[s.player]
    return s.phase == DRAWING or (
        s.phase == PLACING and (hand & ~REMOVALS != 0 or (hand != 0 and s.field[1 - s.player] != 0))
    )


@kernel
def can_draw(r, s, player):
    """Return whether the deck has a card left, and the hand has room for it."""
    return s.deck[player] != 0 and count_ones(s.hand[player]) < r.hand


@kernel
def _begin_turn(r, s, player):
    s.player = player
    s.fresh = s.field[player]
    s.phase = DRAWING if can_draw(r, s, player) else PLACING


@kernel
def _draw_card(s, player):
    """Draw a random card of the deck.

    If the card is a Removal, it is always the first Removal in the deck, so equal hands have equal
    bytes.
    """
    cards = s.deck[player]
    for _ in range(draw(s, count_ones(cards))):
        cards &= cards - 1
    card = lowest_one(cards)
    if card > REMOVAL:
        card = lowest_one(s.deck[player] & REMOVALS)
    s.deck[player] &= ~(1 << card)
    s.hand[player] |= 1 << card


@kernel
def _put(s, card):
    """Put a card on the field, where it can act in the same turn."""
    s.field[s.player] |= 1 << card
    s.fresh |= 1 << card
    s.phase = ACTING


@kernel
def _act(r, s, kind, card, target):
    player = s.player
    s.fresh &= ~(1 << card)
    s.phase = ACTING
    if kind == HEALS:
        s.health[player] += value_of(r, s, player, card, HEAL)
    elif kind == ATTACKS:
        s.health[1 - player] -= value_of(r, s, player, card, ATTACK)
    else:
        mine, theirs = (
            value_of(r, s, player, card, FIGHT),
            value_of(r, s, 1 - player, target, FIGHT),
        )
        if mine >= theirs:
            s.field[1 - player] &= ~(1 << target)
        if mine <= theirs:
            s.field[player] &= ~(1 << card)


@kernel
def stand_in_value(r, s, player, card, attribute):
    """Return the value in `attribute` of the player's stand-in for the attribute `card`.

    In its own attribute, the stand-in has the average that counts cards in hand twice. In the other
    attributes, the stand-in has the plain average, or 0.
    """
    hand, deck = s.hand[player], s.deck[player]
    if card != attribute:
        return _average(r, hand | deck, attribute) if r.plain else 0
    count = count_ones(hand) + count_ones(deck) + (count_ones(hand) if r.weighted else 0)
    return (2 * _sum(r, hand, attribute) + _sum(r, deck, attribute)) // max(count, 1)


@kernel
def _put_stand_in(r, s, attribute):
    """Put the player's stand-in for an attribute on their field; hand and deck do not change."""
    player = s.player
    for each in range(3):
        s.stand_in[player, each] = stand_in_value(r, s, player, each, each)
        s.average[player, each] = stand_in_value(r, s, player, each + 1, each)
    card = STAND_IN + attribute
    while s.field[player] >> card & 1 and card + 3 < STAND_IN + MOST_STAND_INS:
        card += 3
    _put(s, card)


@kernel
def _average(r, cards, attribute):
    return _sum(r, cards, attribute) // max(count_ones(cards), 1)


@kernel
def _sum(r, cards, attribute):
    found = 0
    while cards:
        found += r.value[lowest_one(cards), attribute]
        cards &= cards - 1
    return found
