"""The check passes honest games, and says what is wrong with every faulty one."""

import importlib
import re
from pathlib import Path

import pytest

from plyglass import games
from plyglass.core.check import Finding, check
from plyglass.core.check.honesty import honesty
from plyglass.core.check.posterior import posterior
from plyglass.core.check.sampled import sampled
from plyglass.core.check.variants import small_variants
from plyglass.core.compile import JIT
from tests.core import planted_faults, planted_leaks
from tests.core.honest_games import MOST_CARDS, HighCard, Race
from tests.core.planted_imagines import (
    FORGOTTEN,
    NIM,
    WRONG,
    OddsIgnored,
    RanksAlike,
    SwapByCard,
    SwapTooSeldom,
)
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
ROOT = Path(__file__).resolve().parents[2]
FEW = sized(1, 3)  # random games of each of the package's games, some of which are long

# Where interpreted rules take too long otherwise.
SHORT = {"battleship": {"size": 6, "longest": 4}, "duelyst": {"turns": 5}, "tubstap": {"turns": 4}}
VARIANTS = [(name, SHORT.get(name, {})) for name in games.names()]
VARIANTS += [("skirmish", {"fog": True}), ("tiger", {"steps": 4}), ("duel", {"open_hands": True})]


@pytest.mark.parametrize("faulty", FAULTS, ids=lambda faulty: faulty.__name__)
def test_a_planted_fault_is_found_and_named(faulty, small_checks):
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


@pytest.mark.parametrize("seed", range(sized(1, 3)))
def test_an_honest_game_too_large_to_enumerate_passes_whatever_the_seed(seed):
    report = check(HighCard(deck=MOST_CARDS), seed=seed)
    assert report.ok, str(report)


@pytest.mark.parametrize(
    ("name", "parameters"),
    VARIANTS,
    ids=[f"{name} {parameters or ''}".strip() for name, parameters in VARIANTS],
)
def test_a_game_of_the_package_passes(name, parameters, small_checks):
    report = check(games.find(name)(**parameters), games=FEW)
    assert report.ok, str(report)


def imagined_wrongly(game):
    """What the check says of a game whose `imagine` is wrong."""
    return [each for each in posterior(game, 1, 0) if isinstance(each, Finding)]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(each, marks=[] if each in (SwapByCard, RanksAlike) else pytest.mark.nightly)
        for each in WRONG
    ],
    ids=lambda wrong: wrong.__name__,
)
def test_a_wrong_imagine_is_found_in_a_game_of_real_size(wrong):
    (finding,) = imagined_wrongly(wrong())
    assert "imagine" in finding.rule
    assert (
        "another distribution" in finding.problem
        or "world" in finding.problem
        or ("away from the posterior" in finding.problem)
    )


@pytest.mark.parametrize(
    "wrong", [SwapByCard, SwapTooSeldom, OddsIgnored], ids=lambda wrong: wrong.__name__
)
@pytest.mark.nightly
def test_samples_alone_find_a_wrong_imagine(wrong):
    assert list(sampled(wrong(), 0))


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_samples_give_no_false_alarm(seed):
    assert not list(sampled(HighCard(deck=MOST_CARDS), seed))


def poison_nim(folder, monkeypatch, name, changes):
    """The tutorial's game with changes in its text."""
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    source = "\n\n".join(
        re.findall(r"<!-- file: poison_nim.py -->\n```python\n(.*?)```", text, re.S)
    )
    for old, new in changes.items():
        assert old in source
        source = source.replace(old, new)
    module = "nim_" + re.sub(r"\W", "_", name)
    (folder / f"{module}.py").write_text(source)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.chdir(folder)
    return importlib.import_module(module).PoisonNim


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=[] if each == "only chips in the heap" else pytest.mark.nightly)
        for each in NIM
    ],
)
def test_a_wrong_imagine_of_the_tutorial_is_named(name, tmp_path, monkeypatch):
    (finding,) = imagined_wrongly(poison_nim(tmp_path, monkeypatch, name, NIM[name])())
    assert "imagine" in finding.rule
    assert finding.problem.startswith("in PoisonNim(chips=7), ")


def test_a_forgotten_hide_of_the_tutorial_is_blamed_on_hide(tmp_path, monkeypatch):
    game = poison_nim(tmp_path, monkeypatch, "forgotten", FORGOTTEN)
    finding = next(iter(honesty(game(), 2, 0)))
    assert finding.rule == "hide"
    assert "it leaves 'poison' in the view of player 0 and never erases it" in finding.problem
    assert "let hide erase it" in finding.advice


def test_findings_have_file_and_line():
    report = check(planted_leaks.HideOutOfBounds())
    place = report.findings[0].place
    assert re.fullmatch(r".*planted_leaks\.py, line \d+", place)
    line = int(place.rpartition(" ")[2])
    source = Path(planted_leaks.__file__).read_text(encoding="utf-8").splitlines()
    assert source[line - 1].strip() == "s.card[2 + viewer] = UNKNOWN"  # the line that raised
    assert f"rules ({place}): " in str(report)
    hidden = check(planted_leaks.NothingHidden()).findings[0]
    line = int(hidden.place.rpartition(" ")[2])
    assert source[line] == "def hide_nothing(r, s, viewer):"


def test_the_report_says_how_worlds_were_compared():
    assert check(HighCard()).passed[-1].endswith("(compared exactly)")
    said = check(HighCard(deck=MOST_CARDS)).passed[-1]
    assert "sampled, not proven: a correct game fails once in 1,000,000 times" in said
    assert "exactly in HighCard(deck=10)" in said


def test_a_variant_that_breaks_the_rules_is_not_used():
    assert [each.parameters for each in small_variants(Race(), lambda _: True)] == []
    tried = []
    variants = small_variants(
        HighCard(deck=6), lambda each: bool(tried.append(each.parameters)) or True
    )
    assert variants[0].parameters == tried[-1] == {"deck": 5}
