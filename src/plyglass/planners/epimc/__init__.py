"""EPIMC: `planner` holds the planner, and `world_groups` plays and searches groups of worlds."""

from plyglass.planners.epimc.planner import EPIMC

__all__ = ["EPIMC"]
