"""The conformance check and leak audit that every game passes. Users check their own games with it.

Each file asks one question:

    contract    do the rules keep their contract?
    parity      do compiled rules equal interpreted ones?
    luck        is chance drawn as it should be?
    honesty     do views leak nothing?
    tracking    do trackers and `place` agree with what was seen?
    posterior   does `imagine` give each world the right probability? (`sampled` for large games)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from plyglass.core.check.contract import contract
from plyglass.core.check.finding import Finding, Report
from plyglass.core.check.honesty import honesty
from plyglass.core.check.luck import luck
from plyglass.core.check.parity import compiles, parity
from plyglass.core.check.posterior import posterior
from plyglass.core.check.tracking import tracking
from plyglass.core.game import Game
from plyglass.core.table import SharedLibrary

Examination = Callable[[Game, int, int], Iterator[Finding]]

__all__ = ["Finding", "Report", "check"]


def check(game: Game, *, games: int = 20, seed: int = 0) -> Report:
    """Examine a game in random play; the report lists what is wrong, where, and what to do.

    Interpreted rules are played before compiled ones, because they notice faults that would corrupt
    memory in compiled code. An examination that finds something ends the check, because later ones
    rely on it.
    """
    examinations: dict[str, Examination] = {
        "the rules compile": compiles,
        "the rules keep their contract, interpreted": _interpreted_contract,
        "the rules keep their contract, compiled": contract,
        "compiled rules equal interpreted ones": parity,
        "chance comes from draw and chance alone": luck,
        "views tell nothing that is hidden": honesty,
        "worlds placed by tracks look as what was seen": tracking,
        "imagined worlds are as likely as true ones": posterior,
    }
    passed: list[str] = []
    for name, examine in examinations.items():
        if isinstance(game.rules, SharedLibrary) and examine in (_interpreted_contract, parity):
            continue
        findings = tuple(_first_of_each_kind(examine(game, games, seed)))
        if findings:
            return Report(game, tuple(passed), name, findings)
        passed.append(name)
    return Report(game, tuple(passed), None, ())


def _interpreted_contract(game: Game, games: int, seed: int) -> Iterator[Finding]:
    return contract(game.interpreted(), min(games, 3), seed)


def _first_of_each_kind(findings: Iterator[Finding]) -> Iterator[Finding]:
    seen: set[str] = set()
    for finding in findings:
        if finding.rule not in seen:
            seen.add(finding.rule)
            yield finding
