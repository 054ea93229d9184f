"""Verdicts on the claims of a paper.

Two rows are compared deal by deal, so the luck in a deal cancels out. The claims of an artifact are
one family of tests: their p-values are adjusted together (Holm).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from plyglass.experiments.results import Deals, Values
from plyglass.experiments.study import Claim, TableRow
from plyglass.stats.distributions import kolmogorov_smirnov
from plyglass.stats.equivalence import equivalence
from plyglass.stats.families import holm
from plyglass.stats.paired import paired_t
from plyglass.stats.shares import share_of_gap
from plyglass.stats.sprt import Sprt

Verdict = Literal["holds", "does not hold", "undecided"]
WORST_FIRST: tuple[Verdict, ...] = ("does not hold", "undecided", "holds")
ABSENCE = ("no difference", "same distribution")  # kinds that can fail but never hold
ALPHA = 0.05
SEED = 1  # the seed of resamples, which is fixed so equal values always give the same verdict


@dataclass(frozen=True)
class Finding:
    """The verdict on a claim, with the numbers of the pair of rows that decides the verdict.

    The pair that fits the claim worst decides.

    Attributes:
        p_value: the p-value, adjusted for all claims of the artifact. None if there is no test. A
            small p-value speaks for the claim or, if the claim says that there is no difference,
            against the claim.
        failed: whether matches of the rows failed. Then the claim stays undecided, because the
            other matches are not a fair sample.
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
            f"{self.claim.told}{where} **{word.capitalize()}**: {numbers} for {self.rows}; "
            f"{test}, {deals} deals."
        )

    @property
    def rows(self) -> str:
        """The rows that decide the verdict, in words."""
        worst = f", the worst of {self.pairs} pairs" if self.pairs > 1 else ""
        return " and ".join(self.pair) + worst

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """(verdict, estimate, interval, adjusted p, deals) as tables show them."""
        interval = "" if self.low is None else f"{self.low:.4g} to {self.high:.4g}"
        p_value = ""
        if self.p_value is not None:
            p_value = "< 0.0001" if self.p_value < 1e-4 else f"{self.p_value:.2g}"
        word = f"{self.verdict}, as matches failed" if self.failed else self.verdict
        return word, f"{self.estimate:.4g}", interval, p_value, str(self.deals)

    def as_json(self) -> dict[str, Any]:
        """Return the finding as JSON, for programs and for recorded results."""
        return {
            "says": self.claim.says,
            **{name: value for name, value in asdict(self).items() if name != "claim"},
        }


def judge(
    claims: Sequence[Claim],
    rows: Sequence[TableRow],
    values: Values,
    failures: Container[str] = (),
) -> tuple[Finding, ...]:
    """Return a finding for every claim; `failures` contains the rows that have failed matches."""
    by_name = {row.name: row for row in rows}
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


def findings_from(
    claims: Sequence[Claim], recorded: Sequence[Mapping[str, Any]]
) -> tuple[Finding, ...]:
    """Join recorded findings with their claims, whose sentences are in the study's file."""
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
    elif p_for is not None and p_for <= ALPHA:
        verdict = "holds"
    else:
        verdict = "undecided"
    worst = max(compared, key=_badness)
    p_value = p_against if claim.kind in ABSENCE else p_for
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
    if any(name in failures for name in rows):
        return replace(finding, verdict="undecided", failed=True)
    return finding


def _badness(compared: Comparison) -> tuple[float, float, int, float]:
    """Return a sort key: comparisons that fit the claim worse come later."""
    p_for = 0.0 if compared.speaks_for is None else compared.speaks_for
    p_against = 1.0 if compared.speaks_against is None else compared.speaks_against
    return -p_against, p_for, -WORST_FIRST.index(compared.verdict), -compared.ahead


def _all_hold(compared: Sequence[Comparison]) -> float | None:
    """Return the p-value for a claim about all pairs: the pairs' largest p-value (Berger 1982)."""
    return max((each.speaks_for for each in compared if each.speaks_for is not None), default=None)


def _any_fails(compared: Sequence[Comparison]) -> float | None:
    """Return the p-value against a claim about all pairs: the pairs' smallest p-value, corrected.

    Bonferroni's correction multiplies by the number of pairs.
    """
    known = [each.speaks_against for each in compared if each.speaks_against is not None]
    return min(1.0, len(known) * min(known)) if known else None


