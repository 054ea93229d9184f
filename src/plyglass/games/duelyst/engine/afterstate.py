"""The afterstate of an action: the position before chance decides.

For the end of a turn, the afterstate is the position before cards are drawn. For an exchange, the
afterstate is the position after cards are given back, but before new cards are drawn.
"""

import numpy as np

from plyglass.core import kernel, kind_of, source_of, target_of
from plyglass.core.memory import stack_ints
from plyglass.core.table import BEFORE_LUCK, POSTPONED, SURE, UNTOLD
from plyglass.games.duelyst.cards.vocabulary import REPLACED
from plyglass.games.duelyst.engine.events import NO_STAGE, ROOM, STAGE, begin
from plyglass.games.duelyst.engine.hands import count_exchange, held, put_into_deck
from plyglass.games.duelyst.engine.resolution import settle
from plyglass.games.duelyst.engine.turn import end_turn, expire
from plyglass.games.duelyst.state import ARTIFACTS, END, HAND, MULLIGAN, OVER, REPLACE, UNKNOWN


@kernel
def after(r, s, action):
    """Carry out the part of an action that does not depend on chance.

    This part is known for the end of a turn and for replacing a card, unless an ability may need
    chance first. For all other actions, the rules cannot tell in advance whether chance is needed.
    """
    kind = kind_of(action)
    if kind == END and _draws_next(r, s):
        return _end(r, s)
    if kind == REPLACE:
        return _replace(r, s, np.int64(s.player), source_of(action))
    if kind == MULLIGAN and target_of(action) != 0 and s.left[s.player] > 0:
        for slot in range(HAND):
            if target_of(action) >> slot & 1:
                _give_back(s, np.int64(s.player), slot, np.int64(s.hand[s.player, slot]))
        return BEFORE_LUCK
    return UNTOLD


@kernel
def _replace(r, s, player, slot):
    """Give back the replaced card, unless one of its abilities reacts to being replaced."""
    card = np.int64(s.hand[player, slot])
    if r.triggers[card] >> REPLACED & 1:
        return UNTOLD
    _give_back(s, player, slot, r.becomes[card])
    count_exchange(s, player)
    s.acts += 1
    return POSTPONED


@kernel
def _draws_next(r, s):
    """Return whether the first chance event at the end of the turn is the draw of cards."""
    player = np.int64(s.player)
    if r.draws == 0 or s.left[player] == 0 or held(s, player) == HAND or s.wakes[0] or s.wakes[1]:
        return False
    if s.reborn[0] != 0:  # what a returning unit does may depend on chance
        return False
    for unit in range(1, s.units + 1):
        if s.granted[unit] != 0 or r.chancy[s.card[unit]]:
            return False
    for side in range(2):
        for slot in range(ARTIFACTS):
            if r.chancy[s.artifact[side, slot]]:
                return False
    return True


@kernel
def _end(r, s):
    """End the turn and all effects that last for it, but draw no cards."""
    queue, player = stack_ints(ROOM), np.int64(s.player)
    begin(queue)
    s.acts += 1
    end_turn(r, s, queue)
    queue[STAGE] = NO_STAGE
    settle(r, s, queue)
    if s.phase == OVER:
        return SURE
    expire(r, s, player)
    s.acts = 1
    return BEFORE_LUCK


@kernel
def _give_back(s, player, slot, card):
    """Put a card back into the deck; an unknown card takes its place."""
    put_into_deck(s, player, card)
    s.hand[player, slot] = UNKNOWN
