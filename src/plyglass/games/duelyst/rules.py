"""Rules of Duelyst: start, legal actions, effects of actions, and the result.

The parts of the rules are in `engine/`, and the rules of hidden information are in `hidden/`.
"""

import numpy as np

from plyglass.core import draw, kernel, kind_of, source_of, target_of
from plyglass.core.memory import stack_ints
from plyglass.games.duelyst.cards.vocabulary import MOVES, REPLACED, REPLACES
from plyglass.games.duelyst.engine.arrivals import become, put
from plyglass.games.duelyst.engine.board import CELLS, HEIGHT, WIDTH
from plyglass.games.duelyst.engine.card_play import choose, play, stop
from plyglass.games.duelyst.engine.combat import fight
from plyglass.games.duelyst.engine.events import NOBODY, ROOM, begin, fire, fire_all, fire_card
from plyglass.games.duelyst.engine.hands import exchange, put_into_deck, take_from_deck
from plyglass.games.duelyst.engine.legal_actions import list_all
from plyglass.games.duelyst.engine.resolution import settle
from plyglass.games.duelyst.engine.turn import begin_turn, end_turn
from plyglass.games.duelyst.engine.units import general_of, unit_at
from plyglass.games.duelyst.state import (
    ATTACK,
    DECLINE,
    DRAWN,
    END,
    FIRST_WON,
    FOLLOW,
    HAND,
    MOVE,
    MULLIGAN,
    MULLIGAN_PHASE,
    OVER,
    PLAY,
    PLAYING,
    REPLACE,
    SPRING,
    UNDECIDED,
)

FIRST_MANA = 2  # the first player's mana at the start; the second player has one more


@kernel
def start(r, setup, s):
    s.units = 2
    for player in range(2):
        unit = 1 + player
        become(r, s, unit, r.general[player])
        s.general[player], s.owner[unit], s.alive[unit] = unit, player, 1
        s.cell[unit] = WIDTH * (HEIGHT // 2) + player * (WIDTH - 1)
        s.at[s.cell[unit]] = unit
        s.most_mana[player] = FIRST_MANA + player
        _deal(r, setup, s, player)
    for cell in range(CELLS):
        s.tile[cell] = SPRING if r.springs >> cell & 1 else 0
    s.phase = MULLIGAN_PHASE


@kernel
def _deal(r, setup, s, player):
    for place in range(setup.left[player]):
        put_into_deck(s, player, setup.deck[player, place])
    for slot in range(min(r.opening, s.left[player])):
        s.hand[player, slot] = take_from_deck(s, player, draw(s, s.left[player]))


@kernel
def to_move(r, s):
    return np.int64(s.player) if s.phase != OVER else -1


@kernel
def legal(r, s, out):
    return list_all(r, s, out)


@kernel
def apply(r, s, action):
    """Carry out an action, then everything that it causes."""
    queue = stack_ints(ROOM)
    begin(queue)
    if kind_of(action) == MULLIGAN:
        _mulligan(r, s, queue, target_of(action))
    else:
        s.acts += 1
        _act(r, s, queue, kind_of(action), source_of(action), target_of(action))
    settle(r, s, queue)


@kernel
def score(r, s, player):
    if s.result == UNDECIDED or s.result == DRAWN:
        return 0.0
    return 1.0 if s.result == FIRST_WON + player else -1.0


@kernel
def _act(r, s, queue, kind, source, target):
    if kind == MOVE:
        _move(r, s, queue, unit_at(s, source), target)
    elif kind == ATTACK:
        fight(r, s, queue, unit_at(s, source), target)
    elif kind == PLAY:
        play(r, s, queue, source, target)
    elif kind == FOLLOW:
        choose(r, s, queue, target)
    elif kind == DECLINE:
        stop(s)
    elif kind == REPLACE:
        _replace(r, s, queue, np.int64(s.player), source)
    elif kind == END:
        end_turn(r, s, queue)


@kernel
def _move(r, s, queue, unit, target):
    """Move a unit to a cell; a unit that moves a second time loses one of its attacks."""
    s.moves[unit] += 1
    s.attacks[unit] = max(s.attacks[unit], s.moves[unit] - 1)
    put(s, unit, target)
    fire(r, s, queue, MOVES, unit, NOBODY, NOBODY)


@kernel
def _replace(r, s, queue, player, slot):
    """Replace a card; units that react to the replacement act before the replaced card."""
    card = np.int64(s.hand[player, slot])
    exchange(r, s, player, slot)
    fire_all(r, s, queue, REPLACES, 1 << player, NOBODY, NOBODY)
    fire_card(r, s, queue, REPLACED, card, general_of(s, player), NOBODY, NOBODY)


@kernel
def _mulligan(r, s, queue, marks):
    """Exchange the marked cards: new cards are drawn before the marked cards go back into the deck.

    After both players have exchanged cards, the first player begins.
    """
    player = np.int64(s.player)
    old = stack_ints(HAND)
    for slot in range(HAND):
        old[slot] = s.hand[player, slot] if marks >> slot & 1 and s.left[player] > 0 else 0
        if old[slot] > 0:
            s.hand[player, slot] = take_from_deck(s, player, draw(s, s.left[player]))
    for slot in range(HAND):
        if old[slot] > 0:
            put_into_deck(s, player, old[slot])
    s.player = 1 - player
    if player == 1:
        s.phase = PLAYING
        begin_turn(r, s, queue)
