"""Pandemic: find four cures before an eighth outbreak, and before cubes or cards run out."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from plyglass.core import Game, View
from plyglass.core.refusals import refuse_other
from plyglass.core.scene import Imagined, Scene
from plyglass.core.weights import read_weights
from plyglass.games.pandemic import (
    action_space,
    changes,
    clicks,
    evaluate,
    features,
    picture,
    policies,
    rules,
    setup,
    view,
    world_map,
)
from plyglass.games.pandemic.cities import CITIES, COLOURS, distances, neighbours
from plyglass.games.pandemic.decks import piles
from plyglass.games.pandemic.state import (
    ALL_CITIES,
    EVENTS,
    EXPERT,
    FEATURES,
    FIRST_EVENT,
    INFECTING,
    LAYERS,
    LOST_BY_CARDS,
    MEDIC,
    MOST_ACTIONS,
    MOST_DECISIONS,
    MOST_EPIDEMICS,
    MOST_PLAYERS,
    NOBODY,
    RATE,
    RESEARCHER,
    ROLES,
    SCIENTIST,
    SPECIALIST,
    Constants,
    Setup,
    State,
)

DEALT = {2: 4, 3: 3, 4: 2}  # cards that each player starts with, by number of players
FEWEST_EPIDEMICS = 4
PRESETS = ("official", "thesis", "as_coded")
FORMER_PRESETS = {"document": "thesis"}  # earlier names, still read with a warning
EVENTS_OF_THESIS = 3  # the thesis has the first three events
ROLES_OF_THESIS = (MEDIC, SCIENTIST, RESEARCHER, EXPERT, SPECIALIST)


class Pandemic(Game):
    """A team of two to four players searches for four cures. One agent plays the whole team.

    The team loses with the eighth outbreak, or when cubes or player cards run out.

    Args:
        preset: "official" has the rules of 2013. "thesis" has the rules of the Pandemic thesis,
            which drop some actions, events and roles. "as_coded" has the rules of "thesis", except
            where the thesis's program departs from them.
        players: number of players, 2 to 4.
        epidemics: number of epidemics among the player cards, 4 to 6.
        roles: the role of each seat, as in "medic+scientist+researcher". By default, chance deals
            the roles in "official", and the other presets take medic, scientist, researcher and
            operations expert, in this order.
        weights: a file of weights for the evaluator "learned", as `plyglass learn` writes it. The
            default "" takes the weights that come with the game for these numbers of players and
            epidemics.
    """

    name = "pandemic"
    state = State
    constants = Constants
    setup = Setup
    rules = (
        rules.start,
        rules.to_move,
        rules.legal,
        rules.apply,
        rules.score,
        rules.after,
        features.features,
        policies.prefer,
    )
    evaluators: ClassVar = evaluate.EVALUATORS
    policies: ClassVar = {"default": policies.default}
    colours: ClassVar = world_map.COLOURS_OF_SIGNS
    easier: ClassVar = {
        "easy": "whole-turns:evaluator=learned,iterations=10000",
    }
    opponent = (
        "plan-tournament:plans=8,worlds=32,turns=3,simulation=simulation(replies=5),"
        "evaluator=learned,turn=turn(actions=preferred,beam=40),seconds=0.17"
    )
    sets: ClassVar = {
        **dict.fromkeys(("low", "high", "layer", "discard", "foreseen", "stations"), len(CITIES)),
        **dict.fromkeys(("hand", "deck"), len(CITIES) + len(EVENTS)),
        **dict.fromkeys(("cured", "eradicated"), len(COLOURS)),
        **dict.fromkeys(("kept", "played"), len(EVENTS)),
    }

    def __init__(
        self,
        preset: Literal["official", "thesis", "as_coded"] = "official",
        players: int = 3,
        epidemics: int = 4,
        roles: str = "",
        weights: str = "",
    ) -> None:
        preset = self.parameters["preset"] = _current(preset)
        _refuse_odd_games(preset, players, epidemics)
        restricted = preset != "official"
        events = EVENTS_OF_THESIS if restricted else len(EVENTS)
        pile, pile_left = piles(len(CITIES) + events - players * DEALT[players], epidemics)
        self._roles = _roles_of(roles, players, restricted)
        super().__init__(
            players=1,
            most_actions=MOST_ACTIONS,
            most_steps=MOST_DECISIONS,
            scores=(0.0, 1.0),
            most_features=FEATURES,
            constants={
                "players": players,
                "epidemics": epidemics,
                "events": events,
                "dealt": DEALT[players],
                "restricted": restricted,
                "as_coded": preset == "as_coded",
                "role": [*self._roles, *[NOBODY] * (MOST_PLAYERS - players)],
                "beside": neighbours(),
                "population": [city.population for city in CITIES],
                "rate": RATE,
                "pile": pile,
                "pile_left": pile_left,
                "cards": len(CITIES) + events - players * DEALT[players] + epidemics,
                "distance": distances(),
                "weights": read_weights(weights, _own_weights(players, epidemics), FEATURES),
            },
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        cities, cards = (0, ALL_CITIES), (0, (1 << FIRST_EVENT + len(EVENTS)) - 1)
        return {
            **dict.fromkeys(("low", "high", "layer", "discard", "foreseen", "stations"), cities),
            **dict.fromkeys(("hand", "deck"), cards),
            "pawn": (0, len(CITIES) - 1),
            "role": (0, len(ROLES) - 1),
            "seat_of": (NOBODY, MOST_PLAYERS - 1),
            "top": (0, LAYERS - 1),
            "seat": (0, MOST_PLAYERS - 1),
            "phase": (0, INFECTING),
            "result": (0, LOST_BY_CARDS),
        }

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
        """Return a setup for `start`, from a position given by names of cities, cards, and so on.

        `turn` is the role of the active player, and `spent` is the number of actions that this
        player has taken in this turn. `pawns` and `hands` map roles to cities and cards. A role
        that `pawns` does not name is in Atlanta, and a role that `hands` does not name has no
        cards. `cubes` maps each colour to a mapping from cities to numbers of cubes. `played` lists
        the discarded player cards, and `infected` lists the cards on the discard pile of the
        infection deck. `layers` lists the sets of cards that epidemics have put back on the
        infection deck, the top set last. All other cards are in the decks.
        """
        return setup.setup_of(
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

    def vocabulary(self) -> Sequence[int]:
        return action_space.vocabulary(
            self.parameters["players"], int(self.constants_record["events"][0])
        )

    def action_parts(self, position: View, action: int) -> Sequence[str]:
        return view.action_parts(action, self._seat_name)

    def action_path(self, position: View, action: int) -> Sequence[clicks.Step]:
        return clicks.action_path(position.record, action)

    def events(self, before: View, after: View) -> list[str]:
        return changes.events(before.record, after.record, self.parameters["players"])

    def player_name(self, player: int) -> str:
        return "team"

    def _seat_name(self, seat: int) -> str:
        return f"player {seat + 1}" if self._roles[seat] == NOBODY else ROLES[self._roles[seat]]


def _current(preset: Any) -> Any:
    """Return the current name of a preset; warn if a former name is given."""
    if preset not in FORMER_PRESETS:
        return preset
    name = FORMER_PRESETS[preset]
    warnings.warn(
        f"preset={preset!r} of Pandemic is now preset={name!r}; please write {name!r}.",
        FutureWarning,
        stacklevel=3,
    )
    return name


def _refuse_odd_games(preset: str, players: int, epidemics: int) -> None:
    refuse_other("preset", preset, PRESETS)
    if players not in DEALT:
        raise ValueError(f"Pandemic has 2 to {MOST_PLAYERS} players, not {players}.")
    if not FEWEST_EPIDEMICS <= epidemics <= MOST_EPIDEMICS:
        raise ValueError(
            f"Pandemic has {FEWEST_EPIDEMICS} to {MOST_EPIDEMICS} epidemics, not {epidemics}."
        )


def _roles_of(text: str, players: int, restricted: bool) -> list[int]:
    """Return the role of each seat, or NOBODY if chance deals the roles."""
    if not text:
        return list(ROLES_OF_THESIS[:players]) if restricted else [NOBODY] * players
    names = [name.strip().replace("-", " ") for name in text.split("+")]
    known = [
        role for number, role in enumerate(ROLES) if not restricted or number in ROLES_OF_THESIS
    ]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"There is no role {unknown[0]!r} here; choose from {', '.join(known)}.")
    if len(set(names)) != players or len(names) != players:
        raise ValueError(f"{players} players need {players} different roles, not {text!r}.")
    return [ROLES.index(name) for name in names]


def _own_weights(players: int, epidemics: int) -> Path:
    """Return the file of the weights that were learned in games like these."""
    own = Path(__file__).with_name(f"weights_{players}_{epidemics}.json")
    return own if own.exists() else Path(__file__).with_name("weights.json")
