"""The pick: the agent that `auto` stands for in a game, with sizes that fit the budget.

The first rule that fits determines the pick, which is kept on disk beside compiled code. So every
later process uses the same agent, and a resumed run has the same players. If the game, its
parameters, the rules of `auto` or the class of the budget changes, `auto` makes a new pick.
"""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import plyglass
from plyglass.arena.auto.profile import Profile, own_opponent, profile_of
from plyglass.arena.auto.rules import RULES, Case, own_fits
from plyglass.arena.auto.sizes import seconds_per_iteration, sized
from plyglass.arena.match.record import rules_of
from plyglass.arena.specs import agent_from, text_of_agent
from plyglass.core.cache import make_private, root, say_not_writable, settings
from plyglass.core.game import Game
from plyglass.search.interface import Budget

FOLDER = "auto"
_known: dict[str, Pick] = {}


@dataclass(frozen=True)
class Pick:
    """The agent that a rule names for a game and a budget.

    Attributes:
        rule: the name of the rule.
        agent: the agent, as text with a budget.
        why: the reason for the planner, in a sentence.
        belief: the reason for the belief, in a sentence; "" if nothing is hidden.
        played: the result of the matches that `choose` played, in a sentence; "" if it played no
            matches.
    """

    rule: str
    agent: str
    why: str
    belief: str = ""
    played: str = ""

    @property
    def sentences(self) -> str:
        """All reasons, as one text."""
        return " ".join(filter(None, (self.why, self.belief, self.played)))


def pick(game: Game, budget: Budget) -> Pick:
    """Return the remembered pick for a game and a budget, or make a new pick and remember it."""
    found = remembered(game, budget)
    if found is None:
        found = _first(game, picks(game, budget))
        remember(game, budget, found)
    return found


def untimed_pick(game: Game, budget: Budget) -> Pick:
    """Return the first pick with fixed sizes, which is the same on every machine."""
    return _first(game, picks(game, budget, timed=False))


def _first(game: Game, found: Iterator[Pick]) -> Pick:
    first = next(found, None)
    if first is None:
        raise ValueError(f"auto found no planner that can play {game.name}; name an agent.")
    return first


def remembered(game: Game, budget: Budget) -> Pick | None:
    """Return the remembered pick with this budget, or None if no pick is remembered."""
    key = key_of(game, budget)
    found = _known.get(key) or _read(key)
    if found is None:
        return None
    _known[key] = found
    return replace(found, agent=_with_budget(found.agent, budget))


def picks(
    game: Game, budget: Budget, profile: Profile | None = None, *, timed: bool = True
) -> Iterator[Pick]:
    """Yield an agent for every rule that fits and whose planner can play the game, best first.

    A trial finds the agents' sizes; if `timed` is false, the sizes are fixed.
    """
    case = Case(profile or profile_of(game), budget)
    sizing = budget if timed else Budget(iterations=1)
    for rule in RULES:
        if not rule.fits(case):
            continue
        try:
            text = sized(game, rule.agent(case), sizing)
            agent_from(text).warm(game)
        except (ValueError, RuntimeError):  # a planner that cannot play this game says so
            continue
        own = rule.agent(case) == case.profile.own
        belief = "" if own else case.why_belief
        yield Pick(rule.name, _with_budget(text, budget), rule.why(case), belief)


def full_profile(game: Game) -> Profile:
    """Return the profile of a game, including the measured cost of a playout."""
    return replace(profile_of(game), playout_seconds=seconds_per_iteration(game))


def remember(game: Game, budget: Budget, found: Pick) -> None:
    """Remember a pick, in this process and on disk."""
    key = key_of(game, budget)
    _known[key] = found
    if (path := _path(key)) is None:
        return
    try:
        make_private(path.parent)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as partial:
            json.dump(asdict(found), partial)
        Path(partial.name).replace(path)
    except OSError as error:
        say_not_writable(error.strerror or str(error))


def forget() -> None:
    """Forget the picks of this process, but keep those on disk."""
    _known.clear()


def key_of(game: Game, budget: Budget) -> str:
    """Return the key under which a pick is kept.

    Budgets of one class usually share a pick. But some of them may be too small for the opponent
    that the game names. So the key also says whether this budget is large enough for that opponent.
    """
    seal = hashlib.blake2b(digest_size=10)
    parts = (
        rules_of(game),
        type(game).__qualname__,
        game.parameters,
        game.compiled,
        class_of(budget),
        own_fits(own_opponent(game), budget),
        settings(),
        plyglass.__version__,
        _version(),
    )
    seal.update(repr(parts).encode())
    return f"{game.name}-{seal.hexdigest()}"


def class_of(budget: Budget) -> str:
    """Return a budget's class: its time limit, rounded to a power of two, or "iterations"."""
    if budget.limit is None:
        return "iterations"
    unit = "seconds" if budget.seconds else "turn_seconds"
    return f"{unit} {2.0 ** round(math.log2(budget.limit)):g}"


@cache
def _version() -> str:
    """Return a digest of the rules of `auto`."""
    seal = hashlib.blake2b(digest_size=6)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        seal.update(file.read_bytes())
    return seal.hexdigest()


def _path(key: str) -> Path | None:
    top = root()
    return top / FOLDER / f"{key}.json" if top else None


def _read(key: str) -> Pick | None:
    """Return the pick on disk, or None if there is none or its file is invalid."""
    if (path := _path(key)) is None:
        return None
    try:
        found = Pick(**json.loads(path.read_text(encoding="utf-8")))
        agent_from(found.agent)
    except (OSError, ValueError, TypeError):
        return None
    return found


def _with_budget(text: str, budget: Budget) -> str:
    return text_of_agent(replace(agent_from(text), budget=budget))
