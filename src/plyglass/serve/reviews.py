"""Reviews of records in a worker: each decision is a job, so other jobs can run in between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from plyglass.arena.match.record import Record
from plyglass.arena.review import ReviewCancelled, review, why
from plyglass.arena.review.continuation import reviewer_of
from plyglass.arena.specs import text_of_game
from plyglass.core.game import Game
from plyglass.search.interface import Budget
from plyglass.serve.analysis import recorded
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.decisions import Cancelled, Tell, until
from plyglass.serve.protocol import Refused

ITERATIONS = 500  # to search each decision; suspicious decisions get ten times as many


def review_ply(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    """The review of one decision of a record."""
    game, record = _given(catalogue, job)
    agent = replace(reviewer_of(game), budget=Budget(iterations=ITERATIONS))
    try:
        found = review(
            record, plies=[job["ply"]], game=game, agent=agent, pairs=job["pairs"],
            seed=job["seed"], cancelled=until(cancelled, job["left"]),
        )  # fmt: skip
    except ReviewCancelled:
        raise _too_slow() from None
    (reviewed,) = found.plies
    return {
        **asdict(reviewed),
        "name": game.action_name(reviewed.action),
        "best_name": game.action_name(reviewed.best),
    }


def why_not(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    """What another action would have changed."""
    game, record = _given(catalogue, job)
    try:
        found = why(
            record, job["ply"], job["instead"], pairs=job["pairs"], game=game, seed=job["seed"],
            cancelled=until(cancelled, job["left"]),
        )  # fmt: skip
    except ReviewCancelled:
        raise _too_slow() from None
    except ValueError as error:
        raise Refused("illegal-action", str(error)[:500], "instead") from None
    return asdict(found)


def _given(catalogue: Catalogue, job: Mapping[str, Any]) -> tuple[Game, Record]:
    """The game of a client's record, and its moves; refuses moves that the rules forbid."""
    match = recorded(catalogue, job["record"])
    game, state = match.served.game, match.match
    moves = tuple({"player": each[0], "action": each[1]} for each in state["moves"])
    if not 0 <= job["ply"] < len(moves):
        raise Refused("other-ply", f"The record has {len(moves)} decisions.", "ply")
    players = tuple(state["players"])
    return game, Record(text_of_game(game), players, state["seed"], moves, (), False)


def _too_slow() -> Refused:
    return Refused("late", "The review takes longer than the deadline; ask for fewer pairs.")
