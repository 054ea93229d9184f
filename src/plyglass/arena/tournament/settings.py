"""The settings of a tournament: a TOML file, or an object."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from plyglass.arena.match.agent import Player
from plyglass.arena.match.isolation import Isolated, is_foreign_text
from plyglass.arena.match.starts import start_from
from plyglass.arena.specs import game_from, player_from
from plyglass.arena.tournament.measures import measures_from
from plyglass.core.refusals import refuse_other, refuse_unknown
from plyglass.core.seeds import is_secret, new_secret

Meeting = Literal["round-robin", "gauntlet", "pairs"]
Rule = Literal["none", "sprt", "sequential"]
Policy = Literal["forfeit", "exclude"]
OverrunPolicy = Literal["count", "forfeit", "exclude"]
SELDOM = ("start", "measures", "on_overrun", "overrun_seconds", "trials", "isolate", "key")
"""Settings that `canonical` leaves out if they have their defaults."""

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "games": ((list,), 'a list of texts, as ["pig:goal=10"]'),
    "measures": ((list,), 'a list of texts, as ["length"]'),
    "agents": ((dict,), 'a table of names and texts, as [agents] with a = "uct"'),
    "stop": ((dict,), 'a table, as [stop] with rule = "sprt"'),
    **dict.fromkeys(("deals", "seed", "trials"), ((int,), "a whole number")),
    "isolate": ((bool,), "true or false"),
    **dict.fromkeys(("match_seconds", "overrun_seconds"), ((int, float), "a number of seconds")),
}
"""What a file gives for a setting; text for all others."""


@dataclass(frozen=True)
class Stop:
    """When to stop early, by a sequential test on pairs of the first two agents in the first game.

    Attributes:
        rule: "none" plays everything. "sprt" decides between two Elo differences. "sequential"
            stops when an interval of the mean difference that is valid at every time excludes 0.
        elo0, elo1: the two Elo differences that an SPRT decides between.
        alpha, beta: the error probabilities of the two decisions.
    """

    rule: Rule = "none"
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        refuse_other("rule", self.rule, get_args(Rule))


@dataclass(frozen=True)
class Settings:
    """A tournament.

    Attributes:
        games: games as text, `name:parameter=value,...`.
        agents: agents as text, by their names in tables. The name of an agent that cheats must say
            so.
        meeting: in a "round-robin" every agent meets every other, in a "gauntlet" the first meets
            all others, in "pairs" the first meets the second, the third the fourth, and so on.
        deals: how many deals every meeting plays, each once in every order of the seats.
        seed: the random seed. A deal has the same chance in every meeting.
        on_fault: how a match counts if an agent crashes, hangs or plays illegally: as its loss
            ("forfeit"), or not at all ("exclude"). The status is reported either way.
        match_seconds: how long a match may take before it counts as hung.
        stop: when to stop early.
        start: where matches start, if not with a new game: `file.py@function`,
            `package.module:function` or `record.json@ply`.
        measures: what else is measured: names of built-in measures, `file.py@function` or
            `package.module:function`.
        on_overrun: how a match counts if an agent exceeds its time budget: as it was played
            ("count"), or as for `on_fault`. The status is reported either way.
        overrun_seconds: by how much a decision or a turn must exceed its time budget to be an
            overrun.
        trials: how often every deal is played from the same position, with other chance and other
            seeds for the agents.
        isolate: whether players of a user's own play in processes of their own, one for each match,
            that receive views and nothing else.
        key: the secret, as hexadecimal digits, that chance and the seeds of all seats are derived
            from. A run with a user's own players gets a random key and keeps it in its store,
            because such players could guess a short seed. Anyone who has the key can repeat the
            run.
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
    isolate: bool = False
    key: str = ""

    def __post_init__(self) -> None:
        if not self.games or not self.agents:
            raise ValueError(
                f"A tournament needs at least one game and one agent, not {len(self.games)} games "
                f"and {len(self.agents)} agents."
            )
        refuse_other("meeting", self.meeting, get_args(Meeting))
        if self.meeting == "pairs" and len(self.agents) % 2:
            raise ValueError(
                f"In pairs, an even number of agents meet, but there are {len(self.agents)}."
            )
        if self.deals < 1:
            raise ValueError(f"deals must be at least 1, not {self.deals}.")
        if self.match_seconds <= 0:
            raise ValueError(f"match_seconds must be more than 0, not {self.match_seconds:g}.")
        _refuse_trials(self.trials, self.stop)
        for text in self.games:
            game_from(text)
        for name, text in self.agents.items():
            _refuse_hidden_cheat(name, self.player(text))
        start_from(self.start)
        measures_from(self.measures)
        refuse_other("on_fault", self.on_fault, get_args(Policy))
        refuse_other("on_overrun", self.on_overrun, get_args(OverrunPolicy))
        if self.key and not (_is_hexadecimal(self.key) and is_secret(int(self.key, 16))):
            raise ValueError(
                f"key must be empty or more than 64 bits as hexadecimal digits, not {self.key!r}."
            )
        if self.overrun_seconds < 0:
            raise ValueError(f"overrun_seconds must be 0 or more, not {self.overrun_seconds:g}.")

    def player(self, text: str) -> Player:
        """Return the player that the text of an agent names in these settings."""
        return Isolated(text) if self.isolate and is_foreign_text(text) else player_from(text)

    def sealed(self) -> Settings:
        """Return the settings, with a new key if a user's own players need one."""
        if self.key or not any(map(is_foreign_text, self.agents.values())):
            return self
        return replace(self, key=f"{new_secret():x}")

    @property
    def canonical(self) -> str:
        """Everything that determines the results, as text that is the same for equal settings.

        Settings that were added later are left out if they have their defaults, so a run keeps its
        id.
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
        """The name of the run with these settings. The name does not depend on the key."""
        public = replace(self, key="") if self.key else self
        return hashlib.blake2b(public.canonical.encode(), digest_size=8).hexdigest()

    @staticmethod
    def from_canonical(text: str) -> Settings:
        """Return the settings that `canonical` was made from."""
        values = json.loads(text)
        lists = {name: tuple(values[name]) for name in ("games", "measures") if name in values}
        return Settings(**{**values, **lists, "stop": Stop(**values["stop"])})

    @staticmethod
    def load(path: str | Path) -> Settings:
        """Read settings from a TOML file."""
        values = _read(Path(path))
        refuse_unknown(f"{path}: a tournament", "setting", values, _names(Settings))
        for name, value in values.items():
            _refuse_kind(f"{path}: {name}", value, *KINDS.get(name, ((str,), "text")))
        refuse_unknown(f"{path}: [stop]", "setting", values.get("stop", {}), _names(Stop))
        values |= {name: tuple(values.get(name, ())) for name in ("games", "measures")}
        return Settings(
            **{**values, "agents": values.get("agents", {}), "stop": Stop(**values.get("stop", {}))}
        )


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise ValueError(f"There is no settings file {path}.")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not valid TOML: {error}.") from error


def _names(owner: type) -> list[str]:
    return [each.name for each in fields(owner)]


def _refuse_kind(where: str, value: object, kinds: tuple[type, ...], expected: str) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise TypeError(f"{where} must be {expected}, not {value!r}.")


def _refuse_trials(trials: int, stop: Stop) -> None:
    """Refuse trials with a stopping rule, which takes pairs as independent."""
    if trials < 1:
        raise ValueError(f"trials must be at least 1, not {trials}.")
    if trials > 1 and stop.rule != "none":
        raise ValueError(
            "A stopping rule needs independent matches, and the trials of a deal are not; play "
            "more deals instead."
        )


def _is_hexadecimal(text: str) -> bool:
    return set(text) <= set("0123456789abcdef")


def _refuse_hidden_cheat(name: str, player: Player) -> None:
    """Names are in every table and figure, so the name of an agent that cheats must say so."""
    if player.cheats and "cheat" not in name.lower():
        raise ValueError(
            f"The agent {name!r} is given more than its views; give it a name that says so, such "
            f"as {name + ' (cheats)'!r}."
        )
