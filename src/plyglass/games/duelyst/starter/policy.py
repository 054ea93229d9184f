"""The order in which the starter AI looks for something to do: the first that it finds is done, and then it begins anew."""

import numpy as np

from plyglass.core import kernel, pack
from plyglass.core.memory import stack_ints
from plyglass.games.duelyst.board import END, MOST_ACTS, MOST_UNITS, MULLIGAN_PHASE
from plyglass.games.duelyst.movement import hindrances
from plyglass.games.duelyst.starter.attacks import attack_egg, attack_with
from plyglass.games.duelyst.starter.buffs import NO_ACTION, has_lethal
from plyglass.games.duelyst.starter.cards import (
    ARTIFACTS,
    GROWERS,
    LURES,
    MASS_REMOVALS,
    MINIONS,
    NOVAS,
    SPELLS,
    WATCHERS,
    best_card,
    exchange_marks,
    follow_up,
    play_from,
    replacement,
)
from plyglass.games.duelyst.starter.moves import move_with, usable_units

EXCELLENT, GOOD = 90.0, 40.0  # what a card must be worth to be played first, and after all units have acted
EARLY = (WATCHERS, GROWERS, ARTIFACTS, MASS_REMOVALS, NOVAS, LURES)
YES, NO = np.bool_(True), np.bool_(False)


@kernel
def starter(r, s, stream):
    """Follow the rules of the starter AI."""
    if s.phase == MULLIGAN_PHASE:
        return exchange_marks(r, s)
    if s.pending != 0:
        return follow_up(r, s)
    action = _act(r, s, stream) if s.acts < MOST_ACTS else NO_ACTION
    return action if action != NO_ACTION else pack(END, 0, 0)


@kernel
def _act(r, s, stream):
    action = attack_egg(r, s)
    if action == NO_ACTION:
        action = replacement(r, s, stream)
    if action == NO_ACTION:
        action = best_card(r, s, EXCELLENT)
    if action == NO_ACTION:
        action = _play_early(r, s, stream)
    if action == NO_ACTION:
        action = _command(r, s)
    if action == NO_ACTION:
        action = best_card(r, s, GOOD)
    if action == NO_ACTION:
        action = play_from(r, s, stream, MINIONS)
    return action if action != NO_ACTION else play_from(r, s, stream, SPELLS)


@kernel
def _play_early(r, s, stream):
    """Cards that get better with time, artifacts, and spells with rules of their own."""
    for number in range(len(EARLY)):
        action = play_from(r, s, stream, EARLY[number])
        if action != NO_ACTION:
            return action
    return NO_ACTION


@kernel
def _command(r, s):
    """Let units act: first who can kill, with short moves before; then moves, then attacks of all."""
    units = stack_ints(MOST_UNITS)
    count = usable_units(r, s, units)
    if count == 0:
        return NO_ACTION
    lethal = has_lethal(r, s, hindrances(r, s, np.int64(1 - s.player))[0])
    for number in range(count):
        action = move_with(r, s, units[number], YES, lethal)
        if action == NO_ACTION:
            action = attack_with(r, s, units[number], YES, lethal)
        if action != NO_ACTION:
            return action
    for number in range(count):
        action = move_with(r, s, units[number], NO, lethal)
        if action != NO_ACTION:
            return action
    for number in range(count):
        action = attack_with(r, s, units[number], NO, lethal)
        if action != NO_ACTION:
            return action
    return NO_ACTION
