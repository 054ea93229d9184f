"""Positions within a turn: where they are kept, what can be done in them, and what an action
comes to.
"""

from plyglass.core.compile import kernel
from plyglass.core.memory import read_int
from plyglass.core.table import AFTER, POSTPONED, SIZE, SURE
from plyglass.core.verbs import COUNTS, after, copy_state, legal, prefer, step, to_move
from plyglass.search.exhaustive.outcomes import draws_read, read_luck_from, read_no_tape
from plyglass.search.whole_turns.pools import INSIDE, LUCKY, RESULT

PLY = 0xFFFFFFFF  # the half of COUNTS that numbers plies


@kernel
def ply_of(s):
    """The number of the ply in progress: it changes when a turn is over."""
    return read_int(s, COUNTS) & PLY


@kernel
def address(table, look, level, place):
    """Where the state of a place is."""
    return look.states + (level * look.room + place) * table[SIZE]


@kernel
def actions_of(table, look, s, out):
    """The actions that are looked at."""
    return prefer(table, s, out) if look.preferred else legal(table, s, out)


@kernel
def carry_out(table, look, here, place, source, target):
    """Carry the action of a place out. Where luck is drawn, the position is the one before luck,
    or else that before the action.
    """
    copy_state(table, target, source)
    lucky, place.postponed = False, 0
    if look.foreseen:
        place.mover = step(table, target, here.player, place.action)
    elif table[AFTER] != 0:
        told = after(table, target, here.player, place.action)
        place.mover, place.postponed = to_move(table, target), told == POSTPONED
        lucky = told != SURE and told != POSTPONED
    else:
        read_luck_from(here.tape, 0, target)
        place.mover = step(table, target, here.player, place.action)
        read_no_tape(target)
        lucky = draws_read(here.tape) > 0
        if lucky:
            copy_state(table, target, source)
    if lucky:
        place.kind = LUCKY
    else:
        place.kind = RESULT if place.mover < 0 or ply_of(target) != ply_of(source) else INSIDE
