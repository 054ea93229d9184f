"""EPIMC: the algorithm in `planner`, playing in groups of worlds in `world_groups`."""

from plyglass.planners.epimc.planner import EPIMC

__all__ = ["EPIMC"]
