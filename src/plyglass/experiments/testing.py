"""From values by row and deal to verdicts on claims. The claims of an artifact are one family,
adjusted together (Holm).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from plyglass.experiments.claims import Claim
from plyglass.experiments.comparing import Comparison, Verdict, compare
from plyglass.experiments.measuring import Values
from plyglass.experiments.studies import Measure
from plyglass.stats.families import holm

ALPHA = 0.05
WORST_FIRST: tuple[Verdict, ...] = ("does not hold", "undecided", "holds")
ABSENT = (
    "no difference",
    "same distribution",
)  # kinds that say no more than that nothing was found


@dataclass(frozen=True)
class Finding:
    """What became of a claim; estimate and interval are those of the pair of rows that decides it,
    which is the one that fits it worst.

    Attributes:
        p_value: adjusted for all claims of the artifact: of the claim being wrong, or, where it
            says that there is nothing to be found, of it being right. None where there is no test.
        failed: whether matches of its rows failed. Then it stays undecided: what is left is not
            what the document is about.
    """

    claim: Claim
    verdict: Verdict
    pair: tuple[str, str]
    pairs: int
    estimate: float
    low: float | None
    high: float | None
    p_value: float | None
    deals: int
    failed: bool = False

    @property
    def sentence(self) -> str:
        """The verdict with its numbers."""
        word, estimate, interval, p_value, deals = self.cells
        numbers = estimate + (f" ({interval})" if interval else "")
        test = self.claim.tested + (f", adjusted p {p_value}" if p_value else "")
        where = f" [{self.claim.where}]" if self.claim.where else ""
        return (
            f"{self.claim.says}{where} **{word.capitalize()}**: {numbers} for {self.rows}; "
            f"{test}, {deals} deals."
        )

    @property
    def rows(self) -> str:
        """The rows that decide it, in words."""
        return " and ".join(self.pair) + (
            f", the worst of {self.pairs} pairs" if self.pairs > 1 else ""
        )

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """(verdict, estimate, interval, adjusted p, deals) as tables show them."""
        interval = "" if self.low is None else f"{self.low:.4g} to {self.high:.4g}"
        p_value = (
            ""
            if self.p_value is None
            else "< 0.0001"
            if self.p_value < 1e-4
            else f"{self.p_value:.2g}"
        )
        word = f"{self.verdict}, as matches failed" if self.failed else self.verdict
        return word, f"{self.estimate:.4g}", interval, p_value, str(self.deals)

    def as_json(self) -> dict[str, Any]:
        """For programs and for recorded results."""
        return {
            "says": self.claim.says,
            **{name: value for name, value in asdict(self).items() if name != "claim"},
        }


def judged(
    claims: Sequence[Claim],
    measures: Sequence[Measure],
    values: Values,
    failures: Container[str] = (),
) -> tuple[Finding, ...]:
    """A finding for every claim; `failures` has the rows with matches that failed."""
    by_name = {measure.name: measure for measure in measures}
    found = [
        [compare(claim, pair, by_name, values) for pair in claim.pairs(list(by_name))]
        for claim in claims
    ]
    adjusted_for = _adjusted([_all_hold(each) for each in found])
    adjusted_against = _adjusted([_any_fails(each) for each in found])
    findings = map(_finding, claims, found, adjusted_for, adjusted_against)
    return tuple(
        _unless_failed(each, compared, failures)
        for each, compared in zip(findings, found, strict=True)
    )


def from_json(
    claims: Sequence[Claim], recorded: Sequence[Mapping[str, Any]]
) -> tuple[Finding, ...]:
    """Recorded findings with the claims they are about, whose sentences have one home: the
    study's file.
    """
    if [claim.says for claim in claims] != [each["says"] for each in recorded]:
        raise ValueError(
            "The claims of the study have changed since this was recorded; record it again."
        )
    rest = [{name: value for name, value in each.items() if name != "says"} for each in recorded]
    return tuple(
        Finding(claim, **{**each, "pair": tuple(each["pair"])})
        for claim, each in zip(claims, rest, strict=True)
    )


def _finding(
    claim: Claim, compared: Sequence[Comparison], p_for: float | None, p_against: float | None
) -> Finding:
    if p_for is None and p_against is None:
        verdict = next(each for each in WORST_FIRST if any(one.verdict == each for one in compared))
    elif p_against is not None and p_against <= ALPHA:
        verdict = "does not hold"
    else:
        verdict = (
            "holds"
            if claim.kind in ABSENT or (p_for is not None and p_for <= ALPHA)
            else "undecided"
        )
    worst = max(compared, key=_badness)
    p_value = p_against if claim.kind in ABSENT else p_for
    return Finding(
        claim,
        verdict,
        worst.pair,
        len(compared),
        worst.estimate,
        worst.low,
        worst.high,
        p_value,
        worst.deals,
    )


def _unless_failed(
    finding: Finding, compared: Sequence[Comparison], failures: Container[str]
) -> Finding:
    rows = {name for each in compared for name in each.pair} | {finding.claim.whole}
    return (
        replace(finding, verdict="undecided", failed=True)
        if any(name in failures for name in rows)
        else finding
    )


def _badness(compared: Comparison) -> tuple[float, float, int, float]:
    """Orders comparisons by how badly they fit the claim."""
    p_for = 0.0 if compared.speaks_for is None else compared.speaks_for
    p_against = 1.0 if compared.speaks_against is None else compared.speaks_against
    return -p_against, p_for, -WORST_FIRST.index(compared.verdict), -compared.ahead


def _all_hold(compared: Sequence[Comparison]) -> float | None:
    """The p-value of a claim that is to hold for every pair: the largest of all (Berger, 1982)."""
    return max((each.speaks_for for each in compared if each.speaks_for is not None), default=None)


def _any_fails(compared: Sequence[Comparison]) -> float | None:
    """The p-value of some pair being the other way round: the smallest, times the number of
    pairs (Bonferroni).
    """
    known = [each.speaks_against for each in compared if each.speaks_against is not None]
    return min(1.0, len(known) * min(known)) if known else None


def _adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted together; claims without a test are not part of the family."""
    adjusted = iter(holm([each for each in p_values if each is not None]))
    return [None if each is None else next(adjusted) for each in p_values]
