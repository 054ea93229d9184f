"""This package holds the planners, one algorithm per file or folder.

The module of a planner is imported when the planner is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyglass.extensions import current_name, find_class
from plyglass.lazy import Lazily, attributes
from plyglass.search.interface import Decision, Planner, Search

if TYPE_CHECKING:
    from plyglass.planners.bs_mcts import BSMCTS
    from plyglass.planners.determinized_uct import DeterminizedUCT
    from plyglass.planners.epimc import EPIMC
    from plyglass.planners.expectiminimax import Expectiminimax
    from plyglass.planners.greedy import Greedy
    from plyglass.planners.hindsight import Hindsight
    from plyglass.planners.ismcts import MOISMCTS, SOISMCTS
    from plyglass.planners.one_ply_mcts import OnePlyMCTS
    from plyglass.planners.pimc import PIMC
    from plyglass.planners.plan_tournament import PlanTournament
    from plyglass.planners.policy import Policy
    from plyglass.planners.pomcp import POMCP
    from plyglass.planners.random import Random
    from plyglass.planners.representative_moves import RepresentativeMoves
    from plyglass.planners.rollout import Rollout
    from plyglass.planners.three_ply_mcts import ThreePlyMCTS
    from plyglass.planners.uct import UCT
    from plyglass.planners.whole_turns import WholeTurns

PLANNERS: Lazily[type[Planner]] = Lazily(
    {
        "random": "plyglass.planners.random:Random",
        "policy": "plyglass.planners.policy:Policy",
        "greedy": "plyglass.planners.greedy:Greedy",
        "rollout": "plyglass.planners.rollout:Rollout",
        "one-ply-mcts": "plyglass.planners.one_ply_mcts:OnePlyMCTS",
        "three-ply-mcts": "plyglass.planners.three_ply_mcts:ThreePlyMCTS",
        "determinized-uct": "plyglass.planners.determinized_uct:DeterminizedUCT",
        "uct": "plyglass.planners.uct:UCT",
        "so-ismcts": "plyglass.planners.ismcts:SOISMCTS",
        "mo-ismcts": "plyglass.planners.ismcts:MOISMCTS",
        "bs-mcts": "plyglass.planners.bs_mcts:BSMCTS",
        "pomcp": "plyglass.planners.pomcp:POMCP",
        "expectiminimax": "plyglass.planners.expectiminimax:Expectiminimax",
        "whole-turns": "plyglass.planners.whole_turns:WholeTurns",
        "plan-tournament": "plyglass.planners.plan_tournament:PlanTournament",
        "representative-moves": "plyglass.planners.representative_moves:RepresentativeMoves",
        "hindsight": "plyglass.planners.hindsight:Hindsight",
        "pimc": "plyglass.planners.pimc:PIMC",
        "epimc": "plyglass.planners.epimc:EPIMC",
    }
)
__getattr__ = attributes(__name__, PLANNERS.modules)
FORMER: dict[str, str] = {}  # old names of planners, each with its new one


def find(name: str) -> type[Planner]:
    """Return the class of a planner by its name, its entry point, or `file.py@Class`."""
    name = current_name("planner", name, FORMER)
    if name in PLANNERS:
        return PLANNERS[name]
    found: type[Planner] = find_class("planner", name, PLANNERS)
    return found


__all__ = [
    "BSMCTS",
    "EPIMC",
    "MOISMCTS",
    "PIMC",
    "PLANNERS",
    "POMCP",
    "SOISMCTS",
    "UCT",
    "Decision",
    "DeterminizedUCT",
    "Expectiminimax",
    "Greedy",
    "Hindsight",
    "OnePlyMCTS",
    "PlanTournament",
    "Planner",
    "Policy",
    "Random",
    "RepresentativeMoves",
    "Rollout",
    "Search",
    "ThreePlyMCTS",
    "WholeTurns",
    "find",
]
