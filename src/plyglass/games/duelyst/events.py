"""What is about to happen: a queue, first in, first out, in memory of the action that fills it.

Numbers in front say where the queue begins and ends. An event is its kind and six numbers. Notes
are kept behind the events: what has happened, for abilities that wait until all else is done. When
there is no room, a new event is lost, and the state says so.
"""

import numpy as np

from plyglass.core import kernel

HEAD, TAIL, FIRST_NOTE, LAST_NOTE, STAGE = range(5)
STRIDE, NOTE = 7, 4
NO_STAGE, DRAWING, PASSING = range(3)  # what is left of the end of a turn
MOST_EVENTS, MOST_NOTES = 1500, 500
EVENTS = 8  # where events begin
NOTES = EVENTS + STRIDE * MOST_EVENTS
ROOM = NOTES + NOTE * MOST_NOTES

DONE, ABILITY, DEATH, BITE = np.arange(4)  # kinds of events
DIED, CAME, PLAYED, WAS_HEALED, GENERAL_HURT, OWN_HURT, SURVIVED, DREW, SPELL_HURT = np.arange(
    9
)  # kinds of notes

NOBODY = np.int64(0)  # in place of a unit, or of any number of an event


@kernel
def begin(queue):
    queue[HEAD], queue[TAIL], queue[FIRST_NOTE], queue[LAST_NOTE], queue[STAGE] = (
        EVENTS,
        EVENTS,
        NOTES,
        NOTES,
        0,
    )


@kernel
def push(s, queue, kind, row, owner, source, subject, cell, amount):
    """Something to happen: an ability by its row, for its owner, of a unit, with the subject of
    what caused it.
    """
    at = queue[TAIL]
    if at + STRIDE > NOTES:
        s.lost_events = 1
        return
    queue[at], queue[at + 1], queue[at + 2], queue[at + 3] = kind, row, owner, source
    queue[at + 4], queue[at + 5], queue[at + 6] = subject, cell, amount
    queue[TAIL] = at + STRIDE


@kernel
def note(s, queue, kind, unit, player, amount):
    """Something that has happened."""
    at = queue[LAST_NOTE]
    if at + NOTE > ROOM:
        s.lost_events = 1
        return
    queue[at], queue[at + 1], queue[at + 2], queue[at + 3] = kind, unit, player, amount
    queue[LAST_NOTE] = at + NOTE
