"""RockSample: a rover with a noisy sensor picks the good rocks and leaves to the east."""

from collections.abc import Sequence
from typing import ClassVar

from plyglass.core import Game, View, pack, unpack
from plyglass.core.scene import Imagined, Scene
from plyglass.games.rocksample import policies, rules, view
from plyglass.games.rocksample.layout import layout

HALF_EFFICIENCY_DISTANCE = 20.0


class RockSample(Game):
    """A rover with a noisy sensor picks the good rocks and leaves to the east.

    Args:
        size: the grid has size x size cells.
        rocks: number of rocks.
        layout_seed: random seed of the layout. By default, the layout is the published one for
            `size` and `rocks`, or the random layout of seed 0 if none was published.
        steps: greatest number of actions in a game.
        discount: discount of rewards per step.
    """

    name = "rocksample"
    state = rules.State
    constants = rules.Constants
    rules = (
        rules.start, rules.to_move, rules.legal, rules.apply, rules.score, rules.hide,
        rules.imagine, policies.prefer, rules.perturb,
    )  # fmt: skip
    easier: ClassVar = {
        "easy": "random",
        "medium": "pomcp:iterations=512,particles=512,prior=prior(actions=preferred)",
    }
    opponent = "pomcp:iterations=4096,particles=4096,prior=prior(actions=preferred)"

    def __init__(
        self,
        size: int = 7,
        rocks: int = 8,
        layout_seed: int | None = None,
        steps: int = 90,
        discount: float = 0.95,
    ) -> None:
        if not 1 <= size <= rules.MOST_SIZE:
            raise ValueError(f"RockSample has a side from 1 to {rules.MOST_SIZE}, not {size}.")
        if not 0 <= rocks <= min(rules.MOST_ROCKS, size * size):
            raise ValueError(
                f"RockSample of size {size} has at most {min(rules.MOST_ROCKS, size * size)} "
                f"rocks, not {rocks}."
            )
        self.size = size
        self.places = layout(size, rocks, layout_seed)
        unused = (0,) * (rules.MOST_ROCKS - rocks)
        super().__init__(
            players=1,
            most_actions=5 + rocks,
            most_steps=steps,
            scores=(-10.0 * rocks, 10.0 * rocks + 10.0),
            rewards=(-10.0, 10.0),
            discount=discount,
            constants={
                "sensor": [_sensor(squared) for squared in range(rules.FARTHEST + 1)],
                "size": size,
                "rocks": rocks,
                "steps": steps,
                "x": (*(x for x, _ in self.places), *unused),
                "y": (*(y for _, y in self.places), *unused),
            },
        )

    def limits(self) -> dict[str, tuple[float, float]]:
        steps = self.parameters["steps"]
        return {
            "odds": (0, 1),
            "readings": (0, steps),
            "reward": self.scores,
            "steps": (0, steps),
            "value": (rules.UNKNOWN, rules.GOOD),
            "collected": (0, 1),
            "x": (0, self.size),  # the rover is at `size`, east of the grid, once it has left
            "y": (0, self.size - 1),
        }

    def text(self, position: View) -> str:
        return view.text(position.record, self.size, self.places)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, self.size, self.places, imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return view.action_path(position.record, self.size, self.places, action)

    def vocabulary(self) -> Sequence[int]:
        rocks = range(self.parameters["rocks"])
        moves = [pack(rules.MOVE, 0, direction) for direction in range(4)]
        checks = [pack(rules.CHECK, 0, rock) for rock in rocks]
        return sorted([*moves, *([pack(rules.SAMPLE, 0, 0)] if rocks else []), *checks])

    def action_name(self, action: int) -> str:
        kind, _, target = unpack(action)
        if kind == rules.CHECK:
            return f"check {view.rock_name(target)}"
        return "sample" if kind == rules.SAMPLE else ("north", "east", "south", "west")[target]

    def player_name(self, player: int) -> str:
        return "rover"


def _sensor(squared_distance: int) -> tuple[float, float]:
    """Return the probabilities that a reading is right and wrong, at a given squared distance."""
    right = (1.0 + 2.0 ** (-(squared_distance**0.5) / HALF_EFFICIENCY_DISTANCE)) / 2.0
    return right, 1.0 - right
