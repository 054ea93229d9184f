"""Contests: an agent against the references in one game, played as a tournament of the arena."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plyglass.arena.runners import Runner
from plyglass.arena.tournament.driver import Progress, Tournament, open_run
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.settings import Settings
from plyglass.benchmark.pace import with_iterations
from plyglass.benchmark.suite import Contest, Mode, Suite

AGENT = "agent"
"""The name of the agent in every tournament; references have the names that the suite gives."""
SIGNS = {1.0: "+", 0.5: "=", 0.0: "-"}
MISSING = "?"


@dataclass(frozen=True)
class Cell:
    """The results of an agent against one reference in one game.

    Attributes:
        results: a sign for each match. Each deal has two matches: first with the agent in the first
            seat, then in the second. "+" is won, "=" drawn, "-" lost, and "?" does not count.
        scores: the agent's scores in the order of `results`, in games that are scored in chips.
        faults: the number of matches in which the agent crashed, hung or played illegally.
    """

    results: str
    scores: tuple[float, ...] = ()
    faults: int = 0

    @property
    def games(self) -> int:
        """The number of matches that count."""
        return len(self.results) - self.results.count(MISSING)


@dataclass
class Cells:
    """The cells of one contest, by reference, with the code and the digest of its matches."""

    by_reference: dict[str, Cell] = field(default_factory=dict)
    code: str = ""
    digest: str = ""


def settings_of(
    suite: Suite, contest: Contest, mode: Mode, text: str, iterations: int | None
) -> Settings:
    """Return the settings of the agent's tournament against the references, at the largest size."""
    own = iterations if mode == "time" else None if iterations is None else suite.iterations
    budgets = contest.iterations if mode == "time" else (suite.iterations,) * len(suite.references)
    references = {
        name: with_iterations(each, budget)
        for (name, each), budget in zip(suite.references.items(), budgets, strict=True)
    }
    return Settings(
        games=(contest.game,),
        agents={AGENT: with_iterations(text, own), **references},
        meeting="gauntlet",
        deals=suite.most_deals,
        seed=suite.seed,
    )


def play_contest(
    settings: Settings,
    unit: str,
    deals: int,
    folder: Path,
    runner: Runner,
    on_progress: Callable[[Progress], None] | None = None,
) -> Cells:
    """Play those matches of the first `deals` deals that are not stored; return all results."""
    with open_run(folder / f"{settings.run_id}.sqlite", settings) as store:
        run = Tournament(settings, store, runner, deals=deals)
        outcome = run.run(on_progress, lambda sentence: None)
        rows = list(run.counted_rows())
    codes = sorted({row.code for row in rows})
    return Cells(cells_of(settings, rows, deals, unit), ", ".join(codes), outcome.digest)


def cells_of(settings: Settings, rows: list[MatchRow], deals: int, unit: str) -> dict[str, Cell]:
    """Return the results of the agent against each reference, by the reference's name."""
    referee = Referee(settings)
    found: Mapping[str, list[tuple[str, float]]] = {
        name: [(MISSING, 0.0)] * (2 * deals) for name in settings.agents if name != AGENT
    }
    faults = dict.fromkeys(found, 0)
    for row in rows:
        fixture = referee.schedule[row.number]
        seat = fixture.agents.index(AGENT)
        other = fixture.agents[1 - seat]
        faults[other] += not row.finished and row.offender == seat
        result = referee.result(row)
        if result is not None:
            signs = SIGNS[result.points(seat)], result.scores[seat]
            found[other][2 * fixture.deal + seat] = signs
    return {
        name: Cell(
            "".join(sign for sign, _ in matches),
            tuple(score for _, score in matches) if unit == "deal" else (),
            faults[name],
        )
        for name, matches in found.items()
    }
