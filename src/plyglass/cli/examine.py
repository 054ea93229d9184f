"""`plyglass check`, `golden`, `bench` and `cache`: test games, measure speed, show the cache."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from plyglass.cli.output import (
    GAME,
    SEED,
    AsJson,
    compile_bar,
    console,
    explained,
    print_json,
    table,
)

RULE_SECONDS = 60.0  # the longest time that one call of a rule may take in a check


def check(
    game: Annotated[
        str,
        typer.Argument(help=GAME),
    ],
    games: Annotated[int, typer.Option(min=1, help="Number of random games to examine.")] = 20,
    seed: Annotated[int, typer.Option(help=SEED)] = 0,
    as_json: AsJson = False,
) -> None:
    """Check that a game is deterministic, stays in its bounds, and leaks nothing in views."""
    with explained():
        from plyglass.arena.specs import game_from
        from plyglass.core.check import check as examine

        with compile_bar(), _watched_rules():
            report = examine(game_from(game), games=games, seed=seed)
    if as_json:
        findings = [
            {
                "rule": each.rule,
                "problem": each.problem,
                "advice": each.advice,
                "seed": each.seed,
                "history": each.history,
            }
            for each in report.findings
        ]
        print_json(
            {
                "game": game,
                "ok": report.ok,
                "passed": report.passed,
                "failed": report.failed,
                "findings": findings,
            }
        )
    else:
        console.print(str(report), markup=False)
    raise typer.Exit(0 if report.ok else 1)


@contextlib.contextmanager
def _watched_rules() -> Iterator[None]:
    """End this process if a rule never returns; the message names the rule."""
    from plyglass.arena.match.watchdog import watched
    from plyglass.arena.tournament.note import Note
    from plyglass.core.check.walk import watched_by
    from plyglass.core.table import SIGNATURES

    rules = tuple(SIGNATURES)
    with watched(RULE_SECONDS, "Every rule must end in every position.", rules) as file:
        note = Note(file)
        with watched_by(lambda rule: note.write(rules.index(rule) if rule in rules else -1)):
            yield


def golden(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Games of the package; by default all."),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Write new playthroughs instead of comparing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare games with their recorded playthroughs."""
    from plyglass import games as catalogue
    from plyglass.arena.specs import game_from
    from plyglass.core.playthrough import playthrough

    states = {}
    for name in names or catalogue.names():
        path = Path(catalogue.__file__).parent / name.replace("-", "_") / "playthrough.txt"
        text = playthrough(game_from(name))
        if update:
            path.write_text(text, encoding="utf-8")
        states[name] = (
            "missing"
            if not path.is_file()
            else "same"
            if path.read_text(encoding="utf-8") == text
            else "different"
        )
    if as_json:
        print_json(states)
    else:
        for name, state in states.items():
            console.print(f"{name}: {state}")
    raise typer.Exit(0 if set(states.values()) == {"same"} else 1)


def bench(
    peers: Annotated[
        bool,
        typer.Option("--peers", help="Compare with hand-written C, OpenSpiel and pomdp_py."),
    ] = False,
    repetitions: Annotated[
        int,
        typer.Option(
            min=1, help="Repetitions of the comparison with --peers, which prints medians."
        ),
    ] = 5,
    signature: Annotated[
        bool,
        typer.Option(
            "--signature",
            help="Only compare every planner's decisions with the recorded decisions.",
        ),
    ] = False,
    update: Annotated[
        bool,
        typer.Option(
            "--update", help="With --signature: replace the recorded decisions with today's."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure speed, and check that every planner decides as recorded.

    With --peers, compare speed with other libraries.
    """
    if signature:
        return _print_signature(update, as_json)
    with explained():
        if peers:
            from plyglass.bench.peers import compare

            results = compare(repetitions)
            return print_json(results) if as_json else _print_peers(results)
    measured = _speeds()
    if as_json:
        named = {name: rates for name, _, _, rates in measured}
        return print_json({f"{name}_per_cpu_second": rates for name, rates in named.items()})
    for _, kind, title, rates in measured:
        _print_rates(kind, title, rates)
    return _print_signature(update, as_json)


def _speeds() -> list[tuple[str, str, str, dict[str, float]]]:
    """Return (name for programs, "game" or "search", title, rates) for each kind of speed."""
    from plyglass.bench import speeds
    from plyglass.bench.policies import policy_speeds
    from plyglass.bench.rules import rule_speeds
    from plyglass.bench.searches import search_speeds

    iterations, games, simulations = dict(speeds()), dict(policy_speeds()), dict(search_speeds())
    rules = list(rule_speeds())
    actions = {name: rate for name, rate, _ in rules}
    copies = {name: rate for name, _, rate in rules}
    to_end = "random actions per CPU second, from the middle of a game to its end"
    return [
        ("iterations", "game", "UCT iterations per CPU second", iterations),
        ("random_actions", "game", to_end, actions),
        ("copies", "game", "copies of a state per CPU second", copies),
        ("policy_games", "game", "games by its first policy per CPU second", games),
        ("simulations", "search", "simulations per CPU second", simulations),
    ]


def _print_signature(update: bool, as_json: bool) -> None:
    """Print the signature and every changed case; exit with code 1 if a case changed."""
    from plyglass.bench import signature as cases

    found = dict(cases.digests())
    if update:
        cases.record(found)
    changed = cases.compare(found)
    if as_json:
        print_json({"signature": cases.signature(found), "cases": len(found), "changed": changed})
    else:
        console.print(
            f"signature {cases.signature(found)} of {len(found)} cases, {len(changed)} of them "
            "not as recorded"
        )
        for name in changed:
            console.print(f"- {name}", markup=False)
    raise typer.Exit(1 if changed else 0)


def _print_rates(what: str, unit: str, rates: Mapping[str, float]) -> None:
    listing = table(what, unit)
    for name, rate in rates.items():
        listing.add_row(name, f"{rate:,.0f}")
    console.print(listing)


def cache(
    action: Annotated[
        Literal["show", "clear"], typer.Argument(help="Show the cache, or delete its files.")
    ] = "show",
    as_json: AsJson = False,
) -> None:
    """Show where compiled code is cached and how large the cache is, or delete the cache."""
    from plyglass.core import cache as store

    where = store.root()
    files, size = store.clear() if action == "clear" else store.usage()
    if as_json:
        return print_json(
            {
                "path": str(where) if where else None,
                "files": files,
                "bytes": size,
                "cleared": action == "clear",
            }
        )
    if where is None:
        return console.print("The cache is off (PLYGLASS_CACHE=0).")
    verb = "deleted from" if action == "clear" else "in"
    return console.print(f"{files} files, {size / 1e6:.1f} MB {verb} {where}")


def _print_peers(results: dict[str, dict[str, float]]) -> None:
    listing = table("search", "by", "iterations per CPU second", "Plyglass is faster by")
    for name, row in results.items():
        for contender in [key for key in row if not key.startswith("ratio_")]:
            ratio = row.get(f"ratio_{contender}")
            listing.add_row(
                name, contender, f"{row[contender]:,.0f}", "" if ratio is None else f"{ratio:.2f} x"
            )
    console.print(listing)
