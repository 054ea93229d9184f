"""`plyglass bound`: bound what any honest player of a game can score."""

from __future__ import annotations

from typing import Annotated

import typer

from plyglass.cli.output import SEED, AsJson, console, explained, print_json, progress_bar, table


def bound(
    game: Annotated[str, typer.Argument(help="A game of one player: name or name:parameter=...")],
    honest: Annotated[
        int, typer.Option(min=0, help="Most actions before the relaxed player learns everything.")
    ] = 3,
    horizon: Annotated[
        int | None, typer.Option(min=1, help="Number of actions to unroll; by default all.")
    ] = None,
    falling: Annotated[
        bool, typer.Option("--falling", help="Scores never rise, as in games that count costs.")
    ] = False,
    worlds: Annotated[
        int, typer.Option(min=1, help="Worlds sampled for each start. More give tighter bounds.")
    ] = 100,
    starts: Annotated[int, typer.Option(min=1, help="Number of starts of the game.")] = 30,
    seed: Annotated[int, typer.Option(help=SEED)] = 0,
    as_json: AsJson = False,
) -> None:
    """Bound the mean score of any honest player of a game for one player.

    The relaxed player is honest for the first actions, and then learns the whole world and all
    chance to come. No honest player scores more on average.
    """
    with explained(), progress_bar(starts) as show:
        from plyglass.arena.audit.bound import bound as bound_of
        from plyglass.arena.specs import game_from

        found = bound_of(
            game_from(game),
            honest=honest,
            horizon=horizon,
            falling=falling,
            worlds=worlds,
            starts=starts,
            seed=seed,
            progress=lambda what, done, total: show(done, what, total),
        )
    rows = [(actions, *found.interval(actions)) for actions in range(honest + 1)]
    if as_json:
        keys = ("honest", "bound", "low", "high")
        return print_json(
            {"game": game, "bounds": [dict(zip(keys, row, strict=True)) for row in rows]}
        )
    listing = table(
        "honest actions", "bound", "95 % interval", title=f"No honest player of {game} scores more"
    )
    for actions, mean, low, high in rows:
        listing.add_row(
            str(actions), f"{mean:.4g}", "" if low is None else f"{low:.4g} to {high:.4g}"
        )
    console.print(listing)
    return None
