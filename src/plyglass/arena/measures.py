"""What can be measured of a match beyond its result: measures that come with the package by name,
and any function of a user.

A function says by the names of its parameters what it wants. `match` is the whole match when it is
over: give a number for the match, or a list with one for each seat. Any of `decision`, `view`,
`world` and `player` ask for every single decision, before it is played: give a number, or None
where there is nothing to tell; the mean over a seat's decisions is kept. Instead of a number, both
may give a dictionary of numbers. All must follow from what was played and from nothing else, least
of all from the time, which is kept elsewhere.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from plyglass.arena.match import Match, first_position
from plyglass.arena.references import function_from, is_reference
from plyglass.search.planner import Decision

ALWAYS = (
    "iterations",
    "decisions",
)  # what every row has, for every seat, whatever else is measured
OF_DECISION = ("decision", "view", "world", "player")


def value(decision: Decision) -> float | None:
    """What the planner expects of the action it chose, in the game's own scores."""
    return decision.values[_chosen(decision)] if decision.values else None


def visits_above_uniform(decision: Decision) -> float | None:
    """The chosen action's share of all visits, beyond the share it would have if all had been
    visited alike.
    """
    total = sum(decision.visits)
    return decision.visits[_chosen(decision)] / total - 1 / len(decision.visits) if total else None


def line_depth(decision: Decision) -> float | None:
    """How many actions long the line is that the planner expects."""
    return len(decision.line) or None


def actions(decision: Decision) -> float:
    """How many actions there were to choose from."""
    return len(decision.actions)


def length(match: Match) -> float:
    """How many actions the match had."""
    return len(match.moves)


def discounted(match: Match) -> list[float]:
    """What each seat earned, every action discounting what comes after it as the game declares."""
    world, players = (
        first_position(match.game, match.seed) if match.start is None else match.start.copy(),
        range(match.game.players),
    )
    sums, weight = [0.0] * match.game.players, 1.0
    for action in match.actions:
        before = world.scores
        world.apply(action)
        sums = [
            sums[player] + weight * (world.score(player) - before[player]) for player in players
        ]
        weight *= match.game.discount
    return sums


def _chosen(decision: Decision) -> int:
    return decision.actions.index(decision.action)


BUILT_IN = {
    each.__name__.replace("_", "-"): each
    for each in (value, visits_above_uniform, line_depth, actions, length, discounted)
}


@dataclass(frozen=True)
class Measure:
    """A measure: its name in rows and tables, what computes it, and the names of what that
    wants.
    """

    name: str
    function: Callable[..., Any]
    wants: tuple[str, ...]

    @property
    def of_match(self) -> bool:
        """Whether it is about the match as a whole rather than about each decision."""
        return self.wants == ("match",)


def measures_from(texts: Iterable[str]) -> tuple[Measure, ...]:
    """The measures that texts mean; two of one name are refused, for nobody could tell them
    apart in a table.
    """
    found = tuple(map(measure_from, texts))
    names = [*ALWAYS, *(measure.name for measure in found)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ValueError(
            f"Two measures are called {twice!r}; {' and '.join(ALWAYS)} are always there. Give a "
            "function another name."
        )
    return found


@functools.lru_cache(maxsize=64)
def measure_from(text: str) -> Measure:
    """The measure that a text means: the name of a built-in one, `file.py@function` or
    `package.module:function`.
    """
    if text in BUILT_IN:
        return _measure(text, BUILT_IN[text])
    if not is_reference(text):
        raise ValueError(
            f"There is no measure {text!r}; there are {', '.join(BUILT_IN)}, or give one of your "
            "own as file.py@function or "
            "package.module:function."
        )
    function = function_from(text)
    return _measure(text.replace(":", "@").rpartition("@")[2], function)


def _measure(name: str, function: Callable[..., Any]) -> Measure:
    wants = tuple(inspect.signature(function).parameters)
    if wants != ("match",) and not (wants and set(wants) <= set(OF_DECISION)):
        raise ValueError(
            f"The measure {name!r} takes ({', '.join(wants)}); a measure of a match takes "
            "(match), one of decisions takes some of "
            f"({', '.join(OF_DECISION)})."
        )
    return Measure(name, function, wants)
