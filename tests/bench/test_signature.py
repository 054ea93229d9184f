"""What every planner decides with every belief, compared with what was recorded."""

import json

import pytest

import plyglass as pg
from plyglass.beliefs import BELIEFS
from plyglass.bench.signature import (
    RECORDED,
    REFUSED,
    cases,
    compare,
    decisions,
    digests,
    signature,
)
from plyglass.core.compile import JIT
from plyglass.planners import PLANNERS


@pytest.mark.nightly  # `.ci/run` and `.ci/fast` run the command itself
@pytest.mark.skipif(not JIT, reason="takes too long interpreted")
def test_every_planner_decides_as_recorded():
    assert compare(dict(digests())) == []


def test_every_planner_and_every_belief_has_a_case_that_decides():
    recorded = json.loads(RECORDED.read_text())
    deciding = {name for name, digest in recorded.items() if digest != REFUSED}
    for planner in PLANNERS:
        without_tracks = set(BELIEFS) - {"tracks"} if planner == "representative-moves" else BELIEFS
        for belief in without_tracks:
            assert any(name.startswith(f"{planner}, {belief}, ") for name in deciding), planner


def test_the_recorded_cases_are_those_that_are_run():
    assert set(json.loads(RECORDED.read_text())) == {name for name, _, _ in cases()}


def test_another_decision_changes_the_digest_and_the_signature():
    agent = pg.agent_from("uct:iterations=60,exploration=0.1")
    other = pg.agent_from("uct:iterations=60,exploration=3")
    assert decisions("tic-tac-toe", agent) != decisions("tic-tac-toe", other)
    recorded = json.loads(RECORDED.read_text())
    first = next(iter(recorded))
    changed = {**recorded, first: "00000000"}
    assert compare(changed) == [first]
    assert signature(changed) != signature(recorded)
