"""Claims of papers on planted values: what holds, what does not, and what stays open."""

import numpy as np
import pytest

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.settings import Settings
from plyglass.experiments.results import failures_of, results_of, values_of
from plyglass.experiments.study import Claim, TableRow
from plyglass.experiments.verdicts import findings_from, judge
from plyglass.stats.families import holm
from plyglass.stats.paired import paired_t

DEALS, TRIALS = 100, 2


def planted(**shifts):
    """Costs by row and deal: noise of the deal, noise of each row around 0, and an exact shift."""
    draw = np.random.default_rng(4)
    shared, values = draw.normal(100, 30, size=(DEALS, 1)), {}
    for name, shift in shifts.items():
        own = draw.normal(0, 5, size=(DEALS, TRIALS))
        values[name] = {
            (0, deal): row.tolist() for deal, row in enumerate(shared + shift + own - own.mean())
        }
    return values


def verdicts(claims, values, quantity="cost"):
    return [
        each.verdict
        for each in judge(claims, [TableRow(name, quantity) for name in values], values)
    ]


def claim(kind, first, second, **others):
    return Claim("So it is said.", kind, first, second, **others)


VALUES = planted(cheap=-20, fair=0, same=0.2, near=4, dear=20)


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [
        (claim("better", "cheap", "fair"), "holds"),
        (claim("better", "dear", "fair"), "does not hold"),
        (claim("better", "same", "fair"), "undecided"),
        (claim("better", "cheap", ["fair", "same", "dear"]), "holds"),
        (claim("better", ["cheap", "fair"], ["fair", "dear"]), "holds"),
        (claim("better", ["cheap", "dear"], ["fair", "fair"]), "does not hold"),
        (claim("better", "fair", ["same", "dear"]), "undecided"),
        (claim("equal", "same", "fair"), "holds"),
        (claim("equal", "dear", "fair"), "does not hold"),
        (claim("equal", "near", "fair", margin=0.04), "undecided"),
        (claim("no difference", "same", "fair"), "undecided"),
        (claim("no difference", ["same", "near"], "fair"), "does not hold"),
        (claim("same distribution", "same", "fair"), "undecided"),
        (claim("same distribution", "fair", ["same", "dear"]), "does not hold"),
        (claim("order", "cheap", "fair"), "holds"),
        (claim("order", "dear", "fair"), "does not hold"),
        (claim("order", "fair", "fair"), "undecided"),
        (claim("share", "fair", "dear", whole="cheap", at_least=0.4), "holds"),
        (claim("share", "fair", "dear", whole="cheap", at_least=0.5), "undecided"),
        (claim("share", "fair", "dear", whole="cheap", at_least=0.6), "does not hold"),
    ],
)
def test_a_planted_claim_is_judged_by_what_was_planted(claimed, verdict):
    assert verdicts([claimed], VALUES) == [verdict]


def points(*pairs):
    """Points of two agents that met twice on each deal of two games, by what the first had of
    each pair, deal by deal.
    """
    first = {(number % 2, number // 2): [pair / 2, pair / 2] for number, pair in enumerate(pairs)}
    return {
        "one": first,
        "other": {unit: [1 - each for each in won] for unit, won in first.items()},
    }


STRONGER = claim("sprt", "one", "other", elo0=0.0, elo1=70.0)


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ([2, 2, 1, 2, 1, 2] * 10, "holds"),
        ([0, 1, 1, 1, 0, 1] * 10, "does not hold"),
        ([2, 0, 1], "undecided"),
        ([2, 2, 1] * 10 + [0] * 40, "holds"),  # what comes after the decision does not count
    ],
)
def test_a_sequential_test_decides_at_the_first_deal_that_is_enough(pairs, verdict):
    (found,) = judge(
        [STRONGER], [TableRow(name, "rate") for name in ("one", "other")], points(*pairs)
    )
    assert found.verdict == verdict
    assert found.deals <= len(pairs)
    assert (found.deals == len(pairs)) == (verdict == "undecided")
    assert "SPRT over deals, +70 against +0 Elo" in found.sentence


