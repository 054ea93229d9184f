"""A person at the terminal: what they see, what they type, and who advises them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.markup import escape
from rich.panel import Panel
from rich.text import Text

from plyglass.cli.clock import TurnClock, ending_action
from plyglass.cli.output import console, table

if TYPE_CHECKING:
    from plyglass.arena.match.agent import Agent, Seat
    from plyglass.arena.match.match import Move
    from plyglass.core.game import Game
    from plyglass.core.world import View, World
    from plyglass.search.interface import Decision

HELP = (
    "an action, parts of its name to look it up, or [bold]?[/] for help, [bold]v[/] for what the "
    "agent thinks, [bold]q[/] to quit"
)
MOST_ADVICE = 10  # actions that advice lists
WORD = re.compile(r"\S+")


class Leave(KeyboardInterrupt):
    """The person quits, which is no fault of an agent."""


class Person:
    """A player at the terminal.

    `advice` is the text of an agent that sees the same views. A record names it with the person.
    """

    cheats = False

    def __init__(
        self, game: Game, name: str = "", advice: str = "", timer: float | None = None
    ) -> None:
        self._game, self._advice, self._clock = game, advice, TurnClock(timer)
        self.name = f"{name or 'somebody'} advised by {advice}" if advice else name
        self._adviser = _honest_agent(advice) if advice else None
        self._adviser_seat: Seat | None = None
        self._seat = 0
        self._view: View | None = None
        self._thoughts: tuple[int, Decision] | None = None
        self._shown = ""

    def take_seat(self, game: Game, seat: int, seed: int) -> Person:
        self._seat = seat
        self._adviser_seat = self._adviser.take_seat(game, seat, seed) if self._adviser else None
        return self

    def observe(self, own_action: int | None, view: View) -> None:
        self._view = view
        if view.to_move != self._seat:
            self._clock.stop()
        if self._adviser_seat:
            self._adviser_seat.observe(own_action, view)

    def watch(self, world: World, move: Move | None) -> None:
        """Print the actions of others where nothing is hidden, and keep their decisions."""
        if move is None or move.player == self._seat:
            return
        self._thoughts = move.player, move.decision
        if not self._game.hides:
            console.print(
                f"{self._game.player_name(move.player)} plays "
                f"[bold]{self._game.action_name(move.action)}[/]"
            )

    def decide(self) -> Decision:
        from plyglass.search.interface import Decision

        assert self._view is not None
        actions = tuple(self._view.legal())
        if self._clock.left == 0.0:
            return Decision(ending_action(self._view), actions)
        self.show()
        if self._adviser_seat and len(actions) > 1:
            self._show_advice(self._adviser_seat.decide(), actions)
        self._clock.start()
        action = self._ask(actions)
        if action is None:
            console.print("[yellow]Your time is over.[/] Your turn ends.")
            action = ending_action(self._view)
        return Decision(action, actions)

    def show(self) -> None:
        """Print the person's view and mark everything that has changed since the last one."""
        assert self._view is not None
        title = "the end" if self._view.over else f"you are {self._game.player_name(self._seat)}"
        console.print(
            Panel(
                marked_changes(self._view.text, self._shown),
                title=title,
                title_align="left",
                expand=False,
            )
        )
        self._shown = self._view.text

    def _ask(self, actions: tuple[int, ...]) -> int | None:
        """The action that the person chooses, or None if their time runs out first."""
        names = {self._game.action_name(action).lower(): action for action in actions}
        numbers = {f"#{number + 1}": action for number, action in enumerate(actions)}
        while True:
            line = self._clock.ask()
            if line is None:
                return None
            said = line.strip().lower()
            if said in names or said in numbers:
                return names.get(said, numbers.get(said, -1))
            if said == "q":
                raise Leave
            if said == "v":
                self._show_thoughts()
            elif said == "?":
                self._show_choices(actions)
            elif said and any(_has_words(name, said) for name in names):
                self._show_choices(actions, said)
            else:
                console.print(
                    f"[yellow]{escape(said) or 'That'} is not one of your actions.[/] Type {HELP}."
                )

    def _show_choices(self, actions: tuple[int, ...], part: str = "") -> None:
        """List the actions with their numbers; with `part`, only names that have all its words."""
        console.print(
            f"Your actions with {part!r}:"
            if part
            else f"Type {HELP}.\nYour actions, by name or number:",
            markup=not part,
        )
        names = [
            (number, self._game.action_name(action)) for number, action in enumerate(actions, 1)
        ]
        listed = [
            Text(f"#{number:<4} {name}") for number, name in names if _has_words(name.lower(), part)
        ]
        console.print(Columns(listed, padding=(0, 3), column_first=True))

    def _show_advice(self, decision: Decision, actions: tuple[int, ...]) -> None:
        """Print what the adviser thinks of its best actions, with the numbers to type."""
        numbered = {
            action: f"#{number + 1}  {self._game.action_name(action)}"
            for number, action in enumerate(actions)
        }
        _show(f"{self._advice} advises", decision, numbered.__getitem__, MOST_ADVICE)

    def _show_thoughts(self) -> None:
        if self._thoughts is None:
            return console.print("The agent has not moved yet.")
        player, decision = self._thoughts
        if self._game.hides:
            return console.print(
                "The agent's thoughts would reveal what is hidden. With --save, the record of the "
                "match has them."
            )
        return _show(
            f"what {self._game.player_name(player)} thought", decision, self._game.action_name
        )


def marked_changes(text: str, before: str) -> Text:
    """A text in which all words are marked that the previous text did not have in these places."""
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


def _has_words(name: str, said: str) -> bool:
    return all(word in name for word in said.split())


def _show(
    title: str, decision: Decision, action_name: Callable[[int], str], most: int | None = None
) -> None:
    """Print what an agent thinks of at most `most` actions, and the line that it expects."""
    console.print(
        f"{title} ({decision.iterations:,} iterations, {decision.seconds:.2f} s)",
        style="italic",
        markup=False,
    )
    listing = table("action", "value", "visits")
    for action, value, visits in thoughts(decision)[:most]:
        listing.add_row(
            escape(action_name(action)),
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
    """Every action with its value and visits: the chosen one, then the most visited or best."""
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


def _honest_agent(text: str) -> Agent:
    from plyglass.arena.specs import agent_from

    agent = agent_from(text)
    if agent.cheats:
        raise ValueError(
            f"An adviser must see only what you see, but {text!r} cheats; give it an honest belief."
        )
    return agent
