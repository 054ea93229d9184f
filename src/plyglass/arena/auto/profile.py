"""The profile of a game: what a few random games tell about the game.

The random games have fixed seeds and fixed lengths, so a game always has the same profile. The only
exception is the time of a playout, which a clock measures.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import fmean, pstdev

import numpy as np

from plyglass.arena.match.agent import Agent
from plyglass.arena.specs import agent_from, is_auto
from plyglass.core.game import Game
from plyglass.core.state import HEADER_BYTES
from plyglass.core.world import World
from plyglass.planners import UCT

GAMES = 48
MOST_ACTIONS = 1500  # in all random games together
EXAMINED = 240  # positions whose views and chance are examined
LEAST_LINKED = 4  # the fewest games for a correlation


@dataclass(frozen=True)
class Profile:
    """What a few random games tell about a game.

    Attributes:
        game: the name of the game.
        players, cooperative, discount: the game's own values.
        hidden: the share of views in which `hide` changed a byte.
        unseen: the share of positions in which another player cannot tell two actions apart.
        deals: whether two games can start differently.
        chance: the share of actions whose result depends on chance.
        choices, most_choices: the mean and the largest number of legal actions.
        turn: the mean number of actions in a turn; 1 if the whole game is one turn.
        length: the mean number of actions in a game.
        size: the estimated number of action sequences (Knuth 1975), the mean over random games.
        spread: the standard deviation of final scores, after scaling the declared range to 0 to 1.
            The spread is 0.5 if half of the games end with the lowest score and half with the
            highest.
        foretells: the correlation between the score after three quarters of a game and the final
            score.
        rules: the optional rules of the game.
        evaluators, policies, trackers: what the game offers to planners and beliefs.
        own: the game's default opponent; "" if the default opponent is `auto` or plain UCT.
        state_bytes: the size of a state.
        playout_seconds: the seconds of one UCT iteration (tree and playout) from the start
            position.
    """

    game: str
    players: int
    cooperative: bool
    discount: float
    hidden: float
    unseen: float
    deals: bool
    chance: float
    choices: float
    most_choices: int
    turn: float
    length: float
    size: float
    spread: float
    foretells: float
    rules: tuple[str, ...]
    evaluators: tuple[str, ...]
    policies: tuple[str, ...]
    trackers: tuple[str, ...]
    own: str
    state_bytes: int
    playout_seconds: float = field(default=0.0, compare=False)

    @property
    def opposed(self) -> bool:
        """Whether players compete: the game has several players, and is not cooperative."""
        return self.players > 1 and not self.cooperative

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the profile as pairs of a name and a value, for people to read."""
        together = " together" if self.cooperative and self.players > 1 else ""
        yield "players", f"{self.players}{together}"
        yield "hidden", f"{self.hidden:.0%} of views" if self.hidden else "nothing"
        if self.hidden:
            yield "unseen actions", f"{self.unseen:.0%} of positions"
        dealt = "deals, " if self.deals else ""
        yield (
            "chance",
            f"{dealt}{self.chance:.0%} of actions"
            if self.chance
            else ("deals only" if self.deals else "none"),
        )
        yield "choices", f"{self.choices:.1f} on average, at most {self.most_choices} seen"
        yield "actions a turn", f"{self.turn:.1f}"
        yield "actions a game", f"{self.length:.0f}"
        yield "action sequences", f"about {self.size:.0e}"
        yield "final scores", f"spread {self.spread:.2f} of their range"
        yield "score foretells", f"correlation {self.foretells:.2f} with the final score"
        for name in ("rules", "evaluators", "policies", "trackers"):
            if offered := getattr(self, name):
                yield name, ", ".join(offered)
        if self.own:
            yield "own opponent", self.own
        yield "state", f"{self.state_bytes} bytes"
        if self.playout_seconds:
            yield "playout", f"{1e6 * self.playout_seconds:.1f} microseconds"


@dataclass
class Tallies:
    """The counts and lists that random games give."""

    choices: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)  # by game
    sizes: list[float] = field(default_factory=list)
    hidden: list[bool] = field(default_factory=list)
    unseen: list[bool] = field(default_factory=list)
    chance: list[bool] = field(default_factory=list)
    late: list[float] = field(default_factory=list)  # scores of the first player, by game
    ends: list[float] = field(default_factory=list)


