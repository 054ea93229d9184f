"""EPIMC: the planner in `planner`, steps and look-aheads in groups of worlds in `world_groups`."""

from plyglass.planners.epimc.planner import EPIMC

__all__ = ["EPIMC"]
