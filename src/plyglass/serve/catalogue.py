"""The games that a worker serves: their levels, their rules, and their descriptions for clients."""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from plyglass.arena.match.agent import Agent
from plyglass.arena.match.record import rules_of
from plyglass.arena.specs import agent_from, game_from, is_auto, text_of_game
from plyglass.core.admission import admitted_view
from plyglass.core.game import Game
from plyglass.core.ranges import fields_of
from plyglass.core.scene import Imagined
from plyglass.core.table import SharedLibrary
from plyglass.core.world import View
from plyglass.games.levels import measured_levels
from plyglass.games.options import chosen, combinations, options_of, written
from plyglass.search.interface import Budget
from plyglass.serve.protocol import OPTIONS, Refused
from plyglass.serve.settings import Settings
from plyglass.trust import NamesCode, as_data

LEVEL = "level:"
MOST_VARIANTS = 64  # how many variants are kept at most
PICTURED, PICTURED_ACTIONS = 1, 24  # the seed and length of the match that a game's picture shows


def scene_of(game: Game, view: View, imagined: Imagined | None = None) -> dict[str, Any] | None:
    """A view's scene as plain values; None if the game has no scenes."""
    try:
        found: dict[str, Any] = json.loads(game.scene(view, imagined).to_json())
    except NotImplementedError:
        return None
    return found


@dataclass(frozen=True)
class Served:
    """A game that a worker serves, with its levels.

    Attributes:
        mixed: whether the worker serves both games with checked rules and games from shared
            libraries.
    """

    id: str
    game: Game
    levels: Mapping[str, str]
    mixed: bool = False

    def refuse_untrusted(self, trusted: bool) -> None:
        """Refuse clients' views of a game from a shared library, unless such views are safe here.

        A wrong view can make such rules write anywhere in the worker's memory. So only trusted
        callers may send views, and the server must not also serve games with checked rules.
        """
        if not isinstance(self.game.rules, SharedLibrary):
            return
        if not trusted:
            raise Refused(
                "unchecked-game",
                f"The rules of {self.id} cannot be checked, so its views need a token with the "
                "scope trusted.",
                "game",
            )
        if self.mixed:
            raise Refused(
                "unchecked-game",
                f"The rules of {self.id} cannot be checked, so {self.id} needs a server without "
                "games that are checked.",
                "game",
            )

    def agent(self, text: str, expert: bool) -> Agent:
        """Return the agent that a client names; this agent remembers only the current turn.

        `level:NAME` names a level. Only callers with the scope "expert" may send agent specs. Specs
        are read as data, so they cannot name files or code.
        """
        if text.startswith(LEVEL):
            level = text.removeprefix(LEVEL)
            if level not in self.levels:
                raise Refused(
                    "unknown-level",
                    f"{self.id} has no level {level[:50]!r}; it has {', '.join(self.levels)}.",
                    "agent",
                )
            # `auto` gets fixed sizes here, so all replicas have the same agent
            agent = agent_from(self.levels[level], self.game, timed=False)
            return replace(agent, remembers="turn")
        if not expert:
            raise Refused(
                "forbidden",
                "An agent spec needs the scope expert; name a level, such as "
                f"{LEVEL}{next(iter(self.levels))}.",
                "agent",
            )
        try:
            with as_data():
                agent = agent_from(text)  # `auto`, which depends on the machine, is refused
            agent.take_seat(self.game, 0, 0)  # a planner refuses a game that it cannot play
        except (NamesCode, ValueError, TypeError) as error:
            raise Refused("agent", str(error)[:500], "agent") from None
        if agent.cheats:
            raise Refused(
                "agent", "An agent that is told the true world cannot be served.", "agent"
            )
        return replace(agent, remembers="turn")

    def described(self) -> dict[str, Any]:
        """The game's description, for clients and the process that answers HTTP."""
        game = self.game
        return {
            "id": self.id,
            "text": text_of_game(game),
            "name": game.name,
            "summary": (inspect.getdoc(type(game)) or "").partition("\n")[0],
            "players": game.players,
            "seats": [game.player_name(seat) for seat in range(game.players)],
            "hides": game.hides,
            "cooperative": game.cooperative,
            "rules": rules_of(game),
            "fields": {name: list(game.state[name].shape) for name in fields_of(game)},
            "levels": self._levels(),
            "options": self._options(),
            "manual": self._manual(),
            "scene": self._picture(),
        }

    def _levels(self) -> list[dict[str, Any]]:
        """The levels. Each measured level has its result against the level before."""
        results = measured_levels(self.game, self.levels)
        return [
            {"id": name, "agent": text}
            | ({"measured": asdict(results[name])} if name in results else {})
            for name, text in self.levels.items()
        ]

    def _options(self) -> list[dict[str, Any]]:
        """The options of the game that people can choose, each with its current value."""
        return [
            {
                "name": name,
                "values": [*map(written, values)],
                "value": written(self.game.parameters[name]),
            }
            for name, values in options_of(self.game).items()
        ]

    def _manual(self) -> str:
        """The README of a game of Plyglass, in Markdown; empty for games from elsewhere."""
        if not type(self.game).__module__.startswith("plyglass."):
            return ""
        page = Path(inspect.getfile(type(self.game))).with_name("README.md")
        return page.read_text(encoding="utf-8") if page.is_file() else ""

    def _picture(self) -> dict[str, Any] | None:
        """The first seat's view, as a scene, in a random match; None if the game has no scenes."""
        game, choice = self.game, random.Random(0)
        world = game.start(PICTURED)
        found: dict[str, Any] | None = None
        for _ in range(PICTURED_ACTIONS):
            if world.to_move == 0:
                found = scene_of(game, world.hide(0))
            if world.over:
                break
            world.apply(choice.choice(list(world.legal())))
        return found


