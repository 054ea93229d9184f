"""Measuring a match while it is played. What is of a seat is kept as `name@seat`, the first
being 0; what is of the match, as `name`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plyglass.arena.match import Match, Move
from plyglass.arena.measures import Measure
from plyglass.core.world import World


class MeasureFailed(ValueError):
    """A measure raised an error, or gave what is not a number. That is nobody's loss: the run
    stops and says so.
    """


class Measuring:
    """Watches one match. What it hands to measures has no times in it, so that none can depend
    on them.
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
        """Measure a move; `world` is the position after it, and the one before was kept when the
        last move was watched.
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
        """All that was measured, when the match is over."""
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
    """What every row has: the iterations and decisions of each seat."""
    seats = range(match.game.players)
    own = [
        [move.decision.iterations for move in match.moves if move.player == seat] for seat in seats
    ]
    return {f"iterations@{seat}": float(sum(own[seat])) for seat in seats} | {
        f"decisions@{seat}": float(len(own[seat])) for seat in seats
    }


def split_name(name: str) -> tuple[str, int | None]:
    """(what was measured, of which seat): the seat is None for what is of the whole match."""
    what, sign, seat = name.rpartition("@")
    return (what, int(seat)) if sign else (name, None)


def _of_match(measure: Measure, match: Match) -> dict[str, float]:
    given = _call(measure, {"match": match})
    if not isinstance(given, Sequence):
        return _numbers(measure, given)
    if len(given) != match.game.players:
        raise MeasureFailed(
            f"The measure {measure.name!r} gave a list of {len(given)} for {match.game.players} "
            "seats; give one for each."
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
    """What a measure gave as numbers by name; what is None is left out."""
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
            f"The measure {name!r} gave {value!r}; give a finite number, a dictionary of them, or "
            "None."
        )
    return number
