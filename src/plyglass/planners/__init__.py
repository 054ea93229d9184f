"""Planners, one algorithm a file. A new planner adds its file and one line here."""

from plyglass.planners.random import Random
from plyglass.planners.uct import UCT
from plyglass.search.planner import Decision, Planner, Search

PLANNERS: dict[str, type[Planner]] = {planner.name: planner for planner in (Random, UCT)}

__all__ = ["PLANNERS", "UCT", "Decision", "Planner", "Random", "Search"]
