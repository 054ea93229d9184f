"""A quick examination of a game's rules before Plyglass trusts them, by random play.

Every rule runs with checked bounds. First, the rules run as Python, which can locate an error. Then
they run as checked machine code, which visits more positions. `arena.first_pass` runs this
examination in another process.
"""

from __future__ import annotations

import time

import numpy as np

from plyglass.core.admission import Examination, PositionRefused, checked_rules
from plyglass.core.check.walk import Probe, watched_by
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.time_limit import CallLimit

GAMES = 20  # the most random games with interpreted rules, and the most with compiled rules
HANG_SECONDS = 10.0  # time limit for one call to a rule that runs as Python
WHOLE_SECONDS = 600.0  # time limit for one random game whose rules run as Python
SECONDS = 2.0  # CPU time after which no further position is examined with this kind of rules


def first_pass(game: Game) -> str:
    """Describe what is wrong with the rules of a game; the text is empty if nothing was found."""
    with CallLimit(HANG_SECONDS) as limit, watched_by(limit.tell):
        for which in (game.interpreted(), game):
            until = time.process_time() + SECONDS
            for number in range(GAMES):
                if time.process_time() > until:
                    break
                try:
                    _play(which, derive(number, Purpose.TEST), until)
                except _Found as found:
                    return str(found) if not which.compiled else _located(game, found)
    return ""


class _Found(Exception):
    """A fault, with the seed and the actions that lead to it."""

    def __init__(self, problem: str, seed: int, history: tuple[int, ...]) -> None:
        super().__init__(problem)
        self.seed, self.history = seed, history


def _play(game: Game, seed: int, until: float) -> None:
    """Play a random game, and examine its positions until the time is over."""
    probe, choice = Probe(game, seed), np.random.default_rng(seed)
    try:
        with checked_rules(game, WHOLE_SECONDS) as examination:
            examination.rule = "start"
            probe.start()
            examination.ran(None)
            while len(probe.history) < game.most_steps:
                _examine(examination, probe)
                examination.rule = "to_move"
                mover = probe.to_move()
                if mover < 0 or time.process_time() > until:
                    return
                examination.rule = "legal"
                actions = probe.legal()
                examination.rule = "apply"
                probe.step(mover, actions[int(choice.integers(len(actions)))])
                examination.ran(None)
    except PositionRefused as refused:
        raise _Found(refused.problem, seed, tuple(probe.history)) from None


def _examine(examination: Examination, probe: Probe) -> None:
    row = probe.row.copy()
    examination.world(row)
    examination.rule = "constants"
    if (damage := probe.damage()) is not None:
        examination.refuse(damage.problem)


def _located(game: Game, found: _Found) -> str:
    """Return the fault, with its line if interpreted rules have the fault too."""
    twin = game.interpreted()
    probe = Probe(twin, found.seed)
    try:
        with checked_rules(twin, WHOLE_SECONDS) as examination:
            examination.rule = "start"
            probe.start()
            for action in found.history:
                examination.rule = "apply"
                probe.step(probe.to_move(), action)
            examination.world(probe.row.copy())
    except PositionRefused as refused:
        return refused.problem
    return str(found)
