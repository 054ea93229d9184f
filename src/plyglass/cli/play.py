"""`plyglass play`: a person against an agent, in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from plyglass.cli.levels import agent_text, levels_text, opponent_name
from plyglass.cli.look_back import look_back
from plyglass.cli.output import (
    GAME,
    OWN_GAME,
    UNCHECKED,
    check_rules,
    compile_bar,
    console,
    explained,
    summary_of,
)
from plyglass.cli.person import HELP, Leave, Person
from plyglass.cli.session import Session, resumed_session

if TYPE_CHECKING:
    from plyglass.arena.match.match import Match


Opponent = Annotated[
    str,
    typer.Argument(
        help="Your opponent: easy, medium or hard, or planner:parameter=value,...; by default hard."
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        help="File to write the record of the match to. If you leave early, you can resume the "
        "game from this file."
    ),
]
Timer = Annotated[
    float | None,
    typer.Option(help="Seconds after which each of your turns ends; by default no limit."),
]


def play(
    game: Annotated[
        str, typer.Argument(help=f"{GAME[:-1]}; or a saved game, as game.json, to resume it.")
    ],
    agent: Opponent = "",
    seat: Annotated[int, typer.Option(help="Your seat; 1 is the first player.")] = 1,
    seed: Annotated[
        int | None, typer.Option(help="Random seed; by default a new one each time.")
    ] = None,
    save: Save = None,
    name: Annotated[
        str, typer.Option(help="Your name, for the record and for `plyglass report --records`.")
    ] = "",
    advice: Annotated[
        str, typer.Option(help="An agent that sees only what you see and values your actions.")
    ] = "",
    timer: Timer = None,
    own_game: Annotated[str, typer.Option("--game", help=OWN_GAME)] = "",
    unchecked: Annotated[bool, typer.Option("--unchecked", help=UNCHECKED)] = False,
) -> None:
    """Play against an agent. Type `?` at the prompt for help."""
    with explained():
        if game.endswith(".json"):
            if agent or seed is not None or name or advice or seat != 1:
                raise ValueError(
                    f"{game} is a saved game with its own players and seed; only --save and "
                    "--timer can be given with it."
                )
            session = _saved_session(Path(game), own_game, timer, unchecked)
        elif own_game:
            raise ValueError("--game is only for a saved game, such as game.json.")
        else:
            check_rules([game], unchecked)
            session = _new_session(game, agent, seat, name, advice, timer)
            session.seed = seed_for(session, seed)
        session.file = save or session.file
        _compile(session)
        _greet(session)
        _play(session)


def seed_for(session: Session, given: int | None) -> int:
    """The seed of a new match: secret, or the given seed if all players belong to Plyglass."""
    from plyglass.arena.match.agent import is_foreign
    from plyglass.core.seeds import derive_secret, is_secret, new_secret

    if given is None:
        return new_secret()
    foreign = any(agent is not None and is_foreign(agent) for agent in session.agents)
    return derive_secret(new_secret(), given) if foreign and not is_secret(given) else given


def _saved_session(file: Path, own_game: str, timer: float | None, unchecked: bool) -> Session:
    from plyglass.arena.specs import game_from

    check_rules([own_game] if own_game else [], unchecked)
    return resumed_session(file, timer, game_from(own_game) if own_game else None)


def _new_session(
    text: str, agent: str, seat: int, name: str, advice: str, timer: float | None
) -> Session:
    from plyglass.arena.specs import agent_from, game_from, resolved

    game = game_from(text)
    if not 1 <= seat <= game.players:
        raise ValueError(f"{game.name} has players 1 to {game.players}; --seat cannot be {seat}.")
    with console.status(f"Choosing an opponent for {game.name}."):  # `auto` may compile
        opponent = agent_from(agent_text(game, agent), game)
        advice = resolved(advice, game) if advice else ""
    agents = [None if number == seat - 1 else opponent for number in range(game.players)]
    return Session(game, Person(game, name, advice, timer), seat - 1, agents, 0)


def _compile(session: Session) -> None:
    with compile_bar():
        _ = session.game.table
        for number, agent in enumerate(session.agents):
            if agent is not None and agent not in session.agents[:number]:
                agent.warm(session.game)


def _play(session: Session) -> None:
    """Play to the end, and let the person look back; continue if they take an action back."""
    try:
        while True:
            match = session.play()
            session.person.show()
            _say_result(match, session)
            if session.file:
                session.save(session.file)
                console.print(f"The record is in {session.file}.", markup=False)
            if not look_back(session):
                return
    except (Leave, EOFError, KeyboardInterrupt):
        _say_goodbye(session)
        raise typer.Exit(0) from None


def _say_goodbye(session: Session) -> None:
    console.print("\nYou left the game.")
    if session.file and session.unsaved:
        session.save(session.file)
        console.print(
            f"It is saved: plyglass play {session.file} resumes it.", markup=False, soft_wrap=True
        )
    elif session.unsaved:
        console.print("It is not saved; the next time, s saves it before you leave.")


def _greet(session: Session) -> None:
    game = session.game
    others = sorted({opponent_name(game, agent) for agent in session.agents if agent is not None})
    against = f" against {' and '.join(others)}" if others else ""
    console.print(f"[bold]{game.name}[/]{against}. {escape(summary_of(type(game)))}")
    if others and game.players > 1:
        console.print(levels_text(game), style="dim", markup=False)
    name, number = game.player_name(session.seat), f"player {session.seat + 1}"
    who = f"You are {name if name == number else f'{name}, {number}'} of {game.players}"
    console.print(f"{who if game.players > 1 else 'You play alone'}. Type {HELP}.\n")


def _say_result(match: Match, session: Session) -> None:
    seat = session.seat
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
    if session.status:
        console.print(f"[yellow]The game is {session.status}.[/]")
