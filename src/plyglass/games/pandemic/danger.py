"""How near the next outbreaks are: cities with cubes, weighed by how likely their infection
cards are to come.
"""

from plyglass.core import kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.pandemic.board import COLOUR, DRAWS
from plyglass.games.pandemic.cities import PER_COLOUR
from plyglass.games.pandemic.disease import COLOUR_COUNT

CHAIN = 0.7  # what a full neighbour of a full city adds to the danger


@kernel
def add_danger(r, s, values, at):
    """Full cities and those with two cubes that may be infected this turn; the same and those
    with one cube later; full cities.
    """
    rate = r.rate[s.epidemics]
    now = 0.0 if s.quiet else rate / max(count_ones(s.layer[s.top]), rate)
    again = (
        epidemic_soon(r, s)
        * r.rate[min(s.epidemics + 1, r.epidemics)]
        / (count_ones(s.discard) + 1.0)
    )
    for colour in range(COLOUR_COUNT):
        if not s.eradicated >> colour & 1:
            _add_colour(r, s, colour, now, again, values, at)


@kernel
def _add_colour(r, s, colour, now, again, values, at):
    """A colour: `now` is the chance of a card on top of the infection deck to come this turn,
    `again` that of a discarded one.
    """
    own = COLOUR << PER_COLOUR * colour
    top, discarded = s.layer[s.top] & own, s.discard & own
    full, two, one = (
        s.low[colour] & s.high[colour],
        s.high[colour] & ~s.low[colour],
        s.low[colour] & ~s.high[colour],
    )
    outbreaks = outbreaks_ahead(r, full, full & top, CHAIN)
    values[at] += now * outbreaks + again * outbreaks_ahead(r, full, full & discarded, CHAIN)
    values[at + 1] += now * count_ones(two & top) + again * count_ones(two & discarded)
    share = 1.0 / (1.0 + count_ones(s.layer[s.top]))
    values[at + 2] += share * outbreaks
    values[at + 3] += share * count_ones(two & top)
    values[at + 4] += share * count_ones(one & top)
    if s.epidemics < r.epidemics:
        share = 1.0 / (1.0 + count_ones(s.discard))
        values[at + 5] += share * count_ones(full & discarded)
        values[at + 6] += share * count_ones(two & discarded)
    values[at + 7] += count_ones(full)


@kernel
def epidemic_soon(r, s):
    """The probability of an epidemic among the player cards that are drawn this turn."""
    if s.left < DRAWS:
        return 0.0
    chance, none = 0.0, 1.0
    for drawn in range(DRAWS):
        left = s.left - drawn
        share = 1.0 / r.pile_left[left] if r.pile[left] == s.epidemics else 0.0
        chance += none * share
        none *= 1.0 - share
    return chance


@kernel
def outbreaks_ahead(r, full, ready, chained):
    """One for each full city that may break out, and so much more for each full neighbour of it."""
    danger = 1.0 * count_ones(ready)
    while ready != 0:
        danger += chained * count_ones(r.beside[lowest_one(ready)] & full)
        ready &= ready - 1
    return danger
