"""A simple policy for Duel, and representative actions for searches."""

from plyglass.core import kernel, pack
from plyglass.core.luck import below
from plyglass.games.duel.rules import can_attack, can_play, is_first
from plyglass.games.duel.state import (
    ATTACK,
    BOLT,
    END,
    MOST_BOARD,
    NOBODY,
    PLAY,
    card_of,
    health_of,
)


@kernel
def attack_first(r, s, stream):
    """Attack at random while a creature is ready, then play random cards, then end the turn.

    A policy has no array to list the choices. Instead, the n-th choice replaces the choice so far
    with probability 1/n, so all choices are equally likely.
    """
    attacker, choices = NOBODY, 0
    for place in range(MOST_BOARD):
        if can_attack(s, place):
            choices += 1
            if below(stream, choices) == 0:
                attacker = s.board[s.player, place]
    return (
        pack(ATTACK, attacker, _any_target(s, stream)) if choices > 0 else _any_card(r, s, stream)
    )


@kernel
def represent(r, s, out):
    """List at most two actions for each card and each creature, and the end of the turn.

    The enemy hero and one enemy creature represent all targets of a spark or an attack. This
    creature has the highest attack among the enemy creatures that would die. If none would die, it
    has the highest attack among all enemy creatures.
    """
    count = 0
    for card in range(r.kinds):
        if can_play(r, s, card):
            target = _best_target(r, s, r.power[card]) if r.effect[card] == BOLT else NOBODY
            count = _hero_and_target(pack(PLAY, card, NOBODY), target, out, count)
    for place in range(MOST_BOARD):
        if can_attack(s, place):
            attacker = s.board[s.player, place]
            target = _best_target(r, s, r.power[card_of(attacker)])
            count = _hero_and_target(pack(ATTACK, attacker, NOBODY), target, out, count)
    out[count] = pack(END, 0, 0)
    return count + 1


@kernel
def _any_target(s, stream):
    """Return the enemy's hero or one of the enemy's creatures, all equally likely."""
    target, choices = NOBODY, 1
    for place in range(MOST_BOARD):
        if is_first(s, 1 - s.player, place):
            choices += 1
            if below(stream, choices) == 0:
                target = s.board[1 - s.player, place]
    return target


@kernel
def _any_card(r, s, stream):
    """Return the play of a random playable card, or the end of the turn if no card is playable."""
    chosen, choices = -1, 0
    for card in range(r.kinds):
        if can_play(r, s, card):
            choices += 1
            if below(stream, choices) == 0:
                chosen = card
    if choices == 0:
        return pack(END, 0, 0)
    return pack(PLAY, chosen, _any_target(s, stream) if r.effect[chosen] == BOLT else NOBODY)


@kernel
def _best_target(r, s, damage):
    """Return the enemy creature with the highest attack among those that this damage kills.

    If the damage kills no creature, return the creature with the highest attack. If the enemy has
    no creatures, return NOBODY.
    """
    best, most = NOBODY, -1
    for place in range(MOST_BOARD):
        one = s.board[1 - s.player, place]
        if one != NOBODY:
            worth = r.power[card_of(one)] + (1000 if health_of(one) <= damage else 0)
            if worth > most:
                best, most = one, worth
    return best


@kernel
def _hero_and_target(action, target, out, count):
    """List an action against the enemy hero and, if `target` is a creature, against `target`."""
    out[count] = action
    if target == NOBODY:
        return count + 1
    out[count + 1] = action | target
    return count + 2
