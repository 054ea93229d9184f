"""`plyglass tournament`: matches between many agents, on one core or a cluster."""

from __future__ import annotations

import itertools
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plyglass.cli.aside import aside
from plyglass.cli.output import (
    RESULTS,
    RUNNER,
    UNCHECKED,
    WORKERS,
    AsJson,
    Pace,
    check_rules,
    compile_bar,
    console,
    errors,
    explained,
    print_json,
    progress_bar,
    rated,
    resumable,
    table,
    warn,
)

if TYPE_CHECKING:
    from plyglass.arena.tournament.driver import Outcome, Progress, Tournament
    from plyglass.arena.tournament.settings import Settings
    from plyglass.report.effort import Effort
    from plyglass.report.measurements import Measurement
    from plyglass.report.standings import Standing

LINE_SECONDS = 5.0  # seconds between two lines of progress if there is no terminal


SettingsFile = Annotated[
    Path,
    typer.Argument(
        help="A TOML file, as docs/comparing-planners.md describes. An example is "
        "examples/tournament.toml."
    ),
]
Chunk = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Number of matches given to a worker at a time; by default half a second's work.",
    ),
]


def tournament(
    settings: SettingsFile,
    runner: Annotated[
        Literal["serial", "processes", "ray"], typer.Option(help=RUNNER)
    ] = "processes",
    workers: Annotated[int, typer.Option(min=1, help=WORKERS)] = 2,
    out: Annotated[Path, typer.Option(help=RESULTS)] = Path("results"),
    chunk: Chunk = None,
    unchecked: Annotated[bool, typer.Option("--unchecked", help=UNCHECKED)] = False,
    as_json: AsJson = False,
) -> None:
    """Play a tournament, or resume one. Every runner gives the same table.

    The settings name games and agents. The settings can also say where matches
    start (start), what is measured (measures), and what happens when an agent
    fails (on_fault) or exceeds its time budget (on_overrun).
    """
    with explained(), aside():
        from plyglass.arena.runners import runner_named
        from plyglass.arena.tournament.driver import Tournament, open_run
        from plyglass.arena.tournament.settings import Settings
        from plyglass.report.effort import efforts
        from plyglass.report.measurements import measurements
        from plyglass.report.standings import standings

        chosen = Settings.load(settings)
        check_rules(chosen.games, unchecked)
        out.mkdir(parents=True, exist_ok=True)
        with open_run(out / f"{chosen.run_id}.sqlite", chosen) as store:
            run = Tournament(
                chosen, store, runner_named(runner, workers, chosen.match_seconds), chunk
            )
            outcome = _run(run, chosen)
            lines = standings(chosen, run.counted_rows())
            cost = efforts(chosen, run.counted_rows())
            measured = measurements(chosen, run.counted_rows())
    if as_json:
        print_json(
            {
                "digest": outcome.digest,
                "matches": outcome.counted,
                "decision": outcome.decision,
                "quarantined": outcome.quarantined,
                "void": outcome.void,
                "table": [asdict(line) for line in lines],
                "effort": [asdict(each) for each in cost],
                "measures": [asdict(each) for each in measured],
            }
        )
    else:
        _print_standings(lines, cost)
        _print_measures(measured)
        _print_end(outcome)
    raise typer.Exit(1 if outcome.quarantined or outcome.void else 0)


def _run(run: Tournament, settings: Settings) -> Outcome:
    """Run with a progress bar; without a terminal, print a line every few seconds instead."""
    from plyglass.arena.tournament.work import warm

    began, pace = time.monotonic(), Pace(LINE_SECONDS)

    def stopped() -> str:
        return f"Stopped after {run.progress.stored} of {run.progress.total} matches."

    with resumable(stopped), compile_bar():
        if run.progress.stored < run.progress.total:
            warm(settings.canonical)
    with resumable(stopped), progress_bar(run.progress.total) as show:

        def report(progress: Progress) -> None:
            if not pace.due():
                return
            state = f"{progress.stored / (time.monotonic() - began):.1f}/s  {_state(progress)}"
            show(progress.stored, state)
            if not errors.is_terminal:
                errors.print(
                    f"{progress.stored} of {progress.total} matches, {state}",
                    markup=False,
                    soft_wrap=True,
                )

        return run.run(report, warn)


def _state(progress: Progress) -> str:
    """The running table, best first, and the state of the sequential test."""
    best = itertools.islice(progress.table.tallies().items(), 3)
    lost = f"{progress.lost} chunks lost" if progress.lost else ""
    return "  ".join([*(rated(*each) for each in best), progress.test, lost]).strip()


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
            rate, interval = "", _interval(line.mean_low, line.mean_high)
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
    """The mean milliseconds and iterations of a decision, as texts."""
    if effort is None or effort.seconds is None or effort.iterations is None:
        return "", ""
    return f"{1000 * effort.seconds:,.2f}", f"{effort.iterations:,.0f}"


def _print_measures(measured: list[Measurement]) -> None:
    listing = table("measure", "game", "agent", "mean", "95 % interval", "games")
    for each in measured:
        interval = _interval(each.low, each.high)
        listing.add_row(
            each.measure, each.game, each.agent, f"{each.mean:.3f}", interval, str(each.games)
        )
    if measured:
        console.print(listing, "")


def _interval(low: float | None, high: float | None) -> str:
    return "no spread seen" if low is None else f"{low:.3f} to {high:.3f}"


def _print_end(outcome: Outcome) -> None:
    console.print(f"{outcome.counted} matches, {outcome.decision}; digest {outcome.digest}")
    if outcome.void:
        console.print(
            f"[yellow]{len(outcome.void)} matches are void, because the rules of their game "
            f"failed: {', '.join(map(str, outcome.void[:20]))}[/]"
        )
    if outcome.quarantined:
        console.print(
            f"[yellow]{len(outcome.quarantined)} matches do not count, because each killed its "
            f"worker several times: {', '.join(map(str, outcome.quarantined))}[/]"
        )