def _adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values together; claims without a test are not part of the family."""
    adjusted = iter(holm([each for each in p_values if each is not None]))
    return [None if each is None else next(adjusted) for each in p_values]


@dataclass(frozen=True)
class Comparison:
    """The comparison of one pair of rows for a claim.

    Attributes:
        pair: the names of the two rows.
        estimate: the difference of means, first minus second. For "same distribution", the largest
            distance of the two distributions. For "share", the covered share of the gap.
        low, high: the 95 % interval of the estimate. None if there is no interval.
        deals: the number of deals behind the estimate.
        speaks_for: a p-value that is small if the claim holds. None if the kind has no such test.
        speaks_against: a p-value that is small if the claim does not hold.
        verdict: for kinds without a test, the verdict by the numbers alone.
        ahead: for kinds without a test, how far the numbers exceed what the claim needs.
    """

    pair: tuple[str, str]
    estimate: float
    low: float | None
    high: float | None
    deals: int
    speaks_for: float | None = None
    speaks_against: float | None = None
    verdict: Verdict = "undecided"
    ahead: float = 0.0


def compare(
    claim: Claim, pair: tuple[str, str], rows: Mapping[str, TableRow], values: Values
) -> Comparison:
    """Compare a pair of rows on the deals that both rows have played."""
    names = (*pair, claim.whole) if claim.whole else pair
    # numbers of one measure, such as `ends.health` and `ends.turns`, may be compared
    measured = {(rows[name].quantity, str(rows[name].measure).partition(".")[0]) for name in names}
    if len(measured) > 1:
        raise ValueError(
            f"The claim {claim.says!r} compares rows that measure different things: "
            f"{', '.join(names)}."
        )
    common = sorted(set.intersection(*(set(values[name]) for name in names)))
    if not common:
        raise ValueError(
            f"The claim {claim.says!r} compares {' and '.join(names)}, but no deal was played by "
            "all of them."
        )
    sides = [{deal: values[name][deal] for deal in common} for name in names]
    sign = -1.0 if rows[pair[0]].lower_is_better else 1.0
    return _KINDS[claim.kind](claim, pair, sides, sign)


def _means(deals: Deals) -> list[float]:
    return [math.fsum(each) / len(each) for each in deals.values()]


def _differences(sides: Sequence[Deals]) -> list[float]:
    return [one - other for one, other in zip(_means(sides[0]), _means(sides[1]), strict=True)]


def _better(claim: Claim, pair: tuple[str, str], sides: Sequence[Deals], sign: float) -> Comparison:
    """Compare by a paired t-test, or by a sign test if all deals have the same difference."""
    found = paired_t(_differences(sides))
    ahead = paired_t([sign * each - claim.by for each in _differences(sides)])
    if ahead.p_value is None and ahead.mean == 0:
        return Comparison(pair, found.mean, None, None, found.pairs, 1.0, 1.0)
    half = 0.5**ahead.pairs if ahead.p_value is None else ahead.p_value / 2
    p_for = half if ahead.mean > 0 else 1 - half
    return Comparison(pair, found.mean, found.low, found.high, found.pairs, p_for, 1 - p_for)


def _no_difference(
    claim: Claim, pair: tuple[str, str], sides: Sequence[Deals], sign: float
) -> Comparison:
    found = paired_t(_differences(sides))
    p_value = 1.0 if found.p_value is None else found.p_value
    return Comparison(pair, found.mean, found.low, found.high, found.pairs, None, p_value)


def _equal(claim: Claim, pair: tuple[str, str], sides: Sequence[Deals], sign: float) -> Comparison:
    means = _means(sides[1])
    found = equivalence(_differences(sides), claim.margin * abs(math.fsum(means) / len(means)))
    whole, p_for, p_against = found.difference, found.within, found.beyond
    unknown = p_for is None or p_against is None
    return Comparison(
        pair,
        whole.mean,
        whole.low,
        whole.high,
        whole.pairs,
        1.0 if unknown else p_for,
        1.0 if unknown else p_against,
    )


def _same_distribution(
    claim: Claim, pair: tuple[str, str], sides: Sequence[Deals], sign: float
) -> Comparison:
    first, second = ([value for each in side.values() for value in each] for side in sides)
    found = kolmogorov_smirnov(first, second)
    return Comparison(pair, found.distance, None, None, len(sides[0]), None, found.p_value)


def _order(claim: Claim, pair: tuple[str, str], sides: Sequence[Deals], sign: float) -> Comparison:
    found = paired_t(_differences(sides))
    ahead = sign * found.mean - claim.by
    verdict: Verdict = "undecided" if ahead == 0 else "holds" if ahead > 0 else "does not hold"
    return Comparison(
        pair, found.mean, found.low, found.high, found.pairs, verdict=verdict, ahead=ahead
    )


def _share(claim: Claim, pair: tuple[str, str], sides: Sequence[Deals], sign: float) -> Comparison:
    found = share_of_gap(_means(sides[1]), _means(sides[0]), _means(sides[2]), SEED)
    verdict: Verdict = "undecided"
    if found.low is not None and found.high is not None:
        if found.low >= claim.at_least:
            verdict = "holds"
        elif found.high < claim.at_least:
            verdict = "does not hold"
    return Comparison(
        pair,
        found.share,
        found.low,
        found.high,
        found.units,
        verdict=verdict,
        ahead=found.share - claim.at_least,
    )


def _sprt(claim: Claim, pair: tuple[str, str], sides: Sequence[Deals], sign: float) -> Comparison:
    """Compare by a sequential test after each deal, in the order of play.

    The estimate uses all deals.
    """
    in_order = sorted(sides[0], key=lambda unit: unit[::-1])
    if any(len(sides[0][unit]) != 2 for unit in in_order):
        raise ValueError(
            f"The claim {claim.says!r} is tested by pairs of matches; its rows must be two agents "
            "that meet in both seats."
        )
    stop = Sprt(claim.elo0, claim.elo1).first_decision(
        [math.fsum(sides[0][unit]) for unit in in_order]
    )
    verdict: Verdict = (
        "undecided" if stop is None else "holds" if stop.state.decision == "H1" else "does not hold"
    )
    found = paired_t(_differences(sides))
    return Comparison(
        pair,
        found.mean,
        found.low,
        found.high,
        len(in_order) if stop is None else stop.pair + 1,
        verdict=verdict,
    )


_KINDS: dict[str, Callable[[Claim, tuple[str, str], Sequence[Deals], float], Comparison]] = {
    "better": _better,
    "equal": _equal,
    "no difference": _no_difference,
    "same distribution": _same_distribution,
    "order": _order,
    "share": _share,
    "sprt": _sprt,
}
