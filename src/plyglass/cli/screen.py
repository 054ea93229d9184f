"""The screen of a person at the terminal: a view with changes and colours, and thoughts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from plyglass.cli.output import console, table

if TYPE_CHECKING:
    from plyglass.search.interface import Decision

WORD = re.compile(r"\S+")


def painted(text: str, before: str, colours: Mapping[str, str]) -> Text:
    """A text in the colours of its game; every word that has changed since `before` is marked."""
    shown = marked_changes(text, before)
    for pattern, style in colours.items():
        shown.highlight_regex(pattern, style)
    return shown


def marked_changes(text: str, before: str) -> Text:
    """A text that marks every word that is not at the same place in the text `before`."""
    marked, lines = Text(text), before.splitlines()
    start = 0
    for number, line in enumerate(text.splitlines() if before else ()):
        known = (
            {(word.start(), word[0]) for word in WORD.finditer(lines[number])}
            if number < len(lines)
            else set()
        )
        for word in WORD.finditer(line):
            if (word.start(), word[0]) not in known:
                marked.stylize("bold magenta", start + word.start(), start + word.end())
        start += len(line) + 1
    return marked


def show_decision(
    title: str, decision: Decision, action_name: Callable[[int], str], most: int | None = None
) -> None:
    """Print how an agent values at most `most` actions, and the line of play that it expects."""
    console.print(
        f"{title} ({decision.iterations:,} iterations, {decision.seconds:.2f} s)",
        style="italic",
        markup=False,
    )
    if not decision.values and not decision.visits:
        console.print("It compared no actions.", style="dim")
        return
    listing = table("action", "value", "visits")
    for action, value, visits in thoughts(decision)[:most]:
        listing.add_row(
            action_name(action),
            "" if value is None else f"{value:+.3f}",
            f"{visits:,}" if decision.visits else "",
        )
    console.print(listing)
    if len(decision.line) > 1:
        console.print(
            f"expects: {', then '.join(action_name(action) for _, action in decision.line)}",
            style="dim",
            markup=False,
        )


def thoughts(decision: Decision) -> list[tuple[int, float | None, int]]:
    """Every action with its value and visits: first the chosen action, then the most visited."""
    count = len(decision.actions)
    rows = zip(
        decision.actions,
        decision.values or (None,) * count,
        decision.visits or (0,) * count,
        strict=True,
    )
    return sorted(rows, key=lambda row: _rank(decision.action, *row))


def _rank(chosen: int, action: int, value: float | None, visits: int) -> tuple[bool, int, float]:
    """The sort key of an action; lower comes first."""
    return action != chosen, -visits, math.inf if value is None else -value
