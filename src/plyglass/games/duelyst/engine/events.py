"""Events that an action causes: a first-in, first-out queue, and the triggers that fill it.

A queue exists for one action. The first numbers of the queue say where the events begin and end. An
event consists of its kind and six numbers. Notes are stored after the events. Notes record what has
happened, for abilities that react only after all events are done. An event or a note for which
there is no room is lost, and the state records the loss (`lost_events`).
"""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import ALWAYS, MOST_GRANTS
from plyglass.games.duelyst.engine.units import cell_of, holds, is_general, owner_of
from plyglass.games.duelyst.state import ARTIFACTS

HEAD, TAIL, FIRST_NOTE, LAST_NOTE, STAGE = range(5)
STRIDE, NOTE = 7, 4
NO_STAGE, DRAWING, PASSING = range(3)  # the next stage of the end of a turn
MOST_EVENTS, MOST_NOTES = 1500, 500
EVENTS = 8  # the index at which events begin
NOTES = EVENTS + STRIDE * MOST_EVENTS
ROOM = NOTES + NOTE * MOST_NOTES

DONE, ABILITY, DEATH, BITE, COMEBACK = np.arange(5)  # kinds of events
(
    DIED, CAME, PLAYED, WAS_HEALED, GENERAL_HURT, OWN_HURT, SURVIVED, DREW, SPELL_HURT,
) = np.arange(9)  # kinds of notes  # fmt: skip

NOBODY = np.int64(0)  # no unit, or a number that an event does not need


@kernel
def begin(queue):
    queue[HEAD], queue[TAIL] = EVENTS, EVENTS
    queue[FIRST_NOTE], queue[LAST_NOTE] = NOTES, NOTES
    queue[STAGE] = NO_STAGE


@kernel
def push(s, queue, kind, ability, owner, source, subject, cell, amount):
    """Add an event: an ability with its owner and source, and the unit that caused the event."""
    at = queue[TAIL]
    if at + STRIDE > NOTES:
        s.lost_events = 1
        return
    queue[at], queue[at + 1], queue[at + 2], queue[at + 3] = kind, ability, owner, source
    queue[at + 4], queue[at + 5], queue[at + 6] = subject, cell, amount
    queue[TAIL] = at + STRIDE


@kernel
def note(s, queue, kind, unit, player, amount):
    """Record something that has happened."""
    at = queue[LAST_NOTE]
    if at + NOTE > ROOM:
        s.lost_events = 1
        return
    queue[at], queue[at + 1], queue[at + 2], queue[at + 3] = kind, unit, player, amount
    queue[LAST_NOTE] = at + NOTE


@kernel
def fire(r, s, queue, trigger, unit, subject, amount):
    """Queue a unit's abilities with this trigger.

    A unit has the abilities of its card and of its artifacts, and the abilities that were granted
    to the unit.
    """
    if not s.dispelled[unit]:
        fire_card(r, s, queue, trigger, np.int64(s.card[unit]), unit, subject, amount)
    if s.granted[unit] != 0:
        _fire_grants(r, s, queue, trigger, unit, subject, amount)
    if is_general(s, unit):
        for slot in range(ARTIFACTS):
            if s.artifact[s.owner[unit], slot] != 0:
                fire_card(
                    r,
                    s,
                    queue,
                    trigger,
                    np.int64(s.artifact[s.owner[unit], slot]),
                    unit,
                    subject,
                    amount,
                )


@kernel
def fire_all(r, s, queue, trigger, players, subject, amount):
    """Queue all abilities with this trigger for all units of the players in the set `players`.

    Units of the player to move come first, older units before younger ones.
    """
    for turn in range(2):
        player = s.player if turn == 0 else 1 - s.player
        if players >> player & 1:
            for unit in range(1, s.units + 1):
                if s.alive[unit] and s.owner[unit] == player and unit != subject:
                    fire(r, s, queue, trigger, unit, subject, amount)


@kernel
def fire_card(r, s, queue, trigger, card, unit, subject, amount):
    """Queue a card's abilities with this trigger, for a unit."""
    if r.triggers[card] >> trigger & 1:
        for ability in range(r.first[card], r.last[card]):
            _fire_ability(r, s, queue, trigger, ability, unit, subject, amount)


@kernel
def _fire_grants(r, s, queue, trigger, unit, subject, amount):
    for grant in range(MOST_GRANTS):
        for _ in range(s.granted[unit] >> 4 * grant & 15):
            _fire_ability(r, s, queue, trigger, r.granted_ability[grant], unit, subject, amount)


@kernel
def _fire_ability(r, s, queue, trigger, ability, unit, subject, amount):
    if (
        r.trigger[ability] == trigger
        and trigger != ALWAYS
        and holds(r, s, r.condition[ability], unit)
    ):
        push(s, queue, ABILITY, ability, owner_of(s, unit), unit, subject, cell_of(s, unit), amount)
