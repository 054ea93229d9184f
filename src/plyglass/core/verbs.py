"""Verbs: everything that a planner can do with a state. Only this module calls through the table.

`table` is a game's table of addresses, and `s` is the address of a state. These functions do not
depend on a game, so they are compiled once for all games.
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import FIRST_PLY, IMAGINING, below, mix, scramble
from plyglass.core.memory import (
    call_int,
    call_real,
    call_void,
    copy_bytes,
    read_action,
    read_int,
    read_word,
    write_int,
    write_word,
)
from plyglass.core.state import HEADER_BYTES
from plyglass.core.table import (
    AFTER,
    APPLY,
    CONSTANTS,
    FEATURES,
    HIDE,
    IMAGINE,
    LEGAL,
    PERTURB,
    PLACE,
    PLAYOUT,
    PREFER,
    REPRESENT,
    SAMPLED,
    SCORE,
    SIZE,
    START,
    STEP,
    SURE,
    TO_MOVE,
    UNTOLD,
)

# The header in 8-byte words; the last word has `ply` in its low half and `drawn` in its high half.
LUCK, RNG, TAPE, COUNTS = 0, 1, 2, 3
HEADER_WORDS = HEADER_BYTES // 8
SMALL = 128  # a state with at most this many bytes is copied without a call


@kernel
def to_move(table, s):
    """The player to move, or -1 when the game is over."""
    return call_int(table[TO_MOVE], (table[CONSTANTS], s))


@kernel
def legal(table, s, out):
    """Write the legal actions to the int32 array at `out`, and return their number."""
    return call_int(table[LEGAL], (table[CONSTANTS], s, out))


@kernel
def represent(table, s, out):
    """Like `legal`, but with one action per class; all actions if the game has no classes."""
    if table[REPRESENT] == 0:
        return legal(table, s, out)
    return call_int(table[REPRESENT], (table[CONSTANTS], s, out))


@kernel
def prefer(table, s, out):
    """Like `legal`, but with the actions that the game recommends, or all if there are none."""
    if table[PREFER] == 0:
        return legal(table, s, out)
    count = call_int(table[PREFER], (table[CONSTANTS], s, out))
    return count if count > 0 else legal(table, s, out)


@kernel
def score(table, s, player):
    """The player's reward so far."""
    return call_real(table[SCORE], (table[CONSTANTS], s, player))


@kernel
def evaluate(table, s, player, evaluator):
    """The value of a position by an evaluator; `Game.evaluator` gives the evaluator's address."""
    return call_real(evaluator, (table[CONSTANTS], s, player))


@kernel
def features(table, s, player, values):
    """Write the features of a position to the float64 array at `values`; return their number."""
    return call_int(table[FEATURES], (table[CONSTANTS], s, player, values))


@kernel
def choose(table, s, stream, policy):
    """The action that a policy chooses; `Game.policy` gives the policy's address."""
    return call_int(policy, (table[CONSTANTS], s, stream))


@kernel
def step(table, s, player, action):
    """Apply an action of `player`, who is to move; return the next player to move, or -1."""
    if table[STEP] != 0:
        return call_int(table[STEP], (table[CONSTANTS], s, player, np.int64(action)))
    call_void(table[APPLY], (table[CONSTANTS], s, np.int64(action)))
    mover = to_move(table, s)
    if mover != player:
        _next_ply(s)
    return mover


@kernel
def after(table, s, player, action):
    """Carry out an action of `player` until chance is drawn, in a game with the rule `after`.

    Return BEFORE_LUCK if chance is drawn next, and SURE if the action draws no chance. Return
    POSTPONED if the turn can continue without the action's chance part. If the rule cannot tell in
    advance, play the action in full. Then return SAMPLED if the action drew chance, and SURE if it
    did not.
    """
    told = call_int(table[AFTER], (table[CONSTANTS], s, np.int64(action)))
    if told == UNTOLD:
        drawn = luck_drawn(s)
        step(table, s, player, action)
        return SURE if luck_drawn(s) == drawn else SAMPLED
    if told == SURE and to_move(table, s) != player:
        _next_ply(s)
    return told


@kernel
def playout(table, s, player, out, stream, limit):
    """Play at random to the end, or for `limit` actions; return the number of actions played."""
    if table[PLAYOUT] != 0:
        return call_int(table[PLAYOUT], (table[CONSTANTS], s, player, out, stream, limit))
    actions = 0
    while player >= 0 and actions < limit:
        count = legal(table, s, out)
        player = step(table, s, player, read_action(out, below(stream, count)))
        actions += 1
    return actions


