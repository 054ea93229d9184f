"""The settings of a tournament: a TOML file, or an object."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, get_args

from plyglass.arena.limits import (
    MOST_BYTES,
    json_of,
    refuse_number,
    refuse_odd_name,
    refuse_odd_text,
    shown,
)
from plyglass.arena.match.agent import Player
from plyglass.arena.match.isolation import Isolated, is_foreign_text
from plyglass.arena.match.starts import start_from
from plyglass.arena.specs import game_from, is_auto, player_from, resolved
from plyglass.arena.tournament.measures import measures_from
from plyglass.core.game import MOST_PLAYERS, Game
from plyglass.core.refusals import refuse_other, refuse_unknown
from plyglass.core.seeds import is_secret, new_secret
from plyglass.search.interface import Budget
from plyglass.trust import NamesCode, as_data

Meeting = Literal["round-robin", "gauntlet", "pairs"]
Rule = Literal["none", "sprt", "sequential"]
Policy = Literal["forfeit", "exclude"]
OverrunPolicy = Literal["count", "forfeit", "exclude"]
SELDOM = (
    "start", "measures", "on_overrun", "overrun_seconds", "trials", "isolate", "key",
    "hang_seconds",
)  # fmt: skip
"""Settings that `canonical` leaves out if they have their defaults."""
NOT_SET = ("facts", "trusted")
"""Fields that are not settings: facts that a store keeps, and whether a person set the values."""
MOST = {
    "deals": 10**9,
    "trials": 10**6,
    **dict.fromkeys(("match_seconds", "overrun_seconds", "hang_seconds"), 10**7),
}
HANG_SHARE, LEAST_HANG = 0.2, 10.0  # default of `hang_seconds`: a share, and the least seconds
MOST_SEED = 2**128
MOST_LISTED = 1000  # games, agents or measures in a list

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "games": ((list,), 'a list of texts, as ["pig:goal=10"]'),
    "measures": ((list,), 'a list of texts, as ["length"]'),
    "agents": ((dict,), 'a table of names and texts, as [agents] with a = "uct"'),
    "stop": ((dict,), 'a table, as [stop] with rule = "sprt"'),
    "facts": ((dict,), "a table of games"),
    **dict.fromkeys(("deals", "seed", "trials"), ((int,), "a whole number")),
    "isolate": ((bool,), "true or false"),
    **dict.fromkeys(
        ("match_seconds", "overrun_seconds", "hang_seconds"), ((int, float), "a number of seconds")
    ),
}
"""The type of each setting in a file, and its description; other settings are texts."""


@dataclass(frozen=True)
class Stop:
    """The rule for stopping early: a sequential test on pairs of the first two agents' matches.

    Attributes:
        rule: "none" plays all matches. "sprt" decides between two Elo differences. "sequential"
            stops when a confidence sequence (an interval that is valid at every time) of the mean
            difference excludes 0. Only matches of the first game count.
        elo0, elo1: the two Elo differences between which an SPRT decides.
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
class GameFacts:
    """The facts about a game that a report needs."""

    players: int
    scores: tuple[float, float]

    @staticmethod
    def of(game: Game) -> GameFacts:
        return GameFacts(game.players, (float(game.scores[0]), float(game.scores[1])))

    @staticmethod
    def read(name: str, values: Any) -> GameFacts:
        """Return the facts of a game as a store keeps them."""
        match values:
            case {
                "players": int(players),
                "scores": [int() | float() as low, int() | float() as high],
            }:
                if 1 <= players <= MOST_PLAYERS and -1e300 < low < high < 1e300:
                    return GameFacts(players, (float(low), float(high)))
        raise ValueError(f"What the store says of the game {shown(name)} is not possible.")


