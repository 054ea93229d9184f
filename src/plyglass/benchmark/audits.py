"""Audits of an agent without opponents: exploitability, regret, and calibration of its belief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.arena.audit.exploitability import exploitability_of, policy_of, whole_game
from plyglass.arena.audit.whole_game import Policy, WholeGame
from plyglass.arena.match.agent import Agent, Player, Seat
from plyglass.arena.specs import game_from
from plyglass.beliefs import Belief
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import View, World
from plyglass.planners import Expectiminimax
from plyglass.report.calibration import calibration
from plyglass.search.interface import Budget, Decision
from plyglass.stats.tails import student_quantile

MOST_SETS = 2_000  # the most information sets of a game whose exploitability is computed
BLIND_DRAWS = 64  # decisions per seed and information set if the agent does not search
EXACT = Agent(
    Expectiminimax(pruning="alpha-beta", deepening=False), budget=Budget(iterations=1_000_000_000)
)


@dataclass(frozen=True)
class Exploited:
    """How much a best response wins against an agent.

    Attributes:
        sets: the number of information sets in the game.
        value: the exploitability of the mean policy, which averages the played actions over all
            seeds.
        low, high: the 95 % interval of the value, by the jackknife over seeds. None if there are
            fewer than two seeds, or if leaving out a seed changes nothing.
        seeds: the number of seeds.
        by_visits: for each seed, the exploitability of the policy that plays actions in proportion
            to their visits. Empty if the agent reports no visits.
    """

    sets: int
    value: float
    low: float | None
    high: float | None
    seeds: int
    by_visits: tuple[float, ...] = ()


class _Recorder:
    """A player that records its decisions."""

    def __init__(self, player: Player) -> None:
        self._player, self.decisions = player, list[Decision]()

    @property
    def cheats(self) -> bool:
        return self._player.cheats

    def take_seat(self, game: Game, seat: int, seed: int) -> Seat:
        return _RecorderSeat(self, self._player.take_seat(game, seat, seed))


class _RecorderSeat:
    def __init__(self, owner: _Recorder, seat: Seat) -> None:
        self._owner, self._seat = owner, seat

    def observe(self, own_action: int | None, view: View) -> None:
        self._seat.observe(own_action, view)

    def decide(self) -> Decision:
        self._owner.decisions.append(self._seat.decide())
        return self._owner.decisions[-1]


def exploited(player: Player, text: str, seeds: int, seed: int) -> Exploited:
    """Return a player's exploitability: by the played actions, and by the visits of its search."""
    whole = whole_game(game_from(text))
    if len(whole.sets) > MOST_SETS:
        raise ValueError(
            f"{text} has {len(whole.sets):,} information sets; exploitability is computed only "
            f"for games with at most {MOST_SETS:,}."
        )
    policies, visits = list[Policy](), list[float]()
    for number in range(seeds):
        played, searched = _policies(player, whole, derive(seed, number))
        policies.append(played)
        if searched is not None:
            visits.append(exploitability_of(whole, searched))
    value = exploitability_of(whole, mean_policy(policies))
    without = [
        exploitability_of(whole, mean_policy(policies[:each] + policies[each + 1 :]))
        for each in range(seeds)
        if seeds > 1
    ]
    return Exploited(len(whole.sets), value, *jackknife(value, without), seeds, tuple(visits))


def _policies(player: Player, whole: WholeGame, seed: int) -> tuple[Policy, Policy | None]:
    """Return the policy of played actions, and a policy in proportion to visits (or None)."""
    recorder = _Recorder(player)
    played = policy_of(recorder, whole, policy="action", seed=seed)
    decisions = recorder.decisions
    if all(sum(each.visits) for each in decisions):
        shares = {
            number: [count / sum(each.visits) for count in each.visits]
            for number, each in enumerate(decisions)
        }
        return played, shares
    if any(each.values for each in decisions):
        return played, None
    more = [
        policy_of(player, whole, policy="action", seed=derive(seed, draw))
        for draw in range(1, BLIND_DRAWS)
    ]
    return mean_policy([played, *more]), None


def mean_policy(policies: Sequence[Policy]) -> Policy:
    """Return the mean of several policies' action probabilities at each information set."""
    return {
        number: np.mean([each[number] for each in policies], axis=0).tolist()
        for number in policies[0]
    }


def jackknife(value: float, without: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the jackknife's 95 % interval; `without` has the values that leave out one seed."""
    count = len(without)
    if count < 2:
        return None, None
    spread = float(np.var(without)) * (count - 1)
    if spread < 1e-18:
        return None, None
    half = student_quantile(0.975, count - 1) * spread**0.5
    return max(0.0, value - half), value + half


def enumerated_regret(player: Player, text: str, seed: int) -> float:
    """Return how much less a player's policy wins than the best policy, in a game for one player.

    In a game for one player, `exploitability` computes this regret.
    """
    whole = whole_game(game_from(text))
    return exploitability_of(whole, _policies(player, whole, seed)[0])


def position_regrets(
    player: Player, text: str, after: int, count: int, seed: int, skip: int = 0
) -> list[float]:
    """Return the regret of a player's action at each of several positions from random games.

    The game must have perfect information. The regret is the exact value of the best action minus
    the exact value of the chosen action. Each position is reached by `after` random actions.
    """
    game = game_from(text)
    if game.hides:
        raise ValueError(f"{text} hides information, so its positions have no exact values.")
    return [
        _regret(player, _position(game, after, derive(seed, number)), derive(seed, number, 1))
        for number in range(skip, count)
    ]


def _position(game: Game, after: int, seed: int) -> World:
    """Return a position with a choice of actions, reached by `after` random actions."""
    choice = np.random.default_rng(derive(seed, Purpose.TEST))
    while True:
        world = game.start(int(choice.integers(1 << 62)))
        for _ in range(after):
            if world.over:
                break
            legal = world.legal()
            world.apply(legal[choice.integers(len(legal))])
        if not world.over and len(world.legal()) > 1:
            return world


def _regret(player: Player, world: World, seed: int) -> float:
    mover = world.to_move
    seat = player.take_seat(world.game, mover, seed)
    seat.observe(None, world.hide(mover))
    values = exact_values(world)
    return max(values.values()) - values[seat.decide().action]


def exact_values(world: World) -> Mapping[int, float]:
    """Return the exact value of every action for the player to move, by search to the end."""
    seat = EXACT.take_seat(world.game, world.to_move, 0)
    seat.observe(None, world.hide(world.to_move))
    decision = seat.decide()
    return {
        action: float(value)
        for action, value in zip(decision.actions, decision.values, strict=True)
        if value is not None
    }


def belief_batch(belief: Belief, text: str, games: int, seed: int) -> tuple[float, float, int]:
    """Return the belief's Brier score, the expected Brier score, and the number of questions.

    The expected Brier score assumes that all predicted probabilities are correct.
    """
    found = calibration(game_from(text), belief, games, seed)
    return found.brier, found.expected_brier, len(found.predicted)
