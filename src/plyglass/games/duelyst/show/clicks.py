"""The keys to click for an action: cells, cards in hand, and the deck."""

from typing import Any

from plyglass.core.actions import unpack
from plyglass.games.duelyst import state
from plyglass.games.duelyst.view import place

REPLACE = "deck"  # to replace a card, drop it on the deck


def hand_key(record: Any, player: int, slot: int) -> str:
    """Return the key of a card in a hand; equal cards share a key, except during the exchange."""
    hand = record["hand"][player].tolist()
    alike = record["phase"] != state.MULLIGAN_PHASE
    return f"hand {1 + (hand.index(hand[slot]) if alike else slot)}"


def action_path(record: Any, viewer: int, action: int) -> tuple[str | tuple[str, ...], ...]:
    """Return the cells and cards to click for an action; an exchange is a set of cards."""
    kind, source, target = unpack(action)
    if kind in (state.MOVE, state.ATTACK):
        return place(source), place(target)
    if kind == state.PLAY:
        return hand_key(record, viewer, source), place(target)
    if kind == state.REPLACE:
        return hand_key(record, viewer, source), REPLACE
    if kind == state.MULLIGAN and target:
        marked = (slot for slot in range(state.HAND) if target >> slot & 1)
        return (tuple(hand_key(record, viewer, slot) for slot in marked),)
    return (place(target),) if kind == state.FOLLOW else ()
