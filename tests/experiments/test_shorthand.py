"""Words that stand for longer text, and artifacts that copy another artifact's settings."""

import pytest

from plyglass.experiments.shorthand import written_out

BASE = {
    "title": "{planner} with {budget}",
    "rows": [{"name": "one"}],
    "words": {"budget": "100"},
    "settings": {
        "seed": 1,
        "games": ["a", "b"],
        "agents": {"one": "{planner}:{budget}", "other": "random"},
    },
}


def test_an_artifact_like_another_has_what_that_has_but_for_its_own_entries():
    own = {
        "like": "base",
        "rows": [{"name": "two"}],
        "words": {"budget": "200"},
        "settings": {"games": ["c"], "agents": {"other": "greedy"}},
    }
    found = written_out({"base": BASE, "more": own}, {"planner": "uct"})
    assert found["base"]["settings"] == {
        "seed": 1,
        "games": ["a", "b"],
        "agents": {"one": "uct:100", "other": "random"},
    }
    assert found["more"] == {
        "title": "uct with 200",
        "rows": [{"name": "one"}, {"name": "two"}],
        "settings": {"seed": 1, "games": ["c"], "agents": {"one": "uct:200", "other": "greedy"}},
    }


def test_words_may_have_words_in_them_and_leave_a_grid_its_own():
    grid = {
        "name": "{worlds} worlds",
        "agent": "{planner}:worlds={worlds}",
        "values": {"worlds": [1, 2]},
    }
    (found,) = written_out(
        {"only": {"grid": grid}}, {"planner": "pimc:{inner}", "inner": "inner=uct"}
    ).values()
    assert found["settings"]["agents"] == {
        f"{n} worlds": f"pimc:inner=uct:worlds={n}" for n in (1, 2)
    }


def test_mistakes_are_named():
    with pytest.raises(
        ValueError, match="more is like 'base'; it can be like an artifact above it: other"
    ):
        written_out({"other": {}, "more": {"like": "base"}, "base": BASE}, {})
    with pytest.raises(
        ValueError,
        match=r"there is no word 'planner' for the agent '\{planner\}:100'; the words are budget",
    ):
        written_out({"base": BASE}, {})
    with pytest.raises(ValueError, match="there is no word 'planner'"):
        written_out({"base": BASE}, {"planner": "pimc:inner={planner}"})
