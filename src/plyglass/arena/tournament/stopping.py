"""Stopping rules decide when a tournament has played enough.

A rule takes match rows in the order of their numbers, never in the order of arrival. So a run stops
at the same match with one worker and with many workers. Short matches arrive earlier than long
matches, but they do not bias the sample.
"""

from __future__ import annotations

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.referee import Referee, Result
from plyglass.arena.tournament.settings import Settings
from plyglass.stats.sequential import ConfidenceSequence
from plyglass.stats.sprt import Sprt


class Stopping:
    """The stopping rule of a run: a sequential test on the first meeting's pairs in the first game.

    Attributes:
        end: the number of matches that count; None until the rule has decided.
        decision: the decision of the rule, in words.
        state: the state of the test, in words; empty without a rule.
        ratios: the log-likelihood ratio after each pair, if the rule is an SPRT.
        bounds: the ratios at which an SPRT decides; None for other rules.
    """

    def __init__(self, settings: Settings) -> None:
        self.end: int | None = None
        self.decision = "all played"
        self.state = ""
        self._referee = Referee(settings)
        self._rule = _rule_of(settings)
        sprt = self._rule if isinstance(self._rule, _Sprt) else None
        self.ratios: list[float] = sprt.ratios if sprt else []
        self.bounds = sprt.bounds if sprt else None
        self._agents = set(self._referee.schedule[0].agents)
        self._waiting: dict[int, MatchRow] = {}
        self._next = 0
        self._half: Result | None = None  # the first match of a pair, until the second comes

    def add(self, row: MatchRow) -> None:
        """Accept a row; rows may come in any order and more than once."""
        if self._rule is None or row.number < self._next:
            return
        self._waiting.setdefault(row.number, row)
        while self.end is None and self._next in self._waiting:
            self._take(self._waiting.pop(self._next))
            self._next += 1

    def _take(self, row: MatchRow) -> None:
        """Process the next row in the order of numbers."""
        result = self._referee.result(row)
        if result is None or result.game != 0 or set(result.agents) != self._agents:
            return
        first, self._half = self._half, result
        if first is None or first.pair != result.pair:
            return
        self._half = None
        assert self._rule is not None
        verdict = self._rule.add(first, result)
        self.state = self._rule.state
        if verdict:
            self.end, self.decision = row.number + 1, verdict


class _Sprt:
    """A sequential probability ratio test between two Elo differences."""

    def __init__(self, test: Sprt) -> None:
        self._test, self._counts = test, [0] * 5
        self.ratios: list[float] = []
        self.bounds = test.lower, test.upper
        self.state = ""

    def add(self, first: Result, second: Result) -> str:
        """Return the verdict after one more pair, or an empty text."""
        self._counts[round(2 * (first.points(0) + second.points(1)))] += 1
        state = self._test.state(self._counts)
        self.ratios.append(state.llr)
        self.state = f"LLR {state.llr:+.2f} of {state.lower:.2f} to {state.upper:.2f}"
        if state.decision == "continue":
            return ""
        name, elo = ("H1", self._test.elo1) if state.decision == "H1" else ("H0", self._test.elo0)
        return (
            f"{name} accepted: {elo:+g} Elo, after {sum(self._counts)} pairs (LLR {state.llr:.2f})"
        )


class _Difference:
    """A confidence sequence on the mean difference of any scores."""

    def __init__(self, test: ConfidenceSequence) -> None:
        self._test = test
        self.state = ""

    def add(self, first: Result, second: Result) -> str:
        """Return the verdict after one more pair, or an empty text."""
        difference = (first.scores[0] - first.scores[1] + second.scores[1] - second.scores[0]) / 2
        state = self._test.add(difference)
        self.state = f"difference {state.mean:+.3f} in {state.low:+.3f} to {state.high:+.3f}"
        if state.low <= 0.0 <= state.high:
            return ""
        return (
            f"the mean difference is {state.mean:+.3f}, between {state.low:+.3f} and "
            f"{state.high:+.3f}, after {state.pairs} pairs"
        )


def _rule_of(settings: Settings) -> _Sprt | _Difference | None:
    stop, game = settings.stop, settings.game(settings.games[0])
    if stop.rule == "none":
        return None
    if game.players != 2:
        raise ValueError(
            f"A stopping rule compares two agents, but {settings.games[0]} is for {game.players} "
            'players; set rule = "none".'
        )
    if stop.rule == "sprt":
        return _Sprt(Sprt(stop.elo0, stop.elo1, stop.alpha, stop.beta))
    span = game.scores[1] - game.scores[0]
    return _Difference(ConfidenceSequence(-span, span, stop.alpha))
