"""The actions of a person at the terminal: found by parts of their names, and listed in groups."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.text import Text

from plyglass.cli.output import console

if TYPE_CHECKING:
    from plyglass.core.world import View

FEW = 24  # actions that are listed one by one


@dataclass(frozen=True)
class Choice:
    """A legal action.

    Attributes:
        number: of the action, from 1.
        action: the action itself.
        name: its name.
        path: the name in steps, the coarsest first.
    """

    number: int
    action: int
    name: str
    path: tuple[str, ...]

    def words(self) -> str:
        """All that a person can call it by, in small letters."""
        return " ".join((self.name, *self.path)).lower()


class Choices:
    """The legal actions of a view."""

    def __init__(self, view: View) -> None:
        game = view.game
        self.all = [
            Choice(number, action, game.action_name(action), tuple(game.action_path(view, action)))
            for number, action in enumerate(view.legal(), 1)
        ]

    def exactly(self, said: str) -> int | None:
        """The action with this name or number, as in #3."""
        for choice in self.all:
            if said in (choice.name.lower(), f"#{choice.number}"):
                return choice.action
        return None

    def having(self, said: str) -> list[Choice]:
        """The actions whose names have all these words, or else words that begin with or have them.

        So `b1` means the cell b1, and b11 only where there is no b1.
        """
        parts = said.split()
        for fits in (_is_word, _begins_word, _is_inside):
            found = [each for each in self.all if all(fits(part, each.words()) for part in parts)]
            if found:
                return found
        return []

    def show(self, choices: Sequence[Choice]) -> None:
        """List actions with their numbers, or groups of them if there are many."""
        if len(choices) <= FEW:
            listed = [Text(f"#{choice.number:<4} {choice.name}") for choice in choices]
            console.print(Columns(listed, padding=(0, 3), column_first=True))
            return
        depth = _shared_steps(choices)
        for group, members in _grouped(choices, depth):
            for line in _group_lines(group, members, depth + 1):
                console.print(line, markup=False)


def _shared_steps(choices: Sequence[Choice]) -> int:
    """How many steps all the actions have in common, at most all but one."""
    first = choices[0].path
    depth = 0
    while depth < len(first) - 1 and all(each.path[: depth + 1] == first[: depth + 1]
                                         for each in choices):  # fmt: skip
        depth += 1
    return depth


def _grouped(choices: Sequence[Choice], depth: int) -> Iterator[tuple[str, list[Choice]]]:
    """The actions by their step at a depth, in the order in which the steps first appear."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(choice.path[min(depth, len(choice.path) - 1)], []).append(choice)
    yield from groups.items()


def _group_lines(group: str, members: Sequence[Choice], depth: int) -> list[str]:
    """A group with the steps that its actions have next."""
    if len(members) == 1:
        only = members[0]
        rest = " ".join(only.path[depth:])
        return [f"#{only.number:<4} {group}{' ' + rest if rest else ''}"]
    steps = list(
        dict.fromkeys(each.path[depth] if depth < len(each.path) else "" for each in members)
    )
    head = f"{group} ({len(members)}): "
    return textwrap.wrap(
        head + _merged([step for step in steps if step]),
        min(console.width, 100),
        initial_indent="      ",
        subsequent_indent="         ",
        break_on_hyphens=False,
    )


def _merged(steps: Sequence[str]) -> str:
    """Steps with a common first word, after that word: "to a1, a2; attack b3"."""
    parts = []
    for word, some in itertools.groupby(steps, lambda step: step.partition(" ")[0]):
        rests = [step.partition(" ")[2] for step in some]
        parts.append(f"{word} {', '.join(filter(None, rests))}".strip())
    return "; ".join(parts)


def _is_word(part: str, words: str) -> bool:
    return f" {part} " in f" {words.translate(NO_SIGNS)} " or f" {part} " in f" {words} "


def _begins_word(part: str, words: str) -> bool:
    return f" {part}" in f" {words}"


def _is_inside(part: str, words: str) -> bool:
    return part in words


NO_SIGNS = str.maketrans(dict.fromkeys(".,:;()'", " "))
