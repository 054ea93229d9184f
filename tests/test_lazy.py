"""Names that are imported when they are first used."""

import json
import subprocess
import sys

import pytest

from plyglass import beliefs, planners
from plyglass.lazy import Lazily, attributes


def imported_by(code):
    """The modules of Plyglass that are loaded after some code ran in a new process."""
    code = f"{code}; import json, sys; print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {each for each in json.loads(done.stdout) if each.startswith("plyglass")}


def test_an_agent_imports_its_own_planner_and_belief_and_no_others():
    loaded = imported_by("import plyglass as pg; pg.agent_from('uct:belief=truth')")
    assert {"plyglass.planners.uct", "plyglass.beliefs.truth"} <= loaded
    others = {"pomcp", "whole_turns", "plan_tournament", "expectiminimax", "hindsight"}
    assert not {f"plyglass.planners.{each}" for each in others} & loaded
    assert (
        not {"plyglass.beliefs.exact", "plyglass.beliefs.particles", "plyglass.core.check"} & loaded
    )


def test_every_planner_and_belief_has_the_name_under_which_it_is_listed():
    for listed in (planners.PLANNERS, beliefs.BELIEFS):
        assert [each.name for each in listed.values()] == [*listed]
    for module in (planners, beliefs):
        assert all(hasattr(module, name) for name in module.__all__)


def test_a_lazy_mapping_knows_its_names_without_an_import():
    lazily = Lazily({"missing": "plyglass.nowhere:Missing", "Lazily": "plyglass.lazy:Lazily"})
    assert "missing" in lazily
    assert "another" not in lazily
    assert [*lazily] == ["missing", "Lazily"]
    assert len(lazily) == 2
    assert lazily["Lazily"] is Lazily
    assert lazily.modules == {"Missing": "plyglass.nowhere", "Lazily": "plyglass.lazy"}
    with pytest.raises(ModuleNotFoundError):
        lazily["missing"]


def test_an_unknown_attribute_is_refused():
    find = attributes("plyglass.planners", {"UCT": "plyglass.planners.uct"})
    assert find("UCT").name == "uct"
    with pytest.raises(AttributeError, match=r"module 'plyglass.planners' has no attribute 'UCB'"):
        find("UCB")
