"""Determinized UCT: `planner` holds the planner, and `histories` its tree over shared histories."""

from plyglass.planners.determinized_uct.planner import DeterminizedUCT, LeafEvaluation

__all__ = ["DeterminizedUCT", "LeafEvaluation"]
