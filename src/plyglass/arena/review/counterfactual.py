"""Counterfactuals: whether another action would have been better, and what that depends on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plyglass.arena.match.agent import Agent, Player
from plyglass.arena.match.record import Record, game_given, refuse_other_ply, seen_by
from plyglass.arena.review.continuation import (
    Cancelled,
    Continuation,
    imagined,
    quick_agent_of,
    reviewer_of,
)
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.stats.families import holm
from plyglass.stats.paired import paired_t
from plyglass.stats.tails import student_tail

PAIRS = 256
LEAST_SHARE = 0.05  # a fact must be true in this share of the worlds, and false in this share
LEVEL = 0.05  # the significance level for all facts together


@dataclass(frozen=True)
class Why:
    """The comparison of the action played with another action.

    Attributes:
        better: the success of the other action minus the success of the action played. Success is
            the score on a scale from 0 to 1.
        low, high: the 95 % interval of `better`.
        pairs: the number of worlds in which both actions were tried.
        fact: the hidden fact on which the answer depends most, or None if no fact is significant.
            It was chosen from all facts after the games. Its p-value, adjusted by Holm's method, is
            at most 0.05.
        when, otherwise: the value of `better` in worlds in which the fact is true, and its value in
            the other worlds.
        likely: the share of worlds in which the fact is true.
        sentence: the answer in plain words.
        seed: the random seed; the same seed gives the same answer.
    """

    better: float
    low: float
    high: float
    pairs: int
    fact: str | None
    when: float | None
    otherwise: float | None
    likely: float | None
    sentence: str
    seed: int

    def __str__(self) -> str:
        return self.sentence


def why(
    record: Record,
    ply: int,
    instead: int | str,
    *,
    pairs: int = PAIRS,
    game: Game | None = None,
    agent: Agent | None = None,
    play_on: Player | None = None,
    seed: int = 0,
    cancelled: Cancelled | None = None,
) -> Why:
    """Compare the action after the first `ply` actions of a recorded match with another action.

    Both actions are tried in the same worlds, which the belief of `agent` samples from the player's
    own views. After the action, `play_on` plays all seats to the end. By default, `play_on` is the
    agent of the game's easiest level. `instead` is an action or its name. If `cancelled()` becomes
    true, the comparison ends with `ReviewCancelled`.
    """
    game = game_given(record, game)
    refuse_other_ply(record, ply)
    if pairs < 2:
        raise ValueError(f"A comparison needs at least two pairs, not {pairs}.")
    move = record.moves[ply]
    player, played = move["player"], move["action"]
    seen = seen_by(record, player, ply, game)
    other = _action(game, seen[-1][1].legal(), instead)
    if other == played:
        raise ValueError(f"{game.action_name(other)} was played; name another action.")
    worlds = imagined(
        agent or reviewer_of(game), game, seen, pairs, derive(seed, ply, Purpose.BELIEF)
    )
    continuation = Continuation(game, play_on or quick_agent_of(game), cancelled)
    differences = continuation.differences(worlds, player, (played, other), derive(seed, ply))
    found = paired_t(differences.tolist())
    low = found.mean if found.low is None else found.low
    high = found.mean if found.high is None else found.high
    fact = _deciding(game.facts(worlds.view(game.state)[:, 0], player), differences)
    names = game.action_name(played), game.action_name(other)
    return Why(
        found.mean, low, high, pairs, fact.name, fact.when, fact.otherwise, fact.likely,
        _sentence(names, (found.mean, low, high), pairs, fact), seed,
    )  # fmt: skip


def _action(game: Game, legal: list[int], wanted: int | str) -> int:
    """The legal action with this number or name."""
    names = {game.action_name(action): action for action in legal}
    if isinstance(wanted, str):
        wanted = names.get(wanted, -1)
    if wanted not in legal:
        few = ", ".join(list(names)[:20])
        raise ValueError(f"The player has no such action; legal are {few}.")
    return wanted


@dataclass(frozen=True)
class _Fact:
    """The deciding fact, or None, and the number of facts from which it was chosen."""

    name: str | None = None
    when: float | None = None
    otherwise: float | None = None
    likely: float | None = None
    among: int = 0


def _deciding(
    facts: Mapping[str, npt.NDArray[np.bool_]], differences: npt.NDArray[np.float64]
) -> _Fact:
    """The fact with the most significant effect on the differences, if one is significant."""
    tested = {
        name: _welch(differences[holds], differences[~holds])
        for name, holds in facts.items()
        if LEAST_SHARE <= holds.mean() <= 1 - LEAST_SHARE
    }
    if not tested:
        return _Fact()
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    name = min(adjusted, key=lambda each: (adjusted[each], tested[each]))
    if adjusted[name] > LEVEL:
        return _Fact()
    holds = facts[name]
    means = float(differences[holds].mean()), float(differences[~holds].mean())
    return _Fact(name, *means, float(holds.mean()), len(tested))


def _welch(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    """The p-value of Welch's test (1947) that two samples have the same mean."""
    if min(len(first), len(second)) < 2:
        return 1.0
    errors = [float(each.var(ddof=1)) / len(each) for each in (first, second)]
    distance = abs(float(first.mean() - second.mean()))
    if sum(errors) == 0:  # all values are equal: the probability of this split by chance
        return 1 / math.comb(len(first) + len(second), len(first)) if distance > 0 else 1.0
    freedom = sum(errors) ** 2 / sum(
        error**2 / (len(each) - 1) for error, each in zip(errors, (first, second), strict=True)
    )
    return min(1.0, 2 * student_tail(distance / math.sqrt(sum(errors)), freedom))


def _sentence(
    names: tuple[str, str], found: tuple[float, float, float], pairs: int, fact: _Fact
) -> str:
    played, other = names
    better, low, high = (100 * each for each in found)
    about = f"({low:.0f} to {high:.0f}, {pairs} pairs)"
    if low <= 0 <= high:
        text = f"{other} instead of {played} makes no clear difference: {better:+.0f} points "
    elif better > 0:
        text = f"{other} instead of {played} gains {better:.0f} points "
    else:
        text = f"{other} instead of {played} loses {-better:.0f} points "
        about = f"({-high:.0f} to {-low:.0f}, {pairs} pairs)"
    text += about + "."
    if fact.name is None or fact.when is None or fact.otherwise is None or fact.likely is None:
        return text
    return (
        f"{text} If {fact.name} ({fact.likely:.0%} likely), it is worth {100 * fact.when:+.0f} "
        f"points, otherwise {100 * fact.otherwise:+.0f} (chosen among {fact.among} facts after the "
        "games)."
    )