def test_a_sequential_test_needs_pairs_of_matches():
    with pytest.raises(ValueError, match="two agents that meet in both seats"):
        verdicts([STRONGER], {name: {(0, 0): [1.0]} for name in ("one", "other")}, "rate")


@pytest.mark.parametrize(("deals", "verdict"), [(3, "undecided"), (10, "holds")])
def test_who_wins_every_game_is_better_if_there_were_enough(deals, verdict):
    """Games without any spread have no t-test; ten of ten are not chance, three of three may be."""
    won = points(*[2] * deals)
    assert verdicts([claim("better", "one", "other")], won, "rate") == [verdict]
    assert verdicts([claim("better", "other", "one")], won, "rate") == [
        "does not hold" if verdict == "holds" else "undecided"
    ]
    assert verdicts([claim("better", "one", "one")], won, "rate") == ["undecided"]


def test_what_is_better_depends_on_what_is_measured():
    claims = [claim("better", "cheap", "fair"), claim("order", "cheap", "fair")]
    assert verdicts(claims, VALUES, "seconds") == ["holds", "holds"]
    assert verdicts(claims, VALUES, "mean") == ["does not hold", "does not hold"]


@pytest.mark.parametrize("kind", ["better", "order"])
@pytest.mark.parametrize(("by", "verdict"), [(0.1, "holds"), (0.4, "does not hold")])
def test_how_much_better_can_be_said(kind, by, verdict):
    won = points(*[1, 1, 2, 1] * 30)  # five of eight, a quarter ahead
    (found,) = judge(
        [claim(kind, "one", "other", by=by)], [TableRow(name, "rate") for name in won], won
    )
    assert (found.verdict, found.estimate) == (verdict, 0.25)
    assert f"by {by}" in found.sentence
    costs = {
        name: {unit: [-each for each in values] for unit, values in deals.items()}
        for name, deals in won.items()
    }
    assert verdicts([claim(kind, "one", "other", by=by)], costs, "cost") == [verdict]


def test_how_much_is_refused_where_it_means_nothing():
    with pytest.raises(
        ValueError, match='which only the kinds "better" and "order" take; its kind is \'equal\''
    ):
        claim("equal", "one", "other", by=0.2)


def test_numbers_are_those_of_the_pair_that_fits_worst():
    (found,) = judge(
        [claim("better", "cheap", ["dear", "fair"])],
        [TableRow(name, "cost") for name in VALUES],
        VALUES,
    )
    differences = [
        float(np.mean(VALUES["cheap"][deal]) - np.mean(VALUES["fair"][deal]))
        for deal in VALUES["fair"]
    ]
    expected = paired_t(differences)
    assert (found.pair, found.pairs, found.deals) == (("cheap", "fair"), 2, DEALS)
    assert (found.estimate, found.low, found.high) == pytest.approx(
        (expected.mean, expected.low, expected.high)
    )
    assert found.p_value == pytest.approx(expected.p_value / 2)


def test_without_a_test_the_pair_that_is_least_ahead_fits_worst():
    (found,) = judge(
        [claim("order", "cheap", ["dear", "fair", "near"])],
        [TableRow(name, "cost") for name in VALUES],
        VALUES,
    )
    assert (found.pair, found.pairs) == (("cheap", "fair"), 3)


def test_claims_of_an_artifact_are_adjusted_together():
    measures = [TableRow(name, "cost") for name in VALUES]
    claims = [
        claim("better", "same", "fair"),
        claim("better", "fair", "near"),
        claim("order", "fair", "near"),
    ]
    alone = [judge([each], measures, VALUES)[0].p_value for each in claims[:2]]
    together = [each.p_value for each in judge(claims, measures, VALUES)]
    assert together[:2] == pytest.approx(holm(alone))
    assert together[1] > alone[1]
    assert together[2] is None


