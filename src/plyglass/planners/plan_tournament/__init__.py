"""Plan Tournament: the algorithm in `planner`, the simulation of a plan in `simulation`."""

from plyglass.planners.plan_tournament.planner import PlanTournament
from plyglass.planners.plan_tournament.simulation import Simulation

__all__ = ["PlanTournament", "Simulation"]
