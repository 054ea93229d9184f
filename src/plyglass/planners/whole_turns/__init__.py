"""Whole Turns: `planner` holds the parameters and iterative deepening, and `minimax` the search."""

from plyglass.planners.whole_turns.planner import WholeTurns

__all__ = ["WholeTurns"]
