"""Continuations: the value of an action if quick agents play the rest of the game.

Two actions are compared in the same worlds, with the same chance and the same seeds of the agents,
so most of the noise cancels out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plyglass.arena.match.agent import Agent, Player
from plyglass.arena.match.match import play
from plyglass.arena.specs import agent_from, is_auto
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes, new_states
from plyglass.core.world import View, World

ITERATIONS = 2000  # the budget of the default reviewer
Seen = tuple[int | None, View]
Cancelled = Callable[[], bool]


class ReviewCancelled(RuntimeError):
    """A review was cancelled before it was done."""


def refuse_cancelled(cancelled: Cancelled | None) -> None:
    """Raise `ReviewCancelled` if the review was cancelled."""
    if cancelled and cancelled():
        raise ReviewCancelled("The review was cancelled.")


def reviewer_of(game: Game) -> Agent:
    """The agent that reviews a game by default, with the belief of the game's own opponent.

    If that opponent is `auto`, the default belief is used instead, because the belief of `auto`
    depends on the speed of the machine.
    """
    planner = "so-ismcts" if game.hides else "uct"
    chosen = agent_from(f"{planner}:iterations={ITERATIONS}")
    if is_auto(game.opponent):
        return chosen
    return replace(chosen, belief=agent_from(game.opponent).belief)


def quick_agent_of(game: Game) -> Agent:
    """The agent that plays continuations by default: the easiest level that is not random.

    Levels that use `auto` are skipped, because `auto` depends on the speed of the machine.
    """
    known = [text for text in game.levels.values() if text != "random" and not is_auto(text)]
    return agent_from(known[0] if known else "uct:iterations=20")


@dataclass(frozen=True)
class Continuation:
    """Plays from any position to the end.

    Attributes:
        agent: the agent that plays all seats. It gets the views of the first position, but no
            earlier views.
        cancelled: a function that is called before each decision. If it returns true, the
            continuation ends with `ReviewCancelled`.
    """

    game: Game
    agent: Player
    cancelled: Cancelled | None = None

    def differences(
        self, worlds: Bytes, player: int, actions: tuple[int, int], seed: int
    ) -> npt.NDArray[np.float64]:
        """The success of the second action minus that of the first, in every world."""
        found = []
        for number, row in enumerate(worlds):
            luck = derive(seed, number)
            first, second = (
                self.success_of(World(self.game, row.copy()), player, action, luck)
                for action in actions
            )
            found.append(second - first)
        return np.array(found)

    def success_of(self, world: World, player: int, action: int, seed: int) -> float:
        """Play an action and the rest of the game in the given world.

        Return the player's success.
        """
        world.change_luck(derive(seed, 0))
        world.apply(action)
        if not world.over:
            players = [self.agent] * self.game.players
            world = play(
                self.game, players, seed=derive(seed, 1), start=lambda *_: world,
                on_turn=lambda _: refuse_cancelled(self.cancelled),
            ).end  # fmt: skip
        return float(self.game.success(world.score(player)))


def imagined(agent: Agent, game: Game, seen: Sequence[Seen], count: int, seed: int) -> Bytes:
    """Sample worlds from the belief of an agent that has seen what its seat saw."""
    belief = agent.belief.begin(game, seen[-1][1].viewer, seed)
    for own_action, view in seen:
        belief.observe(own_action, view)
    worlds = new_states(count, game.state)
    belief.sample(worlds)
    return worlds
