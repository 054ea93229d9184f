"""Games and agents as short text, for the command line and for records: `skirmish:fog=true`, `uct:iterations=1000,exploration=0.5`.

This is the only place where text becomes an object.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from plyglass import games
from plyglass.arena.agent import Agent, Player
from plyglass.beliefs import BELIEFS
from plyglass.core.game import Game
from plyglass.planners import PLANNERS
from plyglass.search.budget import Budget
from plyglass.search.planner import parameters_of

LIMITS = tuple(Budget.__dataclass_fields__)


def game_from(text: str) -> Game:
    """The game that `name:parameter=value,...` means."""
    name, values = _split(text)
    cls = games.find(name)
    _refuse_unknown(values, tuple(inspect.signature(cls.__init__).parameters)[1:], f"the game {name}")
    return cls(**values)


def player_from(text: str) -> Player:
    """The player that a text means: an agent as for `agent_from`, or `file.py@Class:parameter=value,...` for a player of one's own."""
    if not is_own_player(text):
        return agent_from(text)
    name, values = _split(text)
    path, _, cls = name.partition("@")
    module = games.module_of_file(Path(path))
    if not hasattr(module, cls):
        raise ValueError(f"{path} has no class {cls!r}.")
    player: Player = getattr(module, cls)(**values)
    return player


def is_own_player(text: str) -> bool:
    """Whether a text means a player of a user's own file."""
    return "@" in text.partition(":")[0]


def agent_from(text: str) -> Agent:
    """The agent that `planner:parameter=value,...` means; `iterations`, `seconds` or `turn_seconds` is its budget."""
    name, values = _split(text)
    if name not in PLANNERS:
        raise ValueError(f"There is no planner {name!r}; there are {', '.join(sorted(PLANNERS))}.")
    belief = values.pop("belief", "fresh")
    if belief not in BELIEFS:
        raise ValueError(f"There is no belief {belief!r}; there are {', '.join(sorted(BELIEFS))}.")
    limits = {limit: values.pop(limit) for limit in LIMITS if limit in values}
    known = tuple(getattr(PLANNERS[name], "__dataclass_fields__", {}))
    _refuse_unknown(values, (*known, *LIMITS, "belief"), f"the planner {name}")
    budget = Budget(**limits) if limits else Budget(iterations=1000)
    return Agent(PLANNERS[name](**values), BELIEFS[belief](), budget)


def text_of_game(game: Game) -> str:
    """The text that `game_from` reads back."""
    return _join(game.name, game.parameters)


def text_of_agent(agent: Agent) -> str:
    """The text that `agent_from` reads back: all that differs from the defaults, and the budget."""
    values = parameters_of(agent.planner)
    default = parameters_of(type(agent.planner)())
    limits = {limit: value for limit in LIMITS if (value := getattr(agent.budget, limit)) is not None}
    changed = {name: value for name, value in values.items() if value != default[name]}
    belief = {"belief": agent.belief.name} if agent.belief.name != "fresh" else {}
    return _join(agent.planner.name, {**changed, **belief, **limits})


def _split(text: str) -> tuple[str, dict[str, Any]]:
    name, _, rest = text.partition(":")
    values: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} in {text!r} is not of the form parameter=value.")
        values[key.strip().replace("-", "_")] = _value(value.strip())
    return name, values


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _join(name: str, values: dict[str, Any]) -> str:
    parts = ",".join(f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in values.items())
    return f"{name}:{parts}" if parts else name


def _refuse_unknown(values: dict[str, Any], known: tuple[str, ...], owner: str) -> None:
    unknown = [name for name in values if name not in known]
    if unknown:
        raise ValueError(f"{owner[0].upper()}{owner[1:]} has no parameter {unknown[0]!r}; it has {', '.join(known) or 'none'}.")
