"""Replicas behind a proxy lose no match and play no action twice, whatever is killed."""

import shutil

import pytest

from tests.serve.databases import is_installed
from tests.whole.fleet import Plan, run


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_a_fleet_loses_no_match_and_plays_no_action_twice(tmp_path):
    if not is_installed() or not (
        shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
    ):
        pytest.skip("PostgreSQL or HAProxy is missing: apt-get install postgresql haproxy")
    found = run(Plan(matches=200, kills=30, restarts=2), tmp_path)
    assert found["matches of at least 20 actions"] >= 200
    assert found["workers killed"] + found["replicas killed"] == 30
    assert found["restarts of PostgreSQL"] == 2
    assert found["drains"] == 3
    assert found["problems while replicas drained"] == {}
    assert found["processes left"] == 0
