"""A recorded playthrough: one random game as text, so a change of the rules shows as a diff."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plyglass.core.game import Game
from plyglass.core.world import World

SEED = 20
MOST_STEPS = 60


def playthrough(game: Game, seed: int = SEED) -> str:
    """One random game as text.

    The text shows every position as each player sees it, the legal actions, the chosen action, and
    the scores.
    """
    return "\n".join(_lines(game, seed)) + "\n"


def _lines(game: Game, seed: int) -> Iterator[str]:
    choice = np.random.PCG64(seed)
    world = game.start(seed)
    yield (
        f"{game!r}, seed {seed}: {game.state.itemsize} bytes, {game.players} players, scores "
        f"{game.scores[0]:g} to {game.scores[1]:g}"
    )
    for number in range(MOST_STEPS):
        yield from _position(game, world)
        if world.over:
            return
        legal = world.legal()
        action = legal[int(choice.random_raw()) % len(legal)]
        yield f"\n{number + 1}. {game.player_name(world.to_move)}: {game.action_name(action)}"
        world.apply(action)
    yield f"\n... and so on; only the first {MOST_STEPS} actions are recorded"


def _position(game: Game, world: World) -> Iterator[str]:
    yield (
        f"   fingerprint {world.fingerprint:016x}, scores "
        f"{', '.join(f'{score:.12g}' for score in world.scores)}"
    )
    views = [world.hide(player) for player in range(game.players)]
    for player, view in enumerate(views):
        if game.hides or player == 0:
            yield (
                f"   seen by {game.player_name(player) if game.hides else 'all'} "
                f"({view.fingerprint:016x}):"
            )
            yield from (f"      {line}".rstrip() for line in view.text.splitlines())
    if not world.over:
        yield (
            f"   {game.player_name(world.to_move)} may: "
            f"{', '.join(game.action_name(action) for action in world.legal())}"
        )
