"""Pace: the number of iterations for which an agent needs as much CPU time as a reference.

The iterations of references are part of the suite. An agent gets the iterations that cost as much
CPU time as the first reference takes in the same matches on the same machine. Only the ratio of two
speeds is measured, so results from fast and slow machines can be compared. Matches are then played
with this number of iterations, so a busy machine cannot change the results.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from plyglass.arena.match.agent import Agent, Player, Seat
from plyglass.arena.match.match import play
from plyglass.arena.specs import game_from, player_from
from plyglass.benchmark.suite import Contest, Suite
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import View
from plyglass.search.interface import Decision
from plyglass.search.threads import one_thread

ROUNDS = 8  # the most tries
NEAR = 0.1  # the relative difference of CPU times that is close enough
DECISIONS = 20  # the decisions of each agent in a try
FAR = 2.0  # a ratio of CPU times that cannot be noise
MOST_STEP = 16.0  # the largest factor between the iterations of two tries
MOST_ITERATIONS = 1_000_000
NO_GAIN = 1.15  # if far more iterations cost at most this factor, the planner does not use them
_BUDGET = re.compile(r"[:,](iterations|seconds|turn_seconds)=")


@dataclass(frozen=True)
class Try:
    """One try: the agent's iterations, and both players' CPU milliseconds per decision."""

    iterations: int
    ms: float
    reference_ms: float


@dataclass(frozen=True)
class Pace:
    """The budget of an agent in a game.

    Attributes:
        iterations: the iterations at equal time. None if the agent uses no budget.
        ms: the agent's CPU milliseconds per decision at these iterations.
        reference_ms: the reference's CPU milliseconds per decision in the same matches.
        equal_ms: the agent's CPU milliseconds per decision at the iterations of the suite.
        tries: every try, in order.
    """

    iterations: int | None
    ms: float
    reference_ms: float
    equal_ms: float
    tries: tuple[Try, ...]


def with_iterations(text: str, iterations: int | None) -> str:
    """Return the text of an agent with this budget of iterations; None means no budget."""
    if iterations is None:
        return text
    return f"{text}{',' if ':' in text else ':'}iterations={iterations}"


def refuse_budget(text: str) -> None:
    """Refuse an agent that cheats, or that has a budget of its own."""
    outside = re.sub(r"\([^()]*\)", "", text)
    if found := _BUDGET.search(outside):
        raise ValueError(
            f"The agent {text!r} sets {found[1]}, but the suite sets the budget of every agent; "
            f"leave out {found[1]}."
        )
    if player_from(text).cheats:
        raise ValueError(
            f"The agent {text!r} is given more than its views, so it cannot be compared; give it "
            "a belief that does not cheat."
        )


class Timed:
    """A player whose CPU time is measured."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.seconds, self.decisions = 0.0, 0

    @property
    def cheats(self) -> bool:
        """Whether the player is given more than its views."""
        return self._player.cheats

    def take_seat(self, game: Game, seat: int, seed: int) -> Seat:
        """Take a seat whose CPU time is measured."""
        return _TimedSeat(self, self._player.take_seat(game, seat, seed))

    @property
    def ms(self) -> float:
        """The mean CPU milliseconds of a decision, including the observations before it."""
        return 1000 * self.seconds / max(1, self.decisions)


class _TimedSeat:
    """A seat that adds its CPU time to the player's CPU time."""

    def __init__(self, owner: Timed, seat: Seat) -> None:
        self._owner, self._seat = owner, seat

    def observe(self, own_action: int | None, view: View) -> None:
        began = time.process_time()
        self._seat.observe(own_action, view)
        self._owner.seconds += time.process_time() - began

    def decide(self) -> Decision:
        began = time.process_time()
        decision = self._seat.decide()
        self._owner.seconds += time.process_time() - began
        self._owner.decisions += 1
        return decision


def timed(game: Game, agents: Sequence[str], seed: int) -> tuple[float, float]:
    """Return the CPU milliseconds per decision of each of two agents, in matches between them."""
    pair = [Timed(player_from(text)) for text in agents]
    number = 0
    with one_thread():
        while min(each.decisions for each in pair) < DECISIONS and number < 4 * DECISIONS:
            seats = pair if number % 2 == 0 else pair[::-1]
            play(game, seats, seed=derive(seed, number, Purpose.TEST))
            number += 1
    return pair[0].ms, pair[1].ms


def calibrate(suite: Suite, contest: Contest, text: str) -> Pace:
    """Find the iterations at which an agent is as fast as the first reference of the suite."""
    game = game_from(contest.game)
    reference = next(iter(suite.references.values()))
    opponent = with_iterations(reference, contest.iterations[0])
    player = player_from(text)
    for each in (player, player_from(reference)):
        if isinstance(each, Agent):
            each.warm(game)
    if not isinstance(player, Agent):
        ms, other = timed(game, (text, opponent), suite.seed)
        return Pace(None, ms, other, ms, (Try(0, ms, other),))
    equal = with_iterations(text, suite.iterations)
    equal_ms, _ = timed(game, (equal, with_iterations(reference, suite.iterations)), suite.seed)
    best, tries = _tried(game, text, opponent, suite)
    return Pace(best.iterations, best.ms, best.reference_ms, equal_ms, tries)


def _tried(game: Game, text: str, opponent: str, suite: Suite) -> tuple[Try, tuple[Try, ...]]:
    """Return the try in which both players' CPU times are closest to each other, and all tries."""
    tries: list[Try] = []
    iterations = suite.iterations
    for number in range(ROUNDS):
        agents = with_iterations(text, iterations), opponent
        tries.append(Try(iterations, *timed(game, agents, derive(suite.seed, number))))
        following = next_iterations(tries)
        if _distance(tries[-1]) < 1 + NEAR or following == iterations or _uses_no_more(tries):
            break
        iterations = following
    return min(tries, key=lambda each: (_distance(each), each.iterations)), tuple(tries)


def next_iterations(tries: Sequence[Try]) -> int:
    """Return the iterations to try next.

    A decision is assumed to cost a fixed time, and a further time for each iteration. Two tries
    determine these two times. After only one try, or if two tries contradict each other, the
    iterations are multiplied by the ratio of CPU times instead. If contradicting tries are far from
    equal time, the iterations change by the largest factor, `MOST_STEP`.
    """
    now = tries[-1]
    share = now.reference_ms / max(now.ms, 1e-6)
    wanted = now.iterations * share
    others = [each for each in tries[:-1] if each.iterations != now.iterations]
    if others:
        near = min(others, key=lambda each: abs(each.ms - each.reference_ms))
        slope = (now.ms - near.ms) / (now.iterations - near.iterations)
        if slope > 0:
            wanted = now.iterations + (now.reference_ms - now.ms) / slope
        elif _distance(now) > FAR:
            wanted = now.iterations * (MOST_STEP if share > 1 else 1 / MOST_STEP)
    low, high = now.iterations / MOST_STEP, now.iterations * MOST_STEP
    return min(MOST_ITERATIONS, max(1, round(min(high, max(low, wanted)))))


def _uses_no_more(tries: Sequence[Try]) -> bool:
    """Return whether an earlier try with a hundredth of the iterations took about as long."""
    now = tries[-1]
    few = [each for each in tries if 100 * each.iterations <= now.iterations]
    return bool(few) and now.ms < NO_GAIN * min(each.ms for each in few)


def _distance(each: Try) -> float:
    share = max(each.ms, 1e-6) / max(each.reference_ms, 1e-6)
    return round(max(share, 1 / share), 2)