@kernel
def start(table, setup, s, luck):
    """Turn an empty state into a start position; `setup` is the address of the secret setup."""
    write_word(s, LUCK, luck)
    write_word(s, RNG, mix(luck, 0))
    call_void(table[START], (table[CONSTANTS], setup, s))
    _first_ply(s, luck)


@kernel
def hide(table, s, viewer):
    """Turn a state into the view of `viewer`.

    The header is erased too, because a player knows neither future chance nor the number of hidden
    actions.
    """
    if table[HIDE] != 0:
        call_void(table[HIDE], (table[CONSTANTS], s, viewer))
    for word in range(HEADER_WORDS):
        write_int(s, word, 0)


@kernel
def imagine(table, s, viewer, luck):
    """Turn a view into a world that is consistent with the view and has its own future chance."""
    write_word(s, LUCK, luck)
    write_word(s, RNG, mix(luck, IMAGINING))
    if table[IMAGINE] != 0:
        call_void(table[IMAGINE], (table[CONSTANTS], s, viewer))
    _first_ply(s, luck)


@kernel
def perturb(table, s, viewer, luck):
    """Make a small random change to what `viewer` does not see.

    Return 1 if the changed world agrees with all that the viewer has seen. If this function returns
    0, the world must not be used.
    """
    write_word(s, RNG, mix(luck, IMAGINING))
    agrees = call_int(table[PERTURB], (table[CONSTANTS], s, viewer))
    change_luck(s, luck)
    return agrees


@kernel
def track(table, s, seen, viewer, tracks, tracker):
    """Update what `viewer` knows about hidden things (`tracks`) from view `s` to view `seen`.

    `Game.tracker` gives the tracker's address. At the first view, all numbers in `tracks` are 0,
    and `s` and `seen` are the same view. Return the number of things whose track was lost.
    """
    return call_int(tracker, (table[CONSTANTS], s, seen, viewer, tracks))


@kernel
def place(table, s, viewer, tracks, luck):
    """Turn a view into a random world that fits `tracks`, with its own future chance.

    Return the weight of the world, or 0 if no world was found.
    """
    write_word(s, LUCK, luck)
    write_word(s, RNG, mix(luck, IMAGINING))
    weight = call_real(table[PLACE], (table[CONSTANTS], s, viewer, tracks))
    _first_ply(s, luck)
    return weight


@kernel
def change_luck(s, luck):
    """Give a world a new seed of chance, for the current ply and all later plies."""
    write_word(s, LUCK, luck)
    write_word(s, RNG, mix(luck, read_int(s, COUNTS) & 0xFFFFFFFF))


@kernel
def luck_drawn(s):
    """The number of times that chance was drawn in this world so far."""
    return read_int(s, COUNTS) >> 32


@kernel
def copy_state(table, target, source):
    """Copy the state at `source` to `target`.

    A small state is copied as two blocks of a fixed size: its first bytes and its last bytes. The
    two may overlap. A block of a fixed size takes a few instructions, so this is faster than a loop
    or a call of `memcpy`. The smallest block is a quarter of `SMALL`, and fits into every state,
    because a header has this size.
    """
    size = table[SIZE]
    if size > SMALL:
        copy_bytes(target, source, size)
    elif size > SMALL // 2:
        _copy_ends(target, source, size, SMALL // 2)
    else:
        _copy_ends(target, source, size, SMALL // 4)


@kernel
def _copy_ends(target, source, size, length):
    rest = size - length
    copy_bytes(target, source, length)
    copy_bytes(target + rest, source + rest, length)


@kernel
def fingerprint(table, s):
    """A 64-bit hash of a state without its header.

    Even and odd words are hashed separately, so the processor can work on both at the same time.
    """
    even, odd = np.uint64(0x51CEB0A7), np.uint64(0x9E6C63D0)
    words = table[SIZE] >> 3
    for word in range(HEADER_WORDS, words - 1, 2):
        even = _stir(even, read_word(s, word))
        odd = _stir(odd, read_word(s, word + 1))
    if (words - HEADER_WORDS) & 1:
        even = _stir(even, read_word(s, words - 1))
    return scramble(_stir(even, odd))


@kernel
def _stir(hashed, word):
    hashed = (hashed ^ word) * np.uint64(0xFF51AFD7ED558CCD)
    return hashed ^ (hashed >> np.uint64(32))


@kernel
def _first_ply(s, luck):
    write_int(s, COUNTS, FIRST_PLY)
    write_word(s, RNG, mix(luck, FIRST_PLY))


@kernel
def _next_ply(s):
    counts = read_int(s, COUNTS) + 1
    write_int(s, COUNTS, counts)
    write_word(s, RNG, mix(read_word(s, LUCK), counts & 0xFFFFFFFF))
