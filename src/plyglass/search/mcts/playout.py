"""Playouts simulate the game from a new leaf to find the value of the iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyglass.core.compile import kernel
from plyglass.core.luck import below
from plyglass.core.memory import read_action
from plyglass.core.verbs import choose, legal, playout, prefer, score, step
from plyglass.search.values import judge


@dataclass(frozen=True)
class Playout:
    """The parameters of playouts: the policy, the length, and the evaluator at the end.

    Attributes:
        policy: the policy of the game that every player follows; "" means uniformly random play.
        turns: the number of turns after which a playout is cut off, the current one included; 0
            plays to the end. A turn is over when another player is to move.
        evaluator: the evaluator that judges a playout that is cut off, with values in the range of
            the scores; "" is the game's first evaluator.
        at_leaf: whether the evaluator judges the leaf itself, without a playout.
    """

    policy: str = ""
    turns: int = 0
    evaluator: str = ""
    at_leaf: bool = False

    name: ClassVar[str] = "playout"

    def __post_init__(self) -> None:
        if self.turns < 0:
            raise ValueError(
                f"A playout of turns={self.turns} is not possible; give 1 or more, or 0 to play to "
                "the end."
            )
        if self.at_leaf and (self.turns or self.policy):
            raise ValueError(
                "at_leaf=True judges the leaf, and nothing is played; leave out turns and policy, "
                "or at_leaf."
            )
        if self.evaluator and not self.is_cut:
            raise ValueError(
                f"evaluator={self.evaluator} judges a playout that is cut off, and this playout "
                "goes to the end; give a number of turns or at_leaf, or leave out the evaluator."
            )

    @property
    def is_cut(self) -> bool:
        """Whether an evaluator judges the position where the playout ends."""
        return self.turns > 0 or self.at_leaf


TO_THE_END = Playout()
AT_LEAF = -1  # in place of a number of turns: nothing is played


@kernel
def judge_by_playout(table, work, player, made):
    """Write the value of the iteration for each player to `work.values`.

    The values are scaled, unless the game discounts rewards. In such a game, the backup scales the
    values. If playouts are cut off after some turns, `made` of these turns have been played
    already.
    """
    if work.discount != 1.0:
        play_on(table, work, player, work.most_steps, False)
    elif work.playout_policy == 0 and work.playout_turns == 0:
        play_to_end(table, work, player)
    else:
        turns = work.playout_turns - made if work.playout_turns != 0 else work.most_steps
        play_turns(table, work, player, turns)


@kernel
def play_to_end(table, work, player):
    """Play at random to the end; the values are the scaled final scores of the players."""
    playout(table, work.world, player, work.actions, work.stream, work.most_steps)
    for each in range(work.players):
        work.values[each] = (score(table, work.world, each) - work.low) / work.span


@kernel
def play_turns(table, work, player, turns):
    """Play `turns` turns at random or by a policy; then judge the position and scale the values.

    If `turns` is not positive, nothing is played. The score judges a finished game, and the
    evaluator judges any other position.
    """
    steps = 0
    while player >= 0 and turns > 0 and steps < work.most_steps:
        if work.playout_policy != 0:
            action = choose(table, work.world, work.stream, work.playout_policy)
        else:
            action = read_action(
                work.actions, below(work.stream, legal(table, work.world, work.actions))
            )
        mover = player
        player = step(table, work.world, mover, action)
        turns -= player != mover
        steps += 1
    for each in range(work.players):
        value = (
            score(table, work.world, each)
            if player < 0
            else judge(table, work.world, each, work.playout_evaluator)
        )
        work.values[each] = (value - work.low) / work.span


@kernel
def play_on(table, work, player, limit, preferred):
    """Play at most `limit` random actions, among all legal actions or the preferred ones.

    Each value is the discounted sum of the player's later rewards, not scaled. A reward is a
    difference of scores. The sum is rearranged into a weighted sum of scores, so each score is
    computed only once per action.
    """
    for each in range(work.players):
        work.values[each] = -score(table, work.world, each)
    weight = 1.0
    steps = 0
    while player >= 0 and steps < limit:
        count = (
            prefer(table, work.world, work.actions)
            if preferred
            else legal(table, work.world, work.actions)
        )
        player = step(
            table, work.world, player, read_action(work.actions, below(work.stream, count))
        )
        after = weight * work.discount
        if work.discount < 1.0:
            for each in range(work.players):
                work.values[each] += (weight - after) * score(table, work.world, each)
        weight = after
        steps += 1
    for each in range(work.players):
        work.values[each] += weight * score(table, work.world, each)
