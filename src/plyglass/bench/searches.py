"""How fast documents' searches are: simulations per CPU second at the start of their game, the choice at the end included."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from plyglass.arena.specs import agent_from, game_from
from plyglass.search.budget import Budget

SEARCHES: Mapping[str, tuple[str, str]] = {  # by name: the game, and the agent without its budget
    "heuristic UCT (004)": (
        "pandemic:preset=as_coded",
        "determinized-uct:as_coded=true,scale=raw,evaluator=compound-2/3-as-coded,histories=3",
    ),
    "UCT with rollouts (004)": (
        "pandemic:preset=as_coded",
        "determinized-uct:as_coded=true,scale=raw,leaf=rollout,policy=default,evaluator=preconditions,histories=3",
    ),
}
SIMULATIONS, OPENINGS = 50_000, 5


def search_speeds(simulations: int = SIMULATIONS, openings: int = OPENINGS) -> Iterator[tuple[str, float]]:
    """Simulations per CPU second over several openings, since these differ in how much there is to choose from."""
    for name, (game, agent) in SEARCHES.items():
        _seconds(game, agent, 10, 0)  # compile, or load from disk
        yield name, openings * simulations / sum(_seconds(game, agent, simulations, seed) for seed in range(openings))


def _seconds(game_text: str, agent_text: str, simulations: int, seed: int) -> float:
    """The CPU seconds of one decision."""
    game, agent = game_from(game_text), agent_from(agent_text)
    world = game.start(seed)
    seat = agent.take_seat(game, world.to_move, seed)
    seat.observe(None, world.hide(world.to_move))
    began = time.process_time()
    seat.search.run(Budget(iterations=simulations))
    seat.search.decision()
    return time.process_time() - began
