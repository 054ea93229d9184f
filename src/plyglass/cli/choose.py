"""`plyglass choose`: choose an agent for a game, by rules and by matches."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from plyglass.cli.output import (
    GAME,
    SEED,
    UNCHECKED,
    AsJson,
    check_rules,
    console,
    explained,
    print_json,
    progress_bar,
)

if TYPE_CHECKING:
    from plyglass.arena.auto.trial import Choice

STEPS = 100  # of the progress bar


def choose(
    game: Annotated[str, typer.Argument(help=GAME)],
    seconds: Annotated[float, typer.Option(min=1e-4, help="Seconds for each decision.")] = 0.1,
    minutes: Annotated[
        float, typer.Option(min=0.0, help="Minutes that all matches together may take.")
    ] = 2.0,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Print the game's profile and the reasons; play nothing."),
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Play even if an earlier choice is remembered.")
    ] = False,
    seed: Annotated[int, typer.Option(help=SEED)] = 0,
    unchecked: Annotated[bool, typer.Option("--unchecked", help=UNCHECKED)] = False,
    as_json: AsJson = False,
) -> None:
    """Choose an agent for a game, and remember that `auto` means this agent in the game.

    Plyglass first picks an agent from the properties of the game. The pick and up to three
    alternatives then play pairs of matches, and the winner is chosen.
    """
    with explained():
        from plyglass.arena.auto.trial import choose as chosen
        from plyglass.arena.specs import game_from

        check_rules([game], unchecked)
        played = game_from(game)
        with progress_bar(STEPS) as show:
            show(0, "Compiling or loading the players")
            found = chosen(
                played,
                seconds=seconds,
                minutes=0.0 if explain else minutes,
                seed=seed,
                again=again or explain,
                told=lambda share, sentence: show(round(STEPS * share), sentence),
            )
    if as_json:
        print_json({"game": game, "seconds": seconds, "agent": found.spec, **asdict(found)})
    else:
        _print(found, "first by the rules" if explain else "auto")


def _print(found: Choice, label: str) -> None:
    if found.profile:
        for name, value in found.profile.lines():
            console.print(f"{name:17} {value}", markup=False)
        console.print()
    for place, each in enumerate(found.picks, 1):
        console.print(f"{place}. {each.agent}", markup=False, soft_wrap=True)
        console.print(f"   {each.why}", markup=False)
    for meeting in found.meetings:
        console.print(meeting.sentence, markup=False)
    console.print(f"{label}: {found.spec}", markup=False, soft_wrap=True)
    console.print(found.why, markup=False)
