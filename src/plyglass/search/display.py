"""This module shows a decision as text in an interpreter and as a table in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plyglass.core.display import bar, html_table, shares

if TYPE_CHECKING:
    from plyglass.search.interface import Decision

MOST_ACTIONS = 6


def shown(decision: Decision) -> str:
    """Return one line with the chosen action, and the values and visits of the leading actions."""
    rows = list(_thoughts(decision))
    thoughts = "; ".join(_phrase(*row[1:]) for row in rows[:MOST_ACTIONS])
    more = f"; {len(rows) - MOST_ACTIONS} more" if len(rows) > MOST_ACTIONS else ""
    cost = f"{decision.iterations} iterations, " if decision.iterations else ""
    chosen = _name(decision, decision.action)
    return f"<Decision {chosen} ({thoughts}{more}), {cost}{decision.seconds:.3f} s>"


def shown_as_table(decision: Decision) -> str:
    """Return an HTML table of all actions, the most visited first, with their values as bars.

    If the decision has no values, the bars show visits.
    """
    values = decision.values
    most = max(decision.visits, default=0) or 1
    if any(value is not None for value in values):
        long = shares(values)
    else:
        long = [visits / most for visits in decision.visits] or [0.0] * len(decision.actions)
    chosen = _name(decision, decision.action)
    rows = [
        ("→" if name == chosen else "", name, value, bar(long[place]), visits)
        for place, name, value, visits in _thoughts(decision)
    ]
    return html_table(["", "action", "value", "", "visits"], rows)


def _thoughts(decision: Decision) -> Iterator[tuple[int, str, str, str]]:
    """Yield (index, name, value, visits) of every action, sorted by visits and then by value."""
    count = len(decision.actions)
    values = decision.values or (None,) * count
    visits = decision.visits or (0,) * count

    def rank(place: int) -> tuple[float, float]:
        value = values[place]
        return -visits[place], float("inf") if value is None else -value

    for place in sorted(range(count), key=rank):
        value = values[place]
        yield (
            place,
            _name(decision, decision.actions[place]),
            "" if value is None else f"{value:+.3g}",
            str(visits[place]) if visits[place] else "",
        )


def _phrase(name: str, value: str, visits: str) -> str:
    return " ".join(part for part in (name, value, visits and f"{visits} visits") if part)


def _name(decision: Decision, action: int) -> str:
    return decision.game.action_name(action) if decision.game else str(action)
