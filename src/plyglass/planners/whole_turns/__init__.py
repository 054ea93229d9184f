"""Whole Turns: `planner` holds parameters and iterative deepening; `minimax` holds the search."""

from plyglass.planners.whole_turns.planner import WholeTurns

__all__ = ["WholeTurns"]
