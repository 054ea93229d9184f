"""Review a recorded match: expected success, mistakes and luck, decision by decision."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from plyglass.arena.match.agent import Agent, Player
from plyglass.arena.match.match import is_shown
from plyglass.arena.match.record import Record, game_given, position, refuse_other_ply, seen_by
from plyglass.arena.review.continuation import (
    Cancelled,
    Continuation,
    Seen,
    imagined,
    quick_agent_of,
    refuse_cancelled,
    reviewer_of,
)
from plyglass.core.display import html_table
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import World
from plyglass.search.interface import Budget, Decision
from plyglass.stats.paired import paired_t

MARKS = ((0.15, "??"), (0.10, "?"), (0.05, "?!"))  # regret from which a decision gets a mark
CERTAIN = 0.99  # the level of a mark's interval: high, because a match has many decisions
PAIRS = 64
OTHER_LUCKS = 16
LEAST_SHOWN = 0.005  # a smaller number would be shown as 0 points
CONFIRMED = 10  # before a decision gets a mark, it is searched with this many times the effort

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Reviewed:
    """A decision of a recorded match.

    Attributes:
        ply: the number of actions before the decision.
        player, action, best: the player who decided, the action played, and the reviewer's choice.
        chance: the success from 0 to 1 that the reviewer expects of its best action; None if the
            reviewer gives no values.
        regret: how much success the played action gives away. The search estimates the regret. If
            continuations are played, they give a second estimate, and the smaller estimate counts.
        low, high: the 99 % interval of the regret in continuations; None if the regret is too small
            for a mark, so no continuation was played.
        mark: "?!" for a regret of at least 5 points, "?" for at least 10, "??" for at least 15. The
            mark is empty if the regret is smaller, or if the interval includes 0.
        luck: the expected success after this action, minus the mean expected success over other
            chance outcomes; 0 if chance had no part, None if the luck is unknown.
    """

    ply: int
    player: int
    action: int
    best: int
    chance: float | None
    regret: float
    low: float | None
    high: float | None
    mark: str
    luck: float | None


@dataclass(frozen=True)
class Review:
    """All reviewed decisions of a match."""

    game: Game
    plies: tuple[Reviewed, ...]

    def by_choices(self, player: int) -> float:
        """The success that a player gave away by marked decisions."""
        return sum(each.regret for each in self.plies if each.player == player and each.mark)

    def by_luck(self, player: int) -> float:
        """The success that chance gave a player; a negative number is success that chance took."""
        return sum(_share(self.game, each, player) * (each.luck or 0.0) for each in self.plies)

    def chance_of(self, each: Reviewed, player: int) -> float | None:
        """The success that a player could expect before a decision; None if it is not known."""
        share = _share(self.game, each, player)
        if each.chance is None or share == 0:
            return None
        return each.chance if share > 0 else 1.0 - each.chance

    def sentences(self) -> list[str]:
        """A sentence for each player: what choices lost, and what luck gave or took."""
        return [
            f"{self.game.player_name(player)} lost {100 * self.by_choices(player):.0f} points by "
            f"choices; luck gave {round(100 * self.by_luck(player)):+d}."
            for player in range(self.game.players)
        ]

    def rows(self) -> list[tuple[str, ...]]:
        """A table row for every decision, for people to read."""
        name = self.game.action_name
        return [
            (
                str(each.ply + 1),
                self.game.player_name(each.player),
                name(each.action) + each.mark,
                "" if each.chance is None else f"{100 * each.chance:.0f}",
                f"{100 * each.regret:.0f}" if each.regret >= LEAST_SHOWN else "",
                name(each.best) if each.mark else "",
                f"{100 * luck:+.0f}" if abs(luck := each.luck or 0.0) >= LEAST_SHOWN else "",
            )
            for each in self.plies
        ]

    def _repr_html_(self) -> str:
        return html_table(COLUMNS, self.rows())


COLUMNS = ("", "player", "action", "chance", "regret", "better", "luck")


def _share(game: Game, each: Reviewed, player: int) -> int:
    """How a gain of the deciding player counts for `player`: 1 as a gain, -1 as a loss, or 0."""
    if game.cooperative or each.player == player:
        return 1
    return -1 if game.players == 2 else 0


def review(
    record: Record,
    *,
    plies: Iterable[int] | None = None,
    game: Game | None = None,
    agent: Agent | None = None,
    play_on: Player | None = None,
    pairs: int = PAIRS,
    seed: int = 0,
    told: Told | None = None,
    cancelled: Cancelled | None = None,
) -> Review:
    """Judge the decisions of a recorded match, each from the views of the player who decided.

    `agent` searches every position. If the agent finds an action that is better by 5 points or
    more, it searches again with ten times the effort. If the action is still better, both actions
    are compared in `pairs` worlds, in which `play_on` plays all seats to the end. A decision gets a
    mark only if the search finds enough regret, and the 99 % interval of the difference in these
    continuations excludes 0. `told` is called with the number of decisions that are done, and the
    number of all decisions. If `cancelled()` becomes true, the review ends with `ReviewCancelled`.
    """
    game = game_given(record, game)
    agent, play_on = agent or reviewer_of(game), play_on or quick_agent_of(game)
    work = _Work(record, game, agent, play_on, seed, cancelled)
    wanted = range(len(record.moves)) if plies is None else sorted(set(plies))
    found = []
    for number, ply in enumerate(wanted):
        found.append(work.reviewed(ply, pairs))
        if told:
            told(number + 1, len(wanted))
    return Review(game, tuple(found))


@dataclass(frozen=True)
class _Judged:
    """The best action by a search, its success, and the regret of the action played."""

    best: int
    chance: float | None
    regret: float | None  # None if the search did not value one of the two actions

    @property
    def suspicious(self) -> bool:
        return self.regret is None or self.regret >= MARKS[-1][0]


def _values(game: Game, thought: Decision) -> dict[int, float]:
    """The success that a search expects of each action to which it gave a value."""
    return {
        action: game.success(value)
        for action, value in zip(thought.actions, thought.values, strict=False)
        if value is not None
    }


@dataclass(frozen=True)
class _Work:
    record: Record
    game: Game
    agent: Agent
    play_on: Player
    seed: int
    cancelled: Cancelled | None

    @cached_property
    def continuation(self) -> Continuation:
        return Continuation(self.game, self.play_on, self.cancelled)

    def reviewed(self, ply: int, pairs: int) -> Reviewed:
        refuse_other_ply(self.record, ply)
        move = self.record.moves[ply]
        player, played = move["player"], move["action"]
        seen = seen_by(self.record, player, ply, self.game)
        judged = self._judged(seen, ply, played)
        if judged.suspicious:
            judged = self._judged(seen, ply, played, CONFIRMED)
        regret, low, high = judged.regret or 0.0, None, None
        if judged.suspicious:
            mean, low, high = self._compared(seen, ply, (played, judged.best), pairs)
            regret = mean if judged.regret is None else min(mean, judged.regret)
        mark = next((mark for least, mark in MARKS if regret >= least), "")
        certain = low is not None and low > 0
        return Reviewed(
            ply, player, played, judged.best, judged.chance, max(0.0, regret), low, high,
            mark if certain else "", self._luck(ply),
        )  # fmt: skip

    def _judged(self, seen: Sequence[Seen], ply: int, played: int, times: int = 1) -> _Judged:
        """Judge an action by a search with `times` the usual budget."""
        thought = self._thought(seen, ply, times)
        values = _values(self.game, thought)
        best, chance = thought.action, values.get(thought.action)
        if played == best:
            return _Judged(best, chance, 0.0)
        if chance is None or played not in values:
            return _Judged(best, chance, None)
        return _Judged(best, chance, chance - values[played])

    def _compared(
        self, seen: Sequence[Seen], ply: int, actions: tuple[int, int], pairs: int
    ) -> tuple[float, float, float]:
        """The second action's success minus the first's in continuations, with its interval."""
        seed = derive(self.seed, ply, Purpose.BELIEF)
        worlds = imagined(self.agent, self.game, seen, pairs, seed)
        player = seen[-1][1].viewer
        differences = self.continuation.differences(worlds, player, actions, derive(seed, 0))
        found = paired_t(differences.tolist(), CERTAIN)
        if found.low is None or found.high is None:
            return found.mean, found.mean, found.mean
        return found.mean, found.low, found.high

    def _thought(self, seen: Sequence[Seen], ply: int, times: int = 1) -> Decision:
        """The reviewer's decision in the position that a seat saw last."""
        seat = self.agent.take_seat(self.game, seen[-1][1].viewer, derive(self.seed, ply))
        for own_action, view in seen:
            seat.observe(own_action, view)
        seat.cancelled = self.cancelled
        given = {name: value for name, value in vars(self.agent.budget).items() if value}
        thought = seat.decide(Budget(**{name: times * value for name, value in given.items()}))
        refuse_cancelled(self.cancelled)
        return thought

    def _luck(self, ply: int) -> float | None:
        """The expected success after the action, minus its mean over other outcomes of chance."""
        before = position(self.record, ply, self.game)
        action = self.record.moves[ply]["action"]
        after = before.copy()
        after.apply(action)
        others = []
        for number in range(OTHER_LUCKS):
            other = before.copy()
            other.change_luck(derive(self.seed, ply, number, Purpose.LUCK))
            other.apply(action)
            others.append(other)
        if all(other == after for other in others):
            return 0.0
        seen = functools.cache(lambda seat: seen_by(self.record, seat, ply, self.game))
        found = [self._success_after(ply, world, seen) for world in (after, *others)]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            return None
        return known[0] - sum(known[1:]) / len(others)

    def _success_after(
        self, ply: int, world: World, seen_before: Callable[[int], list[Seen]]
    ) -> float | None:
        """The success of the player who decided, expected by a reviewer in the seat to move."""
        player, action = self.record.moves[ply]["player"], self.record.moves[ply]["action"]
        if world.over:
            return float(self.game.success(world.score(player)))
        mover = world.to_move
        if mover != player and self.game.players > 2 and not self.game.cooperative:
            return None
        own_action = action if mover == player else None
        view, seen = world.hide(mover), seen_before(mover)
        if is_shown(own_action, view, seen[-1][1]):
            seen = [*seen, (own_action, view)]
        thought = self._thought(seen, ply)
        own = _values(self.game, thought).get(thought.action)
        if own is None:
            return None
        return own if mover == player or self.game.cooperative else 1.0 - own
