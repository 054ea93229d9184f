"""Games with one mistake each, and the sentence that reports it.

`CASES` has for every mistake the lines that replace a rule, the rule, the number of the wrong line
in it (from 1, below `def`), and words of the sentence.
"""

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

RULES = {
    "start": ("r, setup, s", "s.heap = 5"),
    "to_move": ("r, s", "return s.player if s.heap > 0 else -1"),
    "legal": ("r, s, out", "out[0] = 1\nreturn 1"),
    "apply": ("r, s, action", "s.heap -= 1\ns.player = 1 - s.player"),
    "score": ("r, s, player", "return 0.0"),
}
TOP = """
import numpy as np
import plyglass as pg

State = pg.state_dtype(("heap", np.int8), ("cell", np.int8, (4,)), ("player", np.int8))
"""
GAME = """
class Wrong(pg.Game):
    name = "wrong"
    state = State
    rules = ({rules})

    def __init__(self):
        super().__init__(players=2, most_actions=3, most_steps=10, scores=(-1.0, 1.0))
"""


@dataclass(frozen=True)
class Wrong:
    """A mistake: `body` replaces that of `rule`; the sentence names its line and says `words`."""

    rule: str
    body: str
    line: int
    words: tuple[str, ...]
    top: str = ""
    takes: str = ""

    def write(self, path: Path) -> int:
        """Write the game with this mistake to a file; returns the wrong line."""
        parts, place = [TOP, dedent(self.top)], 0
        # the wrong rule comes first, so that the others are not compiled before it
        for name in (self.rule, *(each for each in RULES if each != self.rule)):
            takes, body = RULES[name]
            if name == self.rule:
                takes, body = self.takes or takes, self.body
                place = "\n".join(parts).count("\n") + 3 + self.line
            parts.append(f"@pg.kernel\ndef {name}({takes}):\n{indent(dedent(body), '    ')}\n")
        rules = ", ".join((self.rule, *(each for each in RULES if each != self.rule)))
        path.write_text("\n".join((*parts, GAME.format(rules=rules))) + "\n")
        return place


TEN = {
    "a Python list": Wrong(
        "legal",
        "moves = []\nfor i in range(3):\n    moves.append(i)\nout[0] = moves[0]\nreturn len(moves)",
        1,
        ("cannot make a Python list", "write actions to `out`"),
    ),
    "a float index": Wrong(
        "apply", "s.heap -= 1\ns.cell[action / 2] = 1", 2, ("an index is a float", "//")
    ),
    "a string": Wrong(
        "apply",
        '"""Take chips."""\nkind = "take" if action else "roll"\ns.heap -= kind == "take"',
        2,
        ("cannot use a string", "Use a number", "TAKE = 0"),
    ),
    "a missing field": Wrong(
        "apply",
        "s.heep -= 1",
        1,
        ("s has no field 'heep'", "Its fields are heap, cell, player", "Did you mean 'heap'?"),
    ),
    "a raise": Wrong(
        "apply",
        "if action > 3:\n    raise ValueError(action)\ns.heap -= 1",
        2,
        ("cannot raise", "`legal` lists what may be played"),
    ),
    "a negative index": Wrong(
        "apply",
        "s.cell[-1] = 1\ns.heap -= 1",
        1,
        ("the index -1 of s.cell is negative", "the last of n is n - 1"),
    ),
    "a global that changes": Wrong(
        "apply",
        "s.heap -= STEP",
        1,
        ("the global STEP changes", "a field of the state", "constants of the game"),
        top="STEP = 1\n\ndef faster():\n    global STEP\n    STEP += 1\n",
    ),
    "wrong arity": Wrong(
        "apply",
        "s.heap -= pg.draw(s)",
        1,
        ("draw is called with 1 argument, but takes 2", "Call it as draw(s, n)"),
    ),
    "returning nothing": Wrong(
        "legal",
        "out[0] = 1\nif s.heap > 2:\n    return 1",
        2,
        ("returns nothing here, but must return a whole number", "on every path"),
    ),
    "an unknown function": Wrong(
        "apply",
        "s.heap -= minn(s.heap, 2)",
        1,
        ("there is no function or value 'minn'", "Did you mean 'min'?"),
    ),
}
MORE = {
    "a negative action": Wrong("legal", "out[-1] = 1\nreturn 1", 1, ("the index -1 of out",)),
    "a string in a field": Wrong("apply", "s.heap = 'five'", 1, ("cannot use a string",)),
    "an assertion": Wrong("apply", "assert action < 4\ns.heap -= 1", 1, ("cannot assert",)),
    "catching errors": Wrong(
        "apply",
        "try:\n    s.heap -= 1\nexcept Exception:\n    pass",
        1,
        ("cannot catch errors", "`if`"),
    ),
    "a generator": Wrong("apply", "s.heap -= 1\nyield 1", 2, ("cannot yield",)),
    "a dict": Wrong("apply", "worth = {1: 2}\ns.heap -= worth[1]", 1, ("Python dict",)),
    "assigning a global": Wrong(
        "apply", "global COUNT\nCOUNT += 1", 1, ("the global COUNT changes",), top="COUNT = 0"
    ),
    "a global list": Wrong(
        "apply", "SEEN.append(1)", 1, ("cannot use the global SEEN", "empty list"), top="SEEN = []"
    ),
    "a global array that is written": Wrong(
        "apply", "SEEN[0] = 1", 1, ("cannot change a global array",), top="SEEN = np.zeros(3)"
    ),
    "a plain function": Wrong(
        "apply",
        "s.heap -= half(2)",
        1,
        ("half is a plain Python function", "Write @pg.kernel above"),
        top="def half(n):\n    return n // 2\n",
    ),
    "an unknown name of a module": Wrong(
        "apply", "s.heap -= pg.drow(s, 2)", 1, ("plyglass has no function or value 'drow'", "draw")
    ),
    "parameters of another rule": Wrong(
        "apply",
        "s.heap -= 1",
        -1,
        ("rule apply(r, s) must take (r, s, action)",),
        takes="r, s",
    ),
    "a value that nobody takes": Wrong(
        "apply", "s.heap -= 1\nreturn 3", 2, ("returns a value", "Write `return` without a value")
    ),
    "a score that is missing": Wrong(
        "score", "s.heap", 1, ("returns nothing here, but must return a number",)
    ),
    "a variable with two types": Wrong(
        "apply",
        "x = s.cell\nif action:\n    x = 1\ns.heap -= x + 1",
        4,
        ("the variable x is once of the type",),
    ),
    "a variable without a value": Wrong(
        "apply", "s.heap -= x\nx = 1", 1, ("the variable x is used before it has a value",)
    ),
    "a field of another shape": Wrong("apply", "s.cell = 3", 1, ("does not fit a field",)),
    "what Numba does not know": Wrong(
        "apply",
        "s.heap -= random.choice((1, 2))",
        1,
        ("compiled code has no 'choice' of a Module",),
        top="import random",
    ),
}
