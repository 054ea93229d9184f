"""Representative moves: the planner, and the search for classes of similar actions."""

from plyglass.planners.representative_moves.planner import RepresentativeMoves

__all__ = ["RepresentativeMoves"]
