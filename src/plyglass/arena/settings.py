"""What a tournament is: games, agents, who meets whom, from which seed, and when to stop. A TOML file or this object."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from plyglass.arena.specs import game_from, player_from

Meeting = Literal["round-robin", "gauntlet", "pairs"]
Policy = Literal["forfeit", "exclude"]


@dataclass(frozen=True)
class Stop:
    """When to stop early: a sequential test on the pairs of the first two agents of the first game.

    Attributes:
        rule: "none" plays everything; "sprt" decides between two Elo differences; "sequential" stops when the interval of the mean
            difference, valid at every time, excludes zero.
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
        agents: agents as text by the name they have in tables.
        meeting: "round-robin" lets all meet all, "gauntlet" the first all others, "pairs" the first the second, the third the fourth, ...
        deals: how many deals every meeting plays; each deal is played once in every order of the seats.
        seed: where all luck comes from; the same deal has the same luck in every meeting.
        on_fault: what a match is worth in which an agent crashes, hangs or plays illegally: lost for him ("forfeit"), or left out of the
            table ("exclude"); its status is reported either way.
        match_seconds: how long a match may take before it counts as hung.
        stop: when to stop early.
    """

    games: tuple[str, ...]
    agents: Mapping[str, str]
    meeting: Meeting = "round-robin"
    deals: int = 50
    seed: int = 0
    on_fault: Policy = "forfeit"
    match_seconds: float = 600.0
    stop: Stop = field(default_factory=Stop)

    def __post_init__(self) -> None:
        if not self.games or not self.agents:
            raise ValueError("A tournament needs at least one game and one agent.")
        if self.meeting == "pairs" and len(self.agents) % 2:
            raise ValueError(f"Agents meet in pairs, but there are {len(self.agents)} of them.")
        if self.deals < 1:
            raise ValueError(f"A tournament of {self.deals} deals plays nothing.")
        for text in self.games:
            game_from(text)
        for text in self.agents.values():
            player_from(text)

    @property
    def canonical(self) -> str:
        """All that decides the results, as text that is the same for equal settings."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @property
    def run_id(self) -> str:
        """A name for the run of these settings."""
        return hashlib.blake2b(self.canonical.encode(), digest_size=8).hexdigest()

    @staticmethod
    def from_canonical(text: str) -> Settings:
        """The settings that `canonical` was made of."""
        values = json.loads(text)
        return Settings(**{**values, "games": tuple(values["games"]), "stop": Stop(**values["stop"])})

    @staticmethod
    def load(path: str | Path) -> Settings:
        """Read settings from a TOML file; a name that is not known is refused with those that are."""
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        _refuse_unknown(values, Settings, str(path))
        _refuse_unknown(values.get("stop", {}), Stop, f"{path}, [stop]")
        values["games"] = tuple(values.get("games", ()))
        return Settings(**{**values, "agents": values.get("agents", {}), "stop": Stop(**values.get("stop", {}))})


def _refuse_unknown(values: Mapping[str, Any], owner: type, where: str) -> None:
    known = [each.name for each in fields(owner)]
    unknown = [name for name in values if name not in known]
    if unknown:
        raise ValueError(f"{where}: there is no setting {unknown[0]!r}; the settings are {', '.join(known)}.")
