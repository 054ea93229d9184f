"""TUBSTAP: two armies on a map, where every unit may move and attack once per turn.

Fog hides from a side all enemies that none of its units sees.
"""

from plyglass.core import kernel, kind_of, source_of, target_of
from plyglass.games.tubstap.combat import exchange
from plyglass.games.tubstap.legal_actions import can_act, list_all
from plyglass.games.tubstap.movement import walk
from plyglass.games.tubstap.sight import look_around, look_at, watch
from plyglass.games.tubstap.state import (
    BLUE_WON,
    DIRECTION_BITS,
    DRAWN,
    END,
    MOVE,
    NOWHERE,
    PLAYING,
    RED_WON,
    STRIKE,
)


@kernel
def start(r, setup, s):
    """Put all units on their first cells.

    Both sides know the map, so each side remembers the first cell of every enemy.
    """
    for side in range(2):
        for slot in range(len(s.cell[side])):
            present = slot < r.units[side]
            s.cell[side, slot] = r.home[side, slot] if present else NOWHERE
            s.last_cell[side, slot] = r.home[side, slot] if present else 0
            s.health[side, slot] = r.health[side, slot]
            s.acted[side, slot] = r.acted[side, slot]
            s.spotted[side, slot] = 0 if r.fog else present
    _look(r, s)


@kernel
def to_move(r, s):
    return s.turn & 1 if s.result == PLAYING else -1


@kernel
def legal(r, s, out):
    return list_all(r, s, out)


@kernel
def apply(r, s, action):
    """Move a unit and let it attack, unless an unseen enemy stops it on its way.

    The turn ends when no unit is left to act.
    """
    side = s.turn & 1
    if kind_of(action) != END:
        _act(
            r, s, side, kind_of(action), _slot_at(r, s, side, source_of(action)), target_of(action)
        )
    if s.result == PLAYING and (kind_of(action) == END or not _anyone_left(r, s, side)):
        _end_turn(r, s, side)


@kernel
def score(r, s, player):
    if s.result == PLAYING or s.result == DRAWN:
        return 0.0
    return 1.0 if s.result == RED_WON + player else -1.0


@kernel
def _act(r, s, side, kind, slot, target):
    s.acted[side, slot] = 1
    goal = target & (1 << DIRECTION_BITS) - 1
    if kind <= STRIKE and goal != s.cell[side, slot]:
        end = walk(r, s, side, slot, goal)
        s.cell[side, slot] = end
        if r.fog:
            look_around(r, s, side)
            look_at(r, s, 1 - side, slot)
        if end != goal:
            return  # an ambushed unit does not attack
    if kind != MOVE:
        there = r.next[goal, target >> DIRECTION_BITS] if kind == STRIKE else target
        if exchange(r, s, side, slot, _slot_at(r, s, 1 - side, there)):
            _look(r, s)
            _see_who_is_left(r, s)


@kernel
def _slot_at(r, s, side, cell):
    """Return the slot of a side's unit on a cell."""
    slot = 0
    while slot < r.units[side] - 1 and s.cell[side, slot] != cell:
        slot += 1
    return slot


@kernel
def _look(r, s):
    if r.fog:
        look_around(r, s, 0)
        look_around(r, s, 1)


@kernel
def _anyone_left(r, s, side):
    """Return whether a unit of a side can still act."""
    for slot in range(r.units[side]):
        if can_act(s, side, slot):
            return True
    return False


@kernel
def _end_turn(r, s, side):
    for slot in range(r.units[side]):
        s.acted[side, slot] = 0
    s.turn += 1
    if r.fog:
        watch(r, s)
    if s.turn == r.turns:
        ahead = _strength(r, s, 0) - _strength(r, s, 1)
        s.result = DRAWN if abs(ahead) <= r.threshold else RED_WON if ahead > 0 else BLUE_WON


@kernel
def _strength(r, s, side):
    """Return the number that decides after the last turn: a side's health or number of units."""
    total = 0
    for slot in range(r.units[side]):
        total += s.health[side, slot] > 0 if r.counts_units else s.health[side, slot]
    return total


@kernel
def _see_who_is_left(r, s):
    """End the game if an army has no units left, even in the middle of a turn."""
    for side in range(2):
        total = 0
        for slot in range(r.units[side]):
            total += s.health[side, slot]
        if total == 0:
            s.result = BLUE_WON - side
