"""Measures for tournaments: what the thesis reports about games besides the result.

Like the program of the thesis, these measures count before each decision. So counts of actions and
events leave out the last action of a game. Cures are counted at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plyglass.arena.match.match import Match, first_position
from plyglass.core import kind_of
from plyglass.core.world import World
from plyglass.games.pandemic.state import ANY_EVENT, EVENTS, FIRST_EVENT, KINDS
from plyglass.search.interface import Decision

EVERY, LAST = 5, 90  # values are measured at every fifth decision, up to decision 90
TENTH = 10  # treatments are counted after every tenth decision
EVALUATORS = (
    "preconditions",
    "informed-loss-as-coded",
    "compound-1/2-as-coded",
    "compound-2/3-as-coded",
)
THESIS_EVENTS = EVENTS[:3]


def tree_depth(decision: Decision) -> float | None:
    """Return the depth of the tree, counting actions and chance nodes."""
    return decision.depth or None


def cures(match: Match) -> float:
    """Return how many diseases were cured at the end."""
    return int(match.end.record["cured"]).bit_count()


def lengths(match: Match) -> dict[str, float]:
    """Return the number of decisions, under the name `won` or `lost`."""
    return {"won" if match.scores[0] else "lost": float(len(match.moves))}


def uses(match: Match) -> dict[str, float]:
    """Return how often each kind of action was taken."""
    counted = Counter(_kinds(match))
    return {name: float(counted[name]) for name in KINDS}


def treats(match: Match) -> dict[str, float]:
    """Return how often disease was treated within the first 10, 20, ... decisions of the game."""
    treated = [kind == "treat" for kind in _kinds(match)]
    return {
        str(count): float(sum(treated[:count])) for count in range(TENTH, len(treated) + 1, TENTH)
    }


def events(match: Match) -> dict[str, float]:
    """Return whether each event card was drawn, and the result with or without this card."""
    *_, last = positions(match)
    drawn = ANY_EVENT & ~(int(last.record["deck"]) >> FIRST_EVENT)
    found: dict[str, float] = {}
    for number, event in enumerate(THESIS_EVENTS):
        present = drawn >> number & 1
        found |= {
            f"{event} present": float(present),
            f"won {'with' if present else 'without'} {event}": match.scores[0],
        }
    return found


def course(match: Match) -> dict[str, float | None]:
    """Return several values at every fifth decision of a game.

    These are the value of the chosen action, the mean value over all iterations, and each
    evaluator's value of the position.
    """
    game, found = match.game, dict[str, float | None]()
    for number, (world, move) in enumerate(zip(positions(match), match.moves, strict=True)):
        if number % EVERY == 0 and number <= LAST:
            found |= {
                f"selected {number}": _selected(move.decision),
                f"mean {number}": _mean(move.decision),
            }
            for name in EVALUATORS:
                found[f"{name} {number}"] = game.verbs.evaluate(
                    game.table, world.address, 0, game.evaluator(name)
                )
    return found


def positions(match: Match) -> Iterator[World]:
    """Yield the position before each decision, always as one object that is changed in place."""
    world = first_position(match.game, match.seed) if match.start is None else match.start.copy()
    yield world
    for action in match.actions[:-1]:
        world.apply(action)
        yield world


def _kinds(match: Match) -> list[str]:
    """Return the kinds of all actions except the last."""
    return [KINDS[kind_of(action)] for action in match.actions[:-1]]  # type: ignore[no-untyped-call]


def _selected(decision: Decision) -> float | None:
    return decision.values[decision.actions.index(decision.action)] if decision.values else None


def _mean(decision: Decision) -> float | None:
    """Return the mean value over all iterations, from the mean value of each action."""
    searched = [
        (value, visits)
        for value, visits in zip(decision.values, decision.visits, strict=True)
        if value is not None
    ]
    return (
        sum(value * visits for value, visits in searched) / sum(visits for _, visits in searched)
        if searched
        else None
    )
