"""A small game as an extensive-form game file, which OpenSpiel and Gambit read.

OpenSpiel loads the file as a C++ game, so OpenSpiel's C++ algorithms run at full speed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from plyglass.arena.audit.whole_game import START, WholeGame
from plyglass.core.game import Game

Lines = list[tuple[float, int]]


def efg(game: Game) -> str:
    """The whole game as text in Gambit's format. Games that are too large are refused."""
    whole = WholeGame(game)
    numbers, counts = {}, [0] * game.players
    for number, each in enumerate(whole.sets):
        counts[each.seat] += 1
        numbers[number] = counts[each.seat]
    players = " ".join(f'"{_quoted(game.player_name(seat))}"' for seat in range(game.players))
    out = [f'EFG 2 R "{_quoted(repr(game))}" {{ {players} }}', '""']
    chances = outcomes = 0
    stack: list[int | Lines] = [START]  # numbers of positions, and chance nodes
    while stack:
        top = stack.pop()
        if isinstance(top, list):
            if len(top) == 1:
                stack.append(top[0][1])
                continue
            chances += 1
            options = " ".join(f'"{place}" {chance!r}' for place, (chance, _) in enumerate(top))
            out.append(f'c "" {chances} "" {{ {options} }} 0')
            stack.extend(line for _, line in reversed(top))
            continue
        position = whole.positions[top]
        if not position.after:
            outcomes += 1
            scores = ", ".join(repr(float(score)) for score in position.scores)
            out.append(f't "" {outcomes} "" {{ {scores} }}')
        elif position.number < 0:
            stack.append(position.after[0])
        else:
            names = [game.action_name(action) for action in whole.sets[position.number].actions]
            options = " ".join(f'"{_quoted(name)}"' for name in names)
            number = numbers[position.number]
            out.append(f'p "" {position.seat + 1} {number} "" {{ {options} }} 0')
            stack.extend(reversed(position.after))
    return "\n".join(out) + "\n"


def load_efg(game: Game) -> Any:
    """The whole game as a C++ game of OpenSpiel."""
    import pyspiel

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        path.write_text(efg(game), encoding="utf-8")
        return pyspiel.load_game("efg_game", {"filename": str(path)})


def _quoted(text: str) -> str:
    return text.replace('"', "'")
