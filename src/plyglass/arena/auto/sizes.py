"""The sizes of an agent (plans, worlds, particles): the largest that fit into its budget.

A trial makes a few decisions with growing sizes and measures their CPU time, so a busy machine
hardly matters. A budget of iterations sets no time limit, so agents with such a budget get the
sizes in `USUAL`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from plyglass.arena.match.agent import TURN_SHARE, Agent, AgentSeat
from plyglass.arena.specs import agent_from
from plyglass.core.game import Game
from plyglass.search.interface import Budget
from plyglass.search.threads import one_thread

Sizes = Mapping[str, int]
Measure = Callable[["Spot", float], float]

PARTICLES = (50, 100, 200, 500, 1000, 2000)
WORLDS = (4, 8, 16, 32, 64)
TOURNAMENTS = ((4, 2), (6, 4), (8, 4), (8, 8), (12, 8), (16, 16), (24, 16), (32, 32))
USUAL = {"particles": 200, "worlds": 8, "plans": 12}
SHARE = 0.8  # the share of the budget that a decision of the trial may use
BELIEF_SHARE = 0.2  # the share of the budget for updating the belief
TRIALS = 3  # random games, with one position each
PATIENCE = 3.0  # a decision of the trial is stopped after this many times its limit
GLANCE = Budget(seconds=0.005)
MOST_ACTIONS = 60  # the most actions that are played before a position of the trial


class Spot(NamedTuple):
    """A seat that is to move in a random game, and the number of views that it has seen."""

    seat: AgentSeat
    views: int


def filled(text: str, sizes: Sizes) -> str:
    """Return the text of an agent, with these sizes in place of the placeholders."""
    for name, size in sizes.items():
        text = text.replace(f"{{{name}}}", str(size))
    return text


def sized(game: Game, text: str, budget: Budget) -> str:
    """Return the text of an agent with the largest sizes that fit into the budget."""
    if budget.limit is None or "{" not in text:
        return filled(text, USUAL)
    seconds = budget.seconds or TURN_SHARE * budget.limit
    if "{particles}" in text:
        options = [{"particles": count} for count in PARTICLES]
        text = filled(text, _largest(game, text, options, BELIEF_SHARE * seconds, _update))
    if "{plans}" in text:
        options = [{"plans": plans, "worlds": worlds} for plans, worlds in TOURNAMENTS]
    else:
        options = [{"worlds": worlds} for worlds in WORLDS]
    if "{worlds}" in text:
        text = filled(text, _largest(game, text, options, SHARE * seconds, _decide))
    return text


def seconds_per_iteration(game: Game) -> float:
    """Return the seconds of one UCT iteration (tree and playout) from the start position."""
    agent = agent_from("uct")
    agent.warm(game)
    spent = []
    for number in range(TRIALS):
        world = game.start(number)
        seat = agent.take_seat(game, world.to_move, number)
        seat.observe(None, world.hide(world.to_move))
        with one_thread():
            decision = seat.decide(GLANCE)
        spent.append(decision.seconds / max(1, decision.iterations))
    return min(spent)


def _largest(
    game: Game, text: str, options: Sequence[Sizes], limit: float, measure: Measure
) -> Sizes:
    """Return the largest option that takes at most `limit` seconds, or the first if none does."""
    best = options[0]
    for option in options:
        agent = agent_from(filled(filled(text, option), USUAL))
        if option is best:
            agent.warm(game)
        if any(measure(spot, limit) > limit for spot in _spots(game, agent)):
            break
        best = option
    return best


def _spots(game: Game, agent: Agent) -> Iterator[Spot]:
    """Yield a seat to move from each of a few random games: first at the start, then later."""
    for number in range(TRIALS):
        chooser, world = random.Random(number), game.start(number)
        seats = [agent.take_seat(game, seat, number) for seat in range(game.players)]
        action, mover = None, -1
        for played in range(MOST_ACTIONS):
            for each, seat in enumerate(seats):
                seat.observe(action if each == mover else None, world.hide(each))
            mover = world.to_move
            spot = Spot(seats[mover], 1 + played)
            if played >= number * game.most_steps // (2 * TRIALS):
                break
            action = chooser.choice(world.legal())
            world.apply(action)
            if world.over:
                break
        yield spot


def _decide(spot: Spot, limit: float) -> float:
    """Return the CPU seconds of a decision, which may take `PATIENCE` times `limit` seconds."""
    began = time.process_time()
    with one_thread():
        spot.seat.decide(Budget(seconds=PATIENCE * limit))
    return time.process_time() - began


def _update(spot: Spot, limit: float) -> float:
    """Return the CPU seconds that the belief needs to update itself, per view."""
    began = time.process_time()
    spot.seat.belief.glimpse(1)
    return (time.process_time() - began) / spot.views
