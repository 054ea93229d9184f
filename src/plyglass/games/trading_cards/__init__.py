"""Trading cards: soldiers fight, heal and attack; hands are open, and draws are random."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from plyglass.core import Game, View, pack, unpack
from plyglass.core.refusals import refuse_other
from plyglass.core.scene import Imagined, Scene
from plyglass.core.weights import read_weights
from plyglass.games.trading_cards import candidates, evaluate, features, picture, rules, view
from plyglass.games.trading_cards.cards import (
    ATTRIBUTES,
    MOST_REMOVALS,
    REMOVAL,
    REMOVAL_VALUES,
    SOLDIERS,
    card_name,
)
from plyglass.games.trading_cards.state import (
    ATTACKS,
    BATTLE,
    DRAW,
    END,
    FEATURES,
    HEALS,
    IMAGINE,
    PLACE,
    POINT,
    REMOVE,
    Constants,
    Setup,
    State,
)

MOST_FIELD = 30  # most cards of one player on the field, including stand-ins


class TradingCards(Game):
    """The trading card game of Taucer, Polk and Oommen 2018.

    Args:
        soldiers: number of soldiers in a deck. A deck has the first soldiers of the README's table.
        removals: number of Removals in a deck, up to two.
        hand: number of cards dealt at the start. A player who holds this many cards does not draw.
        health: health of a player at the start.
        turns: number of turns, both players counted together, after which the game is a draw.
        doubling: how a stand-in gets the value in its own attribute. (A stand-in is an average card
            that represents a player's cards in a search.) The values of all cards are added, and
            those in hand are added twice. "literal" divides the sum by the number of cards.
            "weighted" also counts the cards in hand twice in this number.
        others: a stand-in's value in its other two attributes: the "average" over hand and deck, or
            "nothing", which means 0.
        balance: factor of a hand's imbalance in the evaluation.
        weights: a file of weights for the evaluator "learned", as `plyglass learn` writes it. The
            default "" takes the weights that come with the game.
    """

    name = "trading-cards"
    state = State
    constants = Constants
    setup = Setup
    rules = (
        rules.start,
        rules.to_move,
        rules.legal,
        rules.apply,
        rules.score,
        candidates.represent,
        candidates.prefer,
        features.features,
    )
    evaluators: ClassVar = {
        "balance": evaluate.balance,
        "turn": evaluate.turn,
        "representative-turn": evaluate.representative_turn,
        "learned": evaluate.learned,
    }
    sets: ClassVar = dict.fromkeys(
        ("deck", "hand", "field", "fresh"), len(SOLDIERS) + MOST_REMOVALS
    )
    easier: ClassVar = {
        "beginner": "random",
        "easy": "greedy:evaluator=balance,iterations=20",
        "medium": "greedy:evaluator=learned,iterations=100",
    }
    opponent = (
        "plan-tournament:plans=16,turns=4,worlds=16,evaluator=learned,"
        "turn=turn(actions=preferred),iterations=1000000"
    )

    def __init__(
        self,
        soldiers: int = 23,
        removals: int = 2,
        hand: int = 5,
        health: int = 50,
        turns: int = 400,
        doubling: Literal["literal", "weighted"] = "literal",
        others: Literal["average", "nothing"] = "average",
        balance: float = 1.0,
        weights: str = "",
    ) -> None:
        _refuse_odd_sizes(soldiers, removals, hand, health, turns)
        refuse_other("doubling", doubling, ("literal", "weighted"))
        refuse_other("others", others, ("average", "nothing"))
        values = [*SOLDIERS, *[REMOVAL_VALUES] * MOST_REMOVALS]
        super().__init__(
            players=2,
            most_actions=MOST_FIELD * (MOST_FIELD + 3),
            most_steps=turns * (soldiers + 3),
            scores=(-1.0, 1.0),
            most_features=FEATURES,
            constants={
                "soldiers": soldiers,
                "removals": removals,
                "hand": hand,
                "health": health,
                "turns": turns,
                "weighted": doubling == "weighted",
                "plain": others == "average",
                "balance": balance,
                "value": [[POINT * each for each in value] for value in values],
                "total": [POINT * sum(value) for value in values],
                "weights": read_weights(
                    weights, Path(__file__).with_name("weights.json"), FEATURES
                ),
            },
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        return {"turn": (0, self.parameters["turns"]), "player": (0, 1)}

    def default_setup(self) -> Mapping[str, Any]:
        return self.dealt()

    def dealt(self, first: Sequence[int] = (), second: Sequence[int] = ()) -> Mapping[str, Any]:
        """Return a setup for `start` in which the two players hold the cards with these numbers.

        A hand that is not given is dealt at random.
        """
        soldiers, removals = self.parameters["soldiers"], self.parameters["removals"]
        deck = {*range(soldiers), *range(REMOVAL, REMOVAL + removals)}
        if not deck.issuperset((*first, *second)):
            raise ValueError(
                f"A deck has the soldiers 0 to {soldiers - 1}, and {removals} Removals with the "
                f"numbers from {REMOVAL} on; {[*first]} and {[*second]} were given."
            )
        return {"hand": [_as_set(cards) for cards in (first, second)]}

    def realize(self, position: View, action: int) -> int:
        return candidates.realize(position.record, action)

    def text(self, position: View) -> str:
        return view.text(position.record, self.constants_record[0], position.viewer)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return picture.scene(position.record, self.constants_record[0], position.viewer)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return picture.action_path(position.viewer, action)

    def events(self, before: View, after: View) -> list[str]:
        return view.events(before.record, after.record)

    def vocabulary(self) -> Sequence[int]:
        """Return all actions with cards of the deck.

        Actions with stand-ins occur only in searches.
        """
        cards = range(self.parameters["soldiers"])
        removals = cards if self.parameters["removals"] else ()
        own = [pack(kind, card, 0) for kind in (PLACE, HEALS, ATTACKS) for card in cards]
        other = [pack(REMOVE, 0, card) for card in removals]
        battles = [pack(BATTLE, card, target) for card in cards for target in cards]
        return sorted([pack(END, 0, 0), pack(DRAW, 0, 0), *own, *other, *battles])

    def action_name(self, action: int) -> str:
        kind, source, target = unpack(action)
        return {
            END: "end turn",
            DRAW: "draw a card",
            PLACE: f"place {card_name(source)}",
            REMOVE: f"remove {card_name(target)}",
            HEALS: f"{card_name(source)} heals",
            ATTACKS: f"{card_name(source)} attacks",
            BATTLE: f"{card_name(source)} battles {card_name(target)}",
            IMAGINE: f"place the average {ATTRIBUTES[min(source, 2)]} card",
        }[kind]


def _as_set(cards: Sequence[int]) -> int:
    """Return a hand as a set of cards.

    All Removals are equal, so n Removals are written as the n Removals with the lowest numbers.
    """
    removals = len({card for card in cards if card >= REMOVAL})
    return sum(1 << card for card in {*cards} if card < REMOVAL) | ((1 << removals) - 1) << REMOVAL


def _refuse_odd_sizes(soldiers: int, removals: int, hand: int, health: int, turns: int) -> None:
    if not 1 <= soldiers <= len(SOLDIERS) or not 0 <= removals <= MOST_REMOVALS:
        raise ValueError(
            f"A deck has 1 to {len(SOLDIERS)} soldiers and up to {MOST_REMOVALS} Removals, not "
            f"{soldiers} and {removals}."
        )
    if not 1 <= hand <= soldiers + removals:
        raise ValueError(f"A hand of {hand} cannot be dealt from {soldiers + removals} cards.")
    if not 1 <= health <= 10_000 or not 1 <= turns <= 10_000:
        raise ValueError(f"Health and turns are 1 to 10000, not {health} and {turns}.")
