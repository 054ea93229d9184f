"""Faults that end a match early: a player's fault, or a fault in the game's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from plyglass.core.failures import Failures
from plyglass.core.game import Game
from plyglass.core.world import World

if TYPE_CHECKING:
    from plyglass.arena.match.match import Move


class AgentFault(RuntimeError):
    """A player raised an error or played illegally; the original error is chained.

    Attributes:
        seat: the player's seat.
        kind: "crashed" or "illegal".
        actions: the actions that were played before the fault.
        why: what the player did, in words; empty if the chained cause says what happened.
    """

    def __init__(
        self, seat: int, kind: Literal["crashed", "illegal"], actions: Sequence[int], why: str = ""
    ) -> None:
        did = "raised an error" if kind == "crashed" else "played illegally"
        super().__init__(
            f"seat {seat + 1} {did} after {len(actions)} actions{f': it {why}' if why else ''}"
        )
        self.seat, self.kind, self.actions, self.why = seat, kind, tuple(actions), why


class RuleFault(RuntimeError):
    """The rules of a game failed, so the match is void. No player is to blame.

    Attributes:
        actions: the actions that were played before the fault.
    """

    def __init__(self, game: Game, problem: str, actions: Sequence[int]) -> None:
        super().__init__(
            f"The match of {game.name} is void after {len(actions)} actions: {problem}. "
            "`plyglass check` examines the rules of a game."
        )
        self.actions = tuple(actions)


def refuse_failed_rules(world: World, failures: Failures, moves: Sequence[Move]) -> None:
    """Raise `RuleFault` if a compiled rule has raised an error since the match began."""
    if failures.count:
        game, problem = world.game, f"a rule raised {failures.first}"
        if game.compiled:
            from plyglass.core.admission import PositionRefused, examined

            try:  # only interpreted rules can name the position
                examined(game, world)
            except PositionRefused as found:
                problem = f"a rule raised {failures.first}; at this position {found.problem}"
        raise RuleFault(game, problem, [move.action for move in moves])


def refuse_scores(game: Game, world: World, actions: Sequence[int]) -> None:
    """Raise `RuleFault` for scores outside of the range that the game declares, such as NaN."""
    low, high = game.scores
    for player, score in enumerate(world.scores):
        if not low <= score <= high:
            raise RuleFault(
                game,
                f"the rule score gives {game.player_name(player)} {score:g}, outside of the "
                f"declared {low:g} to {high:g}",
                actions,
            )
