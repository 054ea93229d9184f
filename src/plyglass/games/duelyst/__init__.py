"""Duelyst: two generals with decks of minions, spells and artifacts on a board of 9 x 5 cells;
hands and decks are hidden.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from plyglass.core import Game, View
from plyglass.core.learned import read_weights
from plyglass.core.scene import Imagined, Scene, Shape
from plyglass.games.duelyst import (
    cells,
    evaluate,
    features,
    foreseeing,
    picture,
    placing,
    rules,
    tracking,
    tracks,
    view,
)
from plyglass.games.duelyst.board import (
    DECK,
    FEATURES,
    HAND,
    MOST_ACTIONS,
    MOST_ACTS,
    MOST_CARDS,
    MOST_CHOICES,
    MOST_TURNS,
)
from plyglass.games.duelyst.cards import pool_of, tables
from plyglass.games.duelyst.decks import both_decks
from plyglass.games.duelyst.killing import kill
from plyglass.games.duelyst.known_decks import beliefs_of
from plyglass.games.duelyst.starter.policy import starter
from plyglass.games.duelyst.traits import traits

SPRINGS = ((4, 0), (4, 4), (5, 2))


class Duelyst(Game):
    """Two generals with decks of 39 cards each; who kills the other's general wins.

    Args:
        decks: of both players, by faction ("lyonar+songhai"), by faction and number
            ("lyonar#1+songhai#7"), or as paths of JSON files.
        opening: cards of the first hand; the documents have 3, the open-source game 5.
        marks: how many of them may be exchanged; by the documents all, in the open-source game 2.
        draws: cards at the end of a turn; the documents have 2, the open-source game 1.
        burn: whether a card that finds no room in the hand is lost, as in the open-source game;
            else it is not drawn.
        springs: whether there are mana springs.
        turns: of both players together, after which the game is drawn; the game itself has no
            limit.
        always_replace: whether the starter AI replaces a card in every turn, as the documents say;
            else by the rules of its program.
        weights: a file of weights for the evaluator "learned", as `plyglass learn` writes it; ""
            for those that come with the game.
        archetypes: decks that the belief `tracks(others=archetypes)` knows beside those of
            factions, with a + between them.
    """

    name = "duelyst"
    state = rules.State
    constants = rules.Constants
    setup = rules.Setup
    rules = (
        rules.start, rules.to_move, rules.legal, rules.apply, rules.score, rules.hide,
        rules.imagine, foreseeing.after, features.features,
        placing.place,
    )  # fmt: skip
    evaluators: ClassVar = {
        "static": evaluate.static,
        "stats": evaluate.stats,
        "odds": evaluate.odds,
        "learned": features.learned,
        "kill": kill,
    }
    policies: ClassVar = {"starter": starter}
    trackers: ClassVar = {"plausible": tracking.plausible, "archetypes": tracking.archetypes}
    exact_imagine = False
    opponent = (
        "plan-tournament:plans=12,turns=2,worlds=4,beam=8,ranked=completed,draws=16,replies=2,room=8192,evaluator=learned,"
        "belief=tracks(others=archetypes),iterations=256"
    )

    def __init__(
        self,
        decks: str = "lyonar+lyonar",
        opening: int = 3,
        marks: int = HAND,
        draws: int = 2,
        burn: bool = False,
        springs: bool = True,
        turns: int = 200,
        always_replace: bool = True,
        weights: str = "",
        archetypes: str = "",
    ) -> None:
        _refuse_odd_games(opening, marks, draws, turns)
        self.decks = both_decks(decks)
        pools = [pool_of(deck.faction) for deck in self.decks]
        super().__init__(
            players=2,
            most_actions=MOST_ACTIONS,
            most_steps=turns * (MOST_ACTS + MOST_CHOICES + 1) + 2,
            scores=(-1.0, 1.0),
            most_features=FEATURES,
            most_tracks=tracks.NUMBERS,
            constants={
                "opening": opening,
                "marks": marks,
                "draws": draws,
                "burn": burn,
                "turns": turns,
                "springs": sum(1 << cells.cell_at(x, y) for x, y in SPRINGS) if springs else 0,
                "always_replace": always_replace,
                "general": [deck.general for deck in self.decks],
                "around": cells.AROUND,
                "line": cells.LINE,
                "disc": cells.DISC,
                "walked": cells.WALKED,
                "pool": [np.pad(pool, (0, MOST_CARDS - len(pool))) for pool in pools],
                "pool_size": [len(pool) for pool in pools],
                "weights": read_weights(
                    weights, Path(__file__).with_name("weights.json"), FEATURES
                ),
                **beliefs_of([deck.faction for deck in self.decks], archetypes),
                **tables(),
                **traits(),
            },
        )

    def default_setup(self) -> Mapping[str, Any]:
        decks = [np.pad(deck.cards, (0, DECK - len(deck.cards))) for deck in self.decks]
        return {"deck": decks, "left": [len(deck.cards) for deck in self.decks]}

    def hidden_things(
        self, worlds: npt.NDArray[Any], viewer: int
    ) -> tuple[npt.NDArray[np.int64], ...]:
        """Cards of the enemy in his hand, place 0, and in his deck, place 1, copies once. Nobody
        has seen them since the game began.
        """
        cards = np.concatenate(
            [_each_once(worlds[field][:, 1 - viewer]) for field in ("hand", "deck")], axis=1
        )
        places = np.where(cards > 0, np.arange(HAND + DECK) >= HAND, -1)
        return cards, places, np.broadcast_to(worlds["turn"].astype(np.int64)[:, None], cards.shape)

    def text(self, position: View) -> str:
        return view.text(position.record, self.constants_record[0], position.viewer)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return picture.scene(position.record, self.constants_record[0], position.viewer, imagined)

    def action_shapes(self, action: int) -> tuple[Shape, ...]:
        return picture.action_shapes(action)

    def action_name(self, action: int) -> str:
        return view.action_name(action)


def _each_once(cards: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Cards in order, a row for every world, with 0 in place of further copies: whether there is
    one is asked, not how many.
    """
    ordered = np.sort(cards.astype(np.int64), axis=1)
    ordered[:, 1:][ordered[:, 1:] == ordered[:, :-1]] = 0
    return ordered


def _refuse_odd_games(opening: int, marks: int, draws: int, turns: int) -> None:
    if not 0 <= opening <= HAND or not 0 <= marks <= HAND or not 0 <= draws <= HAND:
        raise ValueError(
            f"opening, marks and draws are 0 to {HAND} cards; {opening}, {marks} and {draws} were "
            "given."
        )
    if not 1 <= turns <= MOST_TURNS:
        raise ValueError(f"turns are 1 to {MOST_TURNS}, not {turns}.")
