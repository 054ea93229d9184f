"""The memory that a search within turns works in: `Work`, and what is needed to play plies and
to judge their ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.core.state import Bytes, rows
from plyglass.search.mcts.workspace import Work, Workspace
from plyglass.search.turn_tree.plies import policy_of
from plyglass.search.values import evaluator_of, span_of

Backup = Literal["max", "mean"]
Choice = Literal["value", "visits"]
Scale = Literal["range", "raw"]

# Begins with all fields of `Work`, so that what was compiled for that serves here, too.
TurnWork = np.dtype(
    [
        *[(name, Work[name]) for name in Work.names or ()],
        ("mover", np.int64),  # whose turn is searched
        ("evaluator", np.int64),  # address, or 0 for the score
        ("evaluated", np.int64),  # positions judged so far
        ("lowest", np.float64),  # of the values seen so far
        ("highest", np.float64),
        (
            "fixed_span",
            np.float64,
        ),  # what confidence bounds are measured by; 0 for the range seen so far
        # how a turn is played to its end
        ("policy", np.int64),
        ("policy_address", np.int64),
        ("epsilon", np.float64),  # how often a greedy policy plays at random
        ("tries", np.int64),  # of each ply, the best of which is gone on from
        ("plan", np.int64),  # address of the actions of the iteration so far
        ("plan_length", np.int64),
        # worlds
        ("worlds", np.int64),  # address of the worlds to choose from
        ("most_worlds", np.int64),
        ("resample", np.int64),  # iterations that share a world
        ("luck", np.uint64),  # the seed of the luck of all iterations
        ("number", np.int64),  # which world and luck the iteration has
        # the tree
        ("top", np.int64),  # the node of the position that is searched
        ("plies", np.int64),  # own plies to look through
        ("beyond", np.int64),  # plies that are played on after those before the end is judged
        ("closes", np.int64),  # whether what is known for certain is left alone
        ("backs_up_max", np.int64),
        ("action_tree", np.int64),
        ("transpositions", np.int64),
        ("paired", np.int64),
        (
            "script",
            np.int64,
        ),  # length of the plan that the iteration follows; 0 to follow the confidence bounds
        # addresses of room for a state
        ("room", np.int64),
        ("trial", np.int64),
        ("kept", np.int64),
        ("before", np.int64),
        ("best_end", np.int64),
    ],
    align=True,
)
ROOMS = ("room", "trial", "kept", "before", "best_end")


@dataclass(frozen=True)
class TurnOptions:
    """How turns are searched; `OnePlyMCTS` says what each option means."""

    exploration: float = 1.0
    backup: Backup = "max"
    rollout: str = "random"
    tries: int = 1
    plies: int = 1
    epsilon: float = 0.0
    action_tree: bool = False
    transpositions: bool = True
    paired: bool = True
    resample: int = 1
    evaluator: str = ""
    scale: Scale = "range"
    closes: bool = True
    most_nodes: int = 1_000_000

    def __post_init__(self) -> None:
        refuse_other("backup", self.backup, get_args(Backup))
        refuse_other("scale", self.scale, get_args(Scale))
        refuse_less("tries", self.tries, 1)
        refuse_less("plies", self.plies, 1)
        refuse_less("resample", self.resample, 1)


def refuse_less(parameter: str, value: int, least: int) -> None:
    """Refuse a number that is too small."""
    if value < least:
        raise ValueError(f"{parameter} is at least {least}; it cannot be {value}.")


class TurnSpace(Workspace):
    """Owns the memory that `TurnWork` points to."""

    def __init__(self, game: Game, seed: int, options: TurnOptions) -> None:
        super().__init__(game, seed, options.exploration, "raw")
        plain, self.work = self.work, np.zeros(1, TurnWork).view(np.recarray)
        for name in Work.names or ():
            self.work[name] = plain[name]
        self._rooms: Bytes = rows(len(ROOMS), game.state)
        self._plan = np.zeros(game.most_steps + 1, np.int64)
        work = self.work[0]
        for room, name in zip(self._rooms, ROOMS, strict=True):
            setattr(work, name, room.ctypes.data)
        work.plan = self._plan.ctypes.data
        self._set_options(game, options)

    def follow(self, plan: tuple[int, ...]) -> None:
        """Let the next iteration follow a plan, or the confidence bounds if it is empty."""
        self._plan[: len(plan)] = plan
        self.work[0].script = len(plan)

    def _set_options(self, game: Game, options: TurnOptions) -> None:
        work: Any = self.work[0]
        work.evaluator = evaluator_of(game, options.evaluator)
        work.fixed_span = span_of(game, int(work.evaluator), options.scale)
        work.policy, work.policy_address = policy_of(game, options.rollout)
        work.tries, work.epsilon, work.resample, work.plies = (
            options.tries,
            options.epsilon,
            options.resample,
            1,
        )
        work.beyond = options.plies - 1
        work.backs_up_max = options.backup == "max"
        work.action_tree, work.transpositions, work.paired = (
            options.action_tree,
            options.transpositions,
            options.paired,
        )
        work.lowest, work.highest = np.inf, -np.inf
