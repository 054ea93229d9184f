"""Determinized UCT: the algorithm in `planner`, its tree over shared histories in `histories`."""

from plyglass.planners.determinized_uct.planner import DeterminizedUCT

__all__ = ["DeterminizedUCT"]
