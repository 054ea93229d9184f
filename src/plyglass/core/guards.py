"""Arrays that have bounds in bounds-checked code, for rules that write to an address.

`legal` and similar rules write to `out`, which is only an address, so nothing checks how far they
write. With `NUMBA_BOUNDSCHECK=1`, a rule that writes to an address gets an array of the declared
length. Otherwise, nothing here is compiled, and rules are as fast as without guards.
"""

from collections.abc import Mapping
from typing import Any

from plyglass.core.compile import CHECKED, Function, Kernel, compose

carray: Any = None  # a function of Numba, which is imported only for checked code
rule: Any = None
MOST = 0


def guarded(functions: Mapping[str, Function], room: Mapping[str, int]) -> dict[str, Function]:
    """The rules of a game; in checked code, bounds limit what the rules write to an address.

    `room` maps the name of an array parameter to the number of its elements.
    """
    if not CHECKED:
        return dict(functions)
    return {name: guarded_rule(name, function, room) for name, function in functions.items()}


def guarded_rule(shape: str, function: Function, room: Mapping[str, int]) -> Function:
    """One rule, or a tracker, with bounds in checked code."""
    if not CHECKED or shape not in TEMPLATES:
        return function
    from numba import carray

    template, parameter = TEMPLATES[shape]
    globals()["carray"] = carray
    return Kernel(compose(template, {"rule": function}, {"MOST": room[parameter]}))


def actions(r, s, out):
    """`legal`, `represent` or `prefer` with room for `MOST` actions."""
    return rule(r, s, carray(out, MOST))


def numbers(r, s, player, values):
    """`features` with room for `MOST` numbers."""
    return rule(r, s, player, carray(values, MOST))


def placed(r, s, viewer, tracks):
    """`place` with room for `MOST` numbers in `tracks`."""
    return rule(r, s, viewer, carray(tracks, MOST))


def tracked(r, s, seen, viewer, tracks):
    """A tracker with room for `MOST` numbers in `tracks`."""
    return rule(r, s, seen, viewer, carray(tracks, MOST))


TEMPLATES: dict[str, tuple[Function, str]] = {
    "legal": (actions, "out"),
    "represent": (actions, "out"),
    "prefer": (actions, "out"),
    "features": (numbers, "values"),
    "place": (placed, "tracks"),
    "tracker": (tracked, "tracks"),
}
