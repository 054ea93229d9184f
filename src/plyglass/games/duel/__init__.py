"""Duel: a small card game with hidden hands, growing mana, creatures and spells."""

from collections.abc import Sequence
from typing import ClassVar

from plyglass.core import Game, View, pack, unpack
from plyglass.core.scene import Imagined, Scene
from plyglass.games.duel import evaluate, features, picture, policies, rules, view
from plyglass.games.duel.state import (
    ATTACK,
    BOLT,
    CARDS,
    END,
    HEAL,
    KINDS,
    MOST_BOARD,
    NOBODY,
    PLAY,
    READY,
    SUMMON,
    Constants,
    State,
    creature,
)


class Duel(Game):
    """A small card game with hidden hands, growing mana, creatures and spells.

    Args:
        kinds: number of kinds of cards in a deck. A deck has the first kinds of the README's table
            of cards.
        copies: number of copies of each kind in a deck.
        health: starting health of a hero, which healing cannot exceed.
        hand: number of cards dealt to the first player; the second player gets one more.
        mana: greatest number of crystals that a player can have.
        board: greatest number of creatures that a player can have.
        open_hands: whether players see each other's hands.
    """

    name = "duel"
    state = State
    constants = Constants
    rules = (
        rules.start, rules.to_move, rules.legal, rules.apply, rules.score,
        rules.hide, rules.imagine, policies.represent, features.features,
    )  # fmt: skip
    evaluators: ClassVar = {"material": evaluate.material}
    policies: ClassVar = {"attack-first": policies.attack_first}
    exact_imagine = False
    easier: ClassVar = {
        "beginner": "random",
        "easy": "so-ismcts:iterations=10",
        "medium": "so-ismcts:iterations=50",
    }
    opponent = "mo-ismcts:iterations=3000"

    def __init__(
        self,
        kinds: int = 6,
        copies: int = 2,
        health: int = 10,
        hand: int = 3,
        mana: int = 5,
        board: int = 4,
        open_hands: bool = False,
    ) -> None:
        _refuse_odd_sizes(kinds, copies, health, hand, mana, board)
        bolts = sum(card.effect == BOLT for card in CARDS[:kinds])
        super().__init__(
            players=2,
            most_actions=kinds + bolts * board + board * (board + 1) + 1,
            most_steps=2
            * (_most_turns(kinds, copies, health, hand) * (board + 1) + kinds * copies),
            scores=(-1.0, 1.0),
            most_features=features.COUNT,
            constants={
                "kinds": kinds,
                "copies": copies,
                "health": health,
                "hand": hand,
                "mana": mana,
                "board": board,
                "open_hands": open_hands,
                "effect": [card.effect for card in CARDS],
                "cost": [card.cost for card in CARDS],
                "power": [card.power for card in CARDS],
                "toughness": [card.health for card in CARDS],
            },
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        copies, mana = self.parameters["copies"], self.parameters["mana"]
        return {
            "deck": (0, copies),
            "hand": (0, copies),
            "held": (0, KINDS * copies),
            "board": (NOBODY, KINDS << 5 | 31),
            "crystals": (0, mana),
            "mana": (0, mana),
            "player": (0, 1),
        }

    def text(self, position: View) -> str:
        return view.text(position.record, position.viewer)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return picture.scene(position.record, self.constants_record[0], position.viewer, imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return picture.action_path(action)

    def vocabulary(self) -> Sequence[int]:
        """Return all plays and attacks.

        Only the mover's creatures are ready. So in every attack the attacker is ready, and the
        target is not.
        """
        kinds = list(enumerate(CARDS[: self.parameters["kinds"]]))
        resting = [
            creature(number, health, 0)
            for number, card in kinds
            if card.effect == SUMMON
            for health in range(1, card.health + 1)
        ]
        targets = (NOBODY, *resting)
        attacks = [pack(ATTACK, each | READY, target) for each in resting for target in targets]
        plays = [
            pack(PLAY, number, target)
            for number, card in kinds
            for target in (targets if card.effect == BOLT else (NOBODY,))
        ]
        return sorted([pack(END, 0, 0), *plays, *attacks])

    def action_name(self, action: int) -> str:
        kind, source, target = unpack(action)
        if kind == ATTACK:
            return f"{view.creature_name(source)} attacks {_target_name(target)}"
        if kind == PLAY:
            return f"play {CARDS[source].name}" + (
                f" on {_target_name(target)}" if CARDS[source].effect == BOLT else ""
            )
        return "end turn"


def _target_name(target: int) -> str:
    return "the hero" if target == NOBODY else view.creature_name(target)


def _most_turns(kinds: int, copies: int, health: int, hand: int) -> int:
    """Return the greatest number of turns that a player can have.

    A player has one turn for each card in the deck. Then a player has one turn for each point of
    health, because each turn with an empty deck costs the hero one health. Balms add health.
    """
    healing = sum(card.power for card in CARDS[:kinds] if card.effect == HEAL)
    return kinds * copies - hand + health + healing * copies


def _refuse_odd_sizes(
    kinds: int, copies: int, health: int, hand: int, mana: int, board: int
) -> None:
    if not 1 <= kinds <= KINDS or not 1 <= copies <= 10:
        raise ValueError(
            f"A deck has 1 to 10 copies of 1 to {KINDS} kinds of cards, not {copies} copies of "
            f"{kinds} kinds."
        )
    if not 0 <= hand < kinds * copies:
        raise ValueError(
            f"A hand of {hand}, and one more card for the second player, cannot be dealt from "
            f"{kinds * copies} cards."
        )
    if not 1 <= health <= 100 or not 1 <= mana <= 100:
        raise ValueError(f"Health and mana are 1 to 100, not {health} and {mana}.")
    if not 1 <= board <= MOST_BOARD:
        raise ValueError(f"The board has room for 1 to {MOST_BOARD} creatures a side, not {board}.")
