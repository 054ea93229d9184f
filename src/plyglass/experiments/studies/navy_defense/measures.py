"""Measures for tournaments: what the captain (the player) of Navy Defense does in a match.

Each measure returns a list with one entry, for the only seat. A single number would instead be a
measure of the whole match, which counts for the rows of every agent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from plyglass.arena.match.agent import AgentSeat
from plyglass.arena.match.match import Match, Move, first_position, run
from plyglass.core.actions import unpack
from plyglass.core.scene import Imagined
from plyglass.core.seeds import derive
from plyglass.core.world import World
from plyglass.games.navy.rules import HEALTH
from plyglass.games.navy.state import CLOCKWISE, NOWHERE, STAY

LOOKBACK = 10  # steps for which a cell counts as watched after it was in sonar
EARLY = 10  # the number of decisions at the beginning
AFTERWARDS = 10  # the number of decisions that are counted after the first attack
WORLDS = 300  # the most worlds of a belief that are used


def patrolling(match: Match) -> list[dict[str, float | None]]:
    """Return how much of the cargo ships' routes is watched, and how often the Navy ship moves.

    Watching and moving are measured in the first ten decisions, and in all later decisions. A cell
    on a route counts as watched if it was in sonar within the last ten steps. A ship on guard
    watches the same few cells. A ship that wanders passes some cells of the routes by chance. A
    ship that patrols passes all cells of the routes.
    """
    records = list(_records(match))[:-1]
    watched = [
        _watched(match.game, records[max(0, step - LOOKBACK) : step + 1])
        for step in range(len(records))
    ]
    steps = range(len(records))
    return [
        {
            "watched_early": _mean(watched[:EARLY]),
            "watched_later": _mean(watched[EARLY:]),
            "moving_early": _moving(match, steps[:EARLY]),
            "moving_later": _moving(match, steps[EARLY:]),
        }
    ]


def refills(match: Match) -> list[float | None]:
    """Return how often the belief ran out of particles and was refilled, per decision."""
    health = match.decisions[-1].health
    return [None if health is None else health.refilled / len(match.decisions)]


def moving(match: Match) -> list[dict[str, float | None]]:
    """Return how often the ship moves before the first attack, and in ten decisions afterwards."""
    first = _first_attack(match)
    if first is None:
        return [{}]
    after = range(first, min(first + AFTERWARDS, len(match.moves)))
    return [{"before": _moving(match, range(first)), "after": _moving(match, after)}]


def expects_none(match: Match) -> list[dict[str, float | None]]:
    """Return the believed probability of no submarine, just before and after the first attack."""
    first = _first_attack(match)
    if first is None or first == len(match.moves):
        return [{}]
    chances = _chances_of_none(match)
    return [{"before": chances[first - 1], "after": chances[first]}]


def struck_at_once(match: Match) -> list[float | None]:
    """Return whether the first attack hit all cargo ships in one step."""
    first = _first_attack(match)
    if first is None:
        return [None]
    health = list(_records(match))[first]["cargo_health"][: match.game.parameters["cargo"]]
    return [float((health < HEALTH).all())]


def _records(match: Match) -> Iterator[Any]:
    """Yield the position before every decision, and the final position."""
    world = first_position(match.game, match.seed) if match.start is None else match.start.copy()
    yield world.record
    for action in match.actions:
        world.apply(action)
        yield world.record


def _first_attack(match: Match) -> int | None:
    """Return the number of decisions made before a submarine first attacked."""
    return next(
        (
            number
            for number, record in enumerate(_records(match))
            if record["attacked"][0] != NOWHERE
        ),
        None,
    )


def _moving(match: Match, counted: Sequence[int]) -> float | None:
    return _mean([float(unpack(match.actions[number])[2] != STAY) for number in counted])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _sonar(record: Any) -> set[int]:
    """Return the cell of the Navy ship and its neighbours, or no cells if the ship is sunk.

    Cells beyond the border do no harm, because no route contains them.
    """
    if record["navy_health"] <= 0:
        return set()
    return {
        int(record["navy"]) + 16 * rows + columns for rows in (-1, 0, 1) for columns in (-1, 0, 1)
    }


def _watched(game: Any, records: Sequence[Any]) -> float:
    """Return the share of the routes' cells that were in sonar in at least one of these positions.

    The routes are those of the cargo ships in the last position.
    """
    routes = {
        cell for ship in records[-1]["cargo"] if ship != NOWHERE for cell in _route(game, int(ship))
    }
    return len(routes & set().union(*map(_sonar, records))) / len(routes)


def _route(game: Any, cell: int) -> Iterator[int]:
    """Yield the cells of the round trip that a ship makes from its cell."""
    ahead = game.constants_record[0]["route"][CLOCKWISE]
    there = cell
    while True:
        yield there
        there = int(ahead[there])
        if there == cell:
            return


def _chances_of_none(match: Match) -> list[float]:
    """Return the belief's probability that there is no submarine, at every decision.

    The match is played again with an observer, which changes no decision.
    """
    (player,), found = match.players, list[float]()
    seat = player.take_seat(match.game, 0, derive(match.seed, 1))

    def look(world: World, move: Move | None) -> None:
        if isinstance(seat, AgentSeat) and not world.over:
            imagined = Imagined.of(*seat.belief.glimpse(WORLDS), match.game.state)
            found.append(
                float(imagined.expected((imagined.worlds["submarine"] == NOWHERE).all(axis=1)))
            )

    start = match.start
    run(
        match.game,
        match.players,
        [seat],
        seed=match.seed,
        start=(lambda game, _: start) if start is not None else None,
        watch=look,
    )
    return found
