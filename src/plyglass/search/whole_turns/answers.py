"""Answers: the turns that were best in a few worlds, tried alone in many others.

How a turn is best answered depends little on luck: the same few turns are best again and again.
Where all turns are looked at in the first worlds and only the best of them are tried in the rest,
many more worlds can be had in the same time. For games with the rule `after`.
"""

import math

from plyglass.core.compile import kernel
from plyglass.core.table import POSTPONED, SURE
from plyglass.core.verbs import after, copy_state, legal, to_move
from plyglass.search.judging import judge
from plyglass.search.tree import listed
from plyglass.search.whole_turns.plans import alike, write_plan
from plyglass.search.whole_turns.pools import INSIDE
from plyglass.search.whole_turns.positions import ply_of


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
