"""Matches between two agents, or of one agent with luck."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from plyglass.cli.output import AsJson, console, errors, explained, print_json, table
from plyglass.stats.intervals import mean_interval
from plyglass.stats.pairs import interval_of_rate

if TYPE_CHECKING:
    from plyglass.arena.match.agent import Player
    from plyglass.arena.match.match import Start
    from plyglass.core.game import Game


def match(
    game: Annotated[
        str,
        typer.Argument(
            help="A game, as name or name:parameter=value,... or the path of a Python file."
        ),
    ],
    agents: Annotated[
        list[str], typer.Argument(help="An agent for each player, as planner:parameter=value,...")
    ],
    games: Annotated[
        int,
        typer.Option(
            help="How many games; with two players each deal is played twice, seats swapped."
        ),
    ] = 100,
    seed: Annotated[int, typer.Option(help="Where all luck comes from.")] = 0,
    start: Annotated[
        str,
        typer.Option(
            help="Where games begin: file.py@function of (game, seed), or a ply of a record, "
            "record.json@12."
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Play agents against each other and print the result with its interval."""
    began = time.process_time()
    with explained():
        from plyglass.arena.match.starts import start_from
        from plyglass.arena.specs import game_from, player_from

        board, players = game_from(game), [player_from(text) for text in agents]
        if len(players) != board.players:
            raise ValueError(
                f"{board.name} is for {board.players} players; give as many agents, not "
                f"{len(players)}."
            )
        results = _play_all(board, players, games, seed, start_from(start), began)
    if as_json:
        return print_json(
            {
                "game": game,
                "agents": agents,
                "games": games,
                "seed": seed,
                "start": start,
                **results,
            }
        )
    return _print(board, agents, results)


def _play_all(
    game: Game, agents: list[Player], games: int, seed: int, start: Start | None, began: float
) -> dict[str, Any]:
    """Scores of every agent, in the order of the games, and what it took to get ready."""
    from plyglass.arena.match.match import play
    from plyglass.core.compile import compilations
    from plyglass.core.seeds import derive

    scores: list[list[float]] = [[] for _ in agents]
    ready = 0.0
    with _progress(games) as progress:
        bar = progress.add_task("", total=games, result="")
        for number in range(games):
            order = _seats(number, len(agents))
            played = play(
                game,
                [agents[each] for each in order],
                seed=derive(seed, number // len(agents)),
                start=start,
            )
            for seat, each in enumerate(order):
                scores[each].append(played.scores[seat])
            if number == 0:
                ready = time.process_time() - began
            progress.update(bar, advance=1, result=_running(game, scores))
    return {
        **summary(game, scores),
        "ready_cpu_seconds": round(ready, 3),
        **compilations(),
        "cheats": [agent.cheats for agent in agents],
    }


def _seats(number: int, count: int) -> list[int]:
    """Who sits where in game `number`: everybody once in every seat of a deal."""
    turn = number % count
    return [(seat + turn) % count for seat in range(count)]


def summary(game: Game, scores: list[list[float]]) -> dict[str, Any]:
    """The mean score of every agent; between two opponents also wins, draws and losses of the
    first, with the interval of his rate.
    """
    means = [
        dict(zip(("mean", "low", "high"), mean_interval(each), strict=True)) for each in scores
    ]
    if game.players != 2 or game.cooperative:
        return {"scores": means}
    wins = sum(one > other for one, other in zip(*scores, strict=True))
    draws = sum(one == other for one, other in zip(*scores, strict=True))
    count = len(scores[0])
    points = [
        0.5 if one == other else float(one > other) for one, other in zip(*scores, strict=True)
    ]
    rate, low, high = interval_of_rate(
        points[deal : deal + 2] for deal in range(0, count, 2)
    )  # both games of a deal share its luck
    return {
        "scores": means,
        "wins": wins,
        "draws": draws,
        "losses": count - wins - draws,
        "rate": rate,
        "low": low,
        "high": high,
    }


def _running(game: Game, scores: list[list[float]]) -> str:
    result = summary(game, scores)
    if "rate" in result:
        return (
            f"+{result['wins']} ={result['draws']} -{result['losses']}  {result['rate']:.1%} "
            f"[{result['low']:.1%}, {result['high']:.1%}]"
        )
    return ", ".join(f"{each['mean']:.3f}" for each in result["scores"])


def _progress(games: int) -> Progress:
    columns = (
        BarColumn(24),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[result]}"),
    )
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)


def _print(game: Game, agents: list[str], results: dict[str, Any]) -> None:
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
            f"{agents[0]} won {results['wins']}, drew {results['draws']}, lost "
            f"{results['losses']} of {played} games of {game.name}: "
            f"[bold]{results['rate']:.1%}[/] (95 % interval {results['low']:.1%} to "
            f"{results['high']:.1%})"
        )
    if any(results["cheats"]):
        console.print(
            "[yellow]An agent was given more than its views: this result used a cheating belief.[/]"
        )
