"""The simulation of a plan: play the plan and some more turns in a world, and judge the result.

    simulate_plan:  for each world:
                        play the plan as far as it is legal; finish the turn by the evaluator
                        make `turns` more turns, each the best by the evaluator
                        judge the position for the seat

Each turn after the plan is the best of all turns (`find_best`), or the best of a few kept answers.
An answer is a turn that was the best after this plan in an earlier world. The best turn after a
plan depends little on chance, so the same few answers are often best. In the first worlds, all
turns are searched. In the other worlds, only the answers are tried, so many more worlds fit into
the same time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import mix
from plyglass.core.memory import address_of, read_action, write_word
from plyglass.core.refusals import refuse_less, refuse_other
from plyglass.core.table import AFTER, POSTPONED, SURE
from plyglass.core.verbs import after, copy_state, legal, step, to_move
from plyglass.search.clock import is_stopped, late
from plyglass.search.mcts.playout import TO_THE_END, Playout, judge_by_playout
from plyglass.search.mcts.tree import listed
from plyglass.search.turn_results.best_turn import find_best, make_turn, take
from plyglass.search.turn_results.results import address, is_same_plan, ply_of, write_plan
from plyglass.search.turn_results.workspace import INSIDE, borrow_memory
from plyglass.search.values import judge


@dataclass(frozen=True)
class Simulation:
    """The parameters of simulating a plan: how later turns are played and judged.

    Attributes:
        judged: what judges a plan. "evaluator" judges the position after the given number of turns.
            "playouts" start right after the plan, and follow a policy instead of the best turns. A
            playout takes less time, but is less informative.
        playout: the parameters of playouts. The plan's own turn counts as the first turn of a
            playout.
        answers: the number of answers (the best turns after a plan) that are kept from the first
            worlds of a round. The other worlds try only these answers. With 0, all turns are
            searched in every world. `answers` needs the rule `after`, and helps if a turn has many
            results.
        replies: the width of the beam for the turns that follow a plan. This beam ranks positions
            as they are, without completing the turn. With 0, these turns are enumerated like the
            plan's own turn.
        idle: whether the planning player skips its turns after the plan, so its opponents take
            several turns in succession. A plan is then judged by what the opponents can still do
            (counterplay, McKenney 2023a, section 2.7).
    """

    judged: Literal["evaluator", "playouts"] = "evaluator"
    playout: Playout = TO_THE_END
    answers: int = 0
    replies: int = 0
    idle: bool = False

    name: ClassVar[str] = "simulation"

    def __post_init__(self) -> None:
        refuse_other("judged", self.judged, ("evaluator", "playouts"))
        refuse_less("answers", self.answers, 0)
        refuse_less("replies", self.replies, 0)
        if self.judged == "evaluator" and self.playout != TO_THE_END:
            raise ValueError(
                "A playout was given, but the evaluator judges; say judged=playouts, or leave out "
                "the playout."
            )
        if self.judged == "playouts" and self.answers:
            raise ValueError("Playouts follow a policy, not the best turns; leave out `answers`.")

    def refuse(self, game: Game) -> None:
        """Raise an error if plans cannot be simulated this way in a game."""
        if self.answers and not game.foresees:
            raise ValueError(
                f"{game.name} has no rule `after`, so turns cannot be judged before chance; leave "
                "out `answers`."
            )
        if self.judged == "playouts" and game.discount != 1.0:
            raise ValueError(
                f"{game.name} discounts rewards, and a playout does not count what the plan itself "
                "earns; use judged=evaluator."
            )


EVALUATED = Simulation()


class FollowUp(NamedTuple):
    """The parameters of the turns that follow a plan, as one tuple for kernels.

    Attributes:
        turns: the number of turns after the plan.
        idle: whether the seat does nothing in these turns.
        answers: int32 [turns, most answers + 1, PLAN_LENGTH + 1], the answers kept for each turn,
            as plans that begin with their length. The last answer is scratch memory.
        known: the number of turns, counted from the first, that use kept answers.
        kept: the number of answers to keep from each of the other turns.
    """

    turns: int
    idle: bool
    answers: Any
    known: int
    kept: int


@kernel
def simulate_plan(table, memory, worlds, seat, plan, follow_up):
    """Return the sum of a plan's values over worlds; the last row of `worlds` is scratch memory.

    The value is invalid if the time ran out.
    """
    memory = borrow_memory(memory)
    total, spare = 0.0, address_of(worlds) + (worlds.shape[0] - 1) * worlds.shape[1]
    for number in range(worlds.shape[0] - 1):
        copy_state(table, spare, address_of(worlds) + number * worlds.shape[1])
        total += _value_in_world(table, memory, spare, seat, plan, follow_up)
        if late(memory.look[0].clock):
            break
    return total


@kernel
def _value_in_world(table, memory, world, seat, plan, follow_up):
    """Play a plan and the following turns in a world; return the value for the seat.

    If the plan cannot be played to its end in this world, the evaluator finishes the turn.
    """
    look = memory.look[0]
    ply, mover = ply_of(world), _play(table, world, seat, plan, look.actions)
    if mover == seat and ply_of(world) == ply:
        mover = make_turn(table, memory, world, mover)
    for turn in range(follow_up.turns):
        if is_stopped(look.clock):
            return 0.0
        answers, known = follow_up.answers[turn], turn < follow_up.known
        if follow_up.idle and mover == seat:
            mover = _skip_turn(table, look, world, mover)
        if mover >= 0 and turn == follow_up.turns - 1 and table[AFTER] != 0:
            return _value_of_last_turn(
                table, memory, world, mover, seat, answers, known, follow_up.kept
            )
        if mover >= 0:
            mover = _next_turn(table, memory, world, mover, answers, known, follow_up.kept)
    return judge(table, world, seat, look.evaluator)


@kernel
def _play(table, world, seat, plan, actions):
    """Play a plan as far as it is legal in this world; return the next mover, or -1."""
    mover, at = to_move(table, world), 0
    while (
        at < len(plan) and mover == seat and listed(actions, legal(table, world, actions), plan[at])
    ):
        mover = step(table, world, mover, plan[at])
        at += 1
    return mover


@kernel
def _skip_turn(table, look, world, mover):
    """End the turn by the first action that ends it immediately; return the next mover."""
    for i in range(legal(table, world, look.actions)):
        copy_state(table, look.spare, world)
        following = step(table, look.spare, mover, read_action(look.actions, i))
        if following >= 0 and ply_of(look.spare) != ply_of(world):
            copy_state(table, world, look.spare)
            return following
    return mover


@kernel
def _next_turn(table, memory, world, mover, answers, known, kept):
    """Play the best turn, or the best kept answer if answers are known; return the next mover."""
    ply, best = ply_of(world), -1
    if known:
        best = _best_answer(table, memory.look[0], world, mover, answers)
    if best >= 0:
        for i in range(answers[best, 0]):
            mover = step(table, world, mover, answers[best, 1 + i])
    else:
        best = find_best(table, memory, world, mover)
        if is_stopped(memory.look[0].clock):
            return mover
        _keep_answers(memory, answers, kept)
        mover = take(table, memory, world, mover, best)
    if mover >= 0 and ply_of(world) == ply:
        mover = make_turn(table, memory, world, mover)
    return mover


@kernel
def _value_of_last_turn(table, memory, world, mover, seat, answers, known, kept):
    """Return the seat's value after the best turn, judged before the chance event that ends it."""
    look, best = memory.look[0], -1
    if known:
        best = _best_answer(table, look, world, mover, answers)
    if best >= 0:
        _play_answer(table, look, world, mover, answers[best])
        return judge(table, world, seat, look.evaluator)
    best = find_best(table, memory, world, mover)
    if is_stopped(look.clock):
        return 0.0
    _keep_answers(memory, answers, kept)
    return judge(table, address(table, look, 0, best), seat, look.evaluator)


