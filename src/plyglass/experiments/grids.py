"""Many agents from one template: every combination of the values of its parameters, as an agent
and as a row.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

PLACES = ("panel", "x", "y")
USUAL = ("name", "agent", "values")


def with_grid(values: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of an artifact, its `grid` written out as agents and rows.

    A grid has a `name`, an `agent` and, for figures, `panel`, `x` and `y`, all of them templates
    such as `{worlds} worlds`; `values` lists what each parameter may be, the first changing
    slowest. An agent that the settings already have is not made again, so that a grid can be of
    rows only, by the `sides` on which it plays.
    """
    grid = values.get("grid")
    if grid is None:
        return dict(values)
    listed = [
        _filled(grid, dict(zip(grid["values"], each, strict=True)))
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


def _filled(grid: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [name for name in grid if name not in (*USUAL, "sides", *PLACES)]
    if unknown or not set(USUAL) <= set(grid):
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
