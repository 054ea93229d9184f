"""What two rows say about a claim, by its kind. Rows are compared deal by deal, so that the luck
of the deal drops out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from plyglass.experiments.claims import Claim
from plyglass.experiments.measuring import Deals, Values
from plyglass.experiments.studies import Measure
from plyglass.stats.distributions import kolmogorov_smirnov
from plyglass.stats.equivalence import equivalence
from plyglass.stats.paired import paired_t
from plyglass.stats.shares import share_of_gap
from plyglass.stats.sprt import Sprt

SEED = 1  # of resamples: the same verdict whenever the same values are compared
Verdict = Literal["holds", "does not hold", "undecided"]


@dataclass(frozen=True)
class Comparison:
    """What one pair of rows says about a claim.

    Attributes:
        pair: which rows.
        estimate: the difference of means, first minus second; of distributions the largest
            distance, of a gap the share.
        low, high: its 95 % interval, where there is one.
        deals: how many deals stand behind it.
        speaks_for: the p-value of the claim being wrong: small where it holds. None where the kind
            has no such test.
        speaks_against: the p-value of it being right.
        verdict: where there is no test, what the numbers say by themselves.
        ahead: by how much they say it.
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
    claim: Claim, pair: tuple[str, str], measures: Mapping[str, Measure], values: Values
) -> Comparison:
    """Compare a pair of rows on the deals that both were played on."""
    names = (*pair, claim.whole) if claim.whole else pair
    if (
        len(
            {
                (measures[name].quantity, str(measures[name].measure).partition(".")[0])
                for name in names
            }
        )
        > 1
    ):  # parts of one may differ
        raise ValueError(
            f"The claim {claim.says!r} compares rows that measure different things: "
            f"{', '.join(names)}."
        )
    common = sorted(set.intersection(*(set(values[name]) for name in names)))
    if not common:
        raise ValueError(
            f"The claim {claim.says!r} compares {' and '.join(names)}, which no deal was played "
            "by all of."
        )
    sides = [{deal: values[name][deal] for deal in common} for name in names]
    return _KINDS[claim.kind](
        claim, pair, sides, -1.0 if measures[pair[0]].lower_is_better else 1.0
    )


def _means(deals: Deals) -> list[float]:
    return [math.fsum(each) / len(each) for each in deals.values()]


def _differences(sides: Sequence[Deals]) -> list[float]:
    return [one - other for one, other in zip(_means(sides[0]), _means(sides[1]), strict=True)]


def _better(claim: Claim, pair: tuple[str, str], sides: Sequence[Deals], sign: float) -> Comparison:
    """Where all deals differ by the same, which leaves nothing to estimate a spread from, a sign
    test says how likely that is by chance.
    """
    found, ahead = (
        paired_t(_differences(sides)),
        paired_t([sign * each - claim.by for each in _differences(sides)]),
    )
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
        verdict = (
            "holds"
            if found.low >= claim.at_least
            else "does not hold"
            if found.high < claim.at_least
            else "undecided"
        )
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
    """What a sequential test decides that looks after each deal, in the order in which they are
    played; the estimate is of all deals.
    """
    in_order = sorted(sides[0], key=lambda unit: unit[::-1])
    if any(len(sides[0][unit]) != 2 for unit in in_order):
        raise ValueError(
            f"The claim {claim.says!r} is tested by pairs of matches; its rows are two agents "
            "that meet from both sides."
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
