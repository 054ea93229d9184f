"""Representative moves: a planner that searches one action for each class of similar actions."""

from plyglass.planners.representative_moves.planner import RepresentativeMoves

__all__ = ["RepresentativeMoves"]
