"""Which parameters are tuned, and between which values; as text `exploration=0.1..2.0`,
`trees=1..8`, `reuse=true|false`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plyglass.arena.specs import agent_from, is_own_player, player_from, text_of_agent

Value = float | int | str


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`: whole ones if both are."""

    low: float | int
    high: float | int

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(
                f"A range goes from a number to a larger one, not from {self.low} to {self.high}."
            )

    @property
    def first(self) -> Value:
        return self.low


@dataclass(frozen=True)
class Choice:
    """One of several words or numbers, as they are written."""

    options: tuple[str, ...]

    @property
    def first(self) -> Value:
        return self.options[0]


Space = Mapping[str, Range | Choice]


def space_from(texts: list[str]) -> Space:
    """The space that the texts mean."""
    if not texts:
        raise ValueError("There is nothing to tune; give a parameter such as exploration=0.1..2.0.")
    space: dict[str, Range | Choice] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not values:
            raise ValueError(
                f"{text!r} is not of the form parameter=low..high or parameter=one|other."
            )
        space[name.strip().replace("-", "_")] = _values(values, text)
    return space


def _values(values: str, text: str) -> Range | Choice:
    low, dots, high = values.partition("..")
    if not dots:
        return Choice(tuple(each.strip() for each in values.split("|")))
    try:
        return Range(_number(low), _number(high))
    except ValueError as error:
        raise ValueError(f"{text!r} is not a range of numbers: {error}") from None


def _number(text: str) -> float | int:
    try:
        return int(text)
    except ValueError:
        return float(text)


def with_parameters(agent: str, values: Mapping[str, Value]) -> str:
    """The agent with other values for some parameters, as text."""
    changed = (
        agent
        + (":" if ":" not in agent else ",")
        + ",".join(f"{name}={value}" for name, value in values.items())
    )
    if is_own_player(agent):
        player_from(changed)
        return changed
    return text_of_agent(agent_from(changed))
