"""Representative moves: the planner, and how classes of like actions are found."""

from plyglass.planners.representative_moves.planner import RepresentativeMoves

__all__ = ["RepresentativeMoves"]
