"""Opponents for people: a game's levels, and short names for agents with long specs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyglass.arena.match.agent import Agent
    from plyglass.core.game import Game

LONGEST = 40  # letters of the longest agent spec that is shown as a name


def agent_text(game: Game, said: str) -> str:
    """The spec of the agent that a person names by level or spec; "" means the hardest level."""
    return game.levels.get(said, said) if said else game.opponent


def levels_text(game: Game) -> str:
    """The levels of a game, each with its measured strength."""
    from plyglass.games.levels import measured_levels

    results = measured_levels(game)
    told = [f"{level}, {results[level]}" if level in results else level for level in game.levels]
    return f"Levels are {'; '.join(told)}: `plyglass play {game.name} LEVEL`."


def opponent_name(game: Game, agent: Agent) -> str:
    """A short name for an opponent: its level, its spec, or its planner and budget."""
    from plyglass.arena.specs import LIMITS, agent_from, text_of_agent

    for level, text in game.levels.items():
        if agent == agent_from(text, game):
            return f"the {level} level"
    text = text_of_agent(agent).removesuffix(":iterations=1000")  # the default
    if len(text) <= LONGEST:
        return text
    limits = {limit: getattr(agent.budget, limit) for limit in LIMITS}
    limit, value = next((name, value) for name, value in limits.items() if value is not None)
    return f"{agent.planner.name} ({limit.replace('_', ' ')} {value:g})"
