"""`choose`: a knock-out between the pick of `auto` and its alternatives; the winner is remembered.

    first half of the time:  the pick plays the last alternative, the others play each other
    second half:             the winners of these two meetings play each other
    answer:                  the pick, unless another agent won more than half of the points

A meeting of two agents plays deals until its time is over or the result is clear. In a game of two
opponents, a deal is two matches with the seats swapped, and a match gives 1, 0.5 or 0 points. In a
game of more opponents, the first agent takes each seat of a deal in turn, and the second agent
takes the other seats. The first agent's score is compared with the score in the same seat of a
match in which the second agent takes all seats. In a game of one player, or of players who win
together, each agent plays one match of a deal.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from plyglass.arena.auto.pick import Pick, full_profile, picks, remember, remembered
from plyglass.arena.auto.profile import Profile
from plyglass.arena.match.agent import Agent
from plyglass.arena.match.match import play
from plyglass.arena.specs import agent_from
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.search.interface import Budget
from plyglass.search.threads import one_thread
from plyglass.stats.pairs import Tally
from plyglass.stats.sequential import ConfidenceSequence

ALTERNATIVES = 3
FEWEST = 2  # the fewest deals of a meeting, however little time there is
FIRST_ROUND = 0.5  # share of the time
Told = Callable[[float, str], object]


@dataclass(frozen=True)
class Meeting:
    """The result of a meeting: two agents on the same deals.

    Attributes:
        first, second: the agents, as text.
        deals, games: the numbers of deals and matches.
        points: the first agent's share of the points, with a 95 % interval over deals.
    """

    first: str
    second: str
    deals: int
    games: int
    points: float
    low: float
    high: float

    @property
    def winner(self) -> str:
        return self.first if self.points >= 0.5 else self.second

    @property
    def sentence(self) -> str:
        return (
            f"{self.first} won {self.points:.1%} of the points ({self.low:.1%} to {self.high:.1%}, "
            f"{self.games} games) against {self.second}."
        )


@dataclass(frozen=True)
class Choice:
    """The answer of `choose`.

    Attributes:
        spec: the chosen agent, as text.
        why: the reasons, in sentences.
        profile: the game's profile from random games; None if the answer was remembered.
        picks: the agents that were considered, best first by the rules.
        meetings: the matches that were played, by meeting.
    """

    spec: str
    why: str
    profile: Profile | None = None
    picks: tuple[Pick, ...] = ()
    meetings: tuple[Meeting, ...] = ()

    @property
    def agent(self) -> Agent:
        """The chosen agent."""
        return agent_from(self.spec)


def choose(
    game: Game,
    *,
    seconds: float = 0.1,
    minutes: float = 2.0,
    seed: int = 0,
    again: bool = False,
    told: Told = lambda share, sentence: None,
) -> Choice:
    """Choose an agent for a game by matches, and remember it as the game's agent `auto`.

    Args:
        seconds: the time of each decision.
        minutes: the time that all matches together may take; with 0, no match is played.
        seed: the random seed of the matches.
        again: whether to play even if an earlier choice is remembered.
        told: a function that is called with the share of the time that has passed, and the latest
            result.
    """
    budget = Budget(seconds=seconds)
    known = remembered(game, budget)
    if known and known.played and not again:
        return Choice(known.agent, known.sentences)
    profile = full_profile(game)
    found = tuple(itertools.islice(picks(game, budget, profile), 1 + ALTERNATIVES))
    if minutes <= 0 or len(found) == 1:
        return Choice(found[0].agent, found[0].sentences, profile, found)
    meetings = tuple(_bracket(game, found, 60 * minutes, seed, told))
    spec = meetings[-1].winner
    chosen = next(each for each in found if each.agent == spec)
    chosen = replace(chosen, played=meetings[-1].sentence)
    remember(game, budget, chosen)
    return Choice(spec, chosen.sentences, profile, found, meetings)


def _bracket(
    game: Game, found: Sequence[Pick], seconds: float, seed: int, told: Told
) -> Iterator[Meeting]:
    """Yield the meetings of a knock-out; the last one is the final."""
    left = [each.agent for each in found]
    rounds = 1 if len(left) == 2 else 2
    over = 0.0
    while len(left) > 1:
        share = FIRST_ROUND if rounds == 2 and over == 0.0 else 1.0 - over
        couples = [(left[at], left[-1 - at]) for at in range(len(left) // 2)]
        kept = [left[len(left) // 2]] if len(left) % 2 else []
        winners = []
        for first, second in couples:
            meeting = meet(game, first, second, seconds * share / len(couples), seed)
            over += share / len(couples)
            told(over, meeting.sentence)
            winners.append(meeting.winner)
            yield meeting
        left = winners + kept


def meet(
    game: Game, first: str, second: str, seconds: float, seed: int = 0, deals: int = 10**6
) -> Meeting:
    """Let two agents play the same deals until the time is over or the result is clear."""
    agents, tally = (agent_from(first), agent_from(second)), Tally()
    clear = ConfidenceSequence(-1.0, 1.0)
    for each in agents:
        each.warm(game)
    began = time.monotonic()
    with one_thread():
        for deal in range(deals):
            points = points_of_deal(game, agents, derive(seed, deal))
            tally.add(sum(points), len(points))
            state = clear.add(2 * sum(points) / len(points) - 1)
            late = time.monotonic() - began >= seconds
            if deal + 1 >= FEWEST and (late or state.decision != "continue"):
                break
    low, high = (1 + state.low) / 2, (1 + state.high) / 2
    return Meeting(first, second, tally.pairs, tally.games, tally.interval()[0], low, high)


def points_of_deal(game: Game, agents: tuple[Agent, Agent], seed: int) -> list[float]:
    """Return the points of the first agent in every match of a deal."""
    first, second = agents
    if game.players == 2 and not game.cooperative:
        orders = (first, second), (second, first)
        return [
            _points(play(game, order, seed=seed).scores, seat) for seat, order in enumerate(orders)
        ]
    usual = play(game, [second] * game.players, seed=seed).scores
    if game.players == 1 or game.cooperative:
        own = play(game, [first] * game.players, seed=seed).scores
        return [_gain(game, own[0], usual[0])]
    gains = []
    for seat in range(game.players):
        seated = [first if each == seat else second for each in range(game.players)]
        gains.append(_gain(game, play(game, seated, seed=seed).scores[seat], usual[seat]))
    return gains


def _gain(game: Game, own: float, usual: float) -> float:
    """Return 0.5 points if `own` equals `usual`, more if `own` is higher, less if it is lower."""
    return float(0.5 + (game.success(own) - game.success(usual)) / 2)


def _points(scores: Sequence[float], seat: int) -> float:
    """Return 1, 0.5 or 0 points for a won, drawn or lost match."""
    own, other = scores[seat], scores[1 - seat]
    return 1.0 if own > other else 0.5 if own == other else 0.0
