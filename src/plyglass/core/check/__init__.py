"""The conformance check, with a leak audit, which every game of Plyglass passes.

Users can run the check on their own games. Each file asks one question:

    contract    do the rules keep their contract?
    vocabulary  does the vocabulary contain every legal action?
    parity      do compiled rules give the same results as interpreted ones?
    ranges      do fields stay within their ranges?
    luck        does all chance come from `draw` and `chance`?
    honesty     do views leak nothing?
    clickable   can every action be chosen by clicks on the scene, and does the scene leak nothing?
    tracking    do trackers and `place` agree with what was seen?
    posterior   does `imagine` give each world the right probability? (`variants` and `sampled` for
                large games)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from plyglass.core.check.clickable import clickable
from plyglass.core.check.contract import contract
from plyglass.core.check.finding import Finding, Note, Report
from plyglass.core.check.honesty import honesty
from plyglass.core.check.luck import luck
from plyglass.core.check.parity import compiles, parity
from plyglass.core.check.posterior import posterior
from plyglass.core.check.ranges import ranges
from plyglass.core.check.tracking import tracking
from plyglass.core.check.vocabulary import vocabulary
from plyglass.core.check.walk import watched_by
from plyglass.core.compile import plain
from plyglass.core.game import Game
from plyglass.core.mistakes import line_of
from plyglass.core.table import SharedLibrary
from plyglass.core.time_limit import CallLimit

HANG_SECONDS = 30.0  # time limit for one call to an interpreted rule
Examination = Callable[[Game, int, int], Iterator[Finding | Note]]

__all__ = ["Finding", "Report", "check"]


def check(game: Game, *, games: int = 20, seed: int = 0) -> Report:
    """Examine a game in random play; the report lists what is wrong, where, and what to do.

    Interpreted rules are played before compiled ones, because interpreted rules notice faults that
    would corrupt memory in compiled code. The check ends with the first examination that finds a
    fault, because later examinations rely on earlier ones.
    """
    examinations: dict[str, Examination] = {
        "the rules compile": compiles,
        "the rules keep their contract, interpreted": _interpreted_contract,
        "the rules keep their contract, compiled": contract,
        "the vocabulary has every legal action": vocabulary,
        "compiled rules equal interpreted ones": parity,
        "fields stay within their ranges": ranges,
        "chance comes from draw and chance alone": luck,
        "views tell nothing that is hidden": honesty,
        "every action can be chosen by clicks, and scenes tell nothing that is hidden": clickable,
        "worlds that `place` makes agree with what was seen": tracking,
        "imagined worlds are as likely as true ones": posterior,
    }
    passed: list[str] = []
    for name, examine in examinations.items():
        if isinstance(game.rules, SharedLibrary) and examine in (_interpreted_contract, parity):
            continue
        told = list(_first_of_each_kind(examine(game, games, seed)))
        findings = tuple(_placed(game, each) for each in told if isinstance(each, Finding))
        if findings:
            return Report(game, tuple(passed), name, findings)
        notes = [each.text for each in told if isinstance(each, Note)]
        passed.append(f"{name} ({notes[0]})" if notes else name)
    return Report(game, tuple(passed), None, ())


def _interpreted_contract(game: Game, games: int, seed: int) -> Iterator[Finding]:
    with CallLimit(HANG_SECONDS) as limit, watched_by(limit.tell):
        yield from contract(game.interpreted(), min(games, 3), seed)


def _first_of_each_kind(findings: Iterator[Finding | Note]) -> Iterator[Finding | Note]:
    seen: set[str] = set()
    for finding in findings:
        kind = finding.rule if isinstance(finding, Finding) else ""
        if kind not in seen:
            seen.add(kind)
            yield finding


def _placed(game: Game, finding: Finding) -> Finding:
    """Add the file and line of the rule to a finding that names no line yet."""
    if finding.place or isinstance(game.rules, SharedLibrary):
        return finding
    named = re.findall(r"\w+", finding.rule)
    rules = [*game.rules, *(game.trackers.values() if "trackers" in named else ())]
    lines = [
        line_of(rule)
        for rule in rules
        if plain(rule).__name__ in named or rule in game.trackers.values()
    ]
    return replace(finding, place="; ".join(lines))
