"""The policy `starter`: a fixed sequence of steps, each of which looks for an action.

The policy plays the first action that a step finds. Then it begins again with the first step.
"""

import numpy as np

from plyglass.core import kernel, pack
from plyglass.core.memory import stack_ints
from plyglass.games.duelyst.engine.movement import hindrances
from plyglass.games.duelyst.starter.attacks import attack_egg, attack_with
from plyglass.games.duelyst.starter.buffs import NO_ACTION, has_lethal
from plyglass.games.duelyst.starter.card_choice import (
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
from plyglass.games.duelyst.state import END, MOST_ACTS, MOST_UNITS, MULLIGAN_PHASE

# The value from which a card is played before all units act, and after all units have acted.
EXCELLENT, GOOD = 90.0, 40.0
# Steps that look for something other than a card of a group.
EGGS, REPLACING, BEST_CARDS, UNITS, GOOD_CARDS, LAST_STEP = 0, 1, 2, 9, 10, 13
# The group of cards for each other step.
GROUPS = (
    0, 0, 0, WATCHERS, GROWERS, ARTIFACTS, MASS_REMOVALS, NOVAS, LURES, 0, 0, MINIONS, SPELLS,
)  # fmt: skip
KILLING, MOVING, ATTACKING = range(3)  # phases in which units act


@kernel
def starter(r, s, stream):
    """Return the action that the rules of the starter AI choose."""
    if s.phase == MULLIGAN_PHASE:
        return exchange_marks(r, s)
    if s.pending != 0:
        return follow_up(r, s)
    action, step = NO_ACTION, np.int64(0)
    while action == NO_ACTION and step < LAST_STEP and s.acts < MOST_ACTS:
        action = _look(r, s, stream, step)
        step += 1
    return action if action != NO_ACTION else pack(END, 0, 0)


@kernel
def _look(r, s, stream, step):
    """Return the action that one step finds, or NO_ACTION."""
    if step == EGGS:
        return attack_egg(r, s)
    if step == REPLACING:
        return replacement(r, s, stream)
    if step in (BEST_CARDS, GOOD_CARDS):
        return best_card(r, s, EXCELLENT if step == BEST_CARDS else GOOD)
    if step == UNITS:
        return _command(r, s)
    return play_from(r, s, stream, GROUPS[step])


@kernel
def _command(r, s):
    """Return the first action that a unit finds in three phases.

    In the first phase, units look for short moves and for attacks that kill. In the second phase
    they look for any moves, and in the third phase for any attacks.
    """
    units = stack_ints(MOST_UNITS)
    count = usable_units(r, s, units)
    lethal = count > 0 and has_lethal(r, s, hindrances(r, s, np.int64(1 - s.player))[0])
    for phase in range(3):
        for number in range(count):
            action = (
                move_with(r, s, units[number], phase == KILLING, lethal)
                if phase != ATTACKING
                else NO_ACTION
            )
            if action == NO_ACTION and phase != MOVING:
                action = attack_with(r, s, units[number], phase == KILLING, lethal)
            if action != NO_ACTION:
                return action
    return NO_ACTION
