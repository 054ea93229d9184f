"""A person at the terminal: what they see, what they type, and the agent that advises them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.panel import Panel

from plyglass.cli.choices import Choices
from plyglass.cli.clock import TurnClock, ending_action
from plyglass.cli.output import console
from plyglass.cli.screen import painted, show_decision

if TYPE_CHECKING:
    from plyglass.arena.match.agent import Agent, Seat
    from plyglass.arena.match.match import Move
    from plyglass.core.game import Game
    from plyglass.core.world import View, World
    from plyglass.search.interface import Decision

HELP = "an action, or a part of its name; [bold]?[/] lists your actions and commands"
COMMANDS = {
    "?": "list your actions; ? and a part of a name lists some",
    "r": "draw the screen again",
    "u": "take your last action back; u 3 takes back three. The game becomes unrated",
    "s": "save the game; s FILE.json names the file",
    "v": "what the agent thought of its last action",
    "q": "quit",
}
WORDS = {"help": "?", "redraw": "r", "undo": "u", "save": "s", "view": "v", "quit": "q"}
FRAME = 4  # columns that the frame around a view takes
MOST_ADVICE = 10  # most actions that advice lists
MOST_EVENTS = 12  # most lines that tell what an action did
Command = Callable[[str], None]


class Leave(KeyboardInterrupt):
    """Raised when the person quits, which is not a fault of an agent."""


class Person:
    """A player at the terminal.

    `advice` is the spec of an agent that sees the same views and advises the person. A record names
    the person and this agent. `commands` maps letters to functions for further commands. Each
    function takes the text that was typed after the letter.
    """

    cheats = False

    def __init__(
        self,
        game: Game,
        name: str = "",
        advice: str = "",
        timer: float | None = None,
        commands: Mapping[str, Command] | None = None,
    ) -> None:
        self._game, self._advice, self._clock = game, advice, TurnClock(timer)
        self.name = f"{name or 'somebody'} advised by {advice}" if advice else name
        self.note = ""  # in the title of the screen
        self.commands: dict[str, Command] = {
            "r": lambda _: self.show(),
            "v": lambda _: self._show_thoughts(),
            **(commands or {}),
        }
        if game.players == 1:
            del self.commands["v"]  # there is no agent
        self._adviser = _honest_agent(advice, game) if advice else None
        self._adviser_seat: Seat | None = None
        self._seat = 0
        self._view: View | None = None
        self._told: View | None = None  # the view up to which events were printed
        self._thoughts: tuple[int, Decision] | None = None
        self._shown = ""
        self._passed, self._nothing_told = False, True  # others acted; no event was printed

    def take_seat(self, game: Game, seat: int, seed: int) -> Person:
        self._seat, self._view, self._told, self._thoughts = seat, None, None, None
        self._adviser_seat = self._adviser.take_seat(game, seat, seed) if self._adviser else None
        return self

    def observe(self, own_action: int | None, view: View) -> None:
        self._view = view
        if view.to_move != self._seat:
            self._clock.stop()
            self._passed = True
        if self._adviser_seat:
            self._adviser_seat.observe(own_action, view)

    def watch(self, world: World, move: Move | None, quiet: bool = False) -> None:
        """Print what an action changed in the person's view, and keep the decision of an agent.

        With `quiet`, print nothing, because the person already knows the action.
        """
        before, self._told = self._told, self._view
        if move is None:
            return
        if move.player != self._seat:
            self._thoughts = move.player, move.decision
        if quiet or before is None or self._view is None:
            self._passed = False
            return
        if move.player != self._seat and not self._game.hides:
            console.print(
                f"{self._game.player_name(move.player)} plays "
                f"[bold]{escape(self._game.action_name(move.action))}[/]"
            )
        # If the view stays the same, print nothing, not even that somebody has acted.
        events = self._game.events(before, self._view) if self._view != before else []
        self._nothing_told = self._nothing_told and not events
        for line in events[:MOST_EVENTS]:
            console.print(f"  {line}", style="cyan", markup=False)
        if len(events) > MOST_EVENTS:
            console.print(f"  and {len(events) - MOST_EVENTS} more changes", style="cyan")

    def decide(self) -> Decision:
        from plyglass.search.interface import Decision

        assert self._view is not None
        actions = tuple(self._view.legal())
        if self._clock.left == 0.0:
            return Decision(ending_action(self._view), actions)
        if self._passed and self._nothing_told and self._game.hides:
            console.print("  You saw nothing of what the others did.", style="cyan")
        self._passed, self._nothing_told = False, True
        self.show()
        if self._adviser_seat and len(actions) > 1:
            self._show_advice(self._adviser_seat.decide(), actions)
        self._clock.start()
        action = self._ask(Choices(self._view))
        if action is None:
            console.print("[yellow]Your time is over.[/] Your turn ends.")
            action = ending_action(self._view)
        return Decision(action, actions)

    def show(self) -> None:
        """Print the person's view, and mark everything that has changed since the last view."""
        assert self._view is not None
        title = "the end" if self._view.over else f"you are {self._game.player_name(self._seat)}"
        console.print(
            Panel(
                painted(self._view.text, self._shown, self._game.colours),
                title=escape(f"{title}, {self.note}" if self.note else title),
                title_align="left",
                expand=False,
            )
        )
        # Rows of a board have gaps and cannot be folded; sentences can.
        rows = [len(line) for line in self._view.text.splitlines() if "  " in line.strip()]
        if max(rows, default=0) + FRAME > console.width:
            console.print(
                f"[yellow]This screen needs {max(rows) + FRAME} columns; your terminal has "
                f"{console.width}.[/]"
            )
        self._shown = self._view.text

    def forget(self) -> None:
        """Forget the last view, so nothing is marked as new on the next screen."""
        self._shown = ""

    def _ask(self, choices: Choices) -> int | None:
        """The action that the person chooses, or None if their time runs out first."""
        only = choices.all[0] if len(choices.all) == 1 else None
        while True:
            line = self._clock.ask(f"Enter: {only.name}; " if only else "")
            if line is None:
                return None
            said = line.strip()
            if only and not said:
                return only.action
            action = choices.exactly(said.lower())
            if action is None and not self._obeyed(said, choices):
                action = self._meant(said.lower(), choices)
            if action is not None:
                return action

    def _obeyed(self, said: str, choices: Choices) -> bool:
        """Carry out a command; return False if the text is not a command."""
        word, _, rest = said.partition(" ")
        word, rest = WORDS.get(word.lower(), word.lower()), rest.strip()
        if not said:
            self.show()
        elif word == "q" and not rest:
            raise Leave
        elif word == "?":
            self._help(rest.lower(), choices)
        elif word in self.commands:
            self.commands[word](rest)
        else:
            return False
        return True

    def _meant(self, said: str, choices: Choices) -> int | None:
        """Return the only action that fits a text; else print all that fit, and return None."""
        found = choices.having(said)
        if len(found) == 1:
            console.print(f"You play [bold]{escape(found[0].name)}[/].")
            return found[0].action
        if found:
            console.print(f"{len(found)} of your actions have {said!r}:", markup=False)
            choices.show(found)
        else:
            console.print(f"[yellow]{escape(said)} is not one of your actions.[/] Type {HELP}.")
        return None

    def _help(self, part: str, choices: Choices) -> None:
        found = choices.having(part) if part else choices.all
        if not part:
            for word, does in COMMANDS.items():
                if word in self.commands or word in "?q":
                    console.print(f"  [bold]{word}[/]  {does}")
        console.print(
            f"Your {len(found)} action{'' if len(found) == 1 else 's'}"
            f"{f' with {part!r}' if part else ''}, by name, a part of it or #number:",
            markup=False,
        )
        if found:
            choices.show(found)

    def _show_advice(self, decision: Decision, actions: tuple[int, ...]) -> None:
        """Print how the adviser values its best actions, and the number to type for each."""
        numbered = {
            action: f"#{number + 1}  {self._game.action_name(action)}"
            for number, action in enumerate(actions)
        }
        show_decision(f"{self._advice} advises", decision, numbered.__getitem__, MOST_ADVICE)

    def _show_thoughts(self) -> None:
        if self._thoughts is None:
            return console.print("The agent has not moved yet.")
        player, decision = self._thoughts
        if self._game.hides:
            return console.print(
                "The agent's thoughts would reveal what is hidden. When the game is over, v shows "
                "them."
            )
        return show_decision(
            f"what {self._game.player_name(player)} thought", decision, self._game.action_name
        )


def _honest_agent(text: str, game: Game) -> Agent:
    from plyglass.arena.specs import agent_from

    agent = agent_from(text, game)
    if agent.cheats:
        raise ValueError(
            f"An adviser must see only what you see, but {text!r} cheats; change its belief."
        )
    return agent
