"""What a server offers and to whom, from the file `serve.toml` or by default.

decide = true                            # whether `/v1/decide` answers, with checked rules
[games]                                  # id = game spec; by default, games that compile quickly
leduc = "leduc-poker"
[levels.leduc]                           # by default, the levels of the game
easy = "uct:iterations=50"
[[tokens]]                               # who may send requests
name = "studio"
sha256 = "..."                           # of the token: printf %s TOKEN | sha256sum
scopes = ["play", "decide", "analyse"]
cpu_seconds_per_minute = 30.0
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from plyglass.core.refusals import refuse_unknown
from plyglass.games import names

SMALL = ("connect-four", "duel", "kuhn-poker", "leduc-poker", "tic-tac-toe")
SCOPES = ("play", "decide", "analyse", "expert", "trusted")
"""What a token may allow. In this order, the scopes allow hosted matches, `/v1/decide`,
`/v1/analyse`, agent specs instead of levels, and `/v1/decide` for games whose rules are in a shared
library.
"""


@dataclass(frozen=True)
class Token:
    """A token: the SHA-256 of a secret, and what its bearer may do.

    Attributes:
        cpu_seconds_per_minute: the worker time that the bearer may use on average. 0 means that
            there is no limit.
    """

    name: str
    sha256: str
    scopes: tuple[str, ...] = ("play", "decide", "analyse")
    cpu_seconds_per_minute: float = 0.0

    def __post_init__(self) -> None:
        refuse_unknown(f"The token {self.name!r}", "scope", self.scopes, SCOPES)
        if len(self.sha256) != 64 or not set(self.sha256) <= set("0123456789abcdef"):
            raise ValueError(
                f"The sha256 of the token {self.name!r} must be 64 hexadecimal digits; make it "
                "with: printf %s TOKEN | sha256sum."
            )


@dataclass(frozen=True)
class Settings:
    """What a server offers.

    Attributes:
        games: the spec of each game, by the game's id. Clients can name only these ids.
        levels: for each game id, the agent specs by level. Other games keep their own levels.
        tokens: the tokens of those who may send requests. Without tokens, everybody on this machine
            may send requests.
        hosts: names by which clients reach the server, besides the names of this machine.
        decide: whether callers may send views to `/v1/decide`. A wrong view can make rules write
            anywhere in memory. So workers then run rules with checked bounds, which are compiled
            when the server first starts. Hosted matches are safe without checked bounds, because
            callers send only actions, and illegal actions are refused.
        worker_bytes: the address space that a worker may use.
    """

    games: Mapping[str, str] = field(default_factory=lambda: {name: name for name in SMALL})
    levels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tokens: tuple[Token, ...] = ()
    hosts: tuple[str, ...] = ()
    decide: bool = True
    worker_bytes: int = 8 << 30

    def __post_init__(self) -> None:
        refuse_unknown("The settings of a server", "game with levels", self.levels, [*self.games])

    @staticmethod
    def for_people() -> Settings:
        """Settings for hosted matches of all games of Plyglass. They need no compilation."""
        return Settings(games={name: name for name in names()}, decide=False)

    @staticmethod
    def read(path: Path) -> Settings:
        """Read settings from a TOML file."""
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(f"{path} is not a settings file of a server: {error}.") from None
        known = [each.name for each in fields(Settings)]
        refuse_unknown(str(path), "setting", values, known)
        tokens = []
        for each in values.pop("tokens", ()):
            refuse_unknown(str(path), "setting of a token", each, [*Token.__dataclass_fields__])
            tokens.append(Token(**{**each, "scopes": tuple(each.get("scopes", Token.scopes))}))
        values["hosts"] = tuple(values.get("hosts", ()))
        return Settings(**values, tokens=tuple(tokens))

    def for_workers(self) -> str:
        """The settings as text for workers, without tokens and hosts."""
        values: dict[str, Any] = {**asdict(self), "tokens": (), "hosts": ()}
        return json.dumps(values)

    @staticmethod
    def of_front(text: str) -> Settings:
        """The settings in the text that `for_workers` wrote."""
        return Settings(**json.loads(text))
