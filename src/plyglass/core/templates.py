"""Templates: functions that the core composes from a game's rules, with all parts inlined.

`to_move`, `legal` and `apply` are placeholders for the rules of a game. `LUCK` says whether any of
the game's rules can draw chance. If no rule can draw chance, the stream of chance is not updated.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plyglass.core.compile import Function, reaches
from plyglass.core.luck import GOLDEN, chance, draw, fraction, mix, scramble
from plyglass.core.memory import read_word, write_word

PARTS = {"step": ("to_move", "apply"), "playout": ("to_move", "legal", "apply")}

to_move: Any = None
legal: Any = None
apply: Any = None
LUCK = True


def composed(
    name: str, functions: Mapping[str, Function]
) -> tuple[Function, dict[str, Function], dict[str, Any]]:
    """The template of this name, and the functions and values of a game that fill it."""
    lucky = any(reaches(function, (draw, chance)) for function in functions.values())
    return globals()[name], {part: functions[part] for part in PARTS[name]}, {"LUCK": lucky}


def step(r, s, player, action):
    """Apply an action of `player`; return the next player to move, or -1.

    If the turn passes to another player, a new ply begins, with its own stream of chance.
    """
    apply(r, s, action)
    mover = to_move(r, s)
    if mover != player:
        s.ply += 1
        if LUCK:
            s.rng = mix(s.luck, s.ply)
    return mover


def playout(r, s, player, out, stream, limit):
    """Play at random to the end, or for `limit` actions; return the number of actions played."""
    # A local copy stays in a register. The compiler must assume that rules can write to `stream`.
    word = read_word(stream, 0)
    actions = 0
    while player >= 0 and actions < limit:
        count = legal(r, s, out)
        word = word + GOLDEN
        # The action has the same type as in `step`; otherwise the rule would be compiled twice.
        apply(r, s, np.int64(out[fraction(scramble(word), count)]))
        mover = to_move(r, s)
        if mover != player:
            s.ply += 1
            if LUCK:
                s.rng = mix(s.luck, s.ply)
        player = mover
        actions += 1
    write_word(stream, 0, word)
    return actions
