"""TUBSTAP: two armies of planes, tanks, guns and infantry fight in fog of war."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from plyglass.core import Game, View
from plyglass.core.board import Board, Things
from plyglass.core.refusals import refuse_other
from plyglass.core.scene import Imagined, Scene, Shape
from plyglass.core.weights import read_weights
from plyglass.games.tubstap import (
    action_space,
    changes,
    evaluate,
    features,
    picture,
    policies,
    rules,
    tbsmap,
    trackers,
    view,
    worlds,
)
from plyglass.games.tubstap.cells import CELLS, SIDE
from plyglass.games.tubstap.map_tables import METRICS, armies_of, kinds_of, land_of, sight_of
from plyglass.games.tubstap.state import (
    FEATURES,
    MOST_TURNS,
    NOWHERE,
    UNSEEN,
    Constants,
    State,
)
from plyglass.games.tubstap.tracks import NUMBERS
from plyglass.games.tubstap.units import FULL_HEALTH, KINDS, SIDES


class Tubstap(Game):
    """Two armies fight on a map; in fog, a side sees only the cells near its units.

    Every unit moves and attacks once per turn.

    Args:
        map: the name of one of our maps, or the path of a `.tbsmap` file.
        fog: whether units out of sight are hidden.
        turns: number of turns, both sides counted together. By default, the map gives this number.
        sight: the metric of sight: "manhattan", "euclid" or "chebyshev".
        ambush: what a unit does if an unseen enemy blocks its way: "stops" before the enemy, or
            "stays" on its cell.
        antiair: the power of anti-air against infantry. TUBSTAP's program has 105, and TUBSTAP's
            web page has 115.
        harmless: whether a unit may attack an enemy that it cannot harm.
        judged: what decides the game after the last turn: "health", or the number of "units".
        weights: a file of weights for the evaluator "learned", as `plyglass learn` writes it. The
            default "" takes the weights that come with the game.
    """

    name = "tubstap"
    audited = "map=sandbox"
    state = State
    constants = Constants
    rules = (
        rules.start,
        rules.to_move,
        rules.legal,
        rules.apply,
        rules.score,
        worlds.hide,
        worlds.imagine,
        worlds.place,
        features.features,
    )
    evaluators: ClassVar = {
        "strength": evaluate.strength,
        "health": evaluate.health,
        "threat": evaluate.threat,
        "learned": features.learned,
    }
    policies: ClassVar = {"attack-80": policies.attack_80}
    trackers: ClassVar = {
        "random": trackers.by_random,
        "attack-80": trackers.by_attack_80,
        "mirrored": trackers.by_mirror,
    }
    exact_imagine = False
    colours: ClassVar = view.COLOURS_OF_UNITS
    easier: ClassVar = {"easy": "random", "medium": "policy:policy=attack-80"}
    opponent = (
        "plan-tournament:plans=128,sources=2,worlds=32,simulation=simulation(judged=playouts,"
        "playout=playout(policy=attack-80,turns=2,evaluator=learned)),turn=turn(beam=16),"
        "evaluator=learned,belief=tracks,seconds=0.1"
    )

    def __init__(
        self,
        map: str = "crossroads",
        fog: bool = True,
        turns: int | None = None,
        sight: Literal["manhattan", "euclid", "chebyshev"] = "manhattan",
        ambush: Literal["stops", "stays"] = "stops",
        antiair: int = 105,
        harmless: bool = False,
        judged: Literal["health", "units"] = "health",
        weights: str = "",
    ) -> None:
        refuse_other("sight", sight, tuple(METRICS))
        refuse_other("ambush", ambush, ("stops", "stays"))
        refuse_other("judged", judged, ("health", "units"))
        if not 1 <= antiair <= 1000 or not 1 <= (turns or 1) <= MOST_TURNS:
            raise ValueError(
                f"antiair is a power of 1 to 1000 and turns are 1 to {MOST_TURNS}; {antiair} and "
                f"{turns} were given."
            )
        self.map = tbsmap.load(map)
        limit = turns or self.map.turns
        super().__init__(
            players=2,
            most_actions=_most_actions(self.map),
            most_steps=limit * max(_armies(self.map)),
            scores=(-1.0, 1.0),
            most_tracks=NUMBERS + 1,
            most_features=FEATURES,
            constants={
                "turns": limit,
                "threshold": self.map.threshold,
                "fog": fog,
                "stops": ambush == "stops",
                "counts_units": judged == "units",
                "weights": read_weights(
                    weights, Path(__file__).with_name("weights.json"), FEATURES
                ),
                "sight": sight_of(self.map, sight),
                **land_of(self.map),
                **armies_of(self.map),
                **kinds_of(antiair, harmless),
            },
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        return {
            "cell": (UNSEEN, CELLS - 1),
            "last_cell": (UNSEEN, CELLS - 1),
            "health": (0, FULL_HEALTH),
            "acted": (0, 1),
            "spotted": (0, 1),
            "turn": (0, int(self.constants_record["turns"][0])),
        }

    def hidden_things(
        self, worlds: npt.NDArray[Any], viewer: int
    ) -> tuple[npt.NDArray[np.int64], ...]:
        enemy, units = 1 - viewer, int(self.constants_record["units"][0, 1 - viewer])
        cells, health, seen, last = (
            worlds[field][:, enemy, :units].astype(np.int64)
            for field in ("cell", "health", "spotted", "last_turn")
        )
        kinds = self.constants_record["kind"][0, enemy, :units]
        return (
            (FULL_HEALTH + 1) * kinds + health,
            np.where(seen == 0, cells, NOWHERE),
            worlds["turn"].astype(np.int64)[:, None] - last,
        )

    def text(self, position: View) -> str:
        return view.text(position.record, self.constants_record[0], self.map, position.viewer)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return picture.scene(
            position.record, self.constants_record[0], self.map, position.viewer, imagined
        )

    def action_shapes(self, action: int) -> tuple[Shape, ...]:
        return picture.action_shapes(action)

    def action_name(self, action: int) -> str:
        return view.action_name(action)

    def board(self) -> Board:
        return Board(
            self.map.height,
            self.map.width,
            stride=SIDE,
            things=(Things("cell", ("health", "acted", "kind"), where="health"),),
        )

    def vocabulary(self) -> Sequence[int]:
        return action_space.vocabulary(self.constants_record[0])

    def action_parts(self, position: View, action: int) -> Sequence[str]:
        return view.action_parts(position.record, self.constants_record[0], action)

    def action_path(self, position: View, action: int) -> Sequence[str]:
        return picture.action_path(action)

    def events(self, before: View, after: View) -> list[str]:
        viewer = before.viewer
        return changes.events(
            before.record, after.record, self.constants_record[0], viewer, before.to_move == viewer
        )

    def player_name(self, player: int) -> str:
        return SIDES[player]


def _armies(terrain: tbsmap.Map) -> list[int]:
    return [sum(unit.side == side for unit in terrain.units) for side in range(2)]


def _most_actions(terrain: tbsmap.Map) -> int:
    """Return an upper bound on the number of legal actions.

    The bound assumes that no unit blocks another, and that every unit can attack every enemy from
    all four sides.
    """
    cells, armies = terrain.width * terrain.height, _armies(terrain)
    most = [0, 0]
    for unit in terrain.units:
        moves = KINDS[unit.kind].moves
        most[unit.side] += min(cells, 2 * moves * (moves + 1) + 1) + 4 * armies[1 - unit.side]
    return max(most) + 1
