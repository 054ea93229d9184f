"""Determinized UCT: the planner in `planner`, its tree over shared histories in `histories`."""

from plyglass.planners.determinized_uct.planner import DeterminizedUCT, LeafEvaluation

__all__ = ["DeterminizedUCT", "LeafEvaluation"]
