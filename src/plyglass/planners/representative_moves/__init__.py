"""Representative moves: the planner, and how a few actions come to stand for all."""

from plyglass.planners.representative_moves.planner import RepresentativeMoves

__all__ = ["RepresentativeMoves"]