def test_a_claim_that_is_true_only_before_the_adjustment_stays_open():
    draw = np.random.default_rng(1)
    differences = draw.normal(size=30)
    differences += (
        2.1 * differences.std(ddof=1) / np.sqrt(30) - differences.mean()
    )  # t = 2.1: p = 0.022 one-sided
    values = {
        "a": {(0, deal): [each] for deal, each in enumerate(differences)},
        "b": {(0, deal): [0.0] for deal in range(30)},
    }
    assert verdicts([claim("better", "a", "b")], values, "mean") == ["holds"]
    assert verdicts([claim("better", "a", "b"), claim("better", "b", "a"),
        claim("better", "a", "b")], values, "mean") == [
        "undecided", "undecided", "undecided",
    ]  # fmt: skip


def test_equal_values_decide_nothing():
    values = {name: {(0, deal): [7.0] for deal in range(20)} for name in "ab"}
    assert verdicts([claim("better", "a", "b"), claim("equal", "a", "b")], values) == [
        "undecided",
        "undecided",
    ]
    assert verdicts(
        [claim("no difference", "a", "b"), claim("same distribution", "a", "b")], values
    ) == ["undecided", "undecided"]


@pytest.mark.parametrize("kind", ["no difference", "same distribution"])
@pytest.mark.parametrize("deals", [5, 50, 100])
def test_finding_nothing_never_shows_that_there_is_no_difference(kind, deals):
    few = {name: dict(list(each.items())[:deals]) for name, each in VALUES.items()}
    (found,) = judge([claim(kind, "same", "fair")], [TableRow(name, "cost") for name in few], few)
    assert (found.verdict, found.p_value > 0.05) == ("undecided", True)
    assert verdicts([claim("equal", "same", "fair")], VALUES) == ["holds"]


def test_one_of_many_pairs_must_differ_by_more_than_chance_allows():
    """A single pair of ten at p = 0.03 is what chance gives; Bonferroni keeps the claim open."""
    draw, values = np.random.default_rng(2), {}
    for number in range(10):
        noise = draw.normal(size=40)
        noise -= noise.mean()
        shift = 2.25 if number == 0 else 0.0  # in standard errors: p = 0.03, two-sided
        noise += shift * noise.std(ddof=1) / np.sqrt(40)
        values[f"a{number}"] = {(0, deal): [each] for deal, each in enumerate(noise)}
    values["zero"] = {(0, deal): [0.0] for deal in range(40)}
    assert verdicts([claim("no difference", "a0", "zero")], values) == ["does not hold"]
    assert verdicts([claim("no difference", "a*", "zero")], values) == ["undecided"]


def test_a_question_that_was_asked_after_the_games_says_so():
    later = claim("better", "cheap", "fair", asked="after the games")
    (found,) = judge([later], [TableRow(name, "cost") for name in VALUES], VALUES)
    assert found.sentence.startswith("So it is said. (Asked after the games.) **Holds**")
    with pytest.raises(ValueError, match="was asked 'later'; write"):
        claim("better", "a", "b", asked="later")


def test_a_claim_about_rows_with_failed_matches_stays_undecided_and_says_why():
    claims = [claim("better", "cheap", "fair"), claim("better", "cheap", ["fair", "dear"])]
    clean, failed = judge(claims, [TableRow(name, "cost") for name in VALUES], VALUES, {"dear": 2})
    assert (clean.verdict, failed.verdict) == ("holds", "undecided")
    assert "**Undecided, as matches failed**" in failed.sentence
    share = claim("share", "fair", "dear", whole="cheap", at_least=0.4)
    assert (
        judge([share], [TableRow(name, "cost") for name in VALUES], VALUES, {"cheap": 1})[0].verdict
        == "undecided"
    )


