"""Candidate actions for searches: undominated actions, and representative actions."""

from typing import Any

from plyglass.core import kernel, pack, unpack
from plyglass.core.bits import lowest_one
from plyglass.games.trading_cards.cards import ATTACK, FIGHT, HEAL, REMOVAL, members, values_of
from plyglass.games.trading_cards.rules import can_place, list_battles, list_gains, list_placements
from plyglass.games.trading_cards.state import (
    DRAW,
    DRAWING,
    END,
    IMAGINE,
    PLACE,
    PLACING,
    REMOVE,
    value_of,
)


@kernel
def prefer(r, s, out):
    """List the actions that are worth considering, and return their number.

    Cards act in a fixed order, because the order changes nothing. A card that can heal or attack
    does not stand idle, because more health never hurts. No card enters a battle that it loses.
    Losing a battle on purpose could help in one rare case, which the README explains.
    """
    if s.phase == DRAWING:
        out[0] = pack(DRAW, 0, 0)
        return 1
    count = list_placements(s, out, 0) if s.phase == PLACING else 0
    return _list_acts(r, s, out, count)


@kernel
def represent(r, s, out):
    """List actions as `prefer` does, but place one of three stand-ins instead of a card.

    A stand-in is an average over hand and deck, so no card is drawn.
    """
    if not can_place(s):
        return _list_acts(r, s, out, 0)
    for attribute in range(3):
        out[attribute] = pack(IMAGINE, attribute, 0)
    return 3


@kernel
def beaten_by(r, s, card):
    """Return the opposing cards that a card of the mover beats or ties."""
    fight, found = value_of(r, s, s.player, card, FIGHT), 0
    targets = s.field[1 - s.player]
    while targets:
        target = lowest_one(targets)
        targets &= targets - 1
        if value_of(r, s, 1 - s.player, target, FIGHT) <= fight:
            found |= 1 << target
    return found


@kernel
def _list_acts(r, s, out, count):
    """List the actions of unused cards in order, up to the first card that can heal or attack.

    If no card can heal or attack, also list the end of the turn.
    """
    cards = s.fresh
    while cards:
        card = lowest_one(cards)
        cards &= cards - 1
        count = list_battles(
            r, s, card, beaten_by(r, s, card), out, list_gains(r, s, card, out, count)
        )
        if value_of(r, s, s.player, card, HEAL) > 0 or value_of(r, s, s.player, card, ATTACK) > 0:
            return count
    out[count] = pack(END, 0, 0)
    return count + 1


def realize(record: Any, action: int) -> int:
    """Return the legal action for a stand-in: place the best card by the stand-in's attribute.

    Among equally good cards in hand, the card with the highest total is placed. A Removal counts as
    5/0/0, and removes the opposing card with the highest total. Before the draw, the legal action
    is to draw.
    """
    kind, attribute, _ = unpack(action)
    if kind != IMAGINE:
        return action
    if record["phase"] == DRAWING:
        return int(pack(DRAW, 0, 0))
    enemies = members(record["field"][1 - record["player"]])
    cards = [
        card for card in members(record["hand"][record["player"]]) if card < REMOVAL or enemies
    ]
    best = max(cards, key=lambda card: (values_of(card)[attribute], sum(values_of(card)), -card))
    if best < REMOVAL:
        return int(pack(PLACE, best, 0))
    return int(pack(REMOVE, 0, max(enemies, key=lambda card: (sum(values_of(card)), -card))))
