"""Games and agents as short text, for the command line and for records: `skirmish:fog=true`,
`uct:iterations=1000,exploration=0.5`.

A belief is named with its planner, its own parameters in brackets:
`uct:iterations=1000,belief=particles(worlds=500)`; and so is a planner within a planner,
`pimc:worlds=5,inner=expectiminimax(depth=3)`, and how a search plays on:
`uct:playout=playout(turns=4)`. An agent that takes the game to have other parameters than it has
says which: `hindsight:belief=particles,model=game(submarines=sticky)`. This is the only place where
text becomes an object.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from plyglass import games
from plyglass.arena.match.agent import Agent, Player
from plyglass.beliefs import BELIEFS, Belief
from plyglass.core.game import Game
from plyglass.planners import PLANNERS
from plyglass.search.interface import Budget, Planner, parameters_of

LIMITS = tuple(Budget.__dataclass_fields__)


def game_from(text: str) -> Game:
    """The game that `name:parameter=value,...` means."""
    name, values = _split(text)
    cls = games.find(name)
    _refuse_unknown(
        values, tuple(inspect.signature(cls.__init__).parameters)[1:], f"the game {name}"
    )
    return cls(**values)


def player_from(text: str) -> Player:
    """The player that a text means: an agent as for `agent_from`, or
    `file.py@Class:parameter=value,...` for a player of one's own.
    """
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
    """The agent that `planner:parameter=value,...` means; `iterations`, `seconds` or
    `turn_seconds` is its budget.
    """
    name, values = _split(text)
    if name not in PLANNERS:
        raise ValueError(f"There is no planner {name!r}; there are {', '.join(sorted(PLANNERS))}.")
    belief = belief_from(str(values.pop("belief", "fresh")))
    model = _model_from(str(values.pop("model", "game")))
    limits = {limit: values.pop(limit) for limit in LIMITS if limit in values}
    known = tuple(getattr(PLANNERS[name], "__dataclass_fields__", {}))
    _refuse_unknown(values, (*known, *LIMITS, "belief", "model"), f"the planner {name}")
    budget = Budget(**limits) if limits else Budget(iterations=1000)
    return Agent(_made(PLANNERS[name], values), belief, budget, model)


def _model_from(text: str) -> dict[str, Any]:
    """The parameters that `game(parameter=value,...)` changes."""
    name, values = _split_brackets(text, "model")
    if name != "game":
        raise ValueError(
            f"The model of an agent is written game(parameter=value,...), not {text!r}."
        )
    return values


def belief_from(text: str) -> Belief:
    """The belief that `name` or `name(parameter=value,...)` means."""
    belief: Belief = _chosen(text, BELIEFS, "belief")
    return belief


def planner_from(text: str) -> Planner:
    """The planner that `name` or `name(parameter=value,...)` means."""
    planner: Planner = _chosen(text, PLANNERS, "planner")
    return planner


def text_of_game(game: Game) -> str:
    """The text that `game_from` reads back."""
    return _join(game.name, game.parameters)


def text_of_agent(agent: Agent) -> str:
    """The text that `agent_from` reads back: all that differs from the defaults, and the budget."""
    limits = {
        limit: value for limit in LIMITS if (value := getattr(agent.budget, limit)) is not None
    }
    belief = {"belief": text_of_part(agent.belief)} if agent.belief.name != "fresh" else {}
    model = (
        {"model": f"game({_join('', dict(agent.model)).removeprefix(':')})"} if agent.model else {}
    )
    return _join(agent.planner.name, {**_changed(agent.planner), **belief, **model, **limits})


def _changed(chosen: Any) -> dict[str, Any]:
    """The parameters of a planner or a belief that differ from the defaults."""
    default = parameters_of(type(chosen)())
    return {name: value for name, value in parameters_of(chosen).items() if value != default[name]}


def text_of_part(chosen: Any) -> str:
    """A planner, a belief or a playout as it is written within an agent: all that differs from
    the defaults.
    """
    _, _, values = _join("", _changed(chosen)).partition(":")
    return f"{chosen.name}({values})" if values else str(chosen.name)


def _chosen(text: str, catalogue: Mapping[str, Any], kind: str) -> Any:
    """What `name` or `name(parameter=value,...)` means in a catalogue."""
    name, values = _split_brackets(text, kind)
    if name not in catalogue:
        raise ValueError(f"There is no {kind} {name!r}; there are {', '.join(sorted(catalogue))}.")
    _refuse_unknown(
        values, tuple(getattr(catalogue[name], "__dataclass_fields__", {})), f"the {kind} {name}"
    )
    return _made(catalogue[name], values)


def _made(cls: Any, values: dict[str, Any]) -> Any:
    """A planner or a belief with these parameters; those that have parameters themselves are
    given as text.
    """
    default = parameters_of(cls())
    return cls(
        **{
            name: _nested(default[name], value) if is_dataclass(default[name]) else value
            for name, value in values.items()
        }
    )


def _nested(default: Any, value: Any) -> Any:
    """A part of a planner that has parameters of its own: another planner, or what the default
    is.
    """
    return (
        planner_from(str(value))
        if hasattr(default, "begin")
        else _chosen(str(value), {default.name: type(default)}, default.name)
    )


def _split_brackets(text: str, kind: str) -> tuple[str, dict[str, Any]]:
    """Name and parameters of `name(parameter=value,...)`."""
    name, bracket, rest = text.partition("(")
    if bracket and not rest.endswith(")"):
        raise ValueError(f"{text!r} is not of the form {kind}(parameter=value,...).")
    return name, _split(f"{name}:{rest.removesuffix(')')}")[1]


def _split(text: str) -> tuple[str, dict[str, Any]]:
    name, _, rest = text.partition(":")
    values: dict[str, Any] = {}
    for part in _parts(rest):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} in {text!r} is not of the form parameter=value.")
        values[key.strip().replace("-", "_")] = _value(value.strip())
    return name, values


def _parts(text: str) -> Iterator[str]:
    """What commas separate, but not those within brackets."""
    depth, begun = 0, 0
    for at, sign in enumerate(f"{text},"):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            if begun < at:
                yield text[begun:at]
            begun = at + 1
    if depth > 0:
        raise ValueError(f"{text!r} opens a bracket that it does not close.")


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text == "None":  # as `text_of_game` writes a parameter that was not given
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _join(name: str, values: dict[str, Any]) -> str:
    parts = ",".join(f"{key}={_text(value)}" for key, value in values.items())
    return f"{name}:{parts}" if parts else name


def _text(value: Any) -> str:
    if is_dataclass(value):
        return text_of_part(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refuse_unknown(values: dict[str, Any], known: tuple[str, ...], owner: str) -> None:
    unknown = [name for name in values if name not in known]
    if unknown:
        raise ValueError(
            f"{owner[0].upper()}{owner[1:]} has no parameter {unknown[0]!r}; it has "
            f"{', '.join(known) or 'none'}."
        )
