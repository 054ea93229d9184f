"""The memory of a search within a turn: `TurnWork` extends `Work` for playing plies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less, refuse_other
from plyglass.core.state import Bytes, new_states
from plyglass.search.clock import Clock
from plyglass.search.mcts.workspace import Work, Workspace
from plyglass.search.turn_tree.plies import policy_of
from plyglass.search.values import evaluator_of, span_of

Backup = Literal["max", "mean"]
Choice = Literal["value", "visits"]
Scale = Literal["range", "raw"]


@dataclass(frozen=True)
class TurnTree:
    """The parameters of growing the tree of a turn.

    Attributes:
        backup: the value of a position: "max" takes the value of the best plan, "mean" takes the
            mean of all plans tried.
        action_tree: whether an action is chosen by kind, then source, then target.
        transpositions: whether action orders that lead to the same view are merged.
        paired: whether the n-th try of every action at the root has the same world and chance.
        resample: the number of iterations that share a world.
        most_nodes: the size limit of the tree; a node takes 48 bytes. The search of a decision ends
            when the tree is full.
    """

    backup: Backup = "max"
    action_tree: bool = False
    transpositions: bool = True
    paired: bool = True
    resample: int = 1
    most_nodes: int = 1_000_000

    name: ClassVar[str] = "tree"

    def __post_init__(self) -> None:
        refuse_other("backup", self.backup, get_args(Backup))
        refuse_less("resample", self.resample, 1)


USUAL_TREE = TurnTree()


@dataclass(frozen=True)
class TurnOptions:
    """The parameters of searching turns.

    Attributes:
        exploration: the weight of the confidence bound.
        rollout: how a turn is played to its end: "random", "greedy", or a policy of the game.
        tries: the number of times that a ply is played to its end; the rollout continues from the
            best result.
        plies: the number of plies that a rollout plays to the end; 1 is the current turn.
        epsilon: the probability of a random action in a greedy rollout.
        evaluator: the evaluator that judges positions.
        scale: the scale of confidence bounds: "range" uses the range of values, "raw" uses 1.
        closes: whether to stop trying a plan once its value is certain.
        tree: the parameters of growing the tree.
    """

    exploration: float = 1.0
    rollout: str = "random"
    tries: int = 1
    plies: int = 1
    epsilon: float = 0.0
    evaluator: str = ""
    scale: Scale = "range"
    closes: bool = True
    tree: TurnTree = USUAL_TREE

    def __post_init__(self) -> None:
        refuse_other("scale", self.scale, get_args(Scale))
        refuse_less("tries", self.tries, 1)
        refuse_less("plies", self.plies, 1)


# Begins with all fields of `Work`, so kernels for `Work` also work with `TurnWork`.
TurnWork = np.dtype(
    [
        *[(name, Work[name]) for name in Work.names or ()],
        ("mover", np.int64),  # the player whose turn is searched
        ("evaluator", np.int64),  # address, or BY_SCORE
        ("evaluated", np.int64),  # positions judged so far
        ("lowest", np.float64),  # the lowest value seen so far
        ("highest", np.float64),  # the highest value seen so far
        ("fixed_span", np.float64),  # scale of confidence bounds; 0 for the range seen so far
        # How a turn is played to its end
        ("clock", np.int64),  # address of the search's clock
        ("policy", np.int64),  # RANDOM, GREEDY or BY_POLICY
        ("policy_address", np.int64),  # address of the game's policy, or 0
        ("epsilon", np.float64),  # how often a greedy policy plays at random
        ("tries", np.int64),  # tries of each ply; play continues from the best result
        ("plan", np.int64),  # address of the actions of the iteration so far
        ("plan_length", np.int64),
        # Worlds
        ("worlds", np.int64),  # address of the worlds to choose from
        ("most_worlds", np.int64),
        ("resample", np.int64),  # iterations that share a world
        ("luck", np.uint64),  # the seed from which each iteration derives its chance
        ("number", np.int64),  # the number of the iteration's world and chance
        # The tree
        ("used", np.int64),  # nodes in use
        ("length", np.int64),  # the length of the iteration's path
        ("top", np.int64),  # the node of the position that is searched
        ("plies", np.int64),  # plies of the mover to search through
        ("beyond", np.int64),  # further plies that are played before the end is judged
        ("closes", np.int64),  # whether plans with a certain value are not tried again
        ("backs_up_max", np.int64),
        ("action_tree", np.int64),
        ("transpositions", np.int64),
        ("paired", np.int64),
        ("script", np.int64),  # actions of the plan to follow; 0 follows the confidence bounds
        # Addresses of memory for one state each
        ("room", np.int64),
        ("trial", np.int64),
        ("kept", np.int64),
        ("before", np.int64),
        ("best_end", np.int64),
    ],
    align=True,
)
ROOMS = ("room", "trial", "kept", "before", "best_end")


class TurnSpace(Workspace):
    """The owner of the memory that `TurnWork` points to."""

    def __init__(self, game: Game, seed: int, options: TurnOptions, clock: Clock) -> None:
        super().__init__(game, seed, options.exploration, "raw")
        plain, self.work = self.work, np.zeros(1, TurnWork).view(np.recarray)
        for name in Work.names or ():
            self.work[name] = plain[name]
        self._rooms: Bytes = new_states(len(ROOMS), game.state)
        self._plan = np.zeros(game.most_steps + 1, np.int64)
        work = self.work[0]
        for room, name in zip(self._rooms, ROOMS, strict=True):
            setattr(work, name, room.ctypes.data)
        work.plan = self._plan.ctypes.data
        self._clock = clock  # kept alive: the kernels have its address
        work.clock = clock.search
        self._set_options(game, options)

    def follow(self, plan: tuple[int, ...]) -> None:
        """Let the next iterations follow a plan, or the confidence bounds if the plan is empty."""
        self._plan[: len(plan)] = plan
        self.work[0].script = len(plan)

    def _set_options(self, game: Game, options: TurnOptions) -> None:
        work: Any = self.work[0]
        work.evaluator = evaluator_of(game, options.evaluator)
        work.fixed_span = span_of(game, int(work.evaluator), options.scale)
        work.lowest, work.highest = np.inf, -np.inf
        work.policy, work.policy_address = policy_of(game, options.rollout)
        work.tries, work.epsilon = options.tries, options.epsilon
        work.plies, work.beyond = 1, options.plies - 1
        tree = options.tree
        work.backs_up_max, work.action_tree = tree.backup == "max", tree.action_tree
        work.transpositions, work.paired = tree.transpositions, tree.paired
        work.resample = tree.resample
