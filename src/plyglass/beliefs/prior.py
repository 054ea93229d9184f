"""The prior: the worlds that are possible given the first view of a match.

If chance is the only hidden part of the start position, the prior consists of the start positions
that match the view. A match can also begin in the middle of a game, or with a secret setup. In
these cases, the prior consists of worlds that the game imagines from the view. If a game's
`imagine` is known to be exact, the prior always uses `imagine`.
"""

from __future__ import annotations

from plyglass.beliefs.cloud import Cloud, Pool, add_world, empty
from plyglass.beliefs.propagation import Lookout, is_seen, look
from plyglass.core.compile import kernel
from plyglass.core.game import NOTHING, Game
from plyglass.core.luck import next_word
from plyglass.core.memory import write_int
from plyglass.core.state import Bytes, filled
from plyglass.core.table import SIZE
from plyglass.core.verbs import copy_state, imagine, start
from plyglass.search.clock import late

LEAST = 8  # worlds that are imagined even if the time is over
ENOUGH = 8  # start positions must give at least one in this many of the wanted worlds


@kernel
def imagine_worlds(table, sight, pool, count):
    """Collect worlds imagined from the seat's view; only `LEAST` worlds if the time is over.

    Returns the number of collected worlds.
    """
    for made in range(count):
        if late(sight[0].clock) and made >= LEAST:
            return made
        copy_state(table, sight[0].world, sight[0].after)
        imagine(table, sight[0].world, sight[0].viewer, next_word(sight[0].stream))
        add_world(table, pool, sight[0].world, 1.0)
    return count


@kernel
def blank(table, s):
    """Clear the memory of a state before a game starts in it."""
    for word in range(table[SIZE] >> 3):
        write_int(s, word, 0)


@kernel
def start_worlds(table, setup, sight, pool, count, tries):
    """Collect up to `count` start positions that match the present view; return their number."""
    found = 0
    for _ in range(tries):
        blank(table, sight[0].world)
        start(table, setup, sight[0].world, next_word(sight[0].stream))
        look(table, sight[0])
        if is_seen(table, sight[0], sight[0].after):
            add_world(table, pool, sight[0].world, 1.0)
            found += 1
        if found == count or late(sight[0].clock):
            break
    return found


def has_open_setup(game: Game) -> bool:
    """Return whether chance is the only hidden part of a game's start position."""
    return game.setup is NOTHING


def first_cloud(
    game: Game, lookout: Lookout, pool: Pool, view: Bytes, count: int, tries: int
) -> Cloud:
    """Return a cloud of `count` samples that fit a first view."""
    lookout.aim(view, view)
    if not game.exact_imagine and has_open_setup(game):
        setup = filled(game.setup, game.default_setup())
        found = start_worlds(
            game.table, setup.ctypes.data, lookout.sight, pool, count, tries * count
        )
        if found * ENOUGH >= count:
            return Cloud.of(pool, found)
        empty(pool)
    made = imagine_worlds(game.table, lookout.sight, pool, count)
    return Cloud.of(pool, int(made))
