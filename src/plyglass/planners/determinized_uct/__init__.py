"""Determinized UCT: `planner` holds the planner, and `histories` holds its tree."""

from plyglass.planners.determinized_uct.planner import DeterminizedUCT, LeafEvaluation

__all__ = ["DeterminizedUCT", "LeafEvaluation"]
