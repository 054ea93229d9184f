"""A person against an agent, in the terminal."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from plyglass.cli.output import console, explained, summary_of
from plyglass.cli.person import HELP, Leave, Person

if TYPE_CHECKING:
    from plyglass.arena.match.match import Match
    from plyglass.core.game import Game


def play(
    game: Annotated[
        str,
        typer.Argument(
            help="A game, as name or name:parameter=value,... or the path of a Python file."
        ),
    ],
    agent: Annotated[
        str,
        typer.Argument(
            help="Your opponent, as planner:parameter=value,...; by default the game's own."
        ),
    ] = "",
    seat: Annotated[int, typer.Option(help="Which player you are, from 1.")] = 1,
    seed: Annotated[
        int | None, typer.Option(help="Where all luck comes from; by default another each time.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(help="Write the record of the match to this file.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="Your name, for the record and for `plyglass report --records`.")
    ] = "",
    advice: Annotated[
        str,
        typer.Option(
            help="An agent that sees what you see, and shows what it thinks of your actions."
        ),
    ] = "",
    timer: Annotated[
        float | None,
        typer.Option(
            help="Seconds for each of your turns; then it is ended for you. By default no limit."
        ),
    ] = None,
) -> None:
    """Play against an agent. Type `?` at the prompt for help."""
    with explained():
        from plyglass.arena.match.match import play as play_match
        from plyglass.arena.match.record import record_of
        from plyglass.arena.specs import agent_from, game_from

        board = game_from(game)
        if not 1 <= seat <= board.players:
            raise ValueError(
                f"{board.name} has players 1 to {board.players}; you cannot be player {seat}."
            )
        agent = agent or board.opponent
        with console.status(
            f"Compiling the rules of {board.name}; that takes up to two minutes, but only the "
            "first time."
        ):
            _ = board.table
        person, opponent = Person(board, name, advice, timer), agent_from(agent)
        players = [person if number == seat - 1 else opponent for number in range(board.players)]
        _greet(board, agent, seat)
        try:
            match = play_match(
                board,
                players,
                seed=secrets.randbits(32) if seed is None else seed,
                watch=person.watch,
            )
        except (Leave, EOFError, KeyboardInterrupt):
            console.print("\nYou left the game.")
            raise typer.Exit(0) from None
        person.show()
        _say_result(match, seat - 1)
        if save:
            record_of(match).save(save)
            console.print(f"The record is in {save}.")


def _greet(game: Game, agent: str, seat: int) -> None:
    others = f" against {agent}" if game.players > 1 else ""
    console.print(f"[bold]{game.name}[/]{others}. {summary_of(type(game))}")
    console.print(
        f"You are {game.player_name(seat - 1)}, player {seat} of {game.players}. Type {HELP}.\n"
    )


def _say_result(match: Match, seat: int) -> None:
    own, best = match.scores[seat], max(match.scores)
    verdict = (
        "You won!"
        if own == best and match.scores.count(best) == 1
        else "You lost."
        if own < best
        else "A draw."
    )
    if match.game.players == 1 or match.game.cooperative:
        verdict = f"The game is over with a score of {own:g}."
    console.print(
        f"\n[bold]{verdict}[/] Scores: "
        f"{', '.join(f'{match.game.player_name(i)} {score:g}' for i, score in enumerate(match.scores))}"
    )
