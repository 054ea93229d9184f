"""Planning in games with hidden information, chance and turns of many actions.

    import plyglass as pg

    game = pg.games.ConnectFour()
    agent = pg.Agent(pg.UCT(), budget=pg.Budget(iterations=1000))
    match = pg.play(game, [agent, pg.Agent(pg.Random())], seed=7)
    print(match.scores, match.decisions[0].values)

Public names are imported when they are first used, so `import plyglass` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from plyglass.lazy import attributes

if TYPE_CHECKING:
    from plyglass import games
    from plyglass.arena import (
        Agent,
        Match,
        Record,
        RecordMismatch,
        agent_from,
        game_from,
        play,
        record_of,
        replay,
        verify,
    )
    from plyglass.arena.audit.bound import Bound, bound
    from plyglass.arena.audit.exploitability import exploitability
    from plyglass.arena.auto.profile import Profile
    from plyglass.arena.auto.trial import Choice, choose
    from plyglass.arena.match.isolation import Isolated
    from plyglass.arena.review import Review, Why, review, why
    from plyglass.beliefs import Exact, Fresh, Particles, Tracks, Truth
    from plyglass.core import (
        Game,
        IllegalAction,
        SharedLibrary,
        View,
        World,
        chance,
        draw,
        kernel,
        kind_of,
        pack,
        source_of,
        state_dtype,
        target_of,
        unpack,
    )  # fmt: skip
    from plyglass.core.check import check
    from plyglass.core.luck import below, uniform
    from plyglass.core.tape import deals, imaginations, outcomes
    from plyglass.planners import (
        BSMCTS,
        EPIMC,
        MOISMCTS,
        PIMC,
        POMCP,
        SOISMCTS,
        UCT,
        DeterminizedUCT,
        Expectiminimax,
        Greedy,
        Hindsight,
        OnePlyMCTS,
        PlanTournament,
        Policy,
        Random,
        RepresentativeMoves,
        Rollout,
        ThreePlyMCTS,
        WholeTurns,
    )  # fmt: skip
    from plyglass.planners.bs_mcts import OpponentModel
    from plyglass.planners.determinized_uct.planner import LeafEvaluation
    from plyglass.planners.plan_tournament.simulation import Simulation
    from plyglass.planners.pomcp import Prior
    from plyglass.report.results import Standings, results, standings
    from plyglass.search.interface import (
        Budget,
        Decision,
        Health,
        LiveBelief,
        Search,
        Spent,
        run_in_slices,
    )
    from plyglass.search.mcts.playout import Playout
    from plyglass.search.turn_results.workspace import TurnEnumeration
    from plyglass.search.turn_tree.workspace import TurnTree

__version__ = "0.2.0.dev0"

_HOME = {
    "plyglass.arena": ("Agent", "Match", "Record", "RecordMismatch", "agent_from", "game_from",
        "play", "record_of", "replay", "verify"),
    "plyglass.arena.audit.bound": ("Bound", "bound"),
    "plyglass.arena.audit.exploitability": ("exploitability",),
    "plyglass.arena.auto.profile": ("Profile",),
    "plyglass.arena.auto.trial": ("Choice", "choose"),
    "plyglass.arena.match.isolation": ("Isolated",),
    "plyglass.arena.review": ("Review", "Why", "review", "why"),
    "plyglass.beliefs": ("Exact", "Fresh", "Particles", "Tracks", "Truth"),
    "plyglass.core.check": ("check",),
    "plyglass.core": (
        "Game", "IllegalAction", "SharedLibrary", "View", "World",
        "chance", "draw", "kernel", "kind_of", "pack", "source_of", "state_dtype", "target_of",
        "unpack",
    ),
    "plyglass.core.luck": ("below", "uniform"),
    "plyglass.core.tape": ("deals", "imaginations", "outcomes"),
    "plyglass.planners": (
        "BSMCTS", "EPIMC", "MOISMCTS", "PIMC", "POMCP", "SOISMCTS", "UCT", "DeterminizedUCT",
        "Expectiminimax", "Greedy",
        "Hindsight", "OnePlyMCTS", "PlanTournament", "Policy", "Random", "RepresentativeMoves",
        "Rollout", "ThreePlyMCTS",
        "WholeTurns",
    ),
    "plyglass.search.interface": (
        "Budget", "Decision", "Health", "LiveBelief", "Search", "Spent", "run_in_slices",
    ),
    "plyglass.report.results": ("Standings", "results", "standings"),
    "plyglass.planners.bs_mcts": ("OpponentModel",),
    "plyglass.planners.determinized_uct.planner": ("LeafEvaluation",),
    "plyglass.planners.plan_tournament.simulation": ("Simulation",),
    "plyglass.planners.pomcp": ("Prior",),
    "plyglass.search.mcts.playout": ("Playout",),
    "plyglass.search.turn_results.workspace": ("TurnEnumeration",),
    "plyglass.search.turn_tree.workspace": ("TurnTree",),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "BSMCTS", "EPIMC", "MOISMCTS", "PIMC", "POMCP", "SOISMCTS", "UCT", "Agent", "Bound", "Budget",
    "Choice",
    "Decision", "DeterminizedUCT", "Exact", "Expectiminimax", "Fresh", "Game", "Greedy",
    "Health", "Hindsight", "IllegalAction", "Isolated", "LeafEvaluation", "LiveBelief",
    "Match",
    "OnePlyMCTS", "OpponentModel", "Particles", "PlanTournament", "Playout", "Policy", "Prior",
    "Profile", "Random", "Record", "RecordMismatch", "RepresentativeMoves", "Review", "Rollout",
    "Search", "SharedLibrary", "Simulation", "Spent", "Standings", "ThreePlyMCTS", "Tracks",
    "Truth", "TurnEnumeration", "TurnTree", "View", "WholeTurns", "Why", "World", "agent_from",
    "below", "bound", "chance", "check", "choose", "deals", "draw", "exploitability", "game_from",
    "games", "imaginations", "kernel", "kind_of", "outcomes", "pack", "play", "record_of", "replay",
    "results", "review", "run_in_slices", "source_of", "standings", "state_dtype", "target_of",
    "uniform", "unpack", "verify", "why",
]  # fmt: skip


_attribute = attributes(__name__, _MODULE_OF)


def __getattr__(name: str) -> Any:
    return importlib.import_module("plyglass.games") if name == "games" else _attribute(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
