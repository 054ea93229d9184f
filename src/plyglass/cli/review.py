"""`plyglass review`: find the mistakes and the luck in a recorded match."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyglass.cli.output import (
    OWN_GAME,
    AsJson,
    console,
    explained,
    print_json,
    progress_bar,
    table,
)
from plyglass.cli.verify import given_game

if TYPE_CHECKING:
    from plyglass.arena.match.agent import Agent
    from plyglass.arena.match.record import Record
    from plyglass.arena.review import Review
    from plyglass.core.game import Game


def review(
    record: Annotated[Path, typer.Argument(help="The record of a match, as game.json.")],
    action: Annotated[
        int, typer.Option(min=0, help="Only action number N, counted from 1; 0 means all.")
    ] = 0,
    instead: Annotated[
        str, typer.Option(help="Compare the action with another one, by its name.")
    ] = "",
    agent: Annotated[
        str, typer.Option(help="Agent that reviews; by default, a search that gets views only.")
    ] = "",
    play_on: Annotated[
        str,
        typer.Option(
            help="Agent that plays a compared game to its end; by default, the easiest level."
        ),
    ] = "",
    pairs: Annotated[
        int, typer.Option(min=2, help="Number of worlds to compare two actions in.")
    ] = 64,
    seed: Annotated[int, typer.Option(help="The random seed of the review.")] = 0,
    game: Annotated[str, typer.Option(help=OWN_GAME)] = "",
    as_json: AsJson = False,
) -> None:
    """Judge every decision of a recorded match from the views of the player who decided.

    A mark needs a regret of 5 (?!), 10 (?) or 15 (??) points, and a 99 % interval above 0. A point
    is a hundredth of the range of scores. With --action and --instead, compare one action
    with another, and name the hidden fact on which the answer depends.
    """
    with explained():
        from plyglass.arena.match.record import Record, game_of
        from plyglass.arena.review import why
        from plyglass.arena.specs import agent_from

        found, own = Record.load(record), given_game(game)
        played = own or game_of(found)
        reviewer = agent_from(agent, played) if agent else None
        quick = agent_from(play_on, played) if play_on else None
        if instead:
            if not action:
                raise ValueError("Name the action to compare with: --action N --instead NAME.")
            answer = why(
                found, action - 1, instead,
                pairs=pairs, game=own, agent=reviewer, play_on=quick, seed=seed,
            )  # fmt: skip
            if as_json:
                print_json(asdict(answer))
            else:
                console.print(answer.sentence, markup=False)
            return
        plies = [action - 1] if action else None
        result = _reviewed(found, own, plies, reviewer, quick, pairs, seed)
    if as_json:
        print_json([asdict(each) for each in result.plies])
        return
    _show(result)


def _reviewed(
    record: Record, game: Game | None, plies: list[int] | None, agent: Agent | None,
    play_on: Agent | None, pairs: int, seed: int,
) -> Review:  # fmt: skip
    from plyglass.arena.review import review as judge

    with progress_bar(len(plies or record.moves)) as show:
        return judge(
            record, plies=plies, game=game, agent=agent, play_on=play_on, pairs=pairs, seed=seed,
            told=lambda done, _: show(done, "decisions reviewed"),
        )  # fmt: skip


def _show(result: Review) -> None:
    from plyglass.arena.review.match_review import COLUMNS

    listing = table(*COLUMNS)
    for row in result.rows():
        listing.add_row(*row)
    console.print(listing)
    for sentence in result.sentences():
        console.print(sentence, markup=False)