OPTIONAL = ("represent", "prefer", "perturb", "features", "after", "place")


def profile_of(game: Game, seed: int = 0) -> Profile:
    """Return the profile of a game, without the cost of a playout."""
    found, chooser = Tallies(), random.Random(seed)
    for number in range(GAMES):
        _walk(game.start(seed + number), found, chooser)
        if sum(found.lengths) >= MOST_ACTIONS:
            break
    offered = {
        "represent": game.represents,
        "prefer": game.prefers,
        "perturb": game.perturbs,
        "features": game.describes,
        "after": game.foresees,
        "place": bool(game.trackers),
    }
    return Profile(
        game=game.name,
        players=game.players,
        cooperative=game.cooperative,
        discount=game.discount,
        hidden=_share(found.hidden),
        unseen=_share(found.unseen),
        deals=len({game.start(seed + number) for number in range(GAMES)}) > 1,
        chance=_share(found.chance),
        choices=fmean(found.choices) if found.choices else 0.0,
        most_choices=max(found.choices, default=0),
        turn=sum(found.lengths) / max(1, sum(found.turns)) if game.has_turns else 1.0,
        length=fmean(found.lengths),
        size=fmean(found.sizes),
        spread=pstdev([game.success(each) for each in found.ends]),
        foretells=_correlation(found.late, found.ends),
        rules=tuple(name for name in OPTIONAL if offered[name]),
        evaluators=tuple(game.evaluators),
        policies=tuple(game.policies),
        trackers=tuple(game.trackers),
        own=own_opponent(game),
        state_bytes=game.state.itemsize,
    )


def own_opponent(game: Game) -> str:
    """Return the game's default opponent as text; "" if this opponent is `auto` or plain UCT."""
    if is_auto(game.opponent):
        return ""
    own = agent_from(game.opponent)
    return "" if own == Agent(UCT(), budget=own.budget) else game.opponent


def _walk(world: World, found: Tallies, chooser: random.Random) -> None:
    """Play a random game, and add its choices, turns, length and scores to `found`."""
    length, turns, product, size = 0, 0, 1.0, 0.0
    scores, turn = [world.score(0)], None
    while not world.over and length < MOST_ACTIONS:
        actions = world.legal()
        found.choices.append(len(actions))
        product = min(1e300, product * len(actions))
        size += product
        if (here := (world.to_move, int(world.record["ply"]))) != turn:
            turn, turns = here, turns + 1
        if len(found.chance) < EXAMINED:
            _examine(world, actions, found, chooser)
        world.apply(chooser.choice(actions))
        length += 1
        scores.append(world.score(0))
    found.lengths.append(length)
    found.turns.append(turns)
    found.sizes.append(size)
    found.late.append(scores[max(0, min(3 * len(scores) // 4, len(scores) - 2))])
    found.ends.append(scores[-1])


def _examine(world: World, actions: list[int], found: Tallies, chooser: random.Random) -> None:
    """Examine one position: what its views hide, and what its actions leave to chance."""
    game, mover = world.game, world.to_move
    for seat in range(game.players):
        found.hidden.append(_body(world.hide(seat).row()) != _body(world.row()))
    action = chooser.choice(actions)
    after, again = world.copy(), world.copy()
    again.change_luck(chooser.getrandbits(63))
    after.apply(action)
    again.apply(action)
    found.chance.append(after != again)
    others = [each for each in actions if each != action]
    if game.players > 1 and others:
        other = world.copy()
        other.apply(chooser.choice(others))
        seat = (mover + 1) % game.players
        alike = _body(after.hide(seat).row()) == _body(other.hide(seat).row())
        found.unseen.append(alike and after != other)


def _body(row: np.ndarray) -> bytes:
    return row[HEADER_BYTES:].tobytes()


def _share(seen: list[bool]) -> float:
    return sum(seen) / len(seen) if seen else 0.0


def _correlation(ones: list[float], others: list[float]) -> float:
    """Return the correlation of two lists; 0 if the values in one list are all equal."""
    if len(ones) < LEAST_LINKED or len(set(ones)) < 2 or len(set(others)) < 2:
        return 0.0
    return float(np.corrcoef(ones, others)[0, 1])