# Answers: following turns that were best in the first worlds.


@kernel
def _keep_answers(memory, answers, count):
    """Add turns to the answers: those whose results have the `count` best different values."""
    places, bound, spare = memory.places, math.inf, answers[len(answers) - 1]
    for _ in range(count):
        best = -1
        for place in range(memory.levels[0].used):
            value = places[place].value
            if (
                places[place].kind > INSIDE
                and value < bound
                and (best < 0 or value > places[best].value)
            ):
                best = place
        if best < 0:
            return
        bound = places[best].value
        write_plan(places, 0, best, spare)
        _add_answer(spare, answers)


@kernel
def _add_answer(plan, answers):
    """Add a plan to the answers, unless the answers contain it already or have no room."""
    for number in range(len(answers) - 1):
        if answers[number, 0] == 0:
            for at in range(len(plan)):  # an assignment of the whole row would allocate memory
                answers[number, at] = plan[at]
            return
        if is_same_plan(answers[number], plan):
            return


@kernel
def _best_answer(table, look, world, mover, answers):
    """Return the number of the mover's best answer that is legal here, or -1 if there is none."""
    best, worth = -1, -math.inf
    for number in range(len(answers) - 1):
        if answers[number, 0] > 0:
            copy_state(table, look.spare, world)
            if _play_answer(table, look, look.spare, mover, answers[number]):
                value = judge(table, look.spare, mover, look.evaluator)
                if value > worth:
                    best, worth = number, value
    return best


@kernel
def _play_answer(table, look, world, mover, answer):
    """Play an answer up to the chance event that ends the turn.

    Return whether the turn ended there.
    """
    ply = ply_of(world)
    for i in range(answer[0]):
        if to_move(table, world) != mover or not listed(
            look.actions, legal(table, world, look.actions), answer[1 + i]
        ):
            return False
        told = after(table, world, mover, answer[1 + i])
        if told != SURE and told != POSTPONED:
            return i == answer[0] - 1
    return to_move(table, world) < 0 or ply_of(world) != ply


# Playouts: a policy in place of the best turns.


@kernel
def simulate_by_playouts(table, work, worlds, seat, plan, luck, clock):
    """Return the sum of a plan's playout values over worlds.

    In a given world, all plans have the same chance. Once the plan ends or becomes illegal, all
    players follow the policy. The turn of the plan counts as the first turn of a playout.
    """
    total = 0.0
    for number in range(worlds.shape[0]):
        copy_state(table, work[0].world, address_of(worlds) + number * worlds.shape[1])
        write_word(work[0].stream, 0, mix(luck, number))
        ply, mover = ply_of(work[0].world), _play(table, work[0].world, seat, plan, work[0].actions)
        judge_by_playout(table, work[0], mover, ply_of(work[0].world) != ply)
        total += work[0].values[seat]
        if late(clock):
            break
    return total
