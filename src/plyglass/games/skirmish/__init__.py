"""Skirmish: two small armies with random damage, turns of many actions, and optional fog."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from plyglass.core import Game, View, pack, unpack
from plyglass.core.board import Board, Things
from plyglass.core.scene import Imagined, Scene
from plyglass.games.skirmish import evaluate, features, policies, rules, view

STEPS, REACH = (1, 1, 2), (1, 2, 1)  # most steps to move and to attack, by kind of unit
BLOWS = ((0, 2, 1), (1, 2, 0), (1, 1, 1))  # weights of 0, 1 and 2 damage, for each kind of unit
MOVES = (4, 4, 12)  # most cells to which each kind of unit can move


class Skirmish(Game):
    """Two small armies; every unit may move and attack once per turn.

    Args:
        size: the board has size x size cells.
        units: number of units in an army.
        health: health of a unit at the start.
        turns: number of turns, both sides counted together.
        fog: whether units out of sight are hidden.
        sight: how far a unit sees in fog, in steps.
    """

    name = "skirmish"
    opponent = "uct:seconds=0.5"
    audited = "fog=true"
    state = rules.State
    constants = rules.Constants
    rules = (
        *(
            rules.start,
            rules.to_move,
            rules.legal,
            rules.apply,
            rules.score,
            rules.hide,
            rules.imagine,
        ),
        *(policies.represent, features.features),
    )
    evaluators: ClassVar = {"material": evaluate.material}
    policies: ClassVar = {"attack-first": policies.attack_first}
    exact_imagine = False
    easier: ClassVar = {
        "beginner": "random",
        "easy": "uct:iterations=20",
        "medium": "uct:iterations=100",
    }

    def __init__(
        self,
        size: int = 4,
        units: int = 3,
        health: int = 3,
        turns: int = 24,
        fog: bool = False,
        sight: int = 1,
    ) -> None:
        _refuse_odd_sizes(size, units, health, turns, sight)
        super().__init__(
            players=2,
            most_actions=sum(MOVES[:units]) + units * units + 1,
            most_steps=turns * (2 * units + 1),
            scores=(-1.0, 1.0),
            most_features=features.COUNT,
            constants={
                "size": size,
                "units": units,
                "health": health,
                "turns": turns,
                "sight": sight if fog else 2 * size,
                "steps": STEPS,
                "reach": REACH,
                "blow": BLOWS,
                "distance": _distances(size),
            },
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        return {
            "cell": (rules.UNSEEN, self.parameters["size"] ** 2 - 1),
            "health": (0, self.parameters["health"]),
            "moved": (0, 1),
            "attacked": (0, 1),
            "turn": (0, self.parameters["turns"]),
            "over": (0, 1),
        }

    def text(self, position: View) -> str:
        return view.text(position.record, self.constants_record[0], position.viewer)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, self.constants_record[0], position.viewer, imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        size = self.parameters["size"]
        return view.action_path(position.record, size, position.viewer, action)

    def board(self) -> Board:
        return Board(
            self.parameters["size"],
            self.parameters["size"],
            things=(Things("cell", ("health", "moved", "attacked"), apart=True),),
        )

    def vocabulary(self) -> Sequence[int]:
        units, cells = range(self.parameters["units"]), range(self.parameters["size"] ** 2)
        moves = [pack(rules.MOVE, unit, cell) for unit in units for cell in cells]
        attacks = [pack(rules.ATTACK, unit, enemy) for unit in units for enemy in units]
        return sorted([pack(rules.END, 0, 0), *moves, *attacks])

    def action_name(self, action: int) -> str:
        kind, unit, target = unpack(action)
        if kind == rules.MOVE:
            return f"{view.NAMES[unit]} moves to {view.cell_name(target, self.parameters['size'])}"
        return (
            f"{view.NAMES[unit]} attacks {view.NAMES[target]}"
            if kind == rules.ATTACK
            else "end turn"
        )

    def player_name(self, player: int) -> str:
        return view.SIDES[player]


def _refuse_odd_sizes(size: int, units: int, health: int, turns: int, sight: int) -> None:
    if not 3 <= size <= rules.MOST_SIZE:
        raise ValueError(f"A skirmish needs a board of size 3 to {rules.MOST_SIZE}, not {size}.")
    if not 1 <= units <= rules.KINDS:
        raise ValueError(f"An army has 1 to {rules.KINDS} units, not {units}.")
    if not 1 <= health <= 40 or not 1 <= turns <= 10_000:
        raise ValueError(
            f"Health is 1 to 40 and turns 1 to 10000; {health} and {turns} were given."
        )
    if sight < 1:
        raise ValueError("Units see at least the cells next to them: sight must be 1 or more.")


def _distances(size: int) -> npt.NDArray[np.int8]:
    """Return the steps between every two cells, padded to the size of the largest board."""
    y, x = np.divmod(np.arange(size * size), size)
    table = np.zeros((rules.MOST_CELLS, rules.MOST_CELLS), np.int8)
    table[: size * size, : size * size] = abs(y[:, None] - y) + abs(x[:, None] - x)
    return table
