"""Duelyst: two generals with decks of minions, spells and artifacts; hands and decks are hidden.

The state is in `state.py`, and the rules are in `rules.py` and `engine/`. `cards/` holds the cards
as data, `hidden/` holds views and beliefs, and `evaluate/` holds evaluators. `show/` holds pictures
and card texts, and `starter/` holds the starter AI of the open-source game.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from plyglass.core import Game, View
from plyglass.core.board import Board, Things
from plyglass.core.scene import Imagined, Scene, Shape
from plyglass.core.weights import read_weights
from plyglass.games.duelyst import action_space, rules, view
from plyglass.games.duelyst.cards.catalog import pool_of
from plyglass.games.duelyst.cards.decks import both_decks, public_knowledge
from plyglass.games.duelyst.cards.tables import tables
from plyglass.games.duelyst.cards.traits import traits
from plyglass.games.duelyst.engine import afterstate, board
from plyglass.games.duelyst.evaluate import evaluators, features
from plyglass.games.duelyst.hidden import trackers, tracks, worlds
from plyglass.games.duelyst.show import changes, clicks, picture
from plyglass.games.duelyst.starter.policy import starter
from plyglass.games.duelyst.state import (
    CREEP,
    DECK,
    DRAWN,
    FEATURES,
    HAND,
    MOST_ACTIONS,
    MOST_ACTS,
    MOST_CARDS,
    MOST_CHOICES,
    MOST_TURNS,
    MOST_UNITS,
    OVER,
    UNKNOWN,
    Constants,
    Setup,
    State,
)

WEIGHTS = Path(__file__).parent / "evaluate" / "weights.json"
SPRINGS = ((4, 0), (4, 4), (5, 2))
# What a plane shows of each unit.
UNIT_VALUES = (
    "owner", "card", "attack", "health", "damage", "attack_now", "exhausted", "moves", "attacks",
    "stunned", "shield", "dispelled",
)  # fmt: skip


class Duelyst(Game):
    """Two generals with decks of 39 cards each; killing the enemy general wins.

    Args:
        decks: both players' decks, by faction ("lyonar+songhai"), by faction and number
            ("lyonar#1+songhai#7"), or as paths of JSON files.
        opening: number of cards in the first hand; 3 in McKenney's papers, 5 in the open-source
            game.
        marks: how many cards of the first hand may be exchanged; all in the papers, 2 in the
            open-source game.
        draws: number of cards drawn at the end of a turn; 2 in the papers, 1 in the open-source
            game.
        burn: whether a player with a full hand still draws and then loses the card, as in the
            open-source game. Otherwise, a player with a full hand does not draw.
        springs: whether there are mana springs.
        turns: number of turns, both players counted together, after which the game is a draw. The
            original game has no such limit.
        always_replace: whether the starter AI replaces a card in every turn, as the papers say.
            Otherwise, the starter AI replaces a card only if the rules of its program say so.
        weights: a file of weights for the evaluator "learned", as `plyglass learn` writes it. The
            default "" takes the weights that come with the game.
        archetypes: decks, joined by +, that the belief `tracks(others=archetypes)` knows besides
            the starter decks.
    """

    name = "duelyst"
    audited = "turns=2"
    state = State
    constants = Constants
    setup = Setup
    rules = (
        rules.start, rules.to_move, rules.legal, rules.apply, rules.score,
        worlds.hide, worlds.imagine, worlds.place, afterstate.after, features.features,
    )  # fmt: skip
    evaluators: ClassVar = {
        "static": evaluators.static,
        "stats": evaluators.stats,
        "odds": evaluators.odds,
        "learned": features.learned,
        "kill": evaluators.kill,
    }
    policies: ClassVar = {"starter": starter}
    trackers: ClassVar = {"plausible": trackers.plausible, "archetypes": trackers.archetypes}
    exact_imagine = False
    easier: ClassVar = {
        "beginner": "random",
        "easy": "plan-tournament:plans=4,turns=1,worlds=2,turn=turn(beam=4,room=1024),"
        "evaluator=stats,iterations=32",
        "medium": "policy:policy=starter",
    }
    opponent = (
        "plan-tournament:plans=12,turns=2,worlds=4,turn=turn(beam=8,ranked=completed,draws=16,"
        "room=8192),simulation=simulation(replies=2),evaluator=learned,"
        "belief=tracks(others=archetypes),iterations=256"
    )
    sets: ClassVar = {"granted": 64, "keywords": 32, "keywords_now": 32}

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
        _refuse_odd_sizes(opening, marks, draws, turns)
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
                "springs": sum(1 << board.cell_at(x, y) for x, y in SPRINGS) if springs else 0,
                "always_replace": always_replace,
                "general": [deck.general for deck in self.decks],
                "around": board.AROUND,
                "line": board.LINE,
                "disc": board.DISC,
                "walked": board.WALKED,
                "pool": [np.pad(pool, (0, MOST_CARDS - len(pool))) for pool in pools],
                "pool_size": [len(pool) for pool in pools],
                "weights": read_weights(weights, WEIGHTS, FEATURES),
                **public_knowledge([deck.faction for deck in self.decks], archetypes),
                **tables(),
                **traits(),
            },
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        card, unit, cell, flag = (0, MOST_CARDS - 1), (0, MOST_UNITS), (0, board.CELLS - 1), (0, 1)
        return {
            **dict.fromkeys(("card", "hatch", "shown", "artifact", "last_spell", "played"), card),
            **dict.fromkeys(("hand", "deck"), (UNKNOWN, MOST_CARDS - 1)),
            **dict.fromkeys(("general", "at", "units", "source", "subject"), unit),
            **dict.fromkeys(("cell", "chosen"), cell),
            **dict.fromkeys(("owner", "alive", "dispelled", "shield", "player"), flag),
            "scorched_by": (0, 2),
            "left": (0, DECK),
            "tile": (0, CREEP + 1),
            "phase": (0, OVER),
            "result": (0, DRAWN),
            "turn": (0, self.parameters["turns"]),
        }

    def default_setup(self) -> Mapping[str, Any]:
        decks = [np.pad(deck.cards, (0, DECK - len(deck.cards))) for deck in self.decks]
        return {"deck": decks, "left": [len(deck.cards) for deck in self.decks]}

    def hidden_things(
        self, worlds: npt.NDArray[Any], viewer: int
    ) -> tuple[npt.NDArray[np.int64], ...]:
        """Return the different cards in the enemy's hand (place 0) and deck (place 1).

        The age of a card is the number of turns since the game began, because the viewer has never
        seen the card.
        """
        names = self.constants_record[0]["version_of"]
        cards = np.concatenate(
            [_each_once(names[worlds[field][:, 1 - viewer]]) for field in ("hand", "deck")], axis=1
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

    def board(self) -> Board:
        return Board(
            board.HEIGHT,
            board.WIDTH,
            cells={"tile": (1, 2, 3)},
            things=(Things("cell", UNIT_VALUES, where="alive"),),
        )

    def vocabulary(self) -> Sequence[int]:
        return action_space.vocabulary(self.parameters["opening"], self.parameters["marks"])

    def action_parts(self, position: View, action: int) -> Sequence[str]:
        return view.action_parts(position.record, action)

    def action_path(self, position: View, action: int) -> Sequence[str | tuple[str, ...]]:
        return clicks.action_path(position.record, position.viewer, action)

    def events(self, before: View, after: View) -> list[str]:
        return changes.events(before.record, after.record, self.constants_record[0], before.viewer)


def _each_once(cards: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return each world's cards, sorted; 0 replaces every further copy of a card."""
    ordered = np.sort(cards.astype(np.int64), axis=1)
    ordered[:, 1:][ordered[:, 1:] == ordered[:, :-1]] = 0
    return ordered


def _refuse_odd_sizes(opening: int, marks: int, draws: int, turns: int) -> None:
    if not 0 <= opening <= HAND or not 0 <= marks <= HAND or not 0 <= draws <= HAND:
        raise ValueError(
            f"opening, marks and draws are 0 to {HAND} cards, not {opening}, {marks} and {draws}."
        )
    if not 1 <= turns <= MOST_TURNS:
        raise ValueError(f"turns are 1 to {MOST_TURNS}, not {turns}.")
