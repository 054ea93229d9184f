"""`plyglass verify`: check whether the record of a match is true."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyglass.cli.output import (
    OWN_GAME,
    OWN_PLAYERS,
    AsJson,
    console,
    errors,
    explained,
    print_json,
)

if TYPE_CHECKING:
    from plyglass.arena.match.agent import Player
    from plyglass.core.game import Game

FALSE = 1  # exit code if a decision differs or the file was edited


def verify(
    record: Annotated[Path, typer.Argument(help="The record of a match, as game.json.")],
    game: Annotated[str, typer.Option(help=OWN_GAME)] = "",
    player: Annotated[list[str] | None, typer.Option(help=OWN_PLAYERS)] = None,
    most_iterations: Annotated[
        int, typer.Option(min=1, help="Most search iterations that the whole replay may repeat.")
    ] = 10**8,
    most_seconds: Annotated[
        float, typer.Option(min=0.001, help="Most seconds that the whole replay may take.")
    ] = 3600.0,
    as_json: AsJson = False,
) -> None:
    """Play a recorded match again and compare every decision.

    A record is data: nothing that it names is imported. Name a game or players of your own with
    --game and --player. The exit code is 0 if every decision is the same, 1 if a decision differs
    or the file was edited, and 2 if the record cannot be played again.
    """
    with explained():
        from plyglass.arena.match.claims import EditedRecord
        from plyglass.arena.match.record import Record, RecordMismatch
        from plyglass.arena.match.record import verify as play_again

        try:
            found = Record.load(record)
            doubts = play_again(
                found,
                given_game(game),
                given_players(player),
                most_iterations=most_iterations,
                most_seconds=most_seconds,
            )
            verdict, moves = "", len(found.moves)
        except (RecordMismatch, EditedRecord) as error:
            verdict, doubts, moves = str(error), (), 0
    if as_json:
        print_json(
            {
                "record": str(record),
                "verified": not verdict,
                "why_not": verdict,
                "doubts": list(doubts),
            }
        )
    elif verdict:
        errors.print(f"{record} is not true: {verdict}", markup=False, soft_wrap=True)
    else:
        console.print(
            f"{record} is true: all {moves} decisions are the same.", markup=False, soft_wrap=True
        )
        for doubt in doubts:
            console.print(doubt, markup=False, soft_wrap=True)
    raise typer.Exit(FALSE if verdict else 0)


def given_game(text: str) -> Game | None:
    """The game that a person names for a record; None if they name none."""
    from plyglass.arena.specs import game_from

    return game_from(text) if text else None


def given_players(texts: Sequence[str] | None) -> list[Player | None] | None:
    """The players that a person names for a record, by seat; None if they name none."""
    from plyglass.arena.specs import player_from

    return [None if text == "-" else player_from(text) for text in texts] if texts else None
