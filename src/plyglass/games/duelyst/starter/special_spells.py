"""Spells for which the starter AI has special rules."""

import numpy as np

from plyglass.core import kernel
from plyglass.core.bits import lowest_one
from plyglass.games.duelyst.cards.vocabulary import (
    LURE,
    MASS_REMOVAL,
    MOVER,
    PROVOKE,
    RANGED,
    SHADOW_NOVA,
)
from plyglass.games.duelyst.engine.board import CELLS, HEIGHT, WIDTH
from plyglass.games.duelyst.engine.events import NOBODY
from plyglass.games.duelyst.engine.units import (
    attack_of,
    cell_of,
    general_of,
    health_of,
    is_general,
    keywords_of,
    next_to,
    owner_of,
    unit_at,
)
from plyglass.games.duelyst.starter.places import nature_of, nearest_enemy, place_worth
from plyglass.games.duelyst.starter.worth import hurting_worth, worth_of

NOWHERE = np.int64(-1)
STRONG, ENOUGH, ONE = 4, 99.0, np.int64(1)
# The most health of a nova's first target, and of the targets beside it.
MOST_LEFT, ANY_HEALTH = np.int64(1), np.int64(1 << 16)
SQUARE = 3 | 3 << WIDTH


@kernel
def special_place(r, s, player, card, cells):
    """Return the cell on which a special rule plays a spell; -1 if the rule does not play it."""
    style = r.style[card]
    if style == MASS_REMOVAL:
        return _if_somebody_is_weak(r, s, player, card, cells)
    if style == SHADOW_NOVA:
        return _nova(r, s, player)
    if style == LURE:
        return _lured(r, s, player, cells)
    return _moved(r, s, player, cells) if style == MOVER else NOWHERE


@kernel
def _if_somebody_is_weak(r, s, player, card, cells):
    """Return a cell for a spell that kills weak minions, or -1 if no enemy would die."""
    for unit in range(1, s.units + 1):
        if (
            s.owner[unit] != player
            and not is_general(s, unit)
            and attack_of(r, s, unit) <= r.value[r.script[card]]
        ):
            return lowest_one(cells)
    return NOWHERE


@kernel
def _nova(r, s, player):
    """Return the cell for a nova that kills an enemy, or -1 if there is no such cell.

    A nova does one damage to a 2 x 2 square. If killing this enemy is not valuable enough for the
    spell, a second enemy must stand beside the first enemy. A third enemy beside these two enemies
    is also hit, if possible.
    """
    first = _best_beside(r, s, player, NOBODY, NOBODY, MOST_LEFT)
    if first == 0:
        return NOWHERE
    wanted = 1 << s.cell[first]
    if hurting_worth(r, s, first, ONE) < ENOUGH:
        second = _best_beside(r, s, player, first, NOBODY, ANY_HEALTH)
        if second == 0:
            return NOWHERE
        wanted |= 1 << s.cell[second]
        third = _best_beside(r, s, player, first, second, ANY_HEALTH)
        if third != 0 and _square_over(wanted | 1 << s.cell[third]) != NOWHERE:
            wanted |= 1 << s.cell[third]
    return _square_over(wanted)


@kernel
def _best_beside(r, s, player, one, other, most):
    """Return the best enemy to take one damage, among enemies with at most `most` health.

    The enemy must stand beside `one` and `other`, unless these are 0. The result is 0 if there is
    no such enemy.
    """
    found, best = np.int64(0), 0.0
    for unit in range(1, s.units + 1):
        if s.owner[unit] != player and health_of(r, s, unit) <= most:
            if (one == 0 or next_to(r, s, one, unit)) and (
                other == 0 or next_to(r, s, other, unit)
            ):
                score = hurting_worth(r, s, unit, ONE)
                if found == 0 or score >= best:
                    found, best = np.int64(unit), score
    return found


@kernel
def _square_over(wanted):
    """Return the first 2 x 2 square, column by column, that covers all wanted cells, or -1."""
    for x in range(WIDTH - 1):
        for y in range(HEIGHT - 1):
            cell = np.int64(WIDTH * y + x)
            if wanted & ~(SQUARE << cell) == 0:
                return cell
    return NOWHERE


@kernel
def _lured(r, s, player, cells):
    """Among enemies that one damage kills, return the cell of the most valuable without ranged.

    If there is no such enemy, return the cell of the best-placed enemy among strong enemies and
    enemies with provoke or ranged.
    """
    dying, most, dangerous, best = NOWHERE, 0.0, NOWHERE, 0.0
    for unit in range(1, s.units + 1):
        if cells >> s.cell[unit] & 1:
            keywords = keywords_of(r, s, unit)
            if (
                health_of(r, s, unit) <= 1
                and not keywords & RANGED
                and (dying < 0 or worth_of(r, s, unit) >= most)
            ):
                dying, most = cell_of(s, unit), worth_of(r, s, unit)
            if attack_of(r, s, unit) >= STRONG or keywords & (PROVOKE | RANGED):
                stands = _stands(r, s, unit, cell_of(s, unit))
                if dangerous < 0 or stands >= best:
                    dangerous, best = cell_of(s, unit), stands
    return dying if dying >= 0 else dangerous


@kernel
def _moved(r, s, player, cells):
    """Return the best cell for the general among the cells of the player's minions."""
    found, best, general = NOWHERE, 0.0, general_of(s, player)
    for cell in range(CELLS):
        if cells >> cell & 1 and unit_at(s, cell) != 0 and owner_of(s, unit_at(s, cell)) == player:
            stands = _stands(r, s, general, np.int64(cell))
            if found < 0 or stands >= best:
                found, best = np.int64(cell), stands
    return found


@kernel
def _stands(r, s, unit, cell):
    """Return the value of a cell to a unit."""
    player, keywords = owner_of(s, unit), keywords_of(r, s, unit)
    return place_worth(
        r,
        s,
        player,
        keywords,
        nature_of(r, s, unit, keywords),
        cell,
        nearest_enemy(s, player, cell),
    )


@kernel
def destination(r, s, unit, cells):
    """Return the cell to which a unit is sent: the best cell for a friend, the worst for an enemy.

    Among equally good cells, the function returns the first.
    """
    found, best = NOWHERE, 0.0
    sign = 1.0 if s.owner[unit] == s.player else -1.0
    for x in range(WIDTH):
        for y in range(HEIGHT):
            cell = np.int64(WIDTH * y + x)
            if cells >> cell & 1:
                stands = sign * _stands(r, s, unit, cell)
                if found < 0 or stands > best:
                    found, best = cell, stands
    return found
