"""Whole Turns: parameters and iterative deepening in `planner`, the minimax in `minimax`."""

from plyglass.planners.whole_turns.planner import WholeTurns

__all__ = ["WholeTurns"]
