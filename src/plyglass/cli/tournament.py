"""Tournaments: many agents, many matches, on one core or a cluster."""

from __future__ import annotations

import itertools
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from plyglass.cli.output import AsJson, console, errors, explained, print_json, table

if TYPE_CHECKING:
    from plyglass.arena.tournament.driver import Outcome, Progress, Tournament
    from plyglass.report.effort import Effort
    from plyglass.report.measurements import Measurement
    from plyglass.report.standings import Standing
    from plyglass.stats.pairs import Tally

BAR_SECONDS = 0.1  # between two looks at the table for the progress bar
LINE_SECONDS = 5.0  # between two lines where there is no terminal


def tournament(
    settings: Annotated[
        Path,
        typer.Argument(
            help="A TOML file, as docs/comparing-planners.md describes; examples/tournament.toml "
            "is one."
        ),
    ],
    runner: Annotated[
        Literal["serial", "processes", "ray"], typer.Option(help="Who plays the matches.")
    ] = "processes",
    workers: Annotated[int, typer.Option(help="How many matches are played at a time.")] = 2,
    out: Annotated[
        Path,
        typer.Option(help="The folder of the results; the same command goes on where it stopped."),
    ] = Path("results"),
    chunk: Annotated[
        int | None,
        typer.Option(
            help="Matches handed out at a time; by default as many as take half a second."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament, or go on with one; the table is the same for any runner and number of
    workers.

    Besides games and agents, the settings say where matches begin (start), what is measured of them
    (measures), and what a match is worth in which an agent misbehaves (on_fault) or takes longer
    than its budget of time (on_overrun).
    """
    with explained():
        from plyglass.arena.runners import runner_named
        from plyglass.arena.store import open_store
        from plyglass.arena.tournament.driver import Tournament
        from plyglass.arena.tournament.settings import Settings
        from plyglass.report.effort import efforts
        from plyglass.report.measurements import measurements
        from plyglass.report.standings import standings

        chosen = Settings.load(settings)
        out.mkdir(parents=True, exist_ok=True)
        with open_store(out / f"{chosen.run_id}.sqlite", chosen.run_id, chosen.canonical) as store:
            run = Tournament(
                chosen, store, runner_named(runner, workers, chosen.match_seconds), chunk
            )
            try:
                outcome = _run(run)
            except KeyboardInterrupt:
                errors.print(
                    f"Stopped after {run.progress.stored} of {run.progress.total} matches; the "
                    "same command goes on."
                )
                raise typer.Exit(130) from None
            lines = standings(chosen, run.counted_rows())
            cost, measured = (
                efforts(chosen, run.counted_rows()),
                measurements(chosen, run.counted_rows()),
            )
    if as_json:
        print_json({"digest": outcome.digest, "matches": outcome.counted,
            "decision": outcome.decision,
                    "quarantined": outcome.quarantined, "table": [asdict(line) for line in lines],
                    "effort": [asdict(each) for each in cost],
                    "measures": [asdict(each) for each in measured]})  # fmt: skip
    else:
        _print_standings(lines, cost)
        _print_measures(measured)
        _print_end(outcome)
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
    began = time.monotonic()
    pause, said = BAR_SECONDS if errors.is_terminal else LINE_SECONDS, [began]
    with RichProgress(
        *columns, console=errors, transient=True, disable=not errors.is_terminal
    ) as bar:
        task = bar.add_task("", total=run.progress.total, pace="", state="")

        def show(progress: Progress) -> None:
            now = time.monotonic()
            if now - said[0] < pause:
                return
            said[0] = now
            pace, state = f"{progress.stored / (now - began):.1f}/s", _state(progress)
            bar.update(task, completed=progress.stored, pace=pace, state=state)
            if not errors.is_terminal:
                errors.print(
                    f"{progress.stored} of {progress.total} matches, {pace}  {state}",
                    soft_wrap=True,
                )

        return run.run(
            show,
            lambda sentence: errors.print(
                f"[yellow]warning:[/] {escape(sentence)}", soft_wrap=True
            ),
        )


def _state(progress: Progress) -> str:
    """The running table, best first, and where the sequential test stands."""
    shown = [
        _rated(agent, tally)
        for agent, tally in itertools.islice(progress.table.tallies().items(), 3)
    ]
    return "  ".join(
        [*shown, progress.test, f"{progress.lost} chunks lost" if progress.lost else ""]
    ).strip()


def _rated(agent: str, tally: Tally) -> str:
    rate, low, high = tally.interval()
    return f"{agent} {rate:.0%} ({low:.0%}-{high:.0%})"


def _print_standings(lines: list[Standing], cost: list[Effort]) -> None:
    costs = {(each.game, each.agent): each for each in cost}
    for game in dict.fromkeys(line.game for line in lines):
        listing = table(
            "agent",
            "games",
            "points",
            "95 % interval",
            "mean\nscore",
            "ms per\ndecision",
            "iterations",
            "faults",
            title=game,
        )
        for line in (each for each in lines if each.game == game):
            rate, interval = (
                "",
                "no spread seen"
                if line.mean_low is None
                else f"{line.mean_low:.3f} to {line.mean_high:.3f}",
            )
            if line.rate is not None:
                rate, interval = f"{line.rate:.1%}", f"{line.low:.1%} to {line.high:.1%}"
            listing.add_row(
                line.agent,
                str(line.games),
                rate,
                interval,
                f"{line.mean:.3f}",
                *_cost(costs.get((game, line.agent))),
                str(line.faults or ""),
            )
        console.print(listing, "")


def _cost(effort: Effort | None) -> tuple[str, str]:
    """What a decision took, in milliseconds and in iterations."""
    if effort is None or effort.seconds is None or effort.iterations is None:
        return "", ""
    return f"{1000 * effort.seconds:,.2f}", f"{effort.iterations:,.0f}"


def _print_measures(measured: list[Measurement]) -> None:
    listing = table("measure", "game", "agent", "mean", "95 % interval", "games")
    for each in measured:
        interval = "no spread seen" if each.low is None else f"{each.low:.3f} to {each.high:.3f}"
        listing.add_row(
            each.measure, each.game, each.agent, f"{each.mean:.3f}", interval, str(each.games)
        )
    if measured:
        console.print(listing, "")


def _print_end(outcome: Outcome) -> None:
    console.print(f"{outcome.counted} matches, {outcome.decision}; digest {outcome.digest}")
    if outcome.quarantined:
        console.print(
            f"[yellow]These matches took their worker down {len(outcome.quarantined)} times over "
            f"and are left out: {outcome.quarantined}[/]"
        )
