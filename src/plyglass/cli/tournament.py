"""Tournaments: many agents, many matches, on one core or a cluster."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from plyglass.cli.output import AsJson, console, errors, explained, print_json, table
from plyglass.stats.intervals import wilson

if TYPE_CHECKING:
    from plyglass.arena.tournament import Outcome, Progress, Tournament
    from plyglass.report.standings import Standing

LINE_SECONDS = 5.0  # between two lines where there is no terminal


def tournament(
    settings: Annotated[Path, typer.Argument(help="A TOML file; examples/tournament.toml is one.")],
    runner: Annotated[Literal["serial", "processes", "ray"], typer.Option(help="Who plays the matches.")] = "processes",
    workers: Annotated[int, typer.Option(help="How many matches are played at a time.")] = 2,
    out: Annotated[Path, typer.Option(help="The folder of the results; the same command goes on where it stopped.")] = Path("results"),
    chunk: Annotated[int | None, typer.Option(help="Matches handed out at a time; by default as many as take half a second.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament, or go on with one; the table is the same for any runner and number of workers."""
    with explained():
        from plyglass.arena.runners import runner_named
        from plyglass.arena.settings import Settings
        from plyglass.arena.store import open_store
        from plyglass.arena.tournament import Tournament
        from plyglass.report.standings import standings

        chosen = Settings.load(settings)
        out.mkdir(parents=True, exist_ok=True)
        with open_store(out / f"{chosen.run_id}.sqlite", chosen.run_id, chosen.canonical) as store:
            run = Tournament(chosen, store, runner_named(runner, workers, chosen.match_seconds), chunk)
            try:
                outcome = _run(run)
            except KeyboardInterrupt:
                errors.print(f"Stopped after {run.progress.stored} of {run.progress.total} matches; the same command goes on.")
                raise typer.Exit(130) from None
            lines = standings(chosen, run.counted_rows())
    if as_json:
        print_json({"digest": outcome.digest, "matches": outcome.counted, "decision": outcome.decision,
                    "quarantined": outcome.quarantined, "table": [asdict(line) for line in lines]})  # fmt: skip
    else:
        _print(outcome, lines)
    raise typer.Exit(1 if outcome.quarantined else 0)


def _run(run: Tournament) -> Outcome:
    """Run with a progress bar, or with a plain line now and then where there is no terminal."""
    columns = (
        BarColumn(24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[state]}"),
    )
    began, said = time.monotonic(), [time.monotonic()]
    with RichProgress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=run.progress.total, pace="", state="")

        def show(progress: Progress) -> None:
            now = time.monotonic()
            pace = f"{progress.stored / max(1e-9, now - began):.1f}/s"
            bar.update(task, completed=progress.stored, pace=pace, state=_state(progress))
            if not errors.is_terminal and now - said[0] >= LINE_SECONDS:
                said[0] = now
                errors.print(f"{progress.stored} of {progress.total} matches, {pace}  {_state(progress)}", soft_wrap=True)

        return run.run(show)


def _state(progress: Progress) -> str:
    """The running table, best first, and where the sequential test stands."""
    rates = sorted(((progress.points[agent] / games, agent) for agent, games in progress.games.items()), reverse=True)
    shown = [_rated(agent, progress) for _, agent in rates[:3]]
    return "  ".join([*shown, progress.test, f"{progress.lost} chunks lost" if progress.lost else ""]).strip()


def _rated(agent: str, progress: Progress) -> str:
    games, points = progress.games[agent], progress.points[agent]
    low, high = wilson(points, games)
    return f"{agent} {points / games:.0%} ({low:.0%}-{high:.0%})"


def _print(outcome: Outcome, lines: list[Standing]) -> None:
    for game in dict.fromkeys(line.game for line in lines):
        listing = table("agent", "games", "points", "95 % interval", "mean score", "faults", title=game)
        for line in (each for each in lines if each.game == game):
            rate, interval = "", "no spread seen" if line.mean_low is None else f"{line.mean_low:.3f} to {line.mean_high:.3f}"
            if line.rate is not None:
                rate, interval = f"{line.rate:.1%}", f"{line.low:.1%} to {line.high:.1%}"
            listing.add_row(line.agent, str(line.games), rate, interval, f"{line.mean:.3f}", str(line.faults or ""))
        console.print(listing, "")
    console.print(f"{outcome.counted} matches, {outcome.decision}; digest {outcome.digest}")
    if outcome.quarantined:
        console.print(
            f"[yellow]These matches took their worker down {len(outcome.quarantined)} times over and are left out: {outcome.quarantined}[/]"
        )
