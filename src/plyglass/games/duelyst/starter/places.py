"""The value of cells to the starter AI's units."""

import math

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.games.duelyst.cards.vocabulary import (
    BACKSTAB,
    BLAST,
    EPHEMERAL,
    FORCEFIELD,
    FRENZY,
    GROW,
    PROVOKE,
    RANGED,
)
from plyglass.games.duelyst.engine.board import CELLS, WIDTH
from plyglass.games.duelyst.engine.units import (
    cell_of,
    cells_of,
    general_of,
    health_of,
    is_general,
    keywords_of,
)
from plyglass.games.duelyst.state import SPRING

ZEALOUS, EVASIVE = 1, 2  # natures, as a set
BY_GENERAL, SPRING_AWAY, BEHIND_AWAY = 0.7, 2.0, 3.0
PROVOKER_AWAY, AWAY, COLUMN_AWAY = 3.0, 0.5, 6.0
WEAK, WEAK_GENERAL = 5, 10  # health below which some units keep away from enemies


@kernel
def apart(one, other):
    """Return the Euclidean distance between two cells, rounded."""
    return _length(one % WIDTH - other % WIDTH, one // WIDTH - other // WIDTH)


@kernel
def _length(x, y):
    return math.floor(math.sqrt(x * x + y * y) + 0.5)


@kernel
def nature_of(r, s, unit, keywords):
    """Return whether a unit has zeal, and whether it keeps away from enemies."""
    card, own = s.card[unit], 0 if s.dispelled[unit] else 1
    zealous = ZEALOUS if own and r.zealous[card] else 0
    if is_general(s, unit) and health_of(r, s, unit) < WEAK_GENERAL:
        return zealous | EVASIVE
    return zealous | _distance_kept(keywords, own and r.rising[card], health_of(r, s, unit))


@kernel
def nature_of_card(r, card):
    return (ZEALOUS if r.zealous[card] else 0) | _distance_kept(
        r.keywords[card], r.rising[card], r.health[card]
    )


@kernel
def _distance_kept(keywords, rising, health):
    """Return whether a unit keeps away from enemies.

    Units with ranged or blast keep away, and so do weak units that grow or raise their own stats.
    Ephemeral units never keep away.
    """
    if keywords & EPHEMERAL:
        return 0
    weak = (rising or keywords & GROW) and health < WEAK and not keywords & FORCEFIELD
    return EVASIVE if keywords & (RANGED | BLAST) or weak else 0


@kernel
def nearest_enemy(s, player, cell):
    """Return the enemy nearest to a cell.

    Among equally near enemies, the function returns the oldest minion, or the general if there is
    no minion.
    """
    general = general_of(s, 1 - player)
    found, least = general, apart(cell, cell_of(s, general))
    for unit in range(s.units, 0, -1):
        if s.owner[unit] != player and unit != general and apart(cell, cell_of(s, unit)) <= least:
            found, least = unit, apart(cell, cell_of(s, unit))
    return found


@kernel
def place_worth(r, s, player, keywords, nature, cell, objective):
    """Return the value of a cell to a player's unit with an objective."""
    there, away = cell_of(s, objective), apart(cell, cell_of(s, objective))
    score = (
        BY_GENERAL if nature & ZEALOUS and r.around[cell] >> s.cell[s.general[player]] & 1 else 0.0
    )
    score -= SPRING_AWAY * _to_spring(s, cell)
    if keywords & BACKSTAB:
        score -= BEHIND_AWAY * _to_back(s, cell, objective)
    if keywords_of(r, s, objective) & BACKSTAB and _to_back(s, cell, objective) == 0:
        score -= BEHIND_AWAY
    enemies = (
        count_ones(r.around[cell] & cells_of(s, 1 - player)) if keywords & (FRENZY | PROVOKE) else 0
    )
    if keywords & FRENZY and away <= 1:
        score += enemies - 1
    if keywords & PROVOKE:
        score += enemies - PROVOKER_AWAY * away
    if keywords & BLAST:
        score -= COLUMN_AWAY * abs(cell % WIDTH - there % WIDTH)
    return score + (3.0 * away - 10.0 if nature & EVASIVE else -AWAY * away)


@kernel
def _to_spring(s, cell):
    """Return the distance to the nearest spring; 0 if none is left."""
    least = CELLS
    for other in range(CELLS):
        if s.tile[other] == SPRING:
            least = min(least, apart(cell, other))
    return least if least < CELLS else 0


@kernel
def _to_back(s, cell, objective):
    """Return the distance from a cell to the cell behind a unit, even if that is off the board."""
    there = cell_of(s, objective)
    back = there % WIDTH + (2 * s.owner[objective] - 1)
    return _length(cell % WIDTH - back, cell // WIDTH - there // WIDTH)
