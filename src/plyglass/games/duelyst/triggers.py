"""Abilities that wait for something: when it happens, they are put into the queue."""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.board import ARTIFACTS
from plyglass.games.duelyst.events import ABILITY, push
from plyglass.games.duelyst.units import cell_of, holds, is_general, owner_of
from plyglass.games.duelyst.words import ALWAYS, MOST_GRANTS


@kernel
def fire(r, s, queue, trigger, unit, subject, amount):
    """What a unit waited for has happened: its own abilities, those that were granted to it, and
    artifacts of a general.
    """
    if not s.dispelled[unit]:
        _fire_card(r, s, queue, trigger, np.int64(s.card[unit]), unit, subject, amount)
    if s.granted[unit] != 0:
        _fire_grants(r, s, queue, trigger, unit, subject, amount)
    if is_general(s, unit):
        for slot in range(ARTIFACTS):
            if s.artifact[s.owner[unit], slot] != 0:
                _fire_card(
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
    """All units of some players (a set) have waited for something: the player's whose turn it is
    come first, then by age.
    """
    for turn in range(2):
        player = s.player if turn == 0 else 1 - s.player
        if players >> player & 1:
            for unit in range(1, s.units + 1):
                if s.alive[unit] and s.owner[unit] == player and unit != subject:
                    fire(r, s, queue, trigger, unit, subject, amount)


@kernel
def _fire_card(r, s, queue, trigger, card, unit, subject, amount):
    if r.triggers[card] >> trigger & 1:
        for row in range(r.first[card], r.last[card]):
            _fire_row(r, s, queue, trigger, row, unit, subject, amount)


@kernel
def _fire_grants(r, s, queue, trigger, unit, subject, amount):
    for grant in range(MOST_GRANTS):
        for _ in range(s.granted[unit] >> 4 * grant & 15):
            _fire_row(r, s, queue, trigger, r.granted_row[grant], unit, subject, amount)


@kernel
def _fire_row(r, s, queue, trigger, row, unit, subject, amount):
    if r.trigger[row] == trigger and trigger != ALWAYS and holds(r, s, r.condition[row], unit):
        push(s, queue, ABILITY, row, owner_of(s, unit), unit, subject, cell_of(s, unit), amount)
