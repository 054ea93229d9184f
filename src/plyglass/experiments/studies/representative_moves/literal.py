"""The literal reading as rules: all that the paper's text allows, and a draw each turn.

Cards act in the order of their placement. Any card may do nothing, may heal or attack even by
zero, and may fight any opposing card. The state stores only which card of each player is the
newest. So the order of cards is right if a player has at most two cards on the field. This holds
for three turns from the start position.
"""

from typing import ClassVar

from plyglass.core import kernel, kind_of, pack, source_of
from plyglass.core.bits import lowest_one
from plyglass.games.trading_cards import TradingCards, evaluate, features, rules
from plyglass.games.trading_cards.rules import list_battles, list_placements
from plyglass.games.trading_cards.state import (
    ATTACKS,
    BATTLE,
    DRAW,
    DRAWING,
    END,
    HEALS,
    PLACE,
    PLACING,
)


@kernel
def start(r, setup, s):
    rules.start(r, setup, s)
    s.phase = DRAWING


@kernel
def legal(r, s, out):
    """List the legal actions.

    A turn is a draw, an optional placement, and optional actions of the cards in their order.
    """
    if s.phase == DRAWING:
        out[0] = pack(DRAW, 0, 0)
        return 1
    count = list_placements(s, out, 0) if s.phase == PLACING else 0
    for late in range(2):
        cards = s.fresh & (newest(s) if late else ~newest(s))
        while cards:
            card = lowest_one(cards)
            cards &= cards - 1
            out[count] = pack(ATTACKS, card, 0)
            out[count + 1] = pack(HEALS, card, 0)
            count = list_battles(r, s, card, s.field[1 - s.player], out, count + 2)
    out[count] = pack(END, 0, 0)
    return count + 1


@kernel
def prefer(r, s, out):
    """List all legal actions, because the literal reading leaves none out."""
    return legal(r, s, out)


@kernel
def apply(r, s, action):
    kind, card, player = kind_of(action), source_of(action), s.player
    if kind in (ATTACKS, HEALS, BATTLE):
        _pass_over(s, card)
    rules.apply(r, s, action)
    if kind == PLACE:
        s.average[player, 0] = card + 1
    if kind == END and s.deck[s.player] != 0:
        s.phase = DRAWING


@kernel
def newest(s):
    """Return the card that the mover placed last, as a set; empty if there is none."""
    return (1 << s.average[s.player, 0]) >> 1


@kernel
def _pass_over(s, card):
    """Stop cards that come before `card` in the order of placement from acting in this turn."""
    if newest(s) == 1 << card:
        s.fresh &= newest(s)
    else:
        s.fresh &= ~((1 << card) - 1) | newest(s)


class LiteralCards(TradingCards):
    """The trading card game by the literal reading, for searches of a match's first three turns."""

    name = "literal-trading-cards"
    rules: ClassVar = (  # type: ignore[assignment]
        start, rules.to_move, legal, apply, rules.score, prefer, features.features,
    )  # fmt: skip
    evaluators: ClassVar = {"balance": evaluate.balance}
