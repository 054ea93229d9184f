"""Games and agents as text, for the command line, settings and records.

    skirmish:fog=true                                      a game and its parameters
    uct:iterations=1000,exploration=0.5                    a planner, its budget and its parameters
    uct:belief=particles(worlds=500)                       a belief, its parameters in brackets
    uct:playout=playout(turns=4)                           a part of a planner
    uct:playout.turns=4                                    the same part, written shorter
    pimc:worlds=5,inner=expectiminimax(depth=3)            a planner within a planner
    hindsight:belief=particles,model=game(submarines=sticky)    an agent with a wrong model
    uct:iterations=100,remembers=turn                      a new search and belief for each turn
    my_planner.py@Cautious:depth=3,belief=my_belief.py@Hunch    a user's own classes
    auto:seconds=0.1                                       what `arena.auto` picks for a game

Only this module turns text into objects. Texts have limits on numbers, lengths and depths
(`arena.limits`). Old names of parameters, which a planner lists in `moved`, are still read with a
warning.
"""

from __future__ import annotations

import functools
import inspect
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from plyglass import beliefs, games, planners
from plyglass.arena.limits import refuse_depth, refuse_number, refuse_odd_text, shown
from plyglass.arena.match.agent import Agent, Player
from plyglass.core.game import Game
from plyglass.core.refusals import refuse_unknown
from plyglass.extensions import class_at, name_of_class
from plyglass.search.interface import Belief, Budget, Planner, parameters_of
from plyglass.trust import refuse_as_data

LIMITS = tuple(Budget.__dataclass_fields__)
ALSO = ("belief", "model", "remembers")  # an agent's parameters that its planner does not have
AUTO = "auto"  # the name of the agent that depends on the game
SAID = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
_NAME = re.compile(r"(?:[A-Za-z]:[\\/])?[^:]*")  # up to the first colon, except a drive's colon


def game_from(text: str) -> Game:
    """Return the game that `name:parameter=value,...` means.

    If another library provides the game, a prefix names this library: `spiel:leduc_poker`.
    """
    library, _, other = text.partition(":")
    if library in games.LIBRARIES and not other.startswith("game="):
        text = f"{library}:game={other}"
    name, values = _split(text)
    cls = games.find(name)
    known = tuple(inspect.signature(cls.__init__).parameters)[1:]
    refuse_unknown(f"The game {name}", "parameter", values, known)
    hints = _hints(cls.__init__)
    for parameter, value in values.items():
        values[parameter] = _fitting(f"The game {name}", parameter, value, hints.get(parameter))
    return cls(**values)


def player_from(text: str, game: Game | None = None) -> Player:
    """Return the player that a text means.

    The text names an agent, as in `agent_from`, or a user's own player:
    `file.py@Class:parameter=value` with a class that has `take_seat`.
    """
    if not is_own_player(text):
        return agent_from(text, game)
    name, values = _split(text)
    player: Player = class_at(name)(**values)
    return player


def is_own_player(text: str) -> bool:
    """Return whether a text means a user's class with `take_seat`, rather than a planner."""
    name, _ = _split(text)
    if "@" not in name:
        return False
    cls = class_at(name)
    if not hasattr(cls, "begin") and not hasattr(cls, "take_seat"):
        raise ValueError(
            f"{name} is neither a planner, which has a method begin, nor a player, which has a "
            "method take_seat."
        )
    return not hasattr(cls, "begin")


def agent_from(text: str, game: Game | None = None, *, timed: bool = True) -> Agent:
    """Return the agent that `planner:parameter=value,...` means.

    The parameter `iterations`, `seconds` or `turn_seconds` is the agent's budget. The agent `auto`
    depends on the game, so it needs `game`. Other agents do not need `game`. `auto` also depends on
    the speed of the machine, unless `timed` is false.
    """
    name, values = _split(text)
    if name == AUTO:
        return _picked(text, values, game, timed)
    cls = planners.find(name)
    belief = belief_from(str(values.pop("belief", "fresh")))
    model = _model_from(str(values.pop("model", "game")))
    remembers = values.pop("remembers", "match")
    budget = _budget_from(values, f"The planner {name}") or Budget(iterations=1000)
    planner = _made(cls, values, f"The planner {name}", also=(*LIMITS, *ALSO))
    return Agent(planner, belief, budget, model, remembers)


def is_auto(text: str) -> bool:
    """Return whether a text means the agent that depends on the game."""
    return _split(text)[0] == AUTO


def resolved(text: str, game: Game) -> str:
    """Return the text of the actual agent if a text means `auto`, and otherwise the text itself."""
    return text_of_agent(agent_from(text, game)) if is_auto(text) else text


def _picked(text: str, values: dict[str, Any], game: Game | None, timed: bool) -> Agent:
    """Return the agent that `auto` means in a game."""
    # here, because `pick` imports this module
    from plyglass.arena.auto.pick import pick, untimed_pick

    budget = _budget_from(values, "The agent auto") or Budget(seconds=0.5)
    refuse_unknown("The agent auto", "parameter", values, (*LIMITS, "remembers"))
    if game is None:
        raise ValueError(
            f"{shown(text)} stands for another agent in each game, and none is known here; name "
            "the agent itself, which `plyglass choose GAME` prints."
        )
    found = pick(game, budget) if timed else untimed_pick(game, budget)
    return replace(
        agent_from(found.agent),
        budget=budget,
        remembers=values.get("remembers", "match"),
    )


