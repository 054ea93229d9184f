"""The minions that died, for cards that bring them back.

Each player's dead minions are sorted by number, the largest first. The number of a dead minion is
four times its card, plus 2 if it died in this turn, or 1 if it died in the last turn. Tokens are
not remembered. If there is no room for another dead minion, it is not remembered.
"""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.core.bits import lowest_one
from plyglass.games.duelyst.cards.vocabulary import OWN, REVIVE, REVIVE_LOST
from plyglass.games.duelyst.engine.arrivals import AS_TOKEN, summon
from plyglass.games.duelyst.engine.hands import insert
from plyglass.games.duelyst.engine.units import is_general
from plyglass.games.duelyst.state import MOST_DEAD, MOST_REBORN

TIMES = 4  # the factor of the card in a dead minion's number
EARLIER, LAST_TURN, NOW = range(3)
PLACES = 64  # a number in `reborn` is this factor times a card, plus a cell
STRONGER = 1  # the attack and health that a minion gains when it comes back


@kernel
def remember(r, s, unit):
    """Add a minion that died to the dead minions of the player who owned it when it died."""
    if r.for_decks[s.card[unit]] and not is_general(s, unit):
        dead, count = s.dead[s.owner[unit]], 0
        while count < MOST_DEAD and dead[count] != 0:
            count += 1
        if count < MOST_DEAD:
            insert(dead, count, TIMES * np.int64(s.card[unit]) + NOW)


@kernel
def grow_older(s):
    """At the end of a turn, mark all dead minions as one turn older, in unchanged order."""
    for player in range(2):
        place = 0
        while place < MOST_DEAD and s.dead[player, place] != 0:
            if s.dead[player, place] % TIMES != EARLIER:
                s.dead[player, place] -= 1
            place += 1


@kernel
def any_dead(s, player):
    """Return whether a minion of a player has died in this game."""
    return s.dead[player, 0] != 0


@kernel
def count_dead(r, s, ability, owner, cards):
    """Write the cards of all dead minions that an ability may bring back; return their number."""
    effect, total = r.effect[ability], 0
    for player in range(2):
        if player == owner or r.side[ability] != OWN:
            place = 0
            while place < MOST_DEAD and s.dead[player, place] != 0:
                when = s.dead[player, place] % TIMES
                if effect == REVIVE or when == LAST_TURN or (when == NOW and effect != REVIVE_LOST):
                    cards[total] = s.dead[player, place] // TIMES
                    total += 1
                place += 1
    return total


@kernel
def revive(r, s, queue, owner, cells, dead, total):
    """Summon a random dead minion on each cell of a set, no minion twice."""
    while cells != 0 and total > 0:
        number = draw(s, total)
        summon(r, s, queue, dead[number], owner, lowest_one(cells), AS_TOKEN)
        total -= 1
        dead[number] = dead[total]
        cells &= cells - 1


@kernel
def promise(s, unit):
    """Remember that a minion comes back to its cell at the end of the turn."""
    place = 0
    while place < MOST_REBORN and s.reborn[place] != 0:
        place += 1
    if place < MOST_REBORN:
        s.reborn[place] = PLACES * np.int64(s.card[unit]) + s.cell[unit]


@kernel
def come_back(r, s, queue, card, owner, cell):
    """Bring a minion back, stronger than before, if its cell is empty."""
    unit = summon(r, s, queue, card, owner, cell, AS_TOKEN)
    if unit != 0:
        s.attack[unit] += STRONGER
        s.health[unit] += STRONGER
