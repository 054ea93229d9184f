"""The glass wall: what a seat decides does not depend on what it cannot see.

Twins play the same seat with the same seed through random games. One is shown views of the truth,
the other views of worlds that were imagined to look the same to this seat, another one each time.
At every decision point both must think the same, to the last bit: the action, values, visits,
spread, line, effort, and how their beliefs fare.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from plyglass.arena.code_version import code_of
from plyglass.arena.match.agent import Agent, Player, Seat
from plyglass.arena.match.match import Move, show
from plyglass.arena.specs import game_from, text_of_agent
from plyglass.arena.tournament.settings import Settings
from plyglass.beliefs import Belief, Fresh, Particles
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import View, World
from plyglass.planners import PLANNERS, Random
from plyglass.search.interface import Budget, Decision, Planner

HIDDEN = (
    "battleship", "bear", "dark-hex", "duel", "duelyst:turns=2", "kuhn-poker", "leduc-poker",
    "navy", "phantom-tic-tac-toe",
    "rocksample", "skirmish:fog=true", "tiger", "tubstap:map=sandbox",
)  # fmt: skip
BELIEFS: tuple[Belief, ...] = (Fresh(), Particles(worlds=50, tries=4))


class Twins:
    """Two seats of one player, of which the second is never shown the truth's own views."""

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
        """What the one decides who was shown the truth's views."""
        return self._seats[0].decide()

    def think_alike(self) -> bool:
        """Let both decide, and compare all that they tell."""
        one, other = (thoughts(seat.decide()) for seat in self._seats)
        return one == other


def thoughts(decision: Decision) -> bytes:
    """All of a decision but its seconds, as bytes: equal for equal bits, and for nothing else."""
    return repr(replace(decision, seconds=0.0)).encode()


def decision_points(game: Game, player: Player, seed: int) -> Iterator[tuple[bool, bool]]:
    """(whether the twins think alike, whether the truth was swapped by another) at every
    decision of one random game.
    """
    twins = [
        Twins(player, game, seat, derive(seed, seat, Purpose.PLANNER))
        for seat in range(game.players)
    ]
    choice = np.random.default_rng(derive(seed, Purpose.TEST))
    world = game.start(derive(seed, Purpose.LUCK))
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
    """What was found of one planner in one game.

    Attributes:
        agent: the planner with its belief and budget, as text.
        points: decision points that were compared.
        differences: how many of them differed.
        swapped: at how many of them the truth was another; otherwise only the luck to come was.
        refusal: why the planner does not play this game, if it does not.
        code: the code that was tested.
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


def examine(
    name: str, agent: Agent, points: int, seed: int = 0, advance: Callable[[], None] = lambda: None
) -> Cell:
    """Compare as many decisions; `advance` is called after each."""
    if agent.cheats:
        raise ValueError(
            f"An agent with the belief {agent.belief.name} is given more than its views: there is "
            "no wall to look through."
        )
    game, text = game_from(name), text_of_agent(agent)
    cell = Cell(
        name,
        agent.planner.name,
        agent.belief.name,
        text,
        code=code_of(Settings((name,), {"any": "random"}).canonical),
    )
    refusal = _refusal(game, agent)
    if refusal:
        return replace(cell, refusal=refusal)
    for alike, swapped in _many_points(game, agent, points, seed):
        cell = replace(
            cell,
            points=cell.points + 1,
            differences=cell.differences + (not alike),
            swapped=cell.swapped + swapped,
        )
        advance()
    return cell


def agents(planners: Sequence[Planner], iterations: int) -> list[Agent]:
    """Each planner with every belief, or once if it uses none."""
    budget = Budget(iterations=iterations)
    return [
        Agent(planner, belief, budget)
        for belief in BELIEFS
        for planner in planners
        if not isinstance(planner, Random) or belief is BELIEFS[0]
    ]


def all_planners() -> list[Planner]:
    """Every planner with its default parameters."""
    return [planner() for planner in PLANNERS.values()]


class Findings:
    """Cells by game and agent; those in a file are not looked at again. A cell is written as
    soon as it is found.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        known = json.loads(path.read_text(encoding="utf-8")) if path and path.is_file() else []
        self._cells = {(each["game"], each["agent"]): Cell(**each) for each in known}

    def find(self, name: str, agent: Agent, points: int) -> Cell | None:
        """What is known of so many points or more."""
        cell = self._cells.get((name, text_of_agent(agent)))
        return cell if cell and (cell.refusal or cell.points >= points) else None

    def add(self, cell: Cell) -> None:
        self._cells[cell.game, cell.agent] = cell
        if self._path:
            lines = ",\n ".join(json.dumps(asdict(each)) for each in self._cells.values())
            part = self._path.with_suffix(".part")
            part.write_text(f"[{lines}]\n", encoding="utf-8")
            part.replace(
                self._path
            )  # whoever interrupts this finds the old file or the new one, never half of it


def _many_points(game: Game, agent: Agent, points: int, seed: int) -> Iterator[tuple[bool, bool]]:
    """The first decision points of as many games as it takes."""
    number = 0
    while points > 0:
        for found in decision_points(game, agent, derive(seed, number)):
            yield found
            points -= 1
            if points == 0:
                return
        number += 1


def _refusal(game: Game, agent: Agent) -> str:
    """Why the agent does not sit down to this game, or nothing."""
    try:
        agent.take_seat(game, 0, 0)
    except ValueError as error:
        return str(error)
    return ""
