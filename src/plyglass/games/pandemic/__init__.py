"""Pandemic: a team finds four cures before outbreaks, missing cubes or missing cards end it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from plyglass.core import Game, View
from plyglass.core.learned import read_weights
from plyglass.core.refusals import refuse_other
from plyglass.core.scene import Imagined, Scene
from plyglass.games.pandemic import (
    board,
    evaluate,
    features,
    picture,
    policies,
    positions,
    prefer,
    rules,
    view,
)
from plyglass.games.pandemic.cities import CITIES, distances, neighbours

DEALT = {2: 4, 3: 3, 4: 2}  # cards that each player begins with, by players
FEWEST_EPIDEMICS = 4
PRESETS = ("official", "document", "as_coded")
EVENTS_OF_DOCUMENT = 3  # the first ones
ROLES_OF_DOCUMENT = (board.MEDIC, board.SCIENTIST, board.RESEARCHER, board.EXPERT, board.SPECIALIST)


class Pandemic(Game):
    """A team of two to four players finds four cures before outbreaks, missing cubes or missing
    cards end it. One agent plays them all.

    Args:
        preset: "official" has the rules of 2013; "document" those of document 004, which leave
            actions, events and roles out; "as_coded" those of its program, which departs from them
            in small points.
        players: how many there are, 2 to 4.
        epidemics: how many there are among the player cards, 4 to 6.
        roles: by seat, as in "medic+scientist+researcher". Where they are not named, luck deals
            them; by the document, they are medic, scientist, researcher and operations expert.
        weights: a file of weights for the evaluator "learned", as `plyglass learn` writes it; ""
            for those that come with the game.
    """

    name = "pandemic"
    state = rules.State
    constants = rules.Constants
    setup = rules.Setup
    rules = (
        rules.start,
        rules.to_move,
        rules.legal,
        rules.apply,
        rules.score,
        rules.after,
        features.features,
        prefer.prefer,
    )
    evaluators: ClassVar = evaluate.EVALUATORS
    policies: ClassVar = {"default": policies.default}
    opponent = "plan-tournament:plans=8,worlds=4,turns=1,answers=32,evaluator=learned,actions=preferred,seconds=0.17"

    def __init__(
        self,
        preset: Literal["official", "document", "as_coded"] = "official",
        players: int = 3,
        epidemics: int = 4,
        roles: str = "",
        weights: str = "",
    ) -> None:
        _refuse_odd_games(preset, players, epidemics)
        restricted = preset != "official"
        events = EVENTS_OF_DOCUMENT if restricted else len(board.EVENTS)
        pile, pile_left = board.piles(len(CITIES) + events - players * DEALT[players], epidemics)
        self._roles = _roles_of(roles, players, restricted)
        super().__init__(
            players=1,
            most_actions=board.MOST_ACTIONS,
            most_steps=board.MOST_DECISIONS,
            scores=(0.0, 1.0),
            most_features=board.FEATURES,
            constants={
                "players": players,
                "epidemics": epidemics,
                "events": events,
                "dealt": DEALT[players],
                "restricted": restricted,
                "as_coded": preset == "as_coded",
                "role": [*self._roles, *[board.NOBODY] * (board.MOST_PLAYERS - players)],
                "beside": neighbours(),
                "population": [city.population for city in CITIES],
                "rate": board.RATE,
                "pile": pile,
                "pile_left": pile_left,
                "cards": len(CITIES) + events - players * DEALT[players] + epidemics,
                "distance": distances(),
                "weights": read_weights(
                    weights, Path(__file__).with_name("weights.json"), board.FEATURES
                ),
            },
        )

    def default_setup(self) -> Mapping[str, Any]:
        nothing = np.zeros(1, self.setup)[0]
        return {name: nothing[name] for name in self.setup.names or ()}

    def scenario(
        self,
        turn: str,
        pawns: Mapping[str, str],
        hands: Mapping[str, Sequence[str]],
        cubes: Mapping[str, Mapping[str, int]],
        stations: Sequence[str] = ("Atlanta",),
        cured: Sequence[str] = (),
        outbreaks: int = 0,
        epidemics: int = 0,
        played: Sequence[str] = (),
        infected: Sequence[str] = (),
        layers: Sequence[Sequence[str]] = (),
        spent: int = 0,
    ) -> Mapping[str, Any]:
        """A setup for `start`: any position in which the player whose `turn` it is has an action to
        take, with everything by name.

        `pawns` and `hands` are by role, `cubes` by colour and city; who is not named is in Atlanta
        and has no cards. `played` are player cards that are gone, `infected` the infection cards on
        the discard pile, and `layers` those that epidemics have put back on top, the top ones last;
        all other cards are in the decks. `spent` actions of the turn are over.
        """
        return positions.setup_of(
            self.constants_record[0],
            turn,
            pawns,
            hands,
            cubes,
            stations,
            cured,
            outbreaks,
            epidemics,
            played,
            infected,
            layers,
            spent,
        )

    def text(self, position: View) -> str:
        return view.text(position.record, self.constants_record[0])

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return picture.scene(position.record, self.constants_record[0])

    def action_name(self, action: int) -> str:
        return view.action_name(action, self._seat_name)

    def player_name(self, player: int) -> str:
        return "team"

    def _seat_name(self, seat: int) -> str:
        return (
            f"player {seat + 1}"
            if self._roles[seat] == board.NOBODY
            else board.ROLES[self._roles[seat]]
        )


def _refuse_odd_games(preset: str, players: int, epidemics: int) -> None:
    refuse_other("preset", preset, tuple(PRESETS))
    if players not in DEALT:
        raise ValueError(f"Pandemic has 2 to {board.MOST_PLAYERS} players, not {players}.")
    if not FEWEST_EPIDEMICS <= epidemics <= board.MOST_EPIDEMICS:
        raise ValueError(
            f"There are {FEWEST_EPIDEMICS} to {board.MOST_EPIDEMICS} epidemics, not {epidemics}."
        )


def _roles_of(text: str, players: int, restricted: bool) -> list[int]:
    """The role of each seat, or NOBODY where luck deals them."""
    if not text:
        return list(ROLES_OF_DOCUMENT[:players]) if restricted else [board.NOBODY] * players
    names = [name.strip().replace("-", " ") for name in text.split("+")]
    known = [
        role
        for number, role in enumerate(board.ROLES)
        if not restricted or number in ROLES_OF_DOCUMENT
    ]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"There is no {unknown[0]!r} here; there are {', '.join(known)}.")
    if len(set(names)) != players or len(names) != players:
        raise ValueError(f"{players} players have {players} different roles, not {text!r}.")
    return [board.ROLES.index(name) for name in names]