@dataclass(frozen=True)
class Settings:
    """A tournament.

    Attributes:
        games: games as text, `name:parameter=value,...`.
        agents: agents as text, by their names in tables. The name of an agent that cheats must say
            so. `auto` is replaced by the agent that it means in the game.
        meeting: who plays whom. In a "round-robin", every agent plays every other agent. In a
            "gauntlet", the first agent plays all others. In "pairs", the first agent plays the
            second, the third plays the fourth, and so on.
        deals: the number of deals in every meeting. Each deal is played once in every order of the
            seats.
        seed: the random seed. A deal has the same chance in every meeting.
        on_fault: how a match counts if an agent crashes, hangs or plays illegally: as a loss for
            this agent ("forfeit"), or not at all ("exclude"). The status is reported either way.
        match_seconds: the seconds that a match may take before it counts as hung.
        stop: when to stop early.
        start: the source of start positions: `file.py@function`, `package.module:function` or
            `record.json@ply`; "" starts new games.
        measures: further measures of each match: names of built-in measures, `file.py@function` or
            `package.module:function`.
        on_overrun: how a match counts if an agent exceeds its time budget: as it was played
            ("count"), as a loss for this agent ("forfeit"), or not at all ("exclude"). The status
            is reported either way.
        overrun_seconds: the seconds by which a decision or a turn may exceed its time budget before
            it counts as an overrun.
        trials: the number of times that every deal is played from the same position. Each time has
            its own chance and its own seeds for the agents.
        isolate: whether a user's own players run in separate processes, a new one for each match.
            These processes receive only views.
        key: the secret, as hexadecimal digits, from which chance and the seeds of all seats are
            derived. A run with a user's own players gets a random key and keeps it in its store,
            because such players could guess a short seed. Anyone who has the key can repeat the
            run.
        hang_seconds: the seconds that a match may go without a step before it counts as hung. The
            largest time budget of all agents in the tournament is added. 0 means a fifth of
            `match_seconds`, but at least 10 seconds.
        facts: facts about games from a user's file or package, which a store keeps so a report does
            not need the games' code.
        trusted: whether a person gave these settings. Settings from a store are only data, so
            nothing that they name is imported or opened.
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
    hang_seconds: float = 0.0
    facts: Mapping[str, GameFacts] = field(default_factory=dict, compare=False, repr=False)
    trusted: bool = field(default=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        _refuse_odd_texts(self)
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
        _refuse_odd_numbers(self)
        _refuse_trials(self.trials, self.stop)
        with nullcontext() if self.trusted else as_data():
            for text in self.games:
                self._allow(game_from, text)
            if self.trusted:
                object.__setattr__(self, "agents", _resolved(self.games, self.agents))
            for name, text in self.agents.items():
                self._allow(partial(_refuse_hidden_cheat, self, name), text)
            self._allow(start_from, self.start)
            self._allow(measures_from, self.measures)
        refuse_other("on_fault", self.on_fault, get_args(Policy))
        refuse_other("on_overrun", self.on_overrun, get_args(OverrunPolicy))
        if self.key and not (_is_hexadecimal(self.key) and is_secret(int(self.key, 16))):
            raise ValueError(
                f"key must be empty or more than 64 bits as hexadecimal digits, not {self.key!r}."
            )

    def _allow(self, read: Callable[[Any], object], text: Any) -> None:
        """Refuse a wrong text, without using code or files that a store names."""
        try:
            read(text)
        except NamesCode:
            if self.trusted:
                raise

    def game(self, text: str) -> GameFacts:
        """Return the known facts of a game of these settings."""
        if self.trusted:
            return GameFacts.of(game_from(text))
        try:
            with as_data():
                return GameFacts.of(game_from(text))
        except NamesCode:
            if text in self.facts:
                return self.facts[text]
            raise ValueError(
                f"The game {shown(text)} is not part of Plyglass, and this old store does not say "
                "how many players and which scores the game has. If you trust the settings of the "
                "run, name them: plyglass report RESULTS --settings settings.toml."
            ) from None

    @property
    def patience(self) -> float:
        """The seconds that a match may go without a step before it counts as hung."""
        hang = self.hang_seconds or max(LEAST_HANG, HANG_SHARE * self.match_seconds)
        budgets = [getattr(player_from(text), "budget", None) for text in self.agents.values()]
        limits = [
            each.seconds or each.turn_seconds or 0.0 for each in budgets if isinstance(each, Budget)
        ]
        return hang + max(limits, default=0.0)

    def player(self, text: str) -> Player:
        """Return the player that the text of an agent names in these settings."""
        if not self.trusted:
            with as_data():
                return player_from(text)
        return Isolated(text) if self.isolate and is_foreign_text(text) else player_from(text)

    def sealed(self) -> Settings:
        """Return the settings as a store keeps them.

        If a user's own players take part and the settings have no key yet, the result contains a
        new key. The result also contains the facts about a user's own games.
        """
        known = {text: self.game(text) for text in self.games if _is_foreign_game(text)}
        kept = replace(self, facts=known) if known != self.facts else self
        if self.key or not any(map(is_foreign_text, self.agents.values())):
            return kept
        return replace(kept, key=f"{new_secret():x}")

    @cached_property
    def canonical(self) -> str:
        """Everything that determines the results, as text. Equal settings give equal texts.

        A setting that a later version of Plyglass added is left out if it has its default value, so
        older runs keep their ids. If there are facts about games, these are added.
        """
        usual = {
            each.name
            for each in fields(self)
            if each.name in SELDOM and getattr(self, each.name) == each.default
        }
        left_out = {*usual, *NOT_SET} if not self.facts else {*usual, "trusted"}
        return json.dumps(
            {name: value for name, value in asdict(self).items() if name not in left_out},
            separators=(",", ":"),
        )

    @property
    def run_id(self) -> str:
        """The name of the run, which depends neither on the key nor on the facts."""
        public = replace(self, key="", facts={}) if self.key or self.facts else self
        return hashlib.blake2b(public.canonical.encode(), digest_size=8).hexdigest()

    @staticmethod
    def from_canonical(text: str) -> Settings:
        """Return the settings from which `canonical` was made; a person gave these settings."""
        return _settings(json.loads(text), "The settings", trusted=True)

    @staticmethod
    def from_store(text: str, name: str) -> Settings:
        """Return the settings that the store `name` keeps as `text`, which are only data.

        Checks everything that can be checked without a user's code.
        """
        values = json_of(text, name, "a store of results")
        return _settings(values, f"{name} is no store of results: it", trusted=False)

    @staticmethod
    def load(path: str | Path) -> Settings:
        """Read settings from a TOML file."""
        values = _read(Path(path))
        for name in NOT_SET:
            refuse_unknown(f"{path}: a tournament", "setting", {name} & values.keys(), ())
        return _settings(values, f"{path}: a tournament", trusted=True)


def kept_key(text: str) -> str:
    """The key of the settings in a store; empty if the settings have no key."""
    values = json_of(text, "The store", "a store of results")
    key = values.get("key", "") if isinstance(values, dict) else ""
    refuse_odd_text("The key of a store", key)
    return str(key)


def _settings(values: Any, where: str, trusted: bool) -> Settings:
    """Return the settings with these values, after a check of their types."""
    if not isinstance(values, dict):
        raise TypeError(f"{where} must be a table of settings, not {shown(values)}.")
    values = {"games": [], "agents": {}, **values}
    refuse_unknown(where, "setting", values, [*_names(Settings), "facts"])
    for name, value in values.items():
        _refuse_kind(f"{where}: {name}", value, *KINDS.get(name, ((str,), "text")))
    stop = values.get("stop", {})
    refuse_unknown(f"{where}: [stop]", "setting", stop, _names(Stop))
    known = {name: GameFacts.read(name, each) for name, each in values.get("facts", {}).items()}
    lists = {name: tuple(values.get(name, ())) for name in ("games", "measures")}
    return Settings(**{**values, **lists, "stop": Stop(**stop), "facts": known, "trusted": trusted})


def _resolved(games: Sequence[str], agents: Mapping[str, str]) -> Mapping[str, str]:
    """Return the agents, with the actual agent in place of `auto`."""
    chosen = [name for name, text in agents.items() if is_auto(text)]
    if not chosen:
        return agents
    if len(games) > 1:
        raise ValueError(
            f"The agent {chosen[0]!r} is auto, which stands for another agent in each game; play "
            "one tournament for each game."
        )
    game = game_from(games[0])
    return {name: resolved(text, game) for name, text in agents.items()}


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise ValueError(f"There is no settings file {path}.")
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} has more than {MOST_BYTES:,} bytes; these are no settings.")
    try:
        import tomllib  # most commands read no file of settings

        return tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError(f"{path} is not valid TOML: its brackets nest too deep.") from None
    except ValueError as error:  # an error in TOML or in UTF-8
        raise ValueError(f"{path} is not valid TOML: {error}.") from error


def _names(owner: type) -> list[str]:
    return [each.name for each in fields(owner) if each.name not in NOT_SET]


def _is_foreign_game(text: str) -> bool:
    """Return whether a game needs a user's code or file, which a report does not open."""
    try:
        with as_data():
            game_from(text)
    except NamesCode:
        return True
    return False


