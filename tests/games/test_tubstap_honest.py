"""TUBSTAP under the audits: the conformance check by several rules, and the glass wall."""

import pytest

import plyglass as pg
from plyglass.arena.audit.glass_wall import examine
from plyglass.core.check import check
from plyglass.core.compile import JIT
from tests.sizes import sized

pytestmark = pytest.mark.skipif(
    not JIT,
    reason="the audits compare compiled rules with interpreted ones, or take too long interpreted",
)

SETTINGS = [
    {"map": "sandbox"},
    {"map": "riverbend", "fog": False, "turns": 5},
    {"map": "archipelago", "sight": "chebyshev", "turns": 4},
    {"map": "woods", "ambush": "stays", "sight": "euclid", "turns": 4},
    {"map": "delta", "harmless": True, "judged": "units", "turns": 3},
]
POINTS = sized(10, 30)


@pytest.mark.parametrize("setting", sized(SETTINGS[:2], SETTINGS), ids=str)
def test_the_check_finds_nothing(setting, small_checks):
    report = check(pg.games.Tubstap(**setting), games=sized(1, 2))
    assert report.ok, str(report)


@pytest.mark.parametrize("name", ["tubstap", "tubstap:map=siege"])
@pytest.mark.parametrize("planner", ["uct", "so-ismcts", "mo-ismcts", "bs-mcts", "pimc"])
@pytest.mark.parametrize("belief", ["fresh", "particles(worlds=20,tries=4)"])
def test_no_planner_sees_through_the_fog(name, planner, belief):
    cell = examine(name, pg.agent_from(f"{planner}:iterations=12,belief={belief}"), POINTS)
    assert (cell.points, cell.differences) == (POINTS, 0)
    assert cell.swapped > POINTS / 2
