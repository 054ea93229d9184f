"""The glass wall tests that a seat's decisions do not depend on what the seat cannot see.

Two copies of a player, called twins, play the same seat with the same seed through random games.
One twin gets views of the true world. The other twin gets views of imagined worlds that look the
same to this seat; every view comes from a new imagined world. At every decision point, both twins
must agree to the last bit: action, values, visits, spread, line, effort, and the health of their
beliefs.
"""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np

from plyglass import games
from plyglass.arena.code_version import code_of
from plyglass.arena.match.agent import Agent, Player, Seat
from plyglass.arena.match.match import Move, first_position, show
from plyglass.arena.specs import agent_from, belief_from, game_from, is_auto, text_of_agent
from plyglass.arena.tournament.settings import Settings
from plyglass.beliefs import BELIEFS, Belief
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import View, World
from plyglass.extensions import Kind, Offer, offered, refused
from plyglass.planners import PLANNERS, Random
from plyglass.search.interface import Budget, Decision, Planner


class Twins:
    """Two seats of one player; the second seat never gets views of the true world."""

    def __init__(self, player: Player, game: Game, seat: int, seed: int) -> None:
        self._seats: tuple[Seat, Seat] = (
            player.take_seat(game, seat, seed),
            player.take_seat(game, seat, seed),
        )
        self._game, self._seed, self._shown = game, seed, 0
        self.swapped: World | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        self._shown += 1
        self.swapped = self._game.imagine(view, derive(self._seed, self._shown, Purpose.TEST))
        for seat, each in zip(self._seats, (view, self.swapped.hide(view.viewer)), strict=True):
            seat.observe(own_action, each)

    def decide(self) -> Decision:
        """Return the decision of the seat that got views of the true world."""
        return self._seats[0].decide()

    def think_alike(self) -> bool:
        """Let both twins decide, and compare everything in their decisions."""
        one, other = (thoughts(seat.decide()) for seat in self._seats)
        return one == other


def thoughts(decision: Decision) -> bytes:
    """Return everything in a decision except its seconds, as bytes."""
    told = {each.name: getattr(decision, each.name) for each in fields(decision) if each.repr}
    told["seconds"] = 0.0
    written = ", ".join(f"{name}={value!r}" for name, value in told.items())
    return f"Decision({written})".encode()


def decision_points(game: Game, player: Player, seed: int) -> Iterator[tuple[bool, bool]]:
    """Yield (whether the twins agree, whether the true world was swapped) for each decision.

    The decisions come from one random game, whose seeds are derived as in a match.
    """
    twins = [Twins(player, game, seat, derive(seed, seat + 1)) for seat in range(game.players)]
    choice = np.random.default_rng(derive(seed, 0, Purpose.TEST))
    world = first_position(game, seed)
    shown: list[View | None] = [None] * game.players
    show(world, twins, shown)
    while (mover := world.to_move) >= 0:
        yield twins[mover].think_alike(), twins[mover].swapped != world
        actions = world.legal()
        action = actions[choice.integers(len(actions))]
        world.apply(action)
        show(world, twins, shown, Move(mover, Decision(action, tuple(actions))))


@dataclass(frozen=True)
class Cell:
    """The findings on one agent in one game.

    Attributes:
        agent: the planner with its belief and budget, as text.
        points: the number of decision points that were compared.
        differences: the number of decision points at which the twins differed.
        swapped: the number of decision points at which the true and the imagined world differed in
            hidden information. At the other points, they differed only in future chance.
        refusal: the reason why the planner or the belief cannot play or finish this game.
        code: the code that was tested.
        seconds: the CPU seconds of the audit.
        shipped: whether the agent is the game's default opponent, with all its settings.
    """

    game: str
    planner: str
    belief: str
    agent: str
    points: int = 0
    differences: int = 0
    swapped: int = 0
    refusal: str = ""
    code: str = ""
    seconds: float = 0.0
    shipped: bool = False


