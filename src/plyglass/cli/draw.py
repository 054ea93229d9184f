"""`plyglass draw`: pictures, films and pages of a match."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyglass.cli.output import OWN_GAME, OWN_PLAYERS, SEED, console, explained, progress_bar

if TYPE_CHECKING:
    from plyglass.arena.match.match import Match
    from plyglass.arena.match.record import Record
    from plyglass.arena.review import Review
    from plyglass.report.drawing.frames import Frame, Lens

KINDS = (".gif", ".html", ".png", ".svg")


def draw(
    game: Annotated[
        str,
        typer.Argument(help="A game, as name:parameter=value,..., or a record, as record.json."),
    ],
    agents: Annotated[
        list[str] | None, typer.Argument(help="An agent for each player; none with a record.")
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            help="File to write: .gif or .html for a whole match, .png or .svg for one step."
        ),
    ] = Path("match.html"),
    seed: Annotated[int, typer.Option(help=SEED)] = 0,
    seat: Annotated[
        int, typer.Option(help="Number of the player whose view is drawn; 0 for all players.")
    ] = 1,
    belief: Annotated[
        int, typer.Option(help="Number of worlds of the agent's belief to draw; 0 for none.")
    ] = 300,
    truth: Annotated[
        bool, typer.Option("--truth", help="Also draw the true position, beside the view.")
    ] = False,
    step: Annotated[
        int | None, typer.Option(help="Step that a .png or .svg shows; by default the last.")
    ] = None,
    review: Annotated[
        bool,
        typer.Option(
            "--review", help="Judge every decision, as `plyglass review` does; only for .html."
        ),
    ] = False,
    dark: Annotated[bool, typer.Option("--dark", help="Draw on a dark background.")] = False,
    own_game: Annotated[str, typer.Option("--game", help=OWN_GAME)] = "",
    player: Annotated[list[str] | None, typer.Option(help=OWN_PLAYERS)] = None,
) -> None:
    """Draw a match as one player saw it, with what the player's agent believed and planned.

    The result is a film, an HTML page to step through, or a picture.
    """
    with explained():
        if out.suffix not in KINDS:
            raise ValueError(
                f"Cannot draw {out.name!r}; the name must end with one of {', '.join(KINDS)}."
            )
        if review and out.suffix != ".html":
            raise ValueError(f"Only a page shows a review; end {out.name!r} with .html.")
        from plyglass.report.drawing.frames import Lens

        lens = Lens(seat - 1 if seat else None, belief, truth)
        if game.endswith(".json"):
            if agents:
                raise ValueError("A record names its own agents; give the record alone.")
            match, frames = _frames_of_record(game, own_game, player, lens)
        else:
            match, frames = _frames(game, agents or [], seed, lens)
        out.write_bytes(_drawn(match, frames, out.suffix, step, dark, review))
    whose = match.game.player_name(seat - 1) if seat else "all players"
    console.print(
        f"{len(frames) - 1} decisions of {whose}, drawn in {out} "
        f"({out.stat().st_size / 1024:,.0f} KiB).",
        markup=False,
    )
    if match.cheated:
        console.print(
            "[yellow]An agent cheats: its belief is given more than the agent's views.[/]"
        )


def _frames(game: str, agents: Sequence[str], seed: int, lens: Lens) -> tuple[Match, list[Frame]]:
    from plyglass.arena.specs import game_from, player_from
    from plyglass.report.drawing.frames import frames_of_match

    played = game_from(game)
    players = [player_from(text, played) for text in agents]
    return frames_of_match(played, players, lens, seed=seed)


def _frames_of_record(
    file: str, game: str, players: Sequence[str] | None, lens: Lens
) -> tuple[Match, list[Frame]]:
    from plyglass.arena.match.record import Record
    from plyglass.cli.verify import given_game, given_players
    from plyglass.report.drawing.frames import frames_of_record

    return frames_of_record(Record.load(file), lens, given_game(game), given_players(players))


def _drawn(
    match: Match, frames: Sequence[Frame], kind: str, step: int | None, dark: bool, review: bool
) -> bytes:
    from plyglass.report.drawing.film import frame_sheet, gif
    from plyglass.report.drawing.palette import DARK, LIGHT

    palette = DARK if dark else LIGHT
    if kind == ".gif":
        return gif(frames, palette)
    if kind == ".html":
        return _page(match, frames, dark, review)
    sheet = frame_sheet(frames[_checked(step, len(frames))])
    if kind == ".svg":
        from plyglass.report.drawing.svg import svg_file

        return svg_file(sheet, palette).encode()
    from plyglass.report.drawing.picture import png

    return png(sheet, palette)


def _page(match: Match, frames: Sequence[Frame], dark: bool, review: bool) -> bytes:
    from plyglass.arena.match.record import record_of
    from plyglass.report.drawing.player import page

    record = record_of(match)
    lead = f"{record.game}, played by {' against '.join(record.players)} with seed {record.seed}"
    title = match.game.name if frames[0].mover else frames[0].scenes[0].title
    return page(frames, title, lead, dark, _reviewed(match, record) if review else None).encode()


def _reviewed(match: Match, record: Record) -> Review:
    from plyglass.arena.review import review

    with progress_bar(len(record.moves)) as show:
        return review(
            record, game=match.game, told=lambda done, _: show(done, "decisions reviewed")
        )


def _checked(step: int | None, count: int) -> int:
    if step is not None and not 0 <= step < count:
        raise ValueError(f"The match has steps 0 to {count - 1}; there is no step {step}.")
    return count - 1 if step is None else step
