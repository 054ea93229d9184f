"""What a tournament is: games, agents, who meets whom, from which seed, and when to stop. A TOML
file or this object.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from plyglass.arena.match.starts import start_from
from plyglass.arena.specs import game_from, player_from
from plyglass.arena.tournament.measures import measures_from
from plyglass.core.refusals import refuse_other

Meeting = Literal["round-robin", "gauntlet", "pairs"]
Policy = Literal["forfeit", "exclude"]
OverrunPolicy = Literal["count", "forfeit", "exclude"]
SELDOM = (
    "start",
    "measures",
    "on_overrun",
    "overrun_seconds",
    "trials",
)  # written down only where they differ from the usual


@dataclass(frozen=True)
class Stop:
    """When to stop early: a sequential test on the pairs of the first two agents of the first game.

    Attributes:
        rule: "none" plays everything; "sprt" decides between two Elo differences; "sequential"
            stops when the interval of the mean difference, valid at every time, excludes zero.
        elo0, elo1: the two differences that an SPRT decides between.
        alpha, beta: how often either decision may be wrong.
    """

    rule: Literal["none", "sprt", "sequential"] = "none"
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True)
class Settings:
    """A tournament.

    Attributes:
        games: games as text, `name:parameter=value,...`.
        agents: agents as text by the name they have in tables; the name of one that cheats must say
            so.
        meeting: "round-robin" lets all meet all, "gauntlet" the first all others, "pairs" the first
            the second, the third the fourth, ...
        deals: how many deals every meeting plays; each deal is played once in every order of the
            seats.
        seed: where all luck comes from; the same deal has the same luck in every meeting.
        on_fault: what a match is worth in which an agent crashes, hangs or plays illegally: lost
            for him ("forfeit"), or left out of the table ("exclude"); its status is reported either
            way.
        match_seconds: how long a match may take before it counts as hung.
        stop: when to stop early.
        start: where matches begin, if not with a new game: `file.py@function`,
            `package.module:function` or `record.json@ply`.
        measures: what is measured besides: names of built-in measures, `file.py@function` or
            `package.module:function`.
        on_overrun: what a match is worth in which an agent took longer than its budget of time:
            what was played ("count"), or as for `on_fault`; its status is reported either way.
        overrun_seconds: how much longer than its budget of time a decision, or a turn, may take
            before that is an overrun.
        trials: how often every deal is played: from the same first position, but with other luck to
            come and other seeds for the agents.
    """

    games: tuple[str, ...]
    agents: Mapping[str, str]
    meeting: Meeting = "round-robin"
    deals: int = 50
    seed: int = 0
    on_fault: Policy = "forfeit"
    match_seconds: float = 600.0
    stop: Stop = field(default_factory=Stop)
    start: str = ""
    measures: tuple[str, ...] = ()
    on_overrun: OverrunPolicy = "count"
    overrun_seconds: float = 0.1
    trials: int = 1

    def __post_init__(self) -> None:
        if not self.games or not self.agents:
            raise ValueError("A tournament needs at least one game and one agent.")
        if self.meeting == "pairs" and len(self.agents) % 2:
            raise ValueError(f"Agents meet in pairs, but there are {len(self.agents)} of them.")
        if self.deals < 1:
            raise ValueError(f"A tournament of {self.deals} deals plays nothing.")
        _refuse_trials(self.trials, self.stop)
        for text in self.games:
            game_from(text)
        for name, text in self.agents.items():
            _refuse_hidden_cheat(name, text)
        start_from(self.start)
        measures_from(self.measures)
        refuse_other("on_fault", self.on_fault, get_args(Policy))
        refuse_other("on_overrun", self.on_overrun, get_args(OverrunPolicy))
        if self.overrun_seconds < 0:
            raise ValueError(
                f"An overrun of {self.overrun_seconds} seconds would begin before the budget "
                "ends; give zero or more."
            )

    @property
    def canonical(self) -> str:
        """All that decides the results, as text that is the same for equal settings; a run keeps
        its id when settings are added.
        """
        usual = {
            each.name
            for each in fields(self)
            if each.name in SELDOM and getattr(self, each.name) == each.default
        }
        return json.dumps(
            {name: value for name, value in asdict(self).items() if name not in usual},
            separators=(",", ":"),
        )

    @property
    def run_id(self) -> str:
        """A name for the run of these settings."""
        return hashlib.blake2b(self.canonical.encode(), digest_size=8).hexdigest()

    @staticmethod
    def from_canonical(text: str) -> Settings:
        """The settings that `canonical` was made of."""
        values = json.loads(text)
        lists = {name: tuple(values[name]) for name in ("games", "measures") if name in values}
        return Settings(**{**values, **lists, "stop": Stop(**values["stop"])})

    @staticmethod
    def load(path: str | Path) -> Settings:
        """Read settings from a TOML file; a name that is not known is refused with those that
        are.
        """
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        _refuse_unknown(values, Settings, str(path))
        _refuse_unknown(values.get("stop", {}), Stop, f"{path}, [stop]")
        values |= {name: tuple(values.get(name, ())) for name in ("games", "measures")}
        return Settings(
            **{**values, "agents": values.get("agents", {}), "stop": Stop(**values.get("stop", {}))}
        )


def _refuse_unknown(values: Mapping[str, Any], owner: type, where: str) -> None:
    known = [each.name for each in fields(owner)]
    unknown = [name for name in values if name not in known]
    if unknown:
        raise ValueError(
            f"{where}: there is no setting {unknown[0]!r}; the settings are {', '.join(known)}."
        )


def _refuse_trials(trials: int, stop: Stop) -> None:
    """Sequential tests take pairs as independent, and trials of a deal are not."""
    if trials < 1:
        raise ValueError(f"A tournament with {trials} trials of each deal plays nothing.")
    if trials > 1 and stop.rule != "none":
        raise ValueError(
            "Trials of a deal are not independent, and a stopping rule takes them so; play more "
            "deals instead."
        )


def _refuse_hidden_cheat(name: str, text: str) -> None:
    """Names stand in every table and figure: there an agent that is given more than its views
    must be known at sight.
    """
    if player_from(text).cheats and "cheat" not in name.lower():
        raise ValueError(
            f"The agent {name!r} is given more than its views; give it a name that says so, such "
            f"as {name + ' (cheats)'!r}."
        )
