"""`plyglass match`: games between agents, seated and seeded as in a tournament."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from plyglass.cli.aside import aside
from plyglass.cli.output import (
    AGENTS,
    GAME,
    HANG,
    SEED,
    STOPPED,
    UNCHECKED,
    AsJson,
    check_rules,
    compile_bar,
    console,
    errors,
    explained,
    print_json,
    progress_bar,
    rated,
    table,
)

if TYPE_CHECKING:
    from plyglass.arena.tournament.match_row import MatchRow
    from plyglass.arena.tournament.settings import Settings

KEY = "The secret key of an earlier match with players of your own, to play the same games again."


def match(
    game: Annotated[str, typer.Argument(help=GAME)],
    agents: Annotated[list[str], typer.Argument(help=AGENTS)],
    games: Annotated[
        int,
        typer.Option(
            min=1, help="Number of games. Each deal is played once for every order of the seats."
        ),
    ] = 100,
    seed: Annotated[int, typer.Option(help=SEED)] = 0,
    start: Annotated[
        str,
        typer.Option(
            help="Position where games start: file.py@function, which takes (game, seed), or a "
            "ply of a record, such as record.json@12."
        ),
    ] = "",
    key: Annotated[str, typer.Option(help=KEY)] = "",
    hang_seconds: Annotated[float, typer.Option(min=0.1, help=HANG)] = 120.0,
    unchecked: Annotated[bool, typer.Option("--unchecked", help=UNCHECKED)] = False,
    as_json: AsJson = False,
) -> None:
    """Play agents against each other and print the result with its interval.

    A tournament of these agents with the same seed begins with the same games.
    Ctrl-C stops early and prints the result of the games so far.
    """
    began = time.process_time()
    with explained(), aside():
        from plyglass.core.compile import compilations

        check_rules([game], unchecked)
        settings = settings_of(game, agents, games, seed, start, key)
        rows, ready = _play(replace(settings, hang_seconds=hang_seconds), games, began)
        if not rows:
            errors.print("Stopped before the first game was over.")
            raise typer.Exit(STOPPED)
        results = {
            **summary(settings, rows),
            **_digest(rows),
            "ready_cpu_seconds": round(ready, 3),
            **compilations(),
            "cheats": ["cheat" in name for name in settings.agents],
            "key": settings.key,
        }
    if as_json:
        given = {"game": game, "agents": agents, "games": len(rows), "seed": seed, "start": start}
        print_json({**given, **results})
    else:
        _print(settings, results)
    if len(rows) < games:
        errors.print(f"Stopped after {len(rows)} of {games} games.")
        raise typer.Exit(STOPPED)


def settings_of(
    game: str, agents: list[str], games: int, seed: int, start: str, key: str = ""
) -> Settings:
    """The settings of the tournament whose first matches this command plays.

    Agents are named by their order: "agent 1", "agent 2", and so on.
    """
    from plyglass.arena.specs import game_from, player_from, resolved
    from plyglass.arena.tournament.settings import Settings

    played = game_from(game)
    players = played.players
    agents = [resolved(text, played) for text in agents]
    if len(agents) != players:
        raise ValueError(
            f"{game} is for {players} players; give as many agents, not {len(agents)}."
        )
    named = {
        f"agent {place}{' (cheats)' if player_from(text).cheats else ''}": text
        for place, text in enumerate(agents, 1)
    }
    deals = -(-games // players)
    return Settings((game,), named, deals=deals, seed=seed, start=start, key=key).sealed()


def _play(settings: Settings, games: int, began: float) -> tuple[list[MatchRow], float]:
    """Play matches; return their match rows, and the CPU seconds until the first match was over.

    After Ctrl-C, return the match rows so far.
    """
    from plyglass.arena.tournament.live_table import RunningTable
    from plyglass.arena.tournament.work import noted_match, warm, watching

    rows: list[MatchRow] = []
    ready, running = 0.0, RunningTable(settings)
    with contextlib.suppress(KeyboardInterrupt):
        with compile_bar():
            warm(settings.canonical)
        unless = "--hang-seconds allows more time."
        with progress_bar(games) as show, watching(settings, unless) as note:
            for number in range(games):
                told = noted_match(settings, number, note)
                if not told.row.finished:
                    raise RuntimeError(f"Game {number + 1}, {told.about}: {told.why}")
                rows.append(told.row)
                ready = ready or time.process_time() - began
                running.add((told.row,))
                show(number + 1, "  ".join(rated(*each) for each in running.tallies().items()))
    return rows, ready


def _digest(rows: list[MatchRow]) -> dict[str, Any]:
    from plyglass.arena.tournament.match_row import digest_of_rows

    overruns = sum(row.status == "overran" for row in rows)
    return {"digest": digest_of_rows(rows), "overruns": overruns}


def summary(settings: Settings, rows: list[MatchRow]) -> dict[str, Any]:
    """The mean score of every agent; in a game of two opponents, also the first agent's rate.

    Intervals treat deals as independent, like the table of a tournament.
    """
    from plyglass.arena.specs import game_from
    from plyglass.arena.tournament.referee import Referee
    from plyglass.report.standings import standings

    game = game_from(settings.games[0])
    found = {line.agent: line for line in standings(settings, rows)}
    lines = [found[name] for name in settings.agents]
    means = [{"mean": each.mean, "low": each.mean_low, "high": each.mean_high} for each in lines]
    if game.players != 2 or game.cooperative:
        return {"scores": means}
    first = lines[0]
    points = [
        result.points(result.agents.index(first.agent))
        for result in Referee(settings).results(rows)
    ]
    return {
        "scores": means,
        "wins": points.count(1.0),
        "draws": points.count(0.5),
        "losses": points.count(0.0),
        "rate": first.rate,
        "low": first.low,
        "high": first.high,
    }


def _print(settings: Settings, results: dict[str, Any]) -> None:
    agents = list(settings.agents.values())
    listing = table("agent", "mean score", "95 % interval")
    for text, score in zip(agents, results["scores"], strict=True):
        listing.add_row(
            text,
            f"{score['mean']:.3f}",
            "no spread seen"
            if score["low"] is None
            else f"{score['low']:.3f} to {score['high']:.3f}",
        )
    console.print(listing)
    if "rate" in results:
        played = results["wins"] + results["draws"] + results["losses"]
        console.print(
            f"{escape(agents[0])} won {results['wins']}, drew {results['draws']} and lost "
            f"{results['losses']} of {played} games of {escape(settings.games[0])}: "
            f"[bold]{results['rate']:.1%}[/] (95 % interval {results['low']:.1%} to "
            f"{results['high']:.1%})"
        )
    if results["overruns"]:
        console.print(
            f"[yellow]An agent took longer than its budget in {results['overruns']} games.[/]"
        )
    if settings.key:
        console.print(
            "Players of your own took part, so the seed was kept from them; --key "
            f"{settings.key} plays the same games again."
        )
    if any(results["cheats"]):
        console.print(
            "[yellow]An agent cheats: its belief is given more than the agent's views.[/]"
        )