def _refuse_odd_texts(settings: Settings) -> None:
    """Refuse values that are not texts, and texts that do not print."""
    for what, listed in (("games", settings.games), ("agents", settings.agents),
                         ("measures", settings.measures)):  # fmt: skip
        if len(listed) > MOST_LISTED:
            raise ValueError(f"A tournament has at most {MOST_LISTED} {what}, not {len(listed)}.")
    for name, text in settings.agents.items():
        refuse_odd_name("The name of an agent", name)
        refuse_odd_text(f"The agent {name!r}", text)
    for text in (*settings.games, *settings.measures, settings.start):
        refuse_odd_text("A game, a measure or a start", text)


def _refuse_odd_numbers(settings: Settings) -> None:
    """Refuse numbers that no tournament can have."""
    for name, most in MOST.items():
        refuse_number("A tournament", name, getattr(settings, name), most=most)
    for name in ("elo0", "elo1", "alpha", "beta"):
        refuse_number("A stopping rule", name, getattr(settings.stop, name))
    if settings.deals < 1:
        raise ValueError(f"deals must be at least 1, not {settings.deals}.")
    if not 0 <= settings.seed < MOST_SEED:
        raise ValueError(f"seed must be from 0 to 2^128 - 1, not {shown(settings.seed)}.")
    if settings.match_seconds <= 0:
        raise ValueError(f"match_seconds must be more than 0, not {settings.match_seconds:g}.")
    if settings.overrun_seconds < 0:
        raise ValueError(f"overrun_seconds must be 0 or more, not {settings.overrun_seconds:g}.")
    if settings.hang_seconds < 0:
        raise ValueError(f"hang_seconds must be 0 or more, not {settings.hang_seconds:g}.")


def _refuse_kind(where: str, value: object, kinds: tuple[type, ...], expected: str) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise TypeError(f"{where} must be {expected}, not {shown(value)}.")


def _refuse_trials(trials: int, stop: Stop) -> None:
    """Refuse trials with a stopping rule, because the rule assumes independent pairs."""
    if trials < 1:
        raise ValueError(f"trials must be at least 1, not {trials}.")
    if trials > 1 and stop.rule != "none":
        raise ValueError(
            "A stopping rule needs independent matches, and the trials of a deal are not; play "
            "more deals instead."
        )


def _is_hexadecimal(text: str) -> bool:
    return set(text) <= set("0123456789abcdef")


def _refuse_hidden_cheat(settings: Settings, name: str, text: str) -> None:
    """Refuse an agent that cheats without saying so in its name, which every table shows."""
    if settings.player(text).cheats and "cheat" not in name.lower():
        raise ValueError(
            f"The agent {name!r} is given more than its views; give it a name that says so, such "
            f"as {name + ' (cheats)'!r}."
        )
