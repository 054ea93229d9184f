"""Rules of Duel: two heroes play creatures and spells from hidden hands until one hero falls."""

from plyglass.core import chance, kernel, kind_of, pack, source_of, target_of
from plyglass.games.duel.state import (
    ATTACK,
    BOLT,
    DRAW,
    END,
    HEAL,
    MOST_BOARD,
    NOBODY,
    PLAY,
    READY,
    SUMMON,
    card_of,
    creature,
    health_of,
)


@kernel
def start(r, setup, s):
    """Deal the hands and begin the first turn; the second player gets one card more."""
    for player in range(2):
        s.hero[player] = r.health
        for card in range(r.kinds):
            s.deck[player, card] = r.copies
        for _ in range(r.hand + player):
            _draw_card(r, s, player)
    _begin_turn(r, s, 0)


@kernel
def to_move(r, s):
    return -1 if s.hero[0] == 0 or s.hero[1] == 0 else s.player


@kernel
def legal(r, s, out):
    count = 0
    for card in range(r.kinds):
        if can_play(r, s, card):
            if r.effect[card] == BOLT:
                count = _each_target(s, pack(PLAY, card, NOBODY), out, count)
            else:
                out[count] = pack(PLAY, card, NOBODY)
                count += 1
    for place in range(MOST_BOARD):
        if can_attack(s, place):
            count = _each_target(s, pack(ATTACK, s.board[s.player, place], NOBODY), out, count)
    out[count] = pack(END, 0, 0)
    return count + 1


@kernel
def apply(r, s, action):
    if kind_of(action) == PLAY:
        _play(r, s, source_of(action), target_of(action))
    elif kind_of(action) == ATTACK:
        _attack(r, s, source_of(action), target_of(action))
    else:
        _end_turn(r, s)


@kernel
def score(r, s, player):
    if s.hero[player] == 0:
        return -1.0
    return 1.0 if s.hero[1 - player] == 0 else 0.0


@kernel
def hide(r, s, viewer):
    """Put the enemy's hand into their deck.

    The viewer knows only how many cards are in the hand, and which cards are in hand and deck
    together.
    """
    enemy = 1 - viewer
    for card in range(r.kinds):
        if not r.open_hands:
            s.deck[enemy, card] += s.hand[enemy, card]
            s.hand[enemy, card] = 0


@kernel
def imagine(r, s, viewer):
    """Deal the enemy's hand at random from the cards that the enemy has not shown yet."""
    enemy = 1 - viewer
    missing = s.held[enemy]
    for card in range(r.kinds):
        missing -= s.hand[enemy, card]
    for _ in range(missing):
        _take_card(s, enemy)


@kernel
def can_play(r, s, card):
    """Return whether the mover holds this card, can pay for it, and has room for a creature."""
    if s.hand[s.player, card] == 0 or r.cost[card] > s.mana:
        return False
    return r.effect[card] != SUMMON or s.board[s.player, r.board - 1] == NOBODY


@kernel
def can_attack(s, place):
    """Return whether to list attacks by the mover's creature at index `place`.

    The creature must be ready. Of equal creatures, only the first is listed.
    """
    attacker = s.board[s.player, place]
    return (attacker & READY) != 0 and is_first(s, s.player, place)


@kernel
def is_first(s, owner, place):
    """Return whether `place` has a creature that differs from the one in the place before."""
    this = s.board[owner, place]
    return this != NOBODY and (place == 0 or s.board[owner, place - 1] != this)


@kernel
def _each_target(s, action, out, count):
    """List an action against the enemy's hero, and against each different enemy creature."""
    enemy = 1 - s.player
    out[count] = action
    count += 1
    for place in range(MOST_BOARD):
        if is_first(s, enemy, place):
            out[count] = action | s.board[enemy, place]
            count += 1
    return count


@kernel
def _play(r, s, card, target):
    player = s.player
    s.hand[player, card] -= 1
    s.held[player] -= 1
    s.mana -= r.cost[card]
    if r.effect[card] == SUMMON:
        _replace(s, player, NOBODY, creature(card, r.toughness[card], 0))
    elif r.effect[card] == BOLT:
        _strike(s, 1 - player, target, r.power[card])
    elif r.effect[card] == DRAW:
        for _ in range(r.power[card]):
            _draw_card(r, s, player)
    elif r.effect[card] == HEAL:
        s.hero[player] = min(s.hero[player] + r.power[card], r.health)


@kernel
def _attack(r, s, attacker, target):
    """Attack the enemy hero or a creature; an attacked creature strikes back at the same time."""
    tired = attacker - READY
    _replace(s, s.player, attacker, tired)
    _strike(s, 1 - s.player, target, r.power[card_of(attacker)])
    if target != NOBODY:
        _strike(s, s.player, tired, r.power[card_of(target)])


@kernel
def _strike(s, owner, target, damage):
    """Take health from a creature of `owner`, or from the hero if the target is NOBODY.

    A creature without health leaves the board.
    """
    if target == NOBODY:
        s.hero[owner] = max(s.hero[owner] - damage, 0)
    elif health_of(target) > damage:
        _replace(
            s, owner, target, creature(card_of(target), health_of(target) - damage, target & READY)
        )
    else:
        _replace(s, owner, target, NOBODY)


@kernel
def _replace(s, owner, old, new):
    """Replace a creature, and keep its side sorted, so equal positions have equal bytes."""
    place = 0
    while place < MOST_BOARD - 1 and s.board[owner, place] != old:
        place += 1
    while place > 0 and s.board[owner, place - 1] < new:
        s.board[owner, place] = s.board[owner, place - 1]
        place -= 1
    while place < MOST_BOARD - 1 and s.board[owner, place + 1] > new:
        s.board[owner, place] = s.board[owner, place + 1]
        place += 1
    s.board[owner, place] = new


@kernel
def _end_turn(r, s):
    for place in range(MOST_BOARD):
        s.board[s.player, place] &= ~READY
    s.player = 1 - s.player
    _begin_turn(r, s, s.player)


@kernel
def _begin_turn(r, s, player):
    """Give one more crystal, refill mana, make every creature ready, and draw a card."""
    s.crystals[player] = min(s.crystals[player] + 1, r.mana)
    s.mana = s.crystals[player]
    for place in range(MOST_BOARD):
        if s.board[player, place] != NOBODY:
            s.board[player, place] |= READY
    _draw_card(r, s, player)


@kernel
def _draw_card(r, s, player):
    """Draw a card; if the deck is empty, the hero loses one health instead, so every game ends."""
    left = 0
    for card in range(r.kinds):
        left += s.deck[player, card]
    if left == 0:
        _strike(s, player, NOBODY, 1)
    else:
        _take_card(s, player)
        s.held[player] += 1


@kernel
def _take_card(s, player):
    """Move a random card from the deck to the hand."""
    card = chance(s, s.deck[player])
    s.deck[player, card] -= 1
    s.hand[player, card] += 1