def examine(
    name: str,
    agent: Agent,
    points: int,
    seed: int = 0,
    advance: Callable[[], None] = lambda: None,
    seconds: float = math.inf,
) -> Cell:
    """Compare up to `points` decisions within `seconds`; call `advance` after each decision."""
    if agent.cheats:
        raise ValueError(
            f"An agent with the belief {agent.belief.name} is given more than its views, so "
            "the glass wall cannot audit it; give it an honest belief."
        )
    game, text = game_from(name), text_of_agent(agent)
    cell = Cell(
        name,
        agent.planner.name,
        agent.belief.name,
        text,
        code=code_for(name),
        shipped=text == text_of_agent(shipped(name, agent.budget)),
    )
    began = time.process_time()
    try:
        for alike, swapped in _many_points(game, agent, points, seed):
            cell = replace(
                cell,
                points=cell.points + 1,
                differences=cell.differences + (not alike),
                swapped=cell.swapped + swapped,
                seconds=round(time.process_time() - began, 1),
            )
            advance()
            if cell.seconds >= seconds:
                break
    except (ValueError, RuntimeError) as error:  # raised to refuse a game
        return replace(cell, refusal=str(error))
    return cell


def code_for(name: str) -> str:
    """Return the version and digest of the code that decides in a game (see `code_of`)."""
    return code_of(Settings((name,), {"any": "random"}).canonical)


def shipped(name: str, budget: Budget) -> Agent:
    """Return the game's default opponent, with all its settings except the budget.

    The opponent's own budget is left out, because twins with a budget of time would not search
    equally long.
    """
    game = game_from(name)
    own = "auto:iterations=1" if is_auto(game.opponent) else game.opponent
    return replace(agent_from(own, game), budget=budget)


def agents(planners: Sequence[Planner], beliefs: Sequence[Belief], iterations: int) -> list[Agent]:
    """Return an agent for each planner and belief; the planner `random` gets only one belief."""
    budget = Budget(iterations=iterations)
    return [
        Agent(planner, belief, budget)
        for belief in beliefs
        for planner in planners
        if not isinstance(planner, Random) or belief is beliefs[0]
    ]


def hidden_games() -> list[str]:
    """Return every game with hidden information, from Plyglass and from packages, as text.

    If a game is too large to audit, its `audited` names the variant that is audited instead.
    """
    texts = []
    for name in (*games.names(), *(each.name for each in _loadable("game", games.names()))):
        audited = games.find(name).audited
        text = f"{name}:{audited}" if audited else name
        if game_from(text).hides:
            texts.append(text)
    return texts


def honest_beliefs() -> list[Belief]:
    """Return every belief that does not cheat, from Plyglass and from packages.

    A belief may name the parameters for its audit in `audited`. Other beliefs are audited with
    their default parameters.
    """
    offers = {each.name: each.load() for each in _loadable("belief", BELIEFS)}
    return [
        belief_from(f"{name}({getattr(belief, 'audited', '')})")
        for name, belief in {**BELIEFS, **offers}.items()
        if not belief.cheats
    ]


def all_planners() -> list[Planner]:
    """Return every planner, from Plyglass and from packages, with its default parameters."""
    offers = [each.load() for each in _loadable("planner", PLANNERS)]
    return [planner() for planner in (*PLANNERS.values(), *offers)]


def _loadable(kind: Kind, own: Collection[str]) -> Iterator[Offer]:
    """Yield the packages' classes that load; `plyglass games` says why the others do not load."""
    clashes = refused(kind, own)
    for each in offered(kind):
        with contextlib.suppress(ValueError):
            if each not in clashes and each.load():
                yield each


class Findings:
    """Stores cells by game and agent.

    Each cell is saved as soon as it is complete, and is not examined again.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        known = json.loads(path.read_text(encoding="utf-8")) if path and path.is_file() else []
        self._cells = {(each["game"], each["agent"]): Cell(**each) for each in known}

    def find(self, name: str, agent: Agent, points: int, seconds: float = math.inf) -> Cell | None:
        """Return the stored cell if this code made it with enough points or seconds, or else None.

        A stored refusal is always returned.
        """
        cell = self._cells.get((name, text_of_agent(agent)))
        if cell is None or cell.code != code_for(name):
            return None
        return cell if cell.refusal or cell.points >= points or cell.seconds >= seconds else None

    def add(self, cell: Cell) -> None:
        self._cells[cell.game, cell.agent] = cell
        if self._path:
            lines = ",\n ".join(json.dumps(asdict(each)) for each in self._cells.values())
            part = self._path.with_suffix(".part")
            part.write_text(f"[{lines}]\n", encoding="utf-8")
            part.replace(self._path)  # an interruption leaves the old file or the new one


def _many_points(game: Game, agent: Agent, points: int, seed: int) -> Iterator[tuple[bool, bool]]:
    """Yield decision points from as many random games as needed."""
    number = 0
    while points > 0:
        for found in decision_points(game, agent, derive(seed, number)):
            yield found
            points -= 1
            if points == 0:
                return
        number += 1
