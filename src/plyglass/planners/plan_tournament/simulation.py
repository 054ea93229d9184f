"""Answers: the turns that were best in a few worlds, tried alone in many others.

How a turn is best answered depends little on luck: the same few turns are best again and again.
Where all turns are looked at in the first worlds and only the best of them are tried in the rest,
many more worlds can be had in the same time. For games with the rule `after`.
"""

import math

from plyglass.core.compile import kernel
from plyglass.core.luck import mix
from plyglass.core.memory import address_of, read_action, write_word
from plyglass.core.table import AFTER, POSTPONED, SURE
from plyglass.core.verbs import after, copy_state, legal, step, to_move
from plyglass.search.mcts.playout import judge_by_playout
from plyglass.search.mcts.tree import listed
from plyglass.search.turn_results.best_turn import find_best, make_turn, take
from plyglass.search.turn_results.minimax import alike, write_plan
from plyglass.search.turn_results.results import address, ply_of
from plyglass.search.turn_results.workspace import INSIDE
from plyglass.search.values import judge


@kernel
def note_answers(levels, places, answers, most):
    """Add the best ends of the turn of the root to the answers, so many of different worth; the
    last row is room to work in.
    """
    bound, spare = math.inf, answers[len(answers) - 1]
    for _ in range(most):
        best = -1
        for place in range(levels[0].used):
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
        _add(spare, answers)


@kernel
def _add(plan, answers):
    """Add a plan to the answers, unless it is there already or there is no room."""
    for number in range(len(answers) - 1):
        if answers[number, 0] == 0:
            answers[number] = plan
            return
        if alike(answers[number], plan):
            return


@kernel
def best_answer(table, look, world, mover, answers):
    """The number of the answer that is best for the mover, of all that can be given in a world;
    -1 for none.
    """
    best, worth = -1, -math.inf
    for number in range(len(answers) - 1):
        if answers[number, 0] > 0:
            copy_state(table, look.spare, world)
            if give(table, look, look.spare, mover, answers[number]):
                value = judge(table, look.spare, mover, look.evaluator)
                if value > worth:
                    best, worth = number, value
    return best


@kernel
def give(table, look, world, mover, answer):
    """Give an answer in a world, up to where luck ends the turn; returns whether it can be given
    to its end.
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


# A trial of a plan: carry it out in a world, let players go on for a while, and judge what is
# reached.


@kernel
def try_plan(
    table, look, levels, places, slots, worlds, seat, plan, turns, idle, answers, known, most
):
    """What a plan comes to, added up over worlds; the last row of `worlds` is room to work in.

    The seat may be `idle` in the turns that follow. The first `known` turns are made by the answers
    that were noted; of the others `most` are noted, if any.
    """
    total, spare = 0.0, address_of(worlds) + (worlds.shape[0] - 1) * worlds.shape[1]
    for number in range(worlds.shape[0] - 1):
        copy_state(table, spare, address_of(worlds) + number * worlds.shape[1])
        total += _carry_out(
            table, look, levels, places, slots, spare, seat, plan, turns, idle, answers, known, most
        )
    return total


@kernel
def _carry_out(
    table, look, levels, places, slots, world, seat, plan, turns, idle, answers, known, most
):
    """Carry out a plan in a world, make so many turns after it, and judge what is reached for the
    seat.

    A plan that cannot go on in this world is left there, and the turn is finished as the evaluator
    has it.
    """
    ply, mover = ply_of(world), _play(table, world, seat, plan, look[0].actions)
    if mover == seat and ply_of(world) == ply:
        mover = make_turn(table, look, levels, places, slots, world, mover)
    for turn in range(turns):
        if idle and mover == seat:
            mover = _skip_turn(table, look[0], world, mover)
        if mover >= 0 and turn == turns - 1 and table[AFTER] != 0:
            return _last_turn(
                table,
                look,
                levels,
                places,
                slots,
                world,
                mover,
                seat,
                answers[turn],
                turn < known,
                most,
            )
        if mover >= 0:
            mover = _next_turn(
                table, look, levels, places, slots, world, mover, answers[turn], turn < known, most
            )
    return judge(table, world, seat, look[0].evaluator)


@kernel
def _play(table, world, seat, plan, actions):
    """Play a plan as far as it can be played in this world; returns who moves then, or -1."""
    mover, at = to_move(table, world), 0
    while (
        at < len(plan) and mover == seat and listed(actions, legal(table, world, actions), plan[at])
    ):
        mover = step(table, world, mover, plan[at])
        at += 1
    return mover


@kernel
def _skip_turn(table, look, world, mover):
    """End the turn at once, by the first action that does; returns who moves then. Where none
    does, nothing is played.
    """
    for i in range(legal(table, world, look.actions)):
        copy_state(table, look.spare, world)
        following = step(table, look.spare, mover, read_action(look.actions, i))
        if following >= 0 and ply_of(look.spare) != ply_of(world):
            copy_state(table, world, look.spare)
            return following
    return mover


@kernel
def _next_turn(table, look, levels, places, slots, world, mover, answers, known, most):
    """Make the best turn of all, of which `most` are noted as answers, or the best of the
    answers; returns who moves next, or -1.
    """
    ply, best = ply_of(world), -1
    if known:
        best = best_answer(table, look[0], world, mover, answers)
    if best >= 0:
        for i in range(answers[best, 0]):
            mover = step(table, world, mover, answers[best, 1 + i])
    else:
        best = find_best(table, look, levels, places, slots, world, mover)
        note_answers(levels, places, answers, most)
        mover = take(table, look[0], places, world, mover, best)
    return (
        make_turn(table, look, levels, places, slots, world, mover)
        if mover >= 0 and ply_of(world) == ply
        else mover
    )


@kernel
def _last_turn(table, look, levels, places, slots, world, mover, seat, answers, known, most):
    """What the best turn of all, or of the answers, comes to for the seat before luck ends it."""
    best = -1
    if known:
        best = best_answer(table, look[0], world, mover, answers)
    if best >= 0:
        give(table, look[0], world, mover, answers[best])
        return judge(table, world, seat, look[0].evaluator)
    best = find_best(table, look, levels, places, slots, world, mover)
    note_answers(levels, places, answers, most)
    return judge(table, address(table, look[0], 0, best), seat, look[0].evaluator)


@kernel
def try_plan_by_playouts(table, work, worlds, seat, plan, luck):
    """What a plan comes to by playouts, added up over worlds; everybody goes on by a policy where
    it ends, or cannot go on.

    Every plan has the same luck in the same world. The turn of the plan is the first of a playout.
    """
    total = 0.0
    for number in range(worlds.shape[0]):
        copy_state(table, work[0].world, address_of(worlds) + number * worlds.shape[1])
        write_word(work[0].stream, 0, mix(luck, number))
        ply, mover = ply_of(work[0].world), _play(table, work[0].world, seat, plan, work[0].actions)
        judge_by_playout(table, work[0], mover, ply_of(work[0].world) != ply)
        total += work[0].values[seat]
    return total