def test_matches_that_failed_are_counted_and_shown_whether_they_count_or_not():
    for policy, n in (("forfeit", 4), ("exclude", 3)):
        settings = Settings(
            games=("tiger",),
            agents={"a": "random", "b": "random"},
            deals=2,
            trials=2,
            on_fault=policy,
        )
        rows = [MatchRow(number, "played", -1, (1.0,), 1, "") for number in range(8)]
        rows[2] = MatchRow(2, "crashed", 0, (), 1, "")  # of a, which plays the even numbers
        measures = [TableRow("first", "mean", agent="a"), TableRow("second", "mean", agent="b")]
        first, second = results_of(
            measures, values_of(settings, rows, measures), failures_of(settings, rows, measures)
        )
        assert (first.n, first.failed, second.failed) == (n, 1, 0)
        assert (first.games, second.games) == (f"{n}, 1 failed", "4")


def test_only_deals_that_both_played_are_compared():
    values = {
        "a": {(0, 1): [1.0], (0, 2): [2.0], (0, 3): [3.0]},
        "b": {(0, 2): [1.0], (0, 3): [1.0], (0, 4): [90.0]},
    }
    (found,) = judge(
        [claim("order", "a", "b")], [TableRow(name, "cost") for name in values], values
    )
    assert (found.estimate, found.deals) == (1.5, 2)
    values["b"] = {(0, 4): [1.0]}
    with pytest.raises(ValueError, match="but no deal was played by all of them"):
        verdicts([claim("order", "a", "b")], values)


def test_a_sentence_and_json_tell_the_finding_and_it_is_read_back():
    claims = [
        Claim("Cheap is cheaper.", "better", "cheap", ["fair", "dear"], where="1.2"),
        claim("same distribution", "same", "fair"),
    ]
    found = judge(claims, [TableRow(name, "cost") for name in VALUES], VALUES)
    assert found[0].sentence.startswith("Cheap is cheaper. [1.2] **Holds**: -20 (-2")
    assert found[0].sentence.endswith(
        "for cheap and fair, the worst of 2 pairs; paired t by deal, one-sided, adjusted p < "
        "0.0001, 100 deals."
    )
    recorded = [each.as_json() for each in found]
    assert findings_from(claims, recorded) == found
    with pytest.raises(ValueError, match="have changed since this was recorded"):
        findings_from(claims[:1], recorded)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            lambda: claim("worse", "a", "b"),
            "is tested as 'worse'; a claim is tested as better, equal",
        ),
        (lambda: claim("share", "a", "b"), "Name a row as `whole`"),
        (
            lambda: claim("better", "c", "b").pairs(["a", "b"]),
            "is about the row 'c'; the rows are a, b",
        ),
        (
            lambda: claim("better", ["a", "b"], ["a", "b", "c"]).pairs(["a", "b", "c"]),
            "compares 2 rows with 3",
        ),
    ],
)
def test_what_cannot_be_claimed_is_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        wrong()


def test_rows_that_measure_different_things_are_not_compared():
    measures = [TableRow("cheap", "cost"), TableRow("fair", "seconds")]
    with pytest.raises(ValueError, match="measure different things: cheap, fair"):
        judge([claim("better", "cheap", "fair")], measures, VALUES)


def test_pace_is_the_time_for_a_decision():
    settings = Settings(games=("tic-tac-toe",), agents={"a": "random", "b": "random"}, deals=1)
    rows = [
        MatchRow(
            number,
            "played",
            -1,
            (1.0, -1.0),
            5,
            "",
            1.0,
            {"decisions@0": 3.0, "decisions@1": 2.0},
            (0.6, 0.1),
        )
        for number in range(2)
    ]
    (result,) = results_of(
        [TableRow("a", "pace", agent="a")],
        values_of(settings, rows, [TableRow("a", "pace", agent="a")]),
    )
    assert result.ours == pytest.approx((0.6 / 3 + 0.1 / 2) / 2)  # once in each seat
