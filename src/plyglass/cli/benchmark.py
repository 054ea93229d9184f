"""`plyglass benchmark`: measure planners with a frozen suite, and compare results."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plyglass.cli.output import (
    RESULTS,
    WORKERS,
    AsJson,
    Pace,
    console,
    errors,
    explained,
    print_json,
    progress_bar,
    resumable,
    table,
)

if TYPE_CHECKING:
    from plyglass.benchmark.compare import Comparison
    from plyglass.benchmark.page import Found
    from plyglass.benchmark.result import Result
    from plyglass.benchmark.run import Benchmark

LINE_SECONDS = 10.0  # seconds between two lines of progress if there is no terminal


def benchmark(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...",
            help="Agents without a budget: planner:parameter=value,... or my_planner.py@Mine. With "
            "--compare: two result files.",
        ),
    ] = None,
    size: Annotated[
        Literal["minutes", "hour", "night"],
        typer.Option(help="How much to play. A larger size continues the games of a smaller size."),
    ] = "minutes",
    own: Annotated[
        bool, typer.Option("--own", help="Also run the agents of the recorded table.")
    ] = False,
    alone: Annotated[
        bool, typer.Option("--alone", help="Leave the recorded agents out of the tables.")
    ] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare two result files instead of playing.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help=WORKERS)] = 1,
    out: Annotated[Path, typer.Option(help=RESULTS)] = Path("benchmark"),
    as_json: AsJson = False,
) -> None:
    """Measure agents with plyglass-suite-1, and list them beside the recorded agents.

    The suite measures exploitability, regret in solved games, calibration of beliefs, and CPU time.
    The suite also measures points against two reference agents in ten games, at equal time and at
    equal iterations. Results are one JSON file per agent and one page.
    """
    with explained():
        if compare:
            return _compare(agents or [], as_json)
        from plyglass.arena.runners import runner_named
        from plyglass.benchmark.page import write_page
        from plyglass.benchmark.recorded import recorded
        from plyglass.benchmark.run import Benchmark
        from plyglass.benchmark.suite import SUITE_1

        suite = SUITE_1
        texts = [*(agents or []), *(suite.agents.values() if own else ())]
        if not texts:
            raise ValueError("Name an agent, such as so-ismcts, or give --own.")
        runner = runner_named("serial" if workers == 1 else "processes", workers, 600.0)
        run = Benchmark(suite, size, texts, out, runner)
        results = _run(run)
        others = [] if alone else [each for each in recorded(suite) if each.agent not in texts]
        files, found = write_page(suite, [*results, *others], out)
    written = [*(run.file(each.agent) for each in results), files[-1]]
    if as_json:
        return print_json(_as_json(suite.name, written, found))
    _print_ratings(found)
    for name in written:
        console.print(str(name), markup=False, soft_wrap=True)
    return None


def _run(run: Benchmark) -> list[Result]:
    """Run with a progress bar; without a terminal, print a line every few seconds instead."""
    pace = Pace(LINE_SECONDS)
    with resumable(), progress_bar(None) as bar:

        def show(done: float, says: str, total: float) -> None:
            if not pace.due():
                return
            bar(round(done), says, round(total))
            if not errors.is_terminal:
                errors.print(f"{done / total:.0%} {says}", markup=False, soft_wrap=True)

        return run.run(show)


def _as_json(suite: str, written: list[Path], found: Found) -> dict[str, Any]:
    """The result files, the page and the overall ratings, for programs."""
    *results, page = map(str, written)
    ratings = {
        board.mode: {
            agent: [entry.elo, entry.low, entry.high, entry.games]
            for agent, entry in board.overall.items()
        }
        for board in found.boards
    }
    return {"suite": suite, "results": results, "page": page, "ratings": ratings}


def _print_ratings(found: Found) -> None:
    for each in found.boards:
        listing = table("agent", "Elo", "95 % interval", "matches", title=f"equal {each.mode}")
        for agent in each.agents:
            if agent in each.overall:
                entry = each.overall[agent]
                interval = f"{entry.low:+.0f} to {entry.high:+.0f}"
                listing.add_row(agent, f"{entry.elo:+.0f}", interval, str(entry.games))
        console.print(listing, "")


def _compare(files: list[str], as_json: bool) -> None:
    from plyglass.benchmark.compare import compare as compared
    from plyglass.benchmark.result import read
    from plyglass.benchmark.suite import SUITES

    if len(files) != 2:
        raise ValueError(f"--compare takes two result files, not {len(files)}.")
    first, second = map(read, files)
    found = compared(SUITES[first.suite], first, second)
    if as_json:
        return print_json(asdict(found))
    return _print_comparison(found)


def _print_comparison(found: Comparison) -> None:
    listing = table(
        "game", "equal", "difference", "95 % interval", "p (Holm)", "deals",
        title=f"Points per match of {found.first} minus those of {found.second}",
    )  # fmt: skip
    for each in found.games:
        one = each.difference
        interval = "no spread seen" if one.low is None else f"{one.low:+.1%} to {one.high:+.1%}"
        p_value = "" if each.p_value is None else f"{each.p_value:.3f}"
        listing.add_row(each.game, each.mode, f"{one.mean:+.1%}", interval, p_value, str(one.pairs))
    console.print(listing, "")
    for whole in found.overall:
        console.print(
            f"Equal {whole.mode}, mean over games: {whole.elo:+.0f} Elo "
            f"({whole.low:+.0f} to {whole.high:+.0f})"
        )