def _budget_from(values: dict[str, Any], owner: str) -> Budget | None:
    """Remove limits from an agent's parameters; return the limits as a budget, or None."""
    limits = {limit: values.pop(limit) for limit in LIMITS if limit in values}
    hints = _hints(Budget)
    for limit, value in limits.items():
        limits[limit] = _fitting(owner, limit, value, hints[limit])
    return Budget(**limits) if limits else None


def _model_from(text: str) -> dict[str, Any]:
    """Return the parameters that `game(parameter=value,...)` changes."""
    name, values = _split_brackets(text, "model")
    if name != "game":
        raise ValueError(
            f"The model of an agent is written game(parameter=value,...), not {shown(text)}."
        )
    for parameter, value in values.items():
        refuse_number("The model of an agent", parameter, value)
    return values


def belief_from(text: str) -> Belief:
    """Return the belief that `name` or `name(parameter=value,...)` means."""
    name, values = _split_brackets(text, "belief")
    belief: Belief = _made(beliefs.find(name), values, f"The belief {name}")
    return belief


def planner_from(text: str) -> Planner:
    """Return the planner that `name` or `name(parameter=value,...)` means."""
    name, values = _split_brackets(text, "planner")
    planner: Planner = _made(planners.find(name), values, f"The planner {name}")
    return planner


def text_of_game(game: Game, changed: Mapping[str, Any] | None = None) -> str:
    """Return the text that `game_from` reads back; `changed` replaces some of the parameters."""
    parameters = {**game.parameters, **(changed or {})}
    return _join(name_of_class("game", type(game), games.names()), parameters)


def text_of_agent(agent: Agent) -> str:
    """Return the text that `agent_from` reads back: non-default parameters and the budget."""
    limits = {
        limit: value for limit in LIMITS if (value := getattr(agent.budget, limit)) is not None
    }
    belief = {} if isinstance(agent.belief, beliefs.Fresh) else {"belief": agent.belief}
    model = (
        {"model": f"game({_join('', dict(agent.model)).removeprefix(':')})"} if agent.model else {}
    )
    memory = {} if agent.remembers == "match" else {"remembers": agent.remembers}
    values = {**_changed(agent.planner), **belief, **model, **memory, **limits}
    return _join(_name(agent.planner), values)


def text_of_part(chosen: Any, default: Any = None) -> str:
    """Return the text of a planner, a belief or another part within an agent.

    The text names only the parameters that differ from `default`. Without `default`, the text names
    the parameters that differ from the defaults of the class.
    """
    _, _, values = _join("", _changed(chosen, default)).partition(":")
    return f"{_name(chosen)}({values})" if values else _name(chosen)


def _name(chosen: Any) -> str:
    """Return the name by which the class of a planner, a belief or another part is found."""
    if not hasattr(chosen, "begin"):
        return str(chosen.name)
    kind = "belief" if hasattr(chosen, "cheats") else "planner"
    own = beliefs.BELIEFS if kind == "belief" else planners.PLANNERS
    return name_of_class(kind, type(chosen), own)  # type: ignore[arg-type]


def _changed(chosen: Any, default: Any = None) -> dict[str, Any]:
    """Return the parameters that differ from their defaults.

    A parameter that has parameters of its own becomes text.
    """
    own = parameters_of(type(chosen)())
    usual = own if default is None else parameters_of(default)
    return {
        name: text_of_part(value, _base(own[name], value)) if is_dataclass(value) else value
        for name, value in parameters_of(chosen).items()
        if value != usual[name]
    }


def _made(cls: Any, values: dict[str, Any], owner: str, also: tuple[str, ...] = ()) -> Any:
    """Return a planner, a belief or another part with these parameters; nested parts are texts."""
    values = _at_new_places(cls, values, owner)
    refuse_unknown(owner, "parameter", values, (*_fields(cls), *also))
    default, hints = parameters_of(cls()), _hints(cls)
    return cls(
        **{
            name: _nested(default[name], value)
            if is_dataclass(default[name])
            else _fitting(owner, name, value, hints.get(name))
            for name, value in values.items()
        }
    )


def _nested(default: Any, value: Any) -> Any:
    """Return the value of a parameter that has parameters of its own: a planner or another part.

    A part takes missing parameters from `default`. A planner takes missing parameters from its own
    defaults.
    """
    if hasattr(default, "begin"):
        return planner_from(str(value))
    name, values = _split_brackets(str(value), default.name)
    if name != default.name:
        raise ValueError(f"There is no {default.name} {name!r}; there is {default.name}.")
    known = parameters_of(default)
    cls: Any = type(default)
    owner, hints = f"The {default.name} {name}", _hints(cls)
    refuse_unknown(owner, "parameter", values, _fields(cls))
    return replace(
        default,
        **{
            each: _nested(known[each], given)
            if is_dataclass(known[each])
            else _fitting(owner, each, given, hints.get(each))
            for each, given in values.items()
        },
    )


