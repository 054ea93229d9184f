"""Navy Defense: protect cargo ships on fixed routes from submarines that only sonar shows."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from plyglass.core import Game, View, unpack
from plyglass.core.board import Board, Things
from plyglass.core.refusals import refuse_other
from plyglass.core.scene import Imagined, Scene
from plyglass.games.navy import changes, evaluate, policies, rules, sea, view
from plyglass.games.navy.state import (
    FREE,
    MIXED,
    MOST_CARGO,
    MOST_SIZE,
    MOST_SUBMARINES,
    NONE,
    NOWHERE,
    STICKY,
    Constants,
    Setup,
    State,
)

MODELS = {"free": FREE, "sticky": STICKY, "mixed": MIXED}
ACTIONS = ("stay", "north", "east", "south", "west")


class Navy(Game):
    """A Navy ship protects cargo ships on fixed routes from submarines that it does not see.

    Args:
        size: the sea has size x size cells.
        cargo: number of cargo ships.
        fewest, most: least and greatest number of submarines.
        steps: number of steps in a run.
        submarines: how a submarine chooses a cargo ship. "free" is the true rule of McKenney 2023a:
            the ship that it can meet soonest. "sticky" is the rule that the paper's agents assume:
            a random ship, until this ship is lost. "mixed" is "free" or "sticky", as chance decides
            at the start, and the player does not know which.
        intercept: where a submarine goes: to a cell within "reach" of the ship's cell, or to the
            ship's "cell" itself.
        strike: which cells a submarine attacks: any cell that it can "reach", or its own "cell".
        harm: for the evaluator "threat", the expected cost that one submarine causes to one cargo
            ship, given endless time.
    """

    name = "navy"
    state = State
    constants = Constants
    setup = Setup
    rules = (
        rules.start,
        rules.to_move,
        rules.legal,
        rules.apply,
        rules.score,
        rules.hide,
        rules.imagine,
    )
    evaluators: ClassVar = {"threat": evaluate.threat}
    policies: ClassVar = {
        "static": policies.static,
        "patrol-clockwise": policies.patrol_clockwise,
        "patrol-counterclockwise": policies.patrol_counterclockwise,
        "reactive-clockwise": policies.reactive_clockwise,
        "reactive-counterclockwise": policies.reactive_counterclockwise,
    }
    exact_imagine = False
    easier: ClassVar = {"easy": "random", "medium": "policy:policy=reactive-clockwise"}
    opponent = (
        "hindsight:worlds=60,horizon=5,costs=true,iterations=1000000,belief=particles(worlds=3000),"
        "model=game(submarines=mixed,fewest=0)"
    )

    def __init__(
        self,
        size: int = 7,
        cargo: int = 4,
        fewest: int = 1,
        most: int = 3,
        steps: int = 30,
        submarines: Literal["free", "sticky", "mixed"] = "free",
        intercept: Literal["reach", "cell"] = "reach",
        strike: Literal["reach", "cell"] = "reach",
        harm: float = 15.0,
    ) -> None:
        _refuse_odd_seas(size, cargo, fewest, most, steps)
        refuse_other("submarines", submarines, tuple(MODELS))
        refuse_other("intercept", intercept, ("reach", "cell"))
        refuse_other("strike", strike, ("reach", "cell"))
        super().__init__(
            players=1,
            most_actions=5,
            most_steps=steps,
            scores=(
                -float(
                    steps
                    + rules.NAVY_HIT
                    + rules.NAVY_LOST
                    + cargo * (rules.CARGO_HIT + rules.CARGO_LOST)
                ),
                0.0,
            ),
            constants={
                "size": size,
                "cargo": cargo,
                "fewest": fewest,
                "most": most,
                "steps": steps,
                "submarines": MODELS[submarines],
                "into_reach": intercept == "reach",
                "strikes_far": strike == "reach",
                "harm": harm,
                "route": sea.routes(size),
                "beside": sea.neighbours(size),
            },
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        cell, ship = (0, NOWHERE), (0, NONE)
        return {
            "step": (0, self.parameters["steps"]),
            "navy": cell,
            "alarm": ship,
            "heading": (-1, 4),
            "sunk": (0, MOST_SUBMARINES),
            "sticky": (0, 1),
            "cargo": cell,
            "clockwise": (0, 1),
            "submarine": cell,
            "target": ship,
            "attacked": cell,
        }

    def default_setup(self) -> Mapping[str, Any]:
        return self.scenario()

    def scenario(
        self,
        navy: tuple[int, int] | None = None,
        cargo: tuple[tuple[int, int, bool], ...] = (),
        submarines: tuple[tuple[int, int], ...] | None = None,
    ) -> Mapping[str, Any]:
        """Return a setup for `start` with given vessels; chance decides everything else.

        The Navy ship and the submarines are given as (row, column), and cargo ships as (row,
        column, whether they sail clockwise).
        """
        ships, boats = (
            np.full(MOST_CARGO, NOWHERE),
            np.full(MOST_SUBMARINES, NOWHERE),
        )
        ways = np.full(MOST_CARGO, -1)
        for ship, (row, column, clockwise) in enumerate(cargo):
            ships[ship], ways[ship] = 16 * row + column, clockwise
        for boat, (row, column) in enumerate(submarines or ()):
            boats[boat] = 16 * row + column
        return {
            "navy": NOWHERE if navy is None else 16 * navy[0] + navy[1],
            "cargo": ships,
            "clockwise": ways,
            "submarines": -1 if submarines is None else len(submarines),
            "submarine": boats,
        }

    def text(self, position: View) -> str:
        return view.text(position.record, self.constants_record[0])

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, self.constants_record[0], imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return view.action_path(position.record, self.constants_record[0], action)

    def events(self, before: View, after: View) -> list[str]:
        return changes.events(before.record, after.record, self.constants_record[0])

    def board(self) -> Board:
        return Board(
            self.parameters["size"],
            self.parameters["size"],
            stride=16,
            things=(
                Things("navy", ("navy_health",), apart=True),
                Things("cargo", ("cargo_health", "clockwise")),
                Things("submarine", ("submarine_health",)),
                Things("attacked"),
            ),
        )

    def action_name(self, action: int) -> str:
        return ACTIONS[unpack(action)[2]]

    def player_name(self, player: int) -> str:
        return "captain"


def _refuse_odd_seas(size: int, cargo: int, fewest: int, most: int, steps: int) -> None:
    if not 4 <= size <= MOST_SIZE:
        raise ValueError(f"Navy Defense has a sea of size 4 to {MOST_SIZE}, not {size}.")
    if not 1 <= cargo <= MOST_CARGO:
        raise ValueError(f"There are 1 to {MOST_CARGO} cargo ships, not {cargo}.")
    if not 0 <= fewest <= most <= MOST_SUBMARINES or most < 1:
        raise ValueError(
            f"There can be up to {MOST_SUBMARINES} submarines, from fewest to most; {fewest} "
            f"to {most} were given."
        )
    if not 1 <= steps <= 10_000:
        raise ValueError(f"A run has 1 to 10000 steps, not {steps}.")
