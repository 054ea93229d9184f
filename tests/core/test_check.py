"""The check passes honest games, and says what is wrong with every faulty one."""

import pytest

from plyglass import games
from plyglass.core.check import check
from plyglass.core.compile import JIT
from tests.core import planted_faults, planted_leaks
from tests.core.honest_games import MOST_CARDS, HighCard, Race
from tests.sizes import sized

pytestmark = pytest.mark.skipif(
    not JIT, reason="the audit compares compiled rules with interpreted ones"
)

FAULTS = [
    value
    for module in (planted_leaks, planted_faults)
    for value in vars(module).values()
    if isinstance(value, type) and hasattr(value, "caught_by")
]
FEW = sized(1, 3)  # random games of each of the package's games, some of which are long

# Where interpreted rules take too long otherwise.
SHORT = {"battleship": {"size": 6, "longest": 4}, "duelyst": {"turns": 5}, "tubstap": {"turns": 4}}
VARIANTS = [(name, SHORT.get(name, {})) for name in games.names()]
VARIANTS += [("skirmish", {"fog": True}), ("tiger", {"steps": 4}), ("duel", {"open_hands": True})]


@pytest.mark.parametrize("faulty", FAULTS, ids=lambda faulty: faulty.__name__)
def test_a_planted_fault_is_found_and_named(faulty):
    report = check(faulty())
    assert not report.ok
    found = [
        finding
        for finding in report.findings
        if finding.rule == faulty.caught_by and faulty.says in finding.problem
    ]
    assert found, str(report)
    assert found[0].advice
    assert faulty.says in str(report)
    assert report.failed in str(report)


def test_a_report_tells_how_to_reach_the_fault_again():
    finding = check(next(each for each in FAULTS if each.__name__ == "NeverEnds")()).findings[0]
    assert finding.seed is not None
    assert len(finding.history) == 16
    assert f"start(seed={finding.seed})" in str(finding)


def test_there_are_more_than_twenty_kinds_of_faults_and_each_says_what_it_is():
    assert len(FAULTS) >= 20
    assert len({faulty.__doc__ for faulty in FAULTS}) == len(FAULTS)
    assert len({(faulty.caught_by, faulty.says) for faulty in FAULTS}) >= 20


@pytest.mark.parametrize(
    "honest", [HighCard(), HighCard(deck=MOST_CARDS), planted_leaks.TrackedCard(), Race()], ids=str
)
def test_an_honest_game_passes(honest):
    report = check(honest)
    assert report.ok, str(report)
    assert report.findings == ()


@pytest.mark.parametrize("seed", range(3))
def test_an_honest_game_too_large_to_enumerate_passes_whatever_the_seed(seed):
    report = check(HighCard(deck=MOST_CARDS), seed=seed)
    assert report.ok, str(report)


@pytest.mark.parametrize(
    ("name", "parameters"),
    VARIANTS,
    ids=[f"{name} {parameters or ''}".strip() for name, parameters in VARIANTS],
)
def test_a_game_of_the_package_passes(name, parameters):
    report = check(games.find(name)(**parameters), games=FEW)
    assert report.ok, str(report)
