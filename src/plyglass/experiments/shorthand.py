"""Shorthand in `study.toml`: words for longer texts, `like` for artifacts, and grids of agents."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any

WORD = re.compile(r"{([\w-]+)}")
ADDED_TO = ("rows", "claims")
PLACES = ("panel", "x", "y")
REQUIRED = ("name", "agent", "values")


def written_out(
    artifacts: Mapping[str, Mapping[str, Any]], words: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Return the entries of all artifacts, with all shorthand written out.

    An artifact that is `like` an earlier artifact inherits the entries of the earlier artifact. The
    TOML tables of the new artifact are merged into the inherited tables. Rows and claims of the new
    artifact are appended. All other entries of the new artifact replace the inherited entries.

    `{name}` in a text stands for the word of that name. The artifact's own `words` are searched
    first, and then the `words` of the study. A word may contain other words.
    """
    full: dict[str, dict[str, Any]] = {}
    for key, values in artifacts.items():
        if (like := values.get("like")) and like not in full:
            raise ValueError(
                f"{key} is like {like!r}; it can be like an artifact above it: "
                f"{', '.join(full) or 'there is none'}."
            )
        full[key] = _together(
            full[like] if like else {},
            {name: value for name, value in values.items() if name != "like"},
        )
    return {key: _with_words(key, values, words) for key, values in full.items()}


def _together(other: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    both = {**other, **own}
    for name in other.keys() & own.keys():
        if isinstance(own[name], Mapping):
            both[name] = _together(other[name], own[name])
        elif name in ADDED_TO:
            both[name] = [*other[name], *own[name]]
    return both


def _with_words(key: str, values: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    own = {**words, **values.get("words", {})}
    done = _with_grid(
        {name: _filled(value, own) for name, value in values.items() if name != "words"}
    )
    for agent in done.get("settings", {}).get("agents", {}).values():
        if unknown := WORD.search(agent):
            raise ValueError(
                f"{key}: there is no word {unknown[1]!r} for the agent {agent!r}; the words are "
                f"{', '.join(own) or 'none'}."
            )
    return done


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(each, words) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, words) for each in value]
    return _text(value, words) if isinstance(value, str) else value


def _text(text: str, words: Mapping[str, str]) -> str:
    """Return the text with words in place of names; within a word, its own name is not replaced."""

    def meant(found: re.Match[str]) -> str:
        name = found[1]
        others = {each: words[each] for each in words if each != name}
        return _text(words[name], others) if name in words else found[0]

    return WORD.sub(meant, text)


def _with_grid(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of an artifact, with its `grid` written out as agents and rows.

    A grid makes an agent and a row for every combination of parameter values. The grid's `name`,
    `agent` and, for figures, `panel`, `x` and `y` are templates such as `{worlds} worlds`. `values`
    lists the values of each parameter. The first parameter changes slowest. If `agent` is the name
    of an agent in the settings, the grid makes no new agent, only a row.
    """
    grid = values.get("grid")
    if grid is None:
        return dict(values)
    listed = [
        _combination(grid, dict(zip(grid["values"], each, strict=True)))
        for each in itertools.product(*grid["values"].values())
    ]
    settings = values.get("settings", {})
    known = settings.get("agents", {})
    agents = {
        **known,
        **{each["name"]: each["agent"] for each in listed if each["agent"] not in known},
    }
    rows = [
        {**each, "agent": each["agent"] if each["agent"] in known else each["name"]}
        for each in listed
    ]
    others = {name: value for name, value in values.items() if name != "grid"}
    return {
        **others,
        "settings": {**settings, "agents": agents},
        "rows": [*values.get("rows", ()), *rows],
    }


def _combination(grid: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [name for name in grid if name not in (*REQUIRED, "sides", *PLACES)]
    if unknown or not set(REQUIRED) <= set(grid):
        raise ValueError(
            f"A grid has the entries name, agent, values, sides, {', '.join(PLACES)}, the first "
            f"three always; it has {', '.join(grid)}."
        )
    texts = {
        name: template.format(**chosen)
        for name, template in grid.items()
        if name not in ("values", "sides")
    }
    return {**texts, "sides": [template.format(**chosen) for template in grid.get("sides", ())]}
