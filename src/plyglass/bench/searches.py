"""This module measures how many simulations per CPU second the searches of papers run.

The searches decide in start positions. Their time includes the choice of an action at the end.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from plyglass.arena.specs import agent_from, game_from
from plyglass.search.interface import Budget

_BIASED = "playout(policy=attack-80,turns=4,evaluator=strength)"
# For each search: the game, the agent without its budget, and the simulations of a decision.
SEARCHES: Mapping[str, tuple[str, str, int]] = {
    "heuristic UCT (Pandemic thesis)": (
        "pandemic:preset=as_coded",
        "determinized-uct:as_coded=true,scale=raw,"
        "evaluation=evaluation(evaluator=compound-2/3-as-coded),histories=3",
        50_000,
    ),
    "UCT with rollouts (Pandemic thesis)": (
        "pandemic:preset=as_coded",
        "determinized-uct:as_coded=true,scale=raw,evaluation=evaluation(by=rollout,"
        "policy=default,evaluator=preconditions),histories=3",
        50_000,
    ),
    "PIMC, four turns by attack-80 (Pipan 2021)": (
        "tubstap",
        f"pimc:worlds=20,inner=uct(playout={_BIASED}),belief=tracks",
        20_000,
    ),
    "PIMC in one tree, the same": (
        "tubstap",
        f"pimc:redraw=true,inner=uct(playout={_BIASED}),belief=tracks",
        20_000,
    ),
    "SO-ISMCTS, the same": ("tubstap", f"so-ismcts:playout={_BIASED},belief=tracks", 20_000),
    "MO-ISMCTS, the same": ("tubstap", f"mo-ismcts:playout={_BIASED},belief=tracks", 20_000),
    "BS-MCTS, the same": (
        "tubstap",
        f"bs-mcts:searches=1000,playout={_BIASED},belief=tracks",
        20_000,
    ),
    "PIMC, to the end at random (Pipan 2021)": ("tubstap", "pimc:worlds=20,belief=tracks", 20_000),
    "MO-ISMCTS, the same at random": ("tubstap", "mo-ismcts:belief=tracks", 20_000),
    "BS-MCTS, the same at random": ("tubstap", "bs-mcts:searches=1000,belief=tracks", 20_000),
}
OPENINGS = 5


def search_speeds(
    names: Sequence[str] = (), most: int | None = None, openings: int = OPENINGS
) -> Iterator[tuple[str, float]]:
    """Yield the simulations per CPU second of each search, averaged over several openings.

    Openings differ in their number of legal actions. A decision has at most `most` simulations.
    """
    for name in names or SEARCHES:
        game, agent, usual = SEARCHES[name]
        simulations = min(usual, most or usual)
        _seconds(game, agent, 10, 0)  # compile, or load from disk
        yield (
            name,
            openings
            * simulations
            / sum(_seconds(game, agent, simulations, seed) for seed in range(openings)),
        )


def _seconds(game_text: str, agent_text: str, simulations: int, seed: int) -> float:
    """Return the CPU seconds that one decision takes."""
    game, agent = game_from(game_text), agent_from(agent_text)
    world = game.start(seed)
    seat = agent.take_seat(game, world.to_move, seed)
    seat.observe(None, world.hide(world.to_move))
    began = time.process_time()
    seat.search.run(Budget(iterations=simulations))
    seat.search.decision()
    return time.process_time() - began
