"""Cards that come into a hand or onto the board otherwise than by drawing and playing, as far as
somebody who watches can tell.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.words import GIVE_CARD, RETURN, SUMMON_FROM_DECK


@kernel
def arrived_card(r, s, seen, player, played):
    """The card that has come into a player's hand, but not out of his deck; 0 where nobody can tell
    which.

    A minion that is gone was returned if it, or the last spell, returns units. Else the card that
    was played or a unit has given it.
    """
    card = _returned(r, s, seen, player)
    if card == 0 and played > 0:
        card = _given_by(r, s, played)
    for unit in range(1, s.units + 1):
        if card == 0 and s.alive[unit] and s.owner[unit] == player:
            card = _given_by(r, s, np.int64(s.card[unit]))
    return card


@kernel
def _returned(r, s, seen, player):
    """A minion of a player that is gone, and that something can have returned; 0 where there is
    none.
    """
    by_spell = _has(r, np.int64(seen.last_spell), RETURN)
    for unit in range(1, s.units + 1):
        card = np.int64(s.card[unit])
        if s.alive[unit] and s.owner[unit] == player and (by_spell or _has(r, card, RETURN)):
            if _count_units(seen, player, card) < _count_units(s, player, card):
                return card
    return 0


@kernel
def summoned_from_deck(r, s, seen, player):
    """A minion that has come out of a player's deck onto the board; 0 where none has."""
    if not _summons(r, s, seen, player):
        return 0
    newest = np.int64(seen.card[seen.units])
    both = _count_units(seen, player, newest) + _count_units(seen, 1 - player, newest)
    return (
        newest
        if both > _count_units(s, player, newest) + _count_units(s, 1 - player, newest)
        else 0
    )


@kernel
def _summons(r, s, seen, player):
    """Whether a spell that was cast, or a unit of the other player that is gone, summons minions
    out of a player's deck.
    """
    if seen.last_spell != s.last_spell and _has(r, np.int64(seen.last_spell), SUMMON_FROM_DECK):
        return True
    for unit in range(1, s.units + 1):
        card, owner = np.int64(s.card[unit]), np.int64(s.owner[unit])
        if (
            owner != player
            and _has(r, card, SUMMON_FROM_DECK)
            and _count_units(seen, owner, card) < _count_units(s, owner, card)
        ):
            return True
    return False


@kernel
def _count_units(s, player, card):
    count = 0
    for unit in range(1, s.units + 1):
        count += s.alive[unit] != 0 and s.owner[unit] == player and s.card[unit] == card
    return count


@kernel
def _given_by(r, s, card):
    """The card that a card puts into the hand; 0 where it puts none, or nobody can tell which."""
    for row in range(r.first[card], r.last[card]):
        if r.effect[row] == GIVE_CARD:
            return r.token[row] if r.token[row] != 0 else np.int64(s.last_spell)
    return 0


@kernel
def _has(r, card, effect):
    """Whether a card has an ability that does this."""
    for row in range(r.first[card], r.last[card]):
        if r.effect[row] == effect:
            return True
    return False
