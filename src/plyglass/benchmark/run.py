"""A run of a benchmark: all agents advance together, and every finished step is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plyglass.arena.match.agent import Agent
from plyglass.arena.match.faults import AgentFault
from plyglass.arena.runners import Runner
from plyglass.arena.specs import player_from, text_of_part
from plyglass.arena.tournament.driver import Progress
from plyglass.benchmark.audits import (
    belief_batch,
    enumerated_regret,
    exploited,
    position_regrets,
)
from plyglass.benchmark.contests import AGENT, play_contest, settings_of
from plyglass.benchmark.pace import calibrate, refuse_budget, with_iterations
from plyglass.benchmark.result import BeliefScores, Result, file_name, new_result, read
from plyglass.benchmark.suite import MODES, Contest, Mode, Suite
from plyglass.core.seeds import derive

Show = Callable[[float, str, float], None]
"""A function that shows progress: how much is done, a note, and the total."""


@dataclass(frozen=True)
class Step:
    """A part of the run: its description, its weight in the progress bar, and its function."""

    says: str
    weight: float
    do: Callable[[], None]


class Benchmark:
    """A run of a suite for some agents. Another run with the same folder resumes this run."""

    def __init__(
        self, suite: Suite, size: str, agents: list[str], folder: Path, runner: Runner
    ) -> None:
        for text in agents:
            refuse_budget(text)
        self._suite, self._size, self._runner = suite, suite.size(size), runner
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._files = {text: folder / file_name(suite.name_of(text)) for text in agents}
        self.results = {text: self._taken_up(text) for text in dict.fromkeys(agents)}
        self._show: Show = lambda done, says, total: None
        self._done = self._total = 0.0

    def run(self, show: Show | None = None) -> list[Result]:
        """Do all steps that are not stored yet, and return the results."""
        self._show = show or self._show
        steps = [*self._paces(), *self._contests(), *self._audits()]
        self._total = sum(step.weight for step in steps)
        for step in steps:
            self._show(self._done, step.says, self._total)
            step.do()
            self._done += step.weight
        return list(self.results.values())

    def _taken_up(self, text: str) -> Result:
        player = player_from(text)
        belief = text_of_part(player.belief) if isinstance(player, Agent) else ""
        file = self._files[text]
        if not file.exists():
            return new_result(self._suite, text, belief)
        found = read(file, {self._suite.name: self._suite})
        if found.agent != text:
            raise ValueError(
                f"{file} is of the agent {found.agent!r}, not of {text!r}; name another folder."
            )
        return found

    def file(self, text: str) -> Path:
        """Return the file with the result of an agent."""
        return self._files[text]

    def _store(self, text: str) -> None:
        self.results[text].write(self._files[text])

    def _paces(self) -> Iterator[Step]:
        for contest in self._suite.contests:
            for text, result in self.results.items():
                if contest.game not in {**result.pace, **result.refused}:
                    yield Step(
                        f"{result.name}: CPU time in {contest.game}",
                        4,
                        partial(self._calibrate, text, contest),
                    )

    def _calibrate(self, text: str, contest: Contest) -> None:
        result = self.results[text]
        try:
            result.pace[contest.game] = calibrate(self._suite, contest, text)
        except (ValueError, TypeError, AgentFault) as error:
            cause = error.__cause__ or error
            result.refused[contest.game] = " ".join(str(cause).split())[:500]
        self._store(text)

    def _contests(self) -> Iterator[Step]:
        """Yield the contests as steps: first all contests with few deals, then with more deals."""
        for deals in self._rounds():
            for contest in self._suite.contests:
                for mode in MODES:
                    for text, result in self.results.items():
                        if not self._has(result, mode, contest.game, deals):
                            yield Step(
                                f"{result.name} in {contest.game}",
                                2 * deals * len(self._suite.references),
                                partial(self._contest, text, contest, mode, deals),
                            )

    def _rounds(self) -> list[int]:
        """Return the deals after each round: twice as many as before, so a stopped run is even."""
        deals, most = min(each.deals for each in self._suite.sizes.values()), self._size.deals
        rounds = [most]
        while deals < most:
            rounds.append(deals)
            deals *= 2
        return sorted(rounds)

    def _has(self, result: Result, mode: Mode, game: str, deals: int) -> bool:
        cells = result.contests[mode].get(game)
        return cells is not None and all(
            len(each.results) >= 2 * deals for each in cells.by_reference.values()
        )

    def _contest(self, text: str, contest: Contest, mode: Mode, deals: int) -> None:
        result = self.results[text]
        if contest.game in result.refused:
            return
        settings = settings_of(
            self._suite, contest, mode, text, result.pace[contest.game].iterations
        )

        def progress(now: Progress) -> None:
            tally = now.table.tallies().get(AGENT)
            if tally is not None:
                rate, low, high = tally.interval()
                says = f"{result.name} in {contest.game} {rate:.0%} ({low:.0%}-{high:.0%})"
                self._show(self._done, says, self._total)

        result.contests[mode][contest.game] = play_contest(
            settings, contest.unit, deals, self._folder, self._runner, progress
        )
        self._store(text)

    def _audits(self) -> Iterator[Step]:
        audits = {
            "exploitability": self._exploit,
            "regret": self._regret,
            "belief": self._believe,
        }
        for what, audit in audits.items():
            for text, result in self.results.items():
                yield Step(f"{result.name}: {what}", 20, partial(audit, text))

    def _exploit(self, text: str) -> None:
        result, size = self.results[text], self._size
        for game in self._suite.exploited:
            known = result.exploited.get(game)
            if known is None or known.seeds < size.seeds:
                player = player_from(self._budgeted(text))
                result.exploited[game] = exploited(player, game, size.seeds, self._suite.seed)
                self._store(text)

    def _budgeted(self, text: str) -> str:
        own = isinstance(player_from(text), Agent)
        return with_iterations(text, self._suite.iterations if own else None)

    def _regret(self, text: str) -> None:
        result, size, seed = self.results[text], self._size, self._suite.seed
        player = player_from(self._budgeted(text))
        for game in self._suite.enumerated:
            found = result.regret.setdefault(game, [])
            for number in range(len(found), size.seeds):
                found.append(enumerated_regret(player, game, derive(seed, number)))
        for game, after in self._suite.solved.items():
            found = result.regret.setdefault(game, [])
            found += position_regrets(player, game, after, size.positions, seed, len(found))
        self._store(text)

    def _believe(self, text: str) -> None:
        result, player = self.results[text], player_from(text)
        if not isinstance(player, Agent):
            return
        for game, count in self._suite.believed.items():
            alike = [
                each.beliefs[game]
                for each in self.results.values()
                if each.belief == result.belief and game in each.beliefs
            ]
            most = max(alike, key=lambda each: len(each.brier), default=BeliefScores())
            scores = BeliefScores([*most.brier], [*most.expected], most.questions)
            for number in range(len(scores.brier), self._size.batches):
                seed = derive(self._suite.seed, number)
                brier, expected, questions = belief_batch(player.belief, game, count, seed)
                scores.brier.append(brier)
                scores.expected.append(expected)
                scores.questions += questions
            result.beliefs[game] = scores
            self._store(text)
