"""Worlds found by a search and kept for the next decision, each that was ever offered with the
same probability.
"""

from plyglass.core.compile import kernel
from plyglass.core.luck import below, next_word
from plyglass.core.memory import address_of
from plyglass.core.verbs import change_luck, copy_state


@kernel
def draw_particle(table, work, particles):
    """Make the world of the iteration a random particle with luck of its own."""
    copy_state(
        table,
        work.world,
        address_of(particles) + below(work.stream, len(particles)) * particles.shape[1],
    )
    change_luck(work.world, next_word(work.stream))


@kernel
def keep_particle(table, work, plan, memory, kept, keys):
    """Keep the world for the next decision, in a reservoir: each that was ever offered is
    equally likely to be in it.
    """
    place = plan.offered
    plan.offered += 1
    if place >= len(keys):
        place = below(work.stream, plan.offered)
    if place < len(keys):
        copy_state(table, address_of(kept) + place * kept.shape[1], work.world)
        keys[place] = memory.history
