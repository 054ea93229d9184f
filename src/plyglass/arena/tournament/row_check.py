"""Check whether the rows of a store from a stranger can be results of the store's settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from plyglass.arena.limits import MOST_NAME, shown
from plyglass.arena.tournament.match_row import MatchRow, Status
from plyglass.arena.tournament.measures import ALWAYS
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings

MOST_MEASURES = 10_000
MOST_STEPS = 2**40


def checked_rows(settings: Settings, rows: Iterable[MatchRow], name: str) -> Iterator[MatchRow]:
    """Yield the rows of the store `name`; refuse a row that no match of the settings can have."""
    schedule, last = Schedule(settings), -1
    total, ranges = len(schedule), [settings.game(text).scores for text in settings.games]
    for row in rows:
        if type(row.number) is not int or not last < row.number < total:
            raise ValueError(
                f"{name}: the match number {shown(row.number)} is wrong here; the numbers "
                f"increase from 0 to {total - 1}."
            )
        last = row.number
        fixture = schedule[row.number]
        flaw = _flaw(row, len(fixture.agents), ranges[fixture.game])
        if flaw:
            raise ValueError(f"{name}: match {row.number} has no possible result: {flaw}.")
        yield row


def _flaw(row: MatchRow, players: int, scores: tuple[float, float]) -> str:
    """Return what is wrong with a row, or an empty text."""
    if row.status not in get_args(Status):
        return f"its status is {shown(row.status)}"
    if type(row.offender) is not int or not -1 <= row.offender < players:
        return f"its offender is {shown(row.offender)}"
    if not _are_numbers(row.scores, *scores) or len(row.scores) != players * row.finished:
        return f"its scores are {shown(row.scores)}"
    if type(row.steps) is not int or not 0 <= row.steps <= MOST_STEPS:
        return f"it has {shown(row.steps)} actions"
    if not _are_numbers([row.seconds], 0.0, 1e12):
        return f"it took {shown(row.seconds)} seconds"
    timed = players if row.finished else 0
    if not _are_numbers(row.seat_seconds, 0.0, 1e12) or len(row.seat_seconds) != timed:
        return f"its seats took {shown(row.seat_seconds)} seconds"
    if not all(map(_is_name, (row.digest, row.code))):
        return "its digest or its code is no text"
    if not isinstance(row.measures, dict) or len(row.measures) > MOST_MEASURES:
        return "it has no measures"
    always = [f"{name}@{seat}" for name in ALWAYS for seat in range(players)]
    if row.finished and not _are_numbers([row.measures.get(name) for name in always], 0.0, 1e18):
        return f"it does not have all of {', '.join(always)}"
    for name, value in row.measures.items():
        if not _is_name(name) or not _has_seat(name, players):
            return f"it has a measure {shown(name)}"
        if not _are_numbers([value], -1e300, 1e300):
            return f"its measure {shown(name)} is {shown(value)}"
    return ""


def _are_numbers(values: Sequence[object], low: float, high: float) -> bool:
    return all(type(each) in (int, float) and low <= each <= high for each in values)  # type: ignore[operator]


def _is_name(text: object) -> bool:
    return isinstance(text, str) and len(text) <= MOST_NAME and text.isprintable()


def _has_seat(name: str, players: int) -> bool:
    _, sign, seat = name.rpartition("@")
    return not sign or (
        seat.isdecimal() and seat.isascii() and len(seat) < 3 and int(seat) < players
    )
