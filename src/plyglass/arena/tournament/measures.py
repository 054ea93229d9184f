"""Measures of a match beyond its result: built-in measures, and your own functions.

The parameter names of a function say what it measures:

- `match` is the whole match at its end. The function returns a number, or a list with a number for
  each seat.
- A function with any of `decision`, `view`, `world` and `player` measures every decision before its
  action is played. The function returns a number, or None to measure nothing. The match row keeps
  the mean over a seat's decisions.

Both kinds of functions may return a dictionary of numbers instead of a number. A measure must
depend only on what was played, and never on time. The match row has separate values for times.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plyglass.arena.match.match import Match, Move, first_position
from plyglass.arena.references import function_from, is_reference
from plyglass.core.world import World
from plyglass.search.interface import Decision

ALWAYS = ("iterations", "decisions")
"""Measures that every match row contains for every seat."""
OF_DECISION = ("decision", "view", "world", "player")


def value(decision: Decision) -> float | None:
    """Return the planner's value of the action that it chose, in points of the game's score."""
    return decision.values[_chosen(decision)] if decision.values else None


def visits_above_uniform(decision: Decision) -> float | None:
    """Return the chosen action's share of all visits, minus its share under uniform visits."""
    total = sum(decision.visits)
    return decision.visits[_chosen(decision)] / total - 1 / len(decision.visits) if total else None


def line_depth(decision: Decision) -> float | None:
    """Return the number of actions in the principal line that the planner expects."""
    return len(decision.line) or None


def actions(decision: Decision) -> float:
    """Return the number of legal actions."""
    return len(decision.actions)


def length(match: Match) -> float:
    """Return the number of actions of the match."""
    return len(match.moves)


def discounted(match: Match) -> list[float]:
    """Return each seat's discounted return; the game's discount applies to every action."""
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
    """A measure: its name in rows and tables, its function, and that function's parameters."""

    name: str
    function: Callable[..., Any]
    wants: tuple[str, ...]

    @property
    def of_match(self) -> bool:
        """Whether the function measures the match as a whole rather than each decision."""
        return self.wants == ("match",)


def measures_from(texts: Iterable[str]) -> tuple[Measure, ...]:
    """Return the measures named in `texts`; raise an error if two have the same name."""
    found = tuple(map(measure_from, texts))
    names = [*ALWAYS, *(measure.name for measure in found)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ValueError(
            f"Two measures are called {twice!r}; rename one. Every table already has "
            f"{' and '.join(ALWAYS)}."
        )
    return found


@functools.lru_cache(maxsize=64)
def measure_from(text: str) -> Measure:
    """Return the measure that a text names: a built-in name or a reference to a function."""
    if text in BUILT_IN:
        return _measure(text, BUILT_IN[text])
    if not is_reference(text):
        raise ValueError(
            f"There is no measure {text!r}; there are {', '.join(BUILT_IN)}. Write your own as "
            "file.py@function or package.module:function."
        )
    function = function_from(text)
    return _measure(text.replace(":", "@").rpartition("@")[2], function)


def _measure(name: str, function: Callable[..., Any]) -> Measure:
    wants = tuple(inspect.signature(function).parameters)
    if wants != ("match",) and not (wants and set(wants) <= set(OF_DECISION)):
        raise ValueError(
            f"The measure {name!r} takes ({', '.join(wants)}); a measure of matches takes (match), "
            f"a measure of decisions takes some of ({', '.join(OF_DECISION)})."
        )
    return Measure(name, function, wants)


class MeasureFailed(ValueError):
    """A measure raised an error or returned no number.

    The run stops, because no agent is to blame.
    """


class Measuring:
    """Measures one match while it is played.

    A seat's measure is kept as `name@seat`, with 0 for the first seat. A measure of the match is
    kept as `name`. Measures get decisions without times, so no measure can depend on time.
    """

    def __init__(self, measures: Sequence[Measure]) -> None:
        self._of_match = [measure for measure in measures if measure.of_match]
        self._of_decision = [measure for measure in measures if not measure.of_match]
        self._keeps_world = any(
            {"view", "world"} & set(measure.wants) for measure in self._of_decision
        )
        self._before: World | None = None
        self._seen: dict[str, list[float]] = defaultdict(list)

    def watch(self, world: World, move: Move | None) -> None:
        """Measure a move.

        `world` is the position after the move. Measures use the position before the move, which was
        kept.
        """
        if move is not None and self._of_decision:
            offered = {"decision": replace(move.decision, seconds=0.0), "player": move.player}
            if self._before is not None:
                offered |= {"world": self._before, "view": self._before.hide(move.player)}
            for measure in self._of_decision:
                for name, value in _numbers(measure, _call(measure, offered)).items():
                    self._seen[f"{name}@{move.player}"].append(value)
        if self._keeps_world:
            self._before = world.copy()

    def result(self, match: Match) -> dict[str, float]:
        """Return all measures, at the end of the match."""
        found = effort_of(match) | {
            name: math.fsum(values) / len(values) for name, values in self._seen.items()
        }
        if self._of_match:
            timeless = replace(
                match,
                moves=tuple(
                    Move(move.player, replace(move.decision, seconds=0.0)) for move in match.moves
                ),
            )
            for measure in self._of_match:
                found |= _of_match(measure, timeless)
        return found


def effort_of(match: Match) -> dict[str, float]:
    """Return the numbers of iterations and decisions of each seat, which every match row keeps."""
    seats = range(match.game.players)
    own = [
        [move.decision.iterations for move in match.moves if move.player == seat] for seat in seats
    ]
    return {f"iterations@{seat}": float(sum(own[seat])) for seat in seats} | {
        f"decisions@{seat}": float(len(own[seat])) for seat in seats
    }


def split_name(name: str) -> tuple[str, int | None]:
    """Split `name@seat` into name and seat; the seat is None for a measure of the whole match."""
    what, sign, seat = name.rpartition("@")
    return (what, int(seat)) if sign else (name, None)


def _of_match(measure: Measure, match: Match) -> dict[str, float]:
    given = _call(measure, {"match": match})
    if not isinstance(given, Sequence):
        return _numbers(measure, given)
    if len(given) != match.game.players:
        raise MeasureFailed(
            f"The measure {measure.name!r} returned a list of {len(given)}, but the match has "
            f"{match.game.players} seats; return one number for each."
        )
    return {
        f"{name}@{seat}": value
        for seat, each in enumerate(given)
        for name, value in _numbers(measure, each).items()
    }


def _call(measure: Measure, offered: Mapping[str, Any]) -> Any:
    try:
        return measure.function(*(offered[name] for name in measure.wants))
    except Exception as error:
        raise MeasureFailed(
            f"The measure {measure.name!r} raised {type(error).__name__}: {error}"
        ) from error


def _numbers(measure: Measure, given: Any) -> dict[str, float]:
    """Return the numbers that a measure returned, by name, without None."""
    named = (
        {f"{measure.name}.{key}": value for key, value in given.items()}
        if isinstance(given, Mapping)
        else {measure.name: given}
    )
    return {name: _number(name, value) for name, value in named.items() if value is not None}


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise MeasureFailed(
            f"The measure {name!r} returned {value!r}; return a finite number, a dictionary of "
            "them, or None."
        )
    return number
