"""Who took longer than his budget of time. A budget of iterations cannot be overrun, so its
matches never depend on a clock.
"""

from __future__ import annotations

from plyglass.arena.agent import Player
from plyglass.arena.match import Match
from plyglass.search.budget import Budget


def first_overrun(match: Match, tolerance: float) -> int:
    """The seat that first took over `tolerance` seconds longer for a decision, or for a turn, than
    its budget; -1 where nobody did.

    A turn is all decisions of a seat in a row. What counts is the time by the clock of the wall
    from when the runner asks for a decision until it has one; a player of a user's own is held to a
    budget if it has an attribute `budget`.
    """
    turn, last = 0.0, -1
    for move in match.moves:
        turn = move.seconds if move.player != last else turn + move.seconds
        last = move.player
        if _excess(match.players[move.player], move.seconds, turn) > tolerance:
            return move.player
    return -1


def _excess(player: Player, decision_seconds: float, turn_seconds: float) -> float:
    budget = getattr(player, "budget", None)
    if not isinstance(budget, Budget):
        return 0.0
    if budget.seconds is not None:
        return decision_seconds - budget.seconds
    return turn_seconds - budget.turn_seconds if budget.turn_seconds is not None else 0.0
