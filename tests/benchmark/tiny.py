"""A suite small enough for tests, and results with known strengths."""

from dataclasses import replace

import numpy as np

from plyglass.benchmark.contests import Cell, Cells
from plyglass.benchmark.pace import Pace, Try
from plyglass.benchmark.result import Result
from plyglass.benchmark.suite import MODES, SUITE_1, Contest, Size
from plyglass.stats.elo import rate_of_elo

TINY = replace(
    SUITE_1,
    name="tiny",
    contests=(
        Contest("kuhn-poker", (60, 60), "deal"),
        Contest("tic-tac-toe", (40, 40)),
    ),
    references={"so-ismcts": "so-ismcts", "random": "random"},
    iterations=20,
    exploited=("kuhn-poker",),
    enumerated=("tiger:steps=1,discount=1.0",),
    solved={"tic-tac-toe": 4},
    believed={"kuhn-poker": 4},
    sizes={
        "minutes": Size(deals=2, seeds=2, positions=3, batches=2),
        "hour": Size(deals=4, seeds=2, positions=4, batches=2),
    },
    agents={"random": "random"},
)
SUITES = {TINY.name: TINY}


def simulated(suite, name, elo, references, deals, seed, ms=1.0):
    """A result of an agent whose true strength in every game is `elo`.

    `references` has the true strengths of the references.
    """
    random = np.random.default_rng(seed)
    result = Result(suite.name, suite.digest, name, name)
    for contest in suite.contests:
        result.pace[contest.game] = Pace(100, 10.0, 10.0, ms, (Try(100, 10.0, 10.0),))
        for mode in MODES:
            cells = {}
            for reference, strength in zip(suite.references, references, strict=True):
                won = random.random(2 * deals) < rate_of_elo(elo - strength)
                signs = "".join("+" if each else "-" for each in won)
                chips = tuple(1.0 if each else -1.0 for each in np.repeat(won[::2], 2))
                cells[reference] = Cell(signs, chips if contest.unit == "deal" else ())
            result.contests[mode][contest.game] = Cells(cells, "code", "digest")
    return result
