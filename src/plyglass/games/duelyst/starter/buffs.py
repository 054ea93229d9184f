"""Cards in hand that raise attack, and whether all attacks together kill the enemy general."""

import numpy as np

from plyglass.core import kernel, pack
from plyglass.core.bits import lowest_one
from plyglass.games.duelyst.cards.vocabulary import (
    A_GENERAL,
    A_MINION,
    BUFF,
    CHOSEN,
    DAMAGE,
    EPHEMERAL,
    OWN,
    OWN_SIDE,
    RAISE,
    THIS_TURN,
)
from plyglass.games.duelyst.engine.board import half_of
from plyglass.games.duelyst.engine.card_play import cost_of, places_for
from plyglass.games.duelyst.engine.movement import ready
from plyglass.games.duelyst.engine.units import (
    attack_of,
    cell_of,
    chances,
    general_of,
    health_of,
    is_general,
    keywords_of,
    next_to,
    speed_of,
)
from plyglass.games.duelyst.starter.places import apart
from plyglass.games.duelyst.state import HAND, PLAY

NO_ACTION = np.int64(-1)


@kernel
def raise_by(r, s, slot, unit, keywords):
    """Return how much a card in hand adds to a unit's attack; 0 if the card cannot be played now.

    A lasting bonus is not used on an ephemeral unit.
    """
    player = np.int64(s.player)
    card = np.int64(s.hand[player, slot])
    if card == 0 or cost_of(r, s, player, card) > s.mana[player]:
        return 0
    where = places_for(r, s, player, card)
    here = where >> s.cell[unit] & 1
    if r.style[card] == BUFF:
        return (
            health_of(r, s, unit)
            if here and not is_general(s, unit) and not keywords & EPHEMERAL
            else 0
        )
    for ability in range(r.first_intent[card], r.last_intent[card]):
        if (
            r.effect[ability] == RAISE
            and r.side[ability] == OWN
            and r.choice[ability] == 0
            and r.raise_attack[ability] > 0
        ):
            if _is_for(r, s, ability, unit) and (
                r.lasts[ability] == THIS_TURN or not keywords & EPHEMERAL
            ):
                return (
                    r.raise_attack[ability]
                    if here or (r.pick[ability] != CHOSEN and where != 0)
                    else 0
                )
    return 0


@kernel
def _is_for(r, s, ability, unit):
    """Return whether an intent applies to a unit, which is a general or a minion."""
    return r.kind[ability] != (A_MINION if is_general(s, unit) else A_GENERAL)


@kernel
def play_on(r, s, slot, unit):
    """Return the action that plays a card on a unit, or anywhere if the card needs no unit."""
    where = places_for(r, s, np.int64(s.player), np.int64(s.hand[s.player, slot]))
    cell = cell_of(s, unit)
    return pack(PLAY, slot, cell if where >> cell & 1 else lowest_one(where))


@kernel
def has_lethal(r, s, provokers):
    """Return whether the attacks of all units that can get near enough kill the enemy general.

    For each unit, at most one card that raises attack is counted. The damage by other cards is
    added. Units that stand in the way are ignored.
    """
    player = np.int64(s.player)
    enemy = general_of(s, 1 - player)
    needed = health_of(r, s, enemy)
    for unit in range(1, s.units + 1):
        if s.owner[unit] == player and _gets_at(r, s, unit, enemy, provokers):
            attack = attack_of(r, s, unit)
            needed -= attack
            if needed > 0:
                needed -= _last_touch(r, s, unit, needed)
    return needed - _burning(r, s, player, enemy) <= 0


@kernel
def _gets_at(r, s, unit, enemy, provokers):
    """Return whether a unit is beside an enemy, or near enough to move there and attack."""
    keywords = keywords_of(r, s, unit)
    if not ready(s, unit) or s.attacks[unit] >= chances(keywords) or attack_of(r, s, unit) == 0:
        return False
    if next_to(r, s, unit, enemy):
        return True
    moves = s.moves[unit] < chances(keywords) and not r.around[s.cell[unit]] & provokers
    return (
        moves and apart(cell_of(s, unit), cell_of(s, enemy)) <= speed_of(r, s, unit, keywords) + 1
    )


@kernel
def _last_touch(r, s, unit, needed):
    """Return the attack that the first sufficient card adds to a unit's attack.

    A card is sufficient if it adds at least `needed`. The result is 0 if no card is sufficient.
    """
    keywords = keywords_of(r, s, unit)
    for slot in range(HAND):
        more = raise_by(r, s, slot, unit, keywords)
        if more >= needed:
            return more
    return 0


@kernel
def _burning(r, s, player, enemy):
    """Return the total damage that affordable cards in hand do to the enemy general."""
    total, mana = 0, np.int64(s.mana[player])
    for slot in range(HAND):
        card = np.int64(s.hand[player, slot])
        for ability in range(r.first_intent[card], r.last_intent[card]):
            in_area = r.near[ability] != OWN_SIDE or half_of(player) >> s.cell[enemy] & 1
            burns = r.effect[ability] == DAMAGE and r.kind[ability] != A_MINION and in_area
            if burns and cost_of(r, s, player, card) <= mana:
                mana -= cost_of(r, s, player, card)
                total += r.amount[ability]
    return total
