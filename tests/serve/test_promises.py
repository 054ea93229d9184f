"""`/v1` keeps its promises: what clients send and read today works with every later version.

Fields may be added to replies, and fields with a default to requests. A change that fails here
breaks clients, so it needs `/v2`. Before the first release, and for fields that were added since,
`python -m tests.serve.test_promises` writes `promises.json` anew.
"""

import json
from pathlib import Path

import pytest

from plyglass.serve import protocol
from plyglass.serve.client import decision_of

KEPT = Path(__file__).with_name("promises.json")
PROMISES = json.loads(KEPT.read_text(encoding="utf-8"))
REPLIES = (
    "Problem", "Choice", "Valued", "Step", "Health", "Thought", "Decided", "Position", "Placed",
    "Level", "Game",
)  # fmt: skip
VIEW = {"card": [1, -1], "history": [0, 0, 0], "length": 0, "ended": 0}
DECIDE = {
    "protocol": 1, "id": "a", "game": "kuhn-poker", "rules": "", "seat": 0, "seed": 1,
    "agent": "level:easy", "history": [{"own": None, "view": VIEW}], "turn": [],
    "budget": {"iterations": 1000}, "deadline_ms": 2000, "report_every_ms": 200,
}  # fmt: skip
LATER = [{"own": None, "view": VIEW}, {"own": 1, "changed": {"length": 1}}]
REQUESTS = {
    "Decide": [
        DECIDE,
        {name: DECIDE[name] for name in ("game", "seat", "seed", "agent", "history", "budget")},
        {**DECIDE, "history": LATER, "turn": [1000], "budget": {"seconds": 0.5}},
    ],
    "Start": [
        {"game": "tic-tac-toe", "seats": ["me", "level:easy"]},
        {"game": "a", "seats": ["level:hard", "me"], "seed": 7, "turn_seconds": 1, "name": "Ada"},
    ],
    "Act": [{"ticket": "gAAAA", "ply": 0, "action": 4}, {"match": "m1", "ply": 3, "action": 0}],
    "Hosted": [{"ticket": "gAAAA"}, {"match": "m1"}],
    "Back": [{"ticket": "gAAAA", "to_ply": 2}],
}


def replies():
    """The fields of each reply, with their types."""
    return {
        name: {
            field: str(about.annotation)
            for field, about in getattr(protocol, name).model_fields.items()
        }
        for name in REPLIES
    }


@pytest.mark.parametrize(
    ("name", "values"), [(name, each) for name in PROMISES["requests"]
                         for each in PROMISES["requests"][name]],
)  # fmt: skip
def test_a_request_of_today_is_understood(name, values):
    getattr(protocol, name).model_validate_json(json.dumps(values))


@pytest.mark.parametrize("name", [*PROMISES["replies"]])
def test_a_reply_has_the_fields_of_today(name):
    now = replies()[name]
    assert {field: now.get(field) for field in PROMISES["replies"][name]} == PROMISES["replies"][
        name
    ]


def test_codes_keep_their_status():
    for code, status in PROMISES["status"].items():
        assert protocol.Refused(code, "").status == status


def test_our_client_ignores_what_later_servers_add():
    new = {"new": [1]}
    choice = {"id": 4, "name": "e", "path": [], **new}
    valued = {**choice, "value": 0.5, "chance": 0.75, "visits": 3, "spread": None}
    found = {
        "final": True, "best": 4, "actions": [valued], "iterations": 3, "seconds": 0.1, "depth": 1,
        "line": [{"player": 0, "id": 4, "name": "e", **new}], "id": "", "action": choice,
        "health": {"worlds": 1, "effective": 1.0, "refilled": 0, **new}, **new,
    }  # fmt: skip
    decision = decision_of(found)
    assert (decision.action, decision.visits, decision.health.worlds) == (4, (3,), 1)


if __name__ == "__main__":
    promises = {"requests": REQUESTS, "replies": replies(), "status": protocol.STATUS}
    KEPT.write_text(json.dumps(promises, indent=1) + "\n", encoding="utf-8")
