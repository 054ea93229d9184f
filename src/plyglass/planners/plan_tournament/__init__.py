"""Plan Tournament: `planner` holds the algorithm, and `simulation` simulates a plan."""

from plyglass.planners.plan_tournament.planner import PlanTournament
from plyglass.planners.plan_tournament.simulation import Simulation

__all__ = ["PlanTournament", "Simulation"]
