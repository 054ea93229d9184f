"""Units that arrive, are transformed, moved or dispelled, and the removal of dead units."""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import FORCEFIELD, LASTING, RUSH, WALL
from plyglass.games.duelyst.engine.events import CAME, PLAYED, note
from plyglass.games.duelyst.engine.units import cells_of, owner_of
from plyglass.games.duelyst.state import MOST_UNITS

AS_TOKEN, FROM_HAND = np.arange(2)  # how a unit arrives


@kernel
def empty_cells(s):
    return ((1 << len(s.at)) - 1) & ~(cells_of(s, 0) | cells_of(s, 1))


@kernel
def summon(r, s, queue, card, owner, cell, played):
    """Put a new unit on an empty cell; return its number, or 0 if there is no room for it."""
    if s.at[cell] != 0 or s.units == MOST_UNITS:
        return 0
    s.units += 1
    unit = np.int64(s.units)
    become(r, s, unit, card)
    s.owner[unit], s.cell[unit], s.alive[unit] = owner, cell, 1
    s.exhausted[unit] = 0 if r.keywords[card] & RUSH else 1
    s.at[cell] = unit
    note(s, queue, PLAYED if played else CAME, unit, owner, np.int64(s.rallies[owner]))
    return unit


@kernel
def become(r, s, unit, card):
    """Turn a unit into a new unit of another card.

    The new unit keeps only the cell, the owner and the record of the old unit's moves and attacks
    in this turn. If `card` has gained attack and health because it was replaced, a dispel removes
    this gain.
    """
    plain = r.version_of[card]
    s.card[unit], s.keywords[unit] = plain, r.keywords[card]
    s.keywords_now[unit], s.granted[unit] = 0, 0
    s.attack[unit], s.base_attack[unit] = r.attack[card], r.attack[plain]
    s.health[unit], s.base_health[unit] = r.health[card], r.health[plain]
    s.attack_now[unit], s.scorched[unit], s.scorched_by[unit], s.damage[unit] = 0, 0, 0, 0
    s.dispelled[unit], s.stunned[unit], s.hatch[unit], s.hatch_in[unit] = 0, 0, 0, 0
    s.shield[unit] = 1 if r.keywords[card] & FORCEFIELD else 0
    s.auras |= r.aura[card]


@kernel
def lay(r, s, unit, card):
    """Turn a unit into an egg, which hatches into `card` at the end of the opponent's turn."""
    become(r, s, unit, r.egg)
    s.hatch[unit] = card
    s.hatch_in[unit] = 2 if owner_of(s, unit) == s.player else 1


@kernel
def dispel(r, s, unit):
    """Remove everything that was added to a unit, and the abilities of its card.

    Return 1 if the unit is a wall, which the caller must remove.
    """
    if s.keywords[unit] & WALL:
        return 1
    s.dispelled[unit] = 1
    s.keywords[unit] &= LASTING
    s.granted[unit] &= r.kept_grants
    s.keywords_now[unit], s.attack_now[unit], s.scorched[unit], s.scorched_by[unit] = 0, 0, 0, 0
    s.attack[unit], s.health[unit] = s.base_attack[unit], s.base_health[unit]
    s.stunned[unit], s.shield[unit], s.hatch_in[unit] = 0, 0, 0
    return 0


@kernel
def put(s, unit, cell):
    """Move a unit to an empty cell."""
    s.at[s.cell[unit]] = 0
    s.cell[unit] = cell
    s.at[cell] = unit


@kernel
def change_places(s, one, other):
    here, there = s.cell[one], s.cell[other]
    s.cell[one], s.cell[other] = there, here
    s.at[here], s.at[there] = other, one


@kernel
def forget_the_dead(r, s):
    """Remove dead units and renumber the others, including units that the pending card names."""
    last, s.auras = 0, 0
    for unit in range(1, s.units + 1):
        if s.alive[unit]:
            last += 1
            s.auras |= r.aura[s.card[unit]]
            if last != unit:
                _renumber(s, unit, last)
        else:
            _forget(s, unit)
    for unit in range(last + 1, s.units + 1):
        _clear(s, unit)
    s.units = last


@kernel
def _forget(s, unit):
    if s.source == unit:
        s.source = 0
    if s.subject == unit:
        s.subject = 0


@kernel
def _renumber(s, old, new):
    s.granted[new] = s.granted[old]
    s.keywords[new] = s.keywords[old]
    s.keywords_now[new] = s.keywords_now[old]
    s.card[new] = s.card[old]
    s.hatch[new] = s.hatch[old]
    s.damage[new] = s.damage[old]
    s.attack[new] = s.attack[old]
    s.attack_now[new] = s.attack_now[old]
    s.scorched[new] = s.scorched[old]
    s.health[new] = s.health[old]
    s.base_attack[new] = s.base_attack[old]
    s.base_health[new] = s.base_health[old]
    s.owner[new] = s.owner[old]
    s.cell[new] = s.cell[old]
    s.alive[new] = s.alive[old]
    s.dispelled[new] = s.dispelled[old]
    s.stunned[new] = s.stunned[old]
    s.exhausted[new] = s.exhausted[old]
    s.moves[new] = s.moves[old]
    s.attacks[new] = s.attacks[old]
    s.shield[new] = s.shield[old]
    s.hatch_in[new] = s.hatch_in[old]
    s.scorched_by[new] = s.scorched_by[old]
    s.at[s.cell[new]] = new
    _rename(s, old, new)


@kernel
def _rename(s, old, new):
    if s.source == old:
        s.source = new
    if s.subject == old:
        s.subject = new
    for player in range(2):
        if s.general[player] == old:
            s.general[player] = new


@kernel
def _clear(s, unit):
    s.granted[unit] = 0
    s.keywords[unit] = 0
    s.keywords_now[unit] = 0
    s.card[unit] = 0
    s.hatch[unit] = 0
    s.damage[unit] = 0
    s.attack[unit] = 0
    s.attack_now[unit] = 0
    s.scorched[unit] = 0
    s.health[unit] = 0
    s.base_attack[unit] = 0
    s.base_health[unit] = 0
    s.owner[unit] = 0
    s.cell[unit] = 0
    s.alive[unit] = 0
    s.dispelled[unit] = 0
    s.stunned[unit] = 0
    s.exhausted[unit] = 0
    s.moves[unit] = 0
    s.attacks[unit] = 0
    s.shield[unit] = 0
    s.hatch_in[unit] = 0
    s.scorched_by[unit] = 0
