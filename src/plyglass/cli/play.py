"""A person against an agent, in the terminal."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.panel import Panel

from plyglass.cli.output import console, explained, table

if TYPE_CHECKING:
    from plyglass.arena.match import Match, Move
    from plyglass.core.game import Game
    from plyglass.core.world import View, World
    from plyglass.search.planner import Decision

HELP = "an action, or [bold]?[/] for help, [bold]v[/] for what the agent thinks, [bold]q[/] to quit"


def play(
    game: Annotated[str, typer.Argument(help="A game, as name or name:parameter=value,... or the path of a Python file.")],
    agent: Annotated[str, typer.Argument(help="Your opponent, as planner:parameter=value,...")] = "uct:seconds=0.5",
    seat: Annotated[int, typer.Option(help="Which player you are, from 1.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Where all luck comes from; by default another each time.")] = None,
    save: Annotated[str | None, typer.Option(help="Write the record of the match to this file.")] = None,
    name: Annotated[str, typer.Option(help="Your name, for the record and for `plyglass report --records`.")] = "",
) -> None:
    """Play against an agent. Type `?` at the prompt for help."""
    with explained():
        from plyglass.arena.match import play as play_match
        from plyglass.arena.record import record_of
        from plyglass.arena.specs import agent_from, game_from

        board = game_from(game)
        if not 1 <= seat <= board.players:
            raise ValueError(f"{board.name} has players 1 to {board.players}; you cannot be player {seat}.")
        person, opponent = Person(board, name), agent_from(agent)
        players = [person if number == seat - 1 else opponent for number in range(board.players)]
        _greet(board, agent, seat)
        try:
            match = play_match(board, players, seed=secrets.randbits(32) if seed is None else seed, watch=person.watch)
        except (Leave, EOFError, KeyboardInterrupt):
            console.print("\nYou left the game.")
            raise typer.Exit(0) from None
        person.show()
        _say_result(match, seat - 1)
        if save:
            record_of(match).save(save)
            console.print(f"The record is in {save}.")


class Leave(Exception):
    """The person has had enough."""


class Person:
    """Whoever sits at the terminal."""

    cheats = False

    def __init__(self, game: Game, name: str = "") -> None:
        self._game, self.name = game, name
        self._seat = 0
        self._view: View | None = None
        self._thoughts: tuple[int, Decision] | None = None

    def take_seat(self, game: Game, seat: int, seed: int) -> Person:
        self._seat = seat
        return self

    def observe(self, own_action: int | None, view: View) -> None:
        self._view = view

    def watch(self, world: World, move: Move | None) -> None:
        """Say what the others do, as far as everybody may know it, and keep what they thought for when it is asked for."""
        if move is None or move.player == self._seat:
            return
        self._thoughts = move.player, move.decision
        if not self._game.hides:
            console.print(f"{self._game.player_name(move.player)} plays [bold]{self._game.action_name(move.action)}[/]")

    def decide(self) -> Decision:
        from plyglass.search.planner import Decision

        assert self._view is not None
        actions = tuple(self._view.legal())
        self.show()
        return Decision(self._ask(actions), actions)

    def show(self) -> None:
        """Draw what the person sees."""
        assert self._view is not None
        title = "the end" if self._view.over else f"you are {self._game.player_name(self._seat)}"
        console.print(Panel(self._view.text, title=title, title_align="left", expand=False))

    def _ask(self, actions: tuple[int, ...]) -> int:
        names = {self._game.action_name(action).lower(): action for action in actions}
        numbers = {f"#{number + 1}": action for number, action in enumerate(actions)}
        while True:
            said = console.input("[bold green]your action[/] (? for help): ").strip().lower()
            if said in names or said in numbers:
                return names.get(said, numbers.get(said, -1))
            if said == "q":
                raise Leave
            if said == "v":
                self._show_thoughts()
            elif said == "?":
                self._show_choices(actions)
            else:
                console.print(f"[yellow]{said or 'That'} is not one of your actions.[/] Type {HELP}.")

    def _show_choices(self, actions: tuple[int, ...]) -> None:
        console.print(f"Type {HELP}.\nYour actions, by name or number:")
        listing = table("", "action")
        listing.columns[1].justify = "left"
        for number, action in enumerate(actions):
            listing.add_row(f"#{number + 1}", self._game.action_name(action))
        console.print(listing)

    def _show_thoughts(self) -> None:
        if self._thoughts is None:
            return console.print("The agent has not moved yet.")
        player, decision = self._thoughts
        if self._game.hides:
            return console.print("The agent's thoughts would give its secrets away. With --save they are in the record of the match.")
        return console.print(thoughts(self._game, player, decision))


def thoughts(game: Game, player: int, decision: Decision) -> Any:
    """What an agent thought of its actions in its last decision, best first."""
    title = f"what {game.player_name(player)} thought ({decision.iterations:,} iterations, {decision.seconds:.2f} s)"
    listing = table("action", "value", "visits", title=title)
    rows = zip(decision.actions, decision.values, decision.visits, strict=False)
    for action, value, visits in sorted(rows, key=lambda row: -row[2]):
        listing.add_row(game.action_name(action), "" if value is None else f"{value:+.3f}", f"{visits:,}")
    line = "  ".join(game.action_name(action) for _, action in decision.line)
    listing.caption = f"expects: {line}" if line else None
    return listing


def _greet(game: Game, agent: str, seat: int) -> None:
    others = f" against {agent}" if game.players > 1 else ""
    console.print(f"[bold]{game.name}[/]{others}. You are {game.player_name(seat - 1)}, player {seat} of {game.players}. Type {HELP}.\n")


def _say_result(match: Match, seat: int) -> None:
    own, best = match.scores[seat], max(match.scores)
    verdict = "You won!" if own == best and match.scores.count(best) == 1 else "You lost." if own < best else "A draw."
    if match.game.players == 1 or match.game.cooperative:
        verdict = f"The game is over with a score of {own:g}."
    console.print(
        f"\n[bold]{verdict}[/] Scores: {', '.join(f'{match.game.player_name(i)} {score:g}' for i, score in enumerate(match.scores))}"
    )