class Catalogue:
    """All games of a server."""

    def __init__(self, settings: Settings) -> None:
        self._served: dict[str, Served] = {}
        self._variants: dict[str, Served] = {}
        self._decides = settings.decide
        found = {name: game_from(text) for name, text in settings.games.items()}
        mixed = len({isinstance(game.rules, SharedLibrary) for game in found.values()}) > 1
        for name, game in found.items():
            levels = settings.levels.get(name, game.levels)
            for level in levels.values():
                if not is_auto(level):  # `auto` is resolved when somebody asks for the level
                    agent_from(level)  # raises an error if the text is not an agent spec
            self._served[name] = Served(name, game, dict(levels), mixed)

    def game(self, name: str, rules: str = "") -> Served:
        """Return the game with this id; refuse a client whose rules differ from the server's."""
        served = self._served.get(name) or self._variant(name)
        if served is None:
            raise Refused(
                "unknown-game",
                f"There is no game {name[:50]!r} here; there are {', '.join(self._served)}.",
                "game",
            )
        if rules not in ("", own := rules_of(served.game)):
            raise Refused(
                "other-rules",
                f"The server has other rules of {name} ({own}); update the client.",
                "rules",
            )
        return served

    def _variant(self, name: str) -> Served | None:
        """The variant that an id such as `tubstap:map=plains` names; None for an unknown game."""
        base, _, text = name.partition(OPTIONS)
        if base not in self._served or not text:
            return None
        try:
            parameters = chosen(self._served[base].game, text)
        except ValueError as error:
            raise Refused("options", str(error)[:500], "game") from None
        return self._made(base, parameters)

    def _made(self, base: str, parameters: Mapping[str, Any]) -> Served:
        """The variant of a game with these parameters. Its id names only the changed options."""
        served = self._served[base]
        changed = [
            f"{name}={written(value)}"
            for name in options_of(served.game)
            if (value := parameters.get(name, served.game.parameters[name]))
            != served.game.parameters[name]
        ]
        name = f"{base}{OPTIONS}{','.join(changed)}" if changed else base
        if name in self._served:
            return self._served[name]
        if name not in self._variants:
            try:
                game = served.game.variant(parameters)
            except ValueError as error:
                raise Refused("options", str(error)[:500], "game") from None
            if len(self._variants) == MOST_VARIANTS:
                del self._variants[next(iter(self._variants))]
            self._variants[name] = replace(served, id=name, game=game)
        return self._variants[name]

    def of_text(self, text: str) -> Served:
        """The served game that a record names, with the options that the record names."""
        for served in self._served.values():
            if text_of_game(served.game) == text:
                return served
        for name, served in self._served.items():
            for parameters in combinations(served.game):
                if text_of_game(served.game, parameters) == text:
                    return self._made(name, parameters)
        raise Refused("unknown-game", f"The game {text[:50]!r} is not served here.", "record")

    def warm(self, told: Callable[[str, int, int], None] = lambda *_: None) -> None:
        """Compile or load everything that requests need, so the first request is fast, too.

        Before each game, `told` is called with the game's id, the number of games loaded so far,
        and the number of all games.
        """
        for number, served in enumerate(self._served.values()):
            told(served.id, number, len(self._served))
            world = served.game.start(0)
            if self._decides and not isinstance(served.game.rules, SharedLibrary):
                admitted_view(served.game, 0, world.hide(0).row().tobytes())
            for text in served.levels.values():
                agent = agent_from(text, served.game)
                agent.warm(served.game)
                if agent.budget.iterations is None:
                    replace(agent, budget=Budget(iterations=1)).warm(served.game)

    def described(self) -> list[dict[str, Any]]:
        """The descriptions of all games, for clients and the front."""
        return [served.described() for served in self._served.values()]
