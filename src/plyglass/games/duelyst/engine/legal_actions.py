"""Legal actions, which depend only on what the player to move sees."""

import numpy as np

from plyglass.core import kernel, pack
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.duelyst.cards.vocabulary import REPLACE_MORE
from plyglass.games.duelyst.engine.card_play import choices_now, cost_of, places_for
from plyglass.games.duelyst.engine.hands import held_before
from plyglass.games.duelyst.engine.movement import hindrances, prey, reach
from plyglass.games.duelyst.engine.units import allowance, cells_of, keywords_of
from plyglass.games.duelyst.state import (
    ATTACK,
    DECLINE,
    END,
    FOLLOW,
    HAND,
    MOST_ACTS,
    MOVE,
    MULLIGAN,
    MULLIGAN_PHASE,
    PLAY,
    REPLACE,
)


@kernel
def list_all(r, s, out):
    """List the legal actions of the player to move, and return their number.

    Actions by units come first, the oldest unit first. Actions with cards follow in the order of
    the hand, and the end of the turn comes last.
    """
    if s.phase == MULLIGAN_PHASE:
        return _list_marks(r, s, out)
    if s.pending != 0:
        out[0] = pack(DECLINE, 0, 0)
        return _list(out, 1, pack(FOLLOW, 0, 0), choices_now(r, s))
    count = 0
    if s.acts < MOST_ACTS:
        count = _list_cards(r, s, out, _list_units(r, s, out, count))
    out[count] = pack(END, 0, 0)
    return count + 1


@kernel
def _list(out, count, action, cells):
    """For each cell of a set, list `action` with the cell added to its target."""
    while cells != 0:
        out[count] = action + lowest_one(cells)
        count += 1
        cells &= cells - 1
    return count


@kernel
def _list_marks(r, s, out):
    """List all sets of cards that the player may exchange before the game."""
    count = 0
    for marks in range(1 << r.opening):
        if count_ones(marks) <= r.marks:
            out[count] = pack(MULLIGAN, 0, marks)
            count += 1
    return count


@kernel
def _list_units(r, s, out, count):
    player = np.int64(s.player)
    own, foes = cells_of(s, player), cells_of(s, 1 - player)
    provokers, lures, untouchable = hindrances(r, s, 1 - player)
    for unit in range(1, s.units + 1):
        if s.owner[unit] == player:
            keywords = keywords_of(r, s, unit)
            here = np.int64(s.cell[unit])
            count = _list(
                out, count, pack(MOVE, here, 0), reach(r, s, unit, keywords, own, foes, provokers)
            )
            count = _list(
                out,
                count,
                pack(ATTACK, here, 0),
                prey(r, s, unit, keywords, foes, provokers, lures, untouchable),
            )
    return count


@kernel
def _list_cards(r, s, out, count):
    """List the cards that can be played or replaced; of equal cards, only the first is listed."""
    player = np.int64(s.player)
    replaces = can_replace(r, s, player)
    for slot in range(HAND):
        card = np.int64(s.hand[player, slot])
        if card > 0 and not held_before(s, player, slot):
            if cost_of(r, s, player, card) <= s.mana[player]:
                count = _list(out, count, pack(PLAY, slot, 0), places_for(r, s, player, card))
            if replaces:
                out[count] = pack(REPLACE, slot, 0)
                count += 1
    return count


@kernel
def can_replace(r, s, player):
    """Return whether a player can replace a card now."""
    return s.left[player] > 0 and s.replaced[player] < 1 + allowance(r, s, player, REPLACE_MORE)
