"""Battleship: fire at a hidden fleet of ships that do not touch, with as few shots as you can."""

from typing import ClassVar

from plyglass.core import Game, View
from plyglass.core.board import Board
from plyglass.core.scene import Imagined, Scene
from plyglass.games.battleship import rules, view
from plyglass.games.battleship.state import MOST_LENGTH, MOST_SIZE, Constants, State

# The smallest `size` of the sea, by the length of the longest ship. In a smaller sea, the ships
# that are placed first may leave no room for the last ship.
SMALLEST_SIZE = {2: 2, 3: 4, 4: 6, 5: 7, 6: 9}


class Battleship(Game):
    """Fire at a hidden fleet of ships that do not touch, with as few shots as you can.

    Args:
        size: the sea has size x size cells.
        longest: number of cells of the longest ship. The fleet has one ship of each length from 2
            to `longest`.
    """

    name = "battleship"
    state = State
    constants = Constants
    rules = (
        rules.start,
        rules.to_move,
        rules.legal,
        rules.apply,
        rules.score,
        rules.hide,
        rules.imagine,
    )
    exact_imagine = False  # if many fleets are possible, `imagine` draws from a sample of eight
    sets: ClassVar = {"fleet": MOST_SIZE, "shots": MOST_SIZE}
    easier: ClassVar = {
        "easy": "random",
        "medium": "pomcp:iterations=64,particles=64,prior=prior(actions=legal),exploration=0.25",
    }
    opponent = "pomcp:iterations=1024,particles=1024,prior=prior(actions=legal),exploration=0.25"

    def __init__(self, size: int = 10, longest: int = 6) -> None:
        if longest not in SMALLEST_SIZE:
            raise ValueError(
                f"The longest ship of Battleship has 2 to {MOST_LENGTH} cells, not {longest}."
            )
        if not SMALLEST_SIZE[longest] <= size <= MOST_SIZE:
            limits = f"from {SMALLEST_SIZE[longest]} to {MOST_SIZE}"
            raise ValueError(
                f"If the longest ship has {longest} cells, the size of the sea must be {limits}, "
                f"not {size}."
            )
        self.size, cells = size, size * size
        super().__init__(
            players=1,
            most_actions=cells,
            most_steps=cells,
            scores=(-float(cells), float(cells)),
            rewards=(-1.0, cells - 1.0),
            constants={"size": size, "longest": longest},
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        row, cells = (1 << self.size) - 1, self.size * self.size
        return {"fleet": (0, row), "shots": (0, row), "fired": (0, cells), "left": (0, cells)}

    def text(self, position: View) -> str:
        return view.text(position.record, self.size)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, self.size, imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return (view.cell_name(action, self.size),)

    def board(self) -> Board:
        return Board(self.size, self.size, lines=("fleet", "shots"))

    def action_name(self, action: int) -> str:
        return view.cell_name(action, self.size)

    def player_name(self, player: int) -> str:
        return "gunner"
