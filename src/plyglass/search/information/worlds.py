"""The world of an iteration: drawn from a belief ahead of time, and kept for as many iterations
as a planner asks for.
"""

from plyglass.core.compile import kernel
from plyglass.core.luck import next_word
from plyglass.core.memory import address_of
from plyglass.core.verbs import change_luck, copy_state


@kernel
def place_world(table, work, worlds, iteration, done, every):
    """Make the world of an iteration ready, with luck of its own; `worlds` has those after
    `done`, one for `every` iterations.
    """
    if iteration % every == 0:
        row = iteration // every - (done + every - 1) // every
        copy_state(table, work.root, address_of(worlds) + row * worlds.shape[1])
    copy_state(table, work.world, work.root)
    change_luck(work.world, next_word(work.stream))
