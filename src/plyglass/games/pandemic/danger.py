"""How near the next outbreaks are: cities with cubes, weighed by how likely their infection cards are to come."""

from plyglass.core import kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.pandemic.board import DRAWS
from plyglass.games.pandemic.disease import COLOUR_COUNT

CHAIN = 0.7  # what a full neighbour of a full city adds to the danger


@kernel
def add_danger(r, s, values, at):
    """Full cities and those with two cubes that may be infected this turn; the same and those with one cube later; full cities."""
    top, later = s.layer[s.top], s.discard
    epidemic = epidemic_soon(r, s)
    now = 0.0 if s.quiet else r.rate[s.epidemics] / max(count_ones(top), r.rate[s.epidemics])
    again = epidemic * r.rate[min(s.epidemics + 1, r.epidemics)] / (count_ones(later) + 1.0)
    for colour in range(COLOUR_COUNT):
        if not s.eradicated >> colour & 1:
            full, two, one = s.low[colour] & s.high[colour], s.high[colour] & ~s.low[colour], s.low[colour] & ~s.high[colour]
            own = 0xFFF << 12 * colour
            values[at] += now * _chained(r, full, full & top & own) + again * _chained(r, full, full & later & own)
            values[at + 1] += now * count_ones(two & top & own) + again * count_ones(two & later & own)
            values[at + 2] += _chained(r, full, full & top & own) / (1.0 + count_ones(top))
            values[at + 3] += count_ones(two & top & own) / (1.0 + count_ones(top))
            values[at + 4] += count_ones(one & top & own) / (1.0 + count_ones(top))
            values[at + 5] += count_ones(full & later & own) / (1.0 + count_ones(later)) if s.epidemics < r.epidemics else 0.0
            values[at + 6] += count_ones(two & later & own) / (1.0 + count_ones(later)) if s.epidemics < r.epidemics else 0.0
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
def _chained(r, full, ready):
    """Full cities that may break out, and more for each full neighbour."""
    danger = 1.0 * count_ones(ready)
    while ready != 0:
        danger += CHAIN * count_ones(r.beside[lowest_one(ready)] & full)
        ready &= ready - 1
    return danger
