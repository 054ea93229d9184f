"""The process of an isolated player: `python -m plyglass.arena.match.isolated_seat`.

The process reads lines of JSON and answers with lines of JSON. The first line names the player and,
for a match, the game, the seat and the seed. Each further line either says what the seat observes,
or requests a decision. The process first loads the game, then closes its sandbox, and only then
imports the player's code.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from plyglass.arena.match import sandbox

TOLD = (
    "action", "actions", "values", "visits", "line", "spread", "depth", "iterations", "evaluated",
    "seconds", "stop",
)  # fmt: skip
"""The parts of a decision that the process sends."""


def main() -> None:
    sandbox.leave_namespaces()
    sandbox.die_with_parent()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the text that a player prints is no answer
    with _reported(answers):
        _serve(sys.stdin, answers)


def _serve(lines: Any, answers: Any) -> None:
    """Answer requests until the input ends."""
    from plyglass.arena.specs import game_from, player_from
    from plyglass.core.world import received

    first = json.loads(next(lines))
    game = game_from(first["game"]) if "game" in first else None
    if game is not None:
        game.verbs  # noqa: B018  compiled or loaded while files can still be written
    sandbox.close(first["player"])
    player = player_from(first["player"])
    if game is None:
        budget = getattr(player, "budget", None)
        limits = None if budget is None else {k: v for k, v in asdict(budget).items() if v}
        return _answer(answers, {"cheats": player.cheats, "budget": limits})
    seat = player.take_seat(game, first["seat"], first["seed"])
    _answer(answers, {"ready": True})
    for line in lines:
        told = json.loads(line)
        if "view" in told:
            view = received(game, first["seat"], bytes.fromhex(told["view"]))
            seat.observe(told["own"], view)
        else:
            decision = seat.decide()
            _answer(answers, {name: getattr(decision, name) for name in TOLD})
    return None


def _answer(answers: Any, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message, default=_plain) + "\n")
    answers.flush()


def _plain(value: Any) -> Any:
    """Return a NumPy number as a Python number."""
    return value.item()


@contextmanager
def _reported(answers: Any) -> Iterator[None]:
    """Send, as text, an error that the player raised."""
    try:
        yield
    except Exception:
        _answer(answers, {"error": traceback.format_exc()[-4000:]})


if __name__ == "__main__":
    main()