def _fitting(owner: str, name: str, value: Any, hint: Any) -> Any:
    """Return the value of a parameter; refuse a wrong type and a value beyond its limit.

    `hint` is the parameter's type. A whole number may be written as 1e6, and true may be written as
    1.
    """
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    plain = [kind for kind in kinds if kind in SAID or kind is type(None)]
    refuse_number(owner, name, value, whole=int in plain and float not in plain)
    if len(plain) + bool(words) < len(kinds) or value in words:
        return value  # the class itself checks the value
    if value is None and type(None) in plain:
        return value
    if isinstance(value, str) and (str in plain or not plain):
        return value  # the class itself refuses words that it does not know
    if isinstance(value, bool) and bool in plain:
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        if float in plain:
            return value
        if int in plain and float(value).is_integer():
            return int(value)
        if bool in plain and value in (0, 1):
            return bool(value)
    if str in plain:
        return _text(value)
    said = " or ".join([*(SAID[kind] for kind in plain if kind in SAID), *map(str, words)])
    raise ValueError(f"{owner} takes {said} as {name}, not {shown(_text(value))}.")


@functools.lru_cache(maxsize=256)
def _hints(owner: Any) -> dict[str, Any]:
    """Return the types of a class's or a function's parameters, as far as they are known."""
    try:
        return get_type_hints(owner)
    except (NameError, TypeError, AttributeError):  # a type that is only imported for checkers
        return {}


def _fields(cls: Any) -> list[str]:
    """Return the names of the parameters of a planner, a belief or another part."""
    return [each.name for each in fields(cls) if each.init] if is_dataclass(cls) else []


def _base(default: Any, value: Any) -> Any:
    """Return the default with which to compare `value`, because a text names only differences."""
    return None if hasattr(value, "begin") or type(value) is not type(default) else default


def _at_new_places(cls: Any, values: dict[str, Any], owner: str) -> dict[str, Any]:
    """Return the parameters under their present names; `part.parameter` is set inside its part.

    `part.parameter=value` is short for a part with that parameter. The class's `moved` maps an old
    parameter either to its new name ("new"), or to a parameter of a part ("part.parameter").
    """
    moved: Mapping[str, str] = getattr(cls, "moved", {})
    places = {name: moved.get(name, name) for name in values if name in moved or "." in name}
    if not places:
        return values
    found = {name: value for name, value in values.items() if name not in places}
    parts: dict[str, dict[str, Any]] = {}
    for name, target in places.items():
        place, _, parameter = target.partition(".")
        if parameter:
            parts.setdefault(place, {})[parameter] = values[name]
        else:
            found[place] = values[name]
    for part, inside in parts.items():
        found[part] = _part_with(cls, part, str(found.get(part, "")), inside, owner)
    old = [name for name in places if name in moved]
    if old:
        before = ",".join(f"{name}={_text(values[name])}" for name in old)
        now = ",".join(
            f"{name}={_text(found[name])}" for name in found if found[name] is not values.get(name)
        )
        warnings.warn(
            f"{owner} has new names for parameters; write {now} instead of {before}.",
            FutureWarning,
            stacklevel=2,
        )
    return found


def _part_with(cls: Any, part: str, written: str, inside: dict[str, Any], owner: str) -> str:
    """Return the text of a part with further parameters."""
    defaults = parameters_of(cls())
    refuse_unknown(
        owner, "part", [part], [name for name in defaults if is_dataclass(defaults[name])]
    )
    given = _split_brackets(written, part)[1] if written else {}
    _, _, joined = _join("", {**given, **inside}).partition(":")
    return f"{defaults[part].name}({joined})"


def _split_brackets(text: str, kind: str) -> tuple[str, dict[str, Any]]:
    """Return the name and parameters of `name(parameter=value,...)`."""
    refuse_odd_text(f"The {kind} of an agent", text)
    refuse_depth(text)
    name, bracket, rest = text.partition("(")
    if bracket and not rest.endswith(")"):
        raise ValueError(f"{text!r} is not of the form {kind}(parameter=value,...).")
    return name, _parameters(rest.removesuffix(")"), text)


def _split(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and parameters of `name:parameter=value,...`."""
    refuse_odd_text("The text of a game or an agent", text)
    refuse_depth(text)
    found = _NAME.match(text)
    name = found.group() if found else ""
    return name, _parameters(text[len(name) + 1 :], text)


def _parameters(rest: str, text: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in _parts(rest):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} in {text!r} is not of the form parameter=value.")
        if value.strip().startswith("net("):
            refuse_as_data(value.strip())  # refuse here, because an agent opens its net only later
        values[key.strip().replace("-", "_")] = _value(value.strip())
    return values


def _parts(text: str) -> Iterator[str]:
    """Yield the pieces between commas; commas within brackets do not separate."""
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
    if text == "None":  # how `text_of_game` writes a parameter that was not given
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
