"""`plyglass play`: a person against an agent, in the terminal."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from plyglass.cli.output import GAME, console, explained, summary_of
from plyglass.cli.person import HELP, Leave, Person

if TYPE_CHECKING:
    from plyglass.arena.match.match import Match
    from plyglass.core.game import Game


def play(
    game: Annotated[
        str,
        typer.Argument(help=GAME),
    ],
    agent: Annotated[
        str,
        typer.Argument(
            help="Your opponent, as planner:parameter=value,...; by default the game's own."
        ),
    ] = "",
    seat: Annotated[int, typer.Option(help="Your seat; 1 is the first player.")] = 1,
    seed: Annotated[
        int | None, typer.Option(help="Random seed; by default a new one each time.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(help="File to write the record of the match to.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="Your name, for the record and for `plyglass report --records`.")
    ] = "",
    advice: Annotated[
        str,
        typer.Option(
            help="An agent that sees what you see and says what it thinks of your actions."
        ),
    ] = "",
    timer: Annotated[
        float | None,
        typer.Option(help="Seconds after which each of your turns ends; by default no limit."),
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
                f"{board.name} has players 1 to {board.players}; --seat cannot be {seat}."
            )
        agent = agent or board.opponent
        with console.status(
            f"Compiling the rules of {board.name}. This takes up to two minutes, but only the "
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
    scores = ", ".join(
        f"{match.game.player_name(player)} {score:g}" for player, score in enumerate(match.scores)
    )
    console.print(f"\n[bold]{verdict}[/] Scores: {scores}")
