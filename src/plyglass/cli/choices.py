"""The legal actions of a person at the terminal, found by parts of names and listed in groups."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.text import Text

from plyglass.cli.output import console

if TYPE_CHECKING:
    from plyglass.core.world import View

FEW = 12  # up to this number, actions are listed one by one
MOST_STEPS = 30  # the most parts of names that are listed for a group
NO_SIGNS = str.maketrans(dict.fromkeys(".,:;()'-", " "))


@dataclass(frozen=True)
class Choice:
    """A legal action.

    Attributes:
        number: the number of the action in the list, from 1.
        action: the action itself.
        name: the name of the action.
        path: the parts of the name, the coarsest first (`Game.action_parts`).
    """

    number: int
    action: int
    name: str
    path: tuple[str, ...]

    @property
    def label(self) -> str:
        """The action as lists show it: all parts of the path, which can say more than `name`."""
        return " ".join(self.path)

    def words(self) -> str:
        """All words that a person can type for the action, in small letters.

        Each word is listed with and without punctuation.
        """
        words = " ".join((self.name, *self.path)).lower()
        return f"{words} {words.translate(NO_SIGNS)}"


class Choices:
    """The legal actions of a view."""

    def __init__(self, view: View) -> None:
        game = view.game
        self.all = [
            Choice(number, action, game.action_name(action), tuple(game.action_parts(view, action)))
            for number, action in enumerate(view.legal(), 1)
        ]

    def exactly(self, said: str) -> int | None:
        """The action with this name, or with this number, such as #3."""
        for choice in self.all:
            if said in (choice.name.lower(), f"#{choice.number}"):
                return choice.action
        return None

    def having(self, said: str) -> list[Choice]:
        """The actions whose names contain all words of the text `said`.

        If no action fits, each word may also be the beginning of a word in the name. So `b1` finds
        the cell b1, and finds b11 only if no action names b1.
        """
        parts = said.split()
        for end in (" ", ""):
            found = [
                each
                for each in self.all
                if all(f" {part}{end}" in f" {each.words()} " for part in parts)
            ]
            if found:
                return found
        return []

    def show(self, choices: Sequence[Choice]) -> None:
        """Print actions with their numbers, or groups of actions if there are many."""
        depth = _shared_steps(choices)
        groups = dict(_grouped(choices, depth))
        if len(choices) <= FEW or len(groups) == len(choices):
            _show_singly(choices)
            return
        for group, members in groups.items():
            if len(members) > 1:
                for line in _group_lines(group, members, depth + 1):
                    console.print(line, markup=False)
        _show_singly([members[0] for members in groups.values() if len(members) == 1])


def _show_singly(choices: Sequence[Choice]) -> None:
    listed = [Text(f"#{choice.number:<4} {choice.label}") for choice in choices]
    console.print(Columns(listed, padding=(0, 3), column_first=True))


def _shared_steps(choices: Sequence[Choice]) -> int:
    """The number of leading parts that all actions' names share; the last part never counts."""
    first = choices[0].path
    depth = 0
    while depth < len(first) - 1 and all(each.path[: depth + 1] == first[: depth + 1]
                                         for each in choices):  # fmt: skip
        depth += 1
    return depth


def _grouped(choices: Sequence[Choice], depth: int) -> Iterator[tuple[str, list[Choice]]]:
    """Group actions by one part of their names, in order of first appearance."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(choice.path[min(depth, len(choice.path) - 1)], []).append(choice)
    yield from groups.items()


def _group_lines(group: str, members: Sequence[Choice], depth: int) -> list[str]:
    """The lines that summarise a group of actions by the next two parts of their names.

    The lines first list the different first parts. Then they list the different second parts. The
    brackets after a second part contain the first parts that can precede it.
    """
    steps = list(dict.fromkeys(each.path[depth] for each in members if depth < len(each.path)))
    more = f" and {len(steps) - MOST_STEPS} more" if len(steps) > MOST_STEPS else ""
    further: dict[str, list[str]] = {}
    for each in members:
        if depth + 1 < len(each.path):
            further.setdefault(each.path[depth + 1], []).append(each.path[depth])
    parts = [
        f"{_merged(steps[:MOST_STEPS])}{more}",
        *(f"{step} ({_merged(ways)})" for step, ways in further.items()),
    ]
    return textwrap.wrap(
        f"{group} ({len(members)}): {'; '.join(parts)}",
        min(console.width, 100),
        initial_indent="  ",
        subsequent_indent="      ",
        break_on_hyphens=False,
    )


def _merged(steps: Sequence[str]) -> str:
    """Join parts of names, and write a common first word once, as in "to a1, a2; attack b3"."""
    groups: dict[str, list[str]] = {}
    for step in steps:
        word, _, rest = step.partition(" ")
        groups.setdefault(word, []).append(rest)
    return "; ".join(
        f"{word} {', '.join(filter(None, rests))}".strip() for word, rests in groups.items()
    )
