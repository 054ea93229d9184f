"""Games from which nets learn: worlds, final scores, and values from a search.

There are two sources. In a game with perfect information and an evaluator, compiled code plays the
best turns by that evaluator, thousands of games a minute. In all other games, agents play matches.
With hidden information, choosing the best turn by an evaluator would be cheating, and honest
players reach different positions. Without an evaluator, all turns would count as equally good.

With either source, a player sometimes makes a random turn or action, and every seat draws its
evaluator from several. Otherwise all games would be alike, and the fit could not distinguish inputs
that are common from inputs that help to win.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from plyglass.arena.match.match import Move, first_position, show
from plyglass.arena.self_play import choose_turn
from plyglass.arena.specs import agent_from, game_from
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import address_of
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes, new_states
from plyglass.core.table import AFTER
from plyglass.core.verbs import copy_state, score, step, to_move
from plyglass.core.world import View
from plyglass.search.clock import Clock
from plyglass.search.interface import Budget, Decision
from plyglass.search.turn_results.best_turn import NONE, best_gamble, take
from plyglass.search.turn_results.results import address
from plyglass.search.turn_results.workspace import (
    RESULT,
    Pools,
    Terms,
    TurnEnumeration,
    borrow_memory,
)
from plyglass.search.values import evaluator_of

Numbers = npt.NDArray[np.float64]
NEWEST = 0.6  # the probability that a seat plays by the newest evaluator
MOST_TURNS = 1000


@kernel
def play_positions(table, memory, world, stream, dice, evaluators, rows, scores):
    """Play a game by the best turns of each seat's evaluator; return the number of positions.

    `rows` gets the position after every turn that does not end the game. If the game has a rule
    `after`, these are the positions before the chance event that ends a turn.
    """
    memory = borrow_memory(memory)
    look, places, count, mover = memory.look[0], memory.places, 0, to_move(table, world)
    while mover >= 0 and count < len(rows):
        look.evaluator = evaluators[mover]
        gamble = best_gamble(table, memory, world, mover)
        if gamble != NONE:
            mover = step(table, world, mover, gamble)
            continue
        chosen = choose_turn(table, memory, world, mover, stream, dice)
        found = address(table, look, 0, chosen)
        if (places[chosen].kind == RESULT or table[AFTER] != 0) and to_move(table, found) >= 0:
            copy_state(table, address_of(rows) + count * rows.shape[1], found)
            count += 1
        mover = take(table, memory, world, mover, chosen)
    for player in range(len(scores)):
        scores[player] = score(table, world, player)
    return count


@dataclass(frozen=True)
class Source:
    """How the games of a round are played.

    Attributes:
        game: the game, as text.
        evaluators: the evaluators from which each seat draws one, the newest last; "" is the game's
            own first evaluator.
        agent: an agent with `{}` for its evaluator, if agents play; "" for the best turns.
        first_agent: the agent of the first round, when there is no net yet.
        dice: the mean probability of a random turn or action.
        beam: the number of positions of a turn that are kept after each action; 0 for all.
        iterations: the budget of agents. A budget of time would make every run different.
    """

    game: str
    evaluators: tuple[str, ...] = ("",)
    agent: str = ""
    first_agent: str = ""
    dice: float = 0.15
    beam: int = 0
    iterations: int = 100

    def play(self, seed: int) -> GamePositions:
        """Play the game with this seed."""
        choice = np.random.default_rng(derive(seed, 7))
        game = game_from(self.game)
        names = [self._drawn(choice) for _ in range(game.players)]
        dice = self.dice * 2 * choice.random()
        if not self.agent:
            return _turns_of(self.game, self.beam).play(seed, names, dice)
        agents = [self.agent.format(name) if _is_net(name) else self.first_agent for name in names]
        return play_agents(game, agents, seed, dice, self.iterations)

    def _drawn(self, choice: np.random.Generator) -> str:
        if choice.random() < NEWEST:
            return self.evaluators[-1]
        return self.evaluators[choice.integers(len(self.evaluators))]


@dataclass(frozen=True, eq=False)
class GamePositions:
    """The positions of one game.

    Attributes:
        rows: the complete positions, including hidden information.
        scores: the final score of each player.
        movers: the player to move in each position.
        thought: the mover's expected score by the search that chose the action; NaN if no search
            did.
    """

    rows: Bytes
    scores: Numbers
    movers: npt.NDArray[np.int8]
    thought: Numbers


def _is_net(name: str) -> bool:
    return name.startswith("net(")


_kept: dict[tuple[str, int], TurnGames] = {}


def _turns_of(text: str, beam: int) -> TurnGames:
    if (text, beam) not in _kept:
        _kept[text, beam] = TurnGames(game_from(text), beam)
    return _kept[text, beam]


class TurnGames:
    """Games in compiled code, in which each seat plays the best turns by its evaluator."""

    def __init__(self, game: Game, beam: int = 0, room: int = 1 << 14) -> None:
        actions: Literal["all", "preferred"] = "preferred" if game.prefers else "all"
        turn = TurnEnumeration(actions, beam, room=room)
        turn.refuse(game)
        self._game = game
        self._pools = Pools(game, 0, Terms("", turn), Clock())
        self._world, self._stream = new_states(1, game.state)[0], np.zeros(1, np.uint64)
        self._rows = new_states(MOST_TURNS, game.state)

    def play(self, seed: int, names: list[str], dice: float) -> GamePositions:
        game, scores = self._game, np.zeros(self._game.players)
        evaluators = np.array([evaluator_of(game, name) for name in names], np.int64)
        self._world[:] = game.start(derive(seed, 0)).row()
        self._stream[0] = derive(seed, 1)
        count = play_positions(
            game.table, self._pools.memory, self._world.ctypes.data, self._stream.ctypes.data,
            dice, evaluators, self._rows, scores,
        )  # fmt: skip
        rows = self._rows[:count].copy()
        movers = [game.verbs.to_move(game.table, row.ctypes.data) for row in rows]
        return GamePositions(rows, scores, np.array(movers, np.int8), np.full(count, np.nan))


def play_agents(
    game: Game, agents: list[str], seed: int, dice: float, iterations: int
) -> GamePositions:
    """Let agents play a match in which some actions are random; every position is a sample."""
    choice, budget = np.random.default_rng(derive(seed, 8)), Budget(iterations=iterations)
    seats = [
        replace(agent_from(text, game), budget=budget).take_seat(
            game, number, derive(seed, number + 1)
        )
        for number, text in enumerate(agents)
    ]
    world, shown = first_position(game, seed), list[View | None]([None] * game.players)
    show(world, seats, shown)
    rows, movers, thought = list[Bytes](), list[int](), list[float]()
    while (mover := world.to_move) >= 0 and len(rows) < game.most_steps:
        rows.append(world.row())
        movers.append(mover)
        decision = seats[mover].decide()
        thought.append(_expected(decision))
        action = decision.action
        if choice.random() < dice:
            legal = world.legal()
            action = legal[choice.integers(len(legal))]
        world.apply(action)
        show(world, seats, shown, Move(mover, Decision(action, decision.actions)))
    return GamePositions(
        np.array(rows).reshape(len(rows), game.state.itemsize),
        np.array([world.score(player) for player in range(game.players)]),
        np.array(movers, np.int8),
        np.array(thought, np.float64),
    )


def _expected(decision: Decision) -> float:
    """The planner's value of the action that it chose."""
    if not decision.values or decision.action not in decision.actions:
        return float("nan")
    value = decision.values[decision.actions.index(decision.action)]
    return float("nan") if value is None else float(value)
