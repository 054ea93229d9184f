"""What an iteration was worth, found by playing on from where the tree ends."""

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
    """How a search plays on from a new leaf, and who judges where that ends.

    Attributes:
        policy: the policy of the game by which everybody plays; "" is to choose among all actions
            alike.
        turns: after how many turns a playout is cut off, the one that it begins in among them; 0 is
            to play to the end. A turn is over when somebody else is to move.
        evaluator: who judges a playout that is cut off, by values in the range of the scores; "" is
            the game's first evaluator.
    """

    policy: str = ""
    turns: int = 0
    evaluator: str = ""

    name: ClassVar[str] = "playout"

    def __post_init__(self) -> None:
        if self.turns < 0:
            raise ValueError(
                f"A playout has 1 turn or more, or 0 to go to the end; {self.turns} were given."
            )
        if self.evaluator and not self.turns:
            raise ValueError(
                "Only a playout that is cut off needs an evaluator: give the playout a number of "
                "turns, or leave it out."
            )


TO_THE_END = Playout()


@kernel
def judge_by_playout(table, work, player, made):
    """What the iteration is worth to each player, by playing on; scaled, or where the game
    discounts, not yet.

    Of the turns after which a playout is cut off, `made` lie behind.
    """
    if work.discount != 1.0:
        play_on(table, work, player, work.most_steps, False)
    elif work.playout_policy == 0 and work.playout_turns == 0:
        play_to_end(table, work, player)
    else:
        play_turns(
            table,
            work,
            player,
            work.playout_turns - made if work.playout_turns > 0 else work.most_steps,
        )


@kernel
def play_to_end(table, work, player):
    """Play on at random; the value of each player is his final score, scaled."""
    playout(table, work.world, player, work.actions, work.stream, work.most_steps)
    for each in range(work.players):
        work.values[each] = (score(table, work.world, each) - work.low) / work.span


@kernel
def play_turns(table, work, player, turns):
    """Play so many turns, by a policy if there is one; the value of each player is his score or
    what the evaluator says, scaled.
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
    """Play on for `limit` actions at most, at random among all or among the preferred ones.

    The value of each player is the discounted sum of what he earns from here on, not scaled. It is
    added up by what each score counts until the next action, so that scores are asked for once a
    step.
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
