"""The views that one seat receives in a match, by a naive match runner."""

import numpy as np

from plyglass.core.seeds import derive


def played(game, seat, own_actions, seed):
    """Let `seat` play its actions while others play at random.

    Returns (the world then, all that the seat saw).
    """
    choice = np.random.default_rng(seed)
    world, actions = game.start(derive(seed, 1)), list(own_actions)
    shown = [(None, world.hide(seat))]
    while world.to_move >= 0 and (world.to_move != seat or actions):
        own = world.to_move == seat
        action = actions.pop(0) if own else int(choice.choice(world.legal()))
        world.apply(action)
        note(shown, world.hide(seat), action if own else None)
    return world, tuple(shown)


def history_of(game, seat, policy, seed):
    """All that `seat` sees, playing at random against a policy of the game."""
    choice, stream = np.random.default_rng(seed), np.array([seed], np.uint64)
    world = game.start(derive(seed, 1))
    shown = [(None, world.hide(seat))]
    while world.to_move >= 0:
        own = world.to_move == seat
        action = int(choice.choice(world.legal())) if own else chosen(game, world, policy, stream)
        world.apply(action)
        note(shown, world.hide(seat), action if own else None)
    return shown


def chosen(game, world, policy, stream):
    return int(
        game.verbs.choose(game.table, world.address, stream.ctypes.data, game.policy(policy))
    )


def note(shown, view, own_action):
    """Show a view after an own action, or if it has changed."""
    if own_action is not None or view != shown[-1][1]:
        shown.append((own_action, view))
