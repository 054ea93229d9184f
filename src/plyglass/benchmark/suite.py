"""Suites: what a benchmark plays and measures. A published suite never changes.

If a game, a reference, a budget or a seed changes, results cannot be compared, so the changed suite
needs another name. `Suite.digest` covers everything in a suite, and a test compares the digest with
the published digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from plyglass.core.refusals import refuse_unknown

Mode = Literal["time", "iterations"]
MODES: tuple[Mode, ...] = ("time", "iterations")
Unit = Literal["match", "deal"]
BELIEF = "belief=particles(worlds=200)"


@dataclass(frozen=True)
class Contest:
    """A game in which agents play against the references.

    Attributes:
        game: the game, as text.
        iterations: the iterations of each reference at equal time, in the order of the suite.
        unit: what is won or lost: a "match" or a "deal". In games that are scored in chips, the
            agent with more chips over both seats wins the deal, as in duplicate bridge.
    """

    game: str
    iterations: tuple[int, ...]
    unit: Unit = "match"


@dataclass(frozen=True)
class Size:
    """How much of a suite is played.

    Attributes:
        deals: the number of deals that an agent plays against each reference, in both seats.
        seeds: the number of times that an agent decides at every information set.
        positions: the number of positions in each solved game with perfect information.
        batches: the number of batches of games in which a belief is tested.
    """

    deals: int
    seeds: int
    positions: int
    batches: int


@dataclass(frozen=True)
class Suite:
    """All that a benchmark plays.

    Attributes:
        name: the name of the suite, with its version.
        seed: the random seed.
        contests: the games in which agents play against the references.
        references: the reference agents without budgets, by name.
        iterations: the iterations of a decision, in all parts that use equal iterations.
        exploited: games that are enumerated to find how much a best response wins.
        enumerated: games for one player, in which the best policy is known.
        solved: games with perfect information in which all values are known. For each game, there
            is the number of random actions that lead to a tested position.
        believed: games in which beliefs are tested, with the number of games in a batch.
        sizes: the sizes of the suite, by name. A larger size continues the games of a smaller size.
        agents: the agents of the recorded table without budgets, by name.
    """

    name: str
    seed: int
    contests: tuple[Contest, ...]
    references: Mapping[str, str]
    iterations: int
    exploited: tuple[str, ...]
    enumerated: tuple[str, ...]
    solved: Mapping[str, int]
    believed: Mapping[str, int]
    sizes: Mapping[str, Size]
    agents: Mapping[str, str]

    @property
    def digest(self) -> str:
        """A digest of everything in the suite."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    @property
    def most_deals(self) -> int:
        """The number of deals of the largest size."""
        return max(size.deals for size in self.sizes.values())

    def size(self, name: str) -> Size:
        """Return the size of this name."""
        refuse_unknown(f"The suite {self.name}", "size", [name], list(self.sizes))
        return self.sizes[name]

    def name_of(self, text: str) -> str:
        """Return the name of an agent in tables: the suite's name for the agent, or the text."""
        return next((name for name, each in self.agents.items() if each == text), text)


_BELIEVERS = (
    "rollout", "one-ply-mcts", "three-ply-mcts", "pimc", "hindsight", "epimc", "so-ismcts",
    "mo-ismcts", "bs-mcts", "pomcp",
)  # fmt: skip

SUITE_1 = Suite(
    name="plyglass-suite-1",
    seed=20261118,
    contests=(
        Contest("connect-four", (3800, 2700)),
        Contest("pig:goal=30", (5100, 3100)),
        Contest("kuhn-poker", (24000, 47000), "deal"),
        Contest("leduc-poker", (15000, 28000), "deal"),
        Contest("phantom-tic-tac-toe", (3600, 9600)),
        Contest("dark-hex:size=4", (2100, 4800)),
        Contest("skirmish:fog=true", (430, 430)),
        Contest("duel", (2000, 2400)),
        Contest("trading-cards:health=10", (1600, 270)),
        Contest("tubstap:map=sandbox", (840, 1200)),
    ),
    references={"so-ismcts": f"so-ismcts:{BELIEF}", "pimc": f"pimc:{BELIEF}"},
    iterations=100,
    exploited=(
        "kuhn-poker",
        "leduc-poker",
        "skirmish:size=3,units=1,health=1,turns=4,fog=true",
        "duel:kinds=2,copies=1,health=3,hand=1,mana=2,board=2",
    ),
    enumerated=("tiger:steps=3,discount=1.0", "rocksample:size=2,rocks=2,steps=4,discount=1.0"),
    solved={"tic-tac-toe": 2, "connect-four": 30},
    believed={"leduc-poker": 20, "phantom-tic-tac-toe": 6, "duel": 2, "skirmish:fog=true": 1},
    sizes={
        "minutes": Size(deals=5, seeds=2, positions=50, batches=5),
        "hour": Size(deals=40, seeds=8, positions=500, batches=20),
        "night": Size(deals=400, seeds=32, positions=4000, batches=100),
    },
    agents={
        "random": "random",
        "uct": f"uct:trees=8,{BELIEF}",
        **{name: f"{name}:{BELIEF}" for name in _BELIEVERS},
    },
)
SUITES = {SUITE_1.name: SUITE_1}
