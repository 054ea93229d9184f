"""Enumerate a small game: every position with its probability, and all information sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from plyglass.arena.audit.progress import Progress
from plyglass.arena.audit.tree_size import tree_size
from plyglass.arena.match.match import is_shown
from plyglass.core.game import Game
from plyglass.core.tape import deals, outcomes
from plyglass.core.world import View, World

MOST_POSITIONS = 1_000_000
START = 0

Seen = tuple[int | None, View]
Policy = Mapping[int, Sequence[float]]
"""The probability of each action at every information set, by the number of the set."""


@dataclass(frozen=True)
class InformationSet:
    """Decisions that a seat cannot distinguish, with the same memory and the same legal actions."""

    seat: int
    seen: tuple[Seen, ...]
    actions: tuple[int, ...]


@dataclass
class Position:
    """A position that is reached by one history.

    Attributes:
        seat: the seat to move, or -1.
        number: the number of the information set, or -1 if chance decides or the game is over.
        scores: the scores by seat.
        after: for every action, a (probability, index of the position) for each outcome.
    """

    seat: int
    number: int
    scores: tuple[float, ...]
    after: list[list[tuple[float, int]]] = field(default_factory=list)


@dataclass(frozen=True)
class Arrival:
    """A world that an action led to, with this action and the probability of its outcome.

    Attributes:
        before, place: the index of the position before, and the index of the action in its legal
            actions.
        chance: the probability of this outcome of the action.
        world: the world after the action.
        memories: what each seat remembered before the action.
        mover, action: the seat that moved and its action; -1 and None for the start position.
    """

    before: int
    place: int
    chance: float
    world: World
    memories: tuple[tuple[Seen, ...], ...]
    mover: int = -1
    action: int | None = None

    def remembered(self) -> tuple[tuple[Seen, ...], ...]:
        """Return each seat's memory, which grows if the seat has acted or its view has changed."""
        return tuple(
            self._remembered(seat, memory, self.world.hide(seat))
            for seat, memory in enumerate(self.memories)
        )

    def _remembered(self, seat: int, memory: tuple[Seen, ...], view: View) -> tuple[Seen, ...]:
        own_action = self.action if seat == self.mover else None
        shown = is_shown(own_action, view, memory[-1][1] if memory else None)
        return (*memory, (own_action, view)) if shown else memory


class WholeGame:
    """All positions of a game; predecessors come before successors, and position 0 is the deal.

    The class counts the positions before it enumerates them. It refuses a game with too many
    positions, and the error states the count.
    """

    def __init__(self, game: Game, progress: Progress | None = None) -> None:
        if game.discount != 1.0:
            raise ValueError(
                f"Cannot enumerate {game.name}: it discounts rewards, but only final scores count "
                "here."
            )
        size = tree_size(game)
        if size.positions > MOST_POSITIONS:
            raise ValueError(_too_many(game, str(size)))
        self.game = game
        self.sets: list[InformationSet] = []
        self._numbers: dict[tuple[int, tuple[Seen, ...]], int] = {}
        self.positions = [Position(-1, -1, (0.0,) * game.players, [[]])]
        waiting = [
            Arrival(START, 0, chance, world, ((),) * game.players) for chance, world in deals(game)
        ]
        while waiting:
            waiting += self._reach(waiting.pop())
            if progress:
                total = max(int(size.positions), len(self.positions))
                progress("positions enumerated", len(self.positions), total)

    @cached_property
    def members(self) -> list[list[int]]:
        """The positions of every information set."""
        found: list[list[int]] = [[] for _ in self.sets]
        for index, position in enumerate(self.positions):
            if position.number >= 0:
                found[position.number].append(index)
        return found

    def uniform(self) -> Policy:
        """Return the policy that gives every action the same probability."""
        return {
            number: [1.0 / len(each.actions)] * len(each.actions)
            for number, each in enumerate(self.sets)
        }

    def expected_scores(self, policies: Sequence[Policy]) -> tuple[float, ...]:
        """Return the expected score of each seat if all seats play by their policies."""
        values = [position.scores for position in self.positions]
        for index in range(len(self.positions) - 1, -1, -1):
            position = self.positions[index]
            if position.after:
                weights = [1.0] if position.number < 0 else policies[position.seat][position.number]
                values[index] = self._mixed(position, weights, values)
        return values[START]

    def reach(self, policies: Sequence[Policy], without: int) -> list[float]:
        """Return for each position the probability that chance and all seats but one lead there.

        The seat `without` is assumed to always play the actions that lead to the position.
        """
        chances = [0.0] * len(self.positions)
        chances[START] = 1.0
        for index, position in enumerate(self.positions):
            own = position.number < 0 or position.seat == without
            weights = (
                [1.0] * len(position.after) if own else policies[position.seat][position.number]
            )
            for weight, lines in zip(weights, position.after, strict=True):
                for chance, line in lines:
                    chances[line] = chances[index] * weight * chance
        return chances

    def _mixed(
        self, position: Position, weights: Sequence[float], values: Sequence[tuple[float, ...]]
    ) -> tuple[float, ...]:
        totals = [0.0] * self.game.players
        for weight, lines in zip(weights, position.after, strict=True):
            for chance, line in lines:
                for seat, value in enumerate(values[line]):
                    totals[seat] += weight * chance * value
        return tuple(totals)

    def _reach(self, arrival: Arrival) -> Iterator[Arrival]:
        """Add a position and yield the arrivals that follow from it."""
        world, index = arrival.world, len(self.positions)
        if index >= MOST_POSITIONS:
            raise ValueError(_too_many(self.game, f"more than {MOST_POSITIONS:,}"))
        self.positions[arrival.before].after[arrival.place].append((arrival.chance, index))
        seat, actions, memories = world.to_move, tuple(world.legal()), arrival.remembered()
        number = -1 if seat < 0 else self._number(seat, memories[seat], actions)
        self.positions.append(Position(seat, number, tuple(world.scores), [[] for _ in actions]))
        for place, action in enumerate(actions):
            for chance, after in outcomes(world, action):
                yield Arrival(index, place, chance, after, memories, seat, action)

    def _number(self, seat: int, memory: tuple[Seen, ...], actions: tuple[int, ...]) -> int:
        key = (seat, memory)
        if key not in self._numbers:
            self._numbers[key] = len(self.sets)
            self.sets.append(InformationSet(seat, memory, actions))
        return self._numbers[key]


def _too_many(game: Game, count: str) -> str:
    return (
        f"{game!r} has {count} positions, and at most {MOST_POSITIONS:,} can be enumerated; "
        "choose smaller parameters."
    )
