"""What an ability does to a unit."""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.core.bits import count_ones, lowest_one, nth_one
from plyglass.games.duelyst.arrivals import become, change_places, dispel, empty_cells, lay, put
from plyglass.games.duelyst.cells import some_of
from plyglass.games.duelyst.hands import put_into_hand
from plyglass.games.duelyst.health import (
    BY_ABILITY,
    BY_SPELL,
    change_health,
    heal,
    hurt,
    kill,
    set_stats,
    swap_stats,
    vanish,
)
from plyglass.games.duelyst.units import attack_of, health_of, owner_of
from plyglass.games.duelyst.words import (
    CAST,
    CONTROL,
    DAMAGE,
    DESTROY,
    DISPEL,
    EPHEMERAL,
    FORCEFIELD,
    GRANT,
    HATCH,
    HEAL,
    LEND,
    LEND_ONE,
    RAISE,
    REACTIVATE,
    RESTORE,
    RETURN,
    SCATTER,
    SET_ATTACK,
    SET_BASE,
    SET_STATS,
    STUN,
    SWAP,
    SWAP_STATS,
    THIS_TURN,
    TRANSFORM,
    UNLEASH,
    UNTIL_OWN_TURN,
)

ONE = np.int64(1)


@kernel
def affect_unit(r, s, queue, row, owner, source, subject, unit, times):
    """Do to a unit what a row says."""
    effect = r.effect[row]
    if effect == DAMAGE:
        by_spell = r.trigger[row] == CAST
        amount = times * r.amount[row] + (s.spell_power[owner] if by_spell else 0)
        hurt(r, s, queue, source, unit, amount, BY_SPELL if by_spell else BY_ABILITY)
    elif effect == HEAL:
        heal(s, queue, unit, times * r.amount[row])
    elif effect == RESTORE:
        heal(s, queue, unit, np.int64(s.damage[unit]))
    elif effect == DESTROY:
        kill(s, queue, unit)
    elif effect <= SET_BASE:
        _change_stats(r, s, queue, row, owner, unit, times)
    elif effect <= GRANT:
        _change_nature(r, s, queue, row, unit)
    else:
        _change_place(r, s, queue, row, owner, subject, unit)


@kernel
def _change_stats(r, s, queue, row, owner, unit, times):
    effect = r.effect[row]
    if effect == RAISE:
        if r.lasts[row] == THIS_TURN:
            s.attack_now[unit] += times * r.raise_attack[row]
        else:
            s.attack[unit] += times * r.raise_attack[row]
        change_health(r, s, queue, unit, times * r.raise_health[row])
    elif effect == SET_ATTACK:
        if r.lasts[row] == UNTIL_OWN_TURN:
            s.scorched[unit] += attack_of(r, s, unit) - r.amount[row]
            s.scorched_by[unit] = 1 + owner
        else:
            s.attack[unit], s.attack_now[unit], s.scorched[unit] = r.amount[row], 0, 0
    elif effect == SET_STATS:
        set_stats(s, queue, unit, r.raise_attack[row], r.raise_health[row])
    else:  # a new base: the damage stays
        s.base_attack[unit], s.attack[unit] = r.raise_attack[row], r.raise_attack[row]
        s.base_health[unit] = r.raise_health[row]
        change_health(r, s, queue, unit, r.raise_health[row] - s.health[unit])


@kernel
def _change_nature(r, s, queue, row, unit):
    effect = r.effect[row]
    if effect == STUN:
        s.stunned[unit] = 2 if s.owner[unit] == s.player else 1
    elif effect == DISPEL:
        dispel_unit(r, s, queue, unit)
    elif effect == LEND:
        if r.lasts[row] == THIS_TURN:
            s.keywords_now[unit] |= r.lends[row]
        else:
            s.keywords[unit] |= r.lends[row]
        if r.lends[row] & FORCEFIELD:
            s.shield[unit] = 1
    elif effect == LEND_ONE:
        missing = r.lends[row] & ~s.keywords[unit]
        if missing != 0:
            s.keywords[unit] |= 1 << nth_one(missing, draw(s, count_ones(missing)))
    elif effect == GRANT and s.granted[unit] >> 4 * r.grant[row] & 15 < 15:
        s.granted[unit] += 1 << 4 * r.grant[row]


@kernel
def dispel_unit(r, s, queue, unit):
    """Dispel a unit: a wall disappears, and who lived by what was added to him dies."""
    if dispel(r, s, unit):
        vanish(s, unit)
    elif health_of(r, s, unit) <= 0:
        kill(s, queue, unit)


@kernel
def _change_place(r, s, queue, row, owner, subject, unit):
    effect = r.effect[row]
    if effect == TRANSFORM:
        before = s.card[unit]
        become(r, s, unit, r.token[row] if r.token[row] != 0 else np.int64(s.card[subject]))
        if r.lasts[row] == UNTIL_OWN_TURN:
            s.hatch[unit], s.hatch_in[unit] = before, 2
    elif effect == RETURN:
        vanish(s, unit)
        put_into_hand(s, owner_of(s, unit), np.int64(s.card[unit]))
    elif effect == CONTROL:
        s.owner[unit], s.exhausted[unit] = owner, 1
    elif effect == REACTIVATE:
        s.exhausted[unit], s.moves[unit], s.attacks[unit] = 0, 0, 0
    elif effect == SWAP_STATS:
        swap_stats(r, s, queue, unit)
    elif effect == SCATTER:
        cells = some_of(s, empty_cells(s), ONE)
        if cells != 0:
            put(s, unit, lowest_one(cells))
    elif effect == SWAP:
        change_places(s, unit, subject)
    elif effect == UNLEASH:
        s.keywords[unit] &= ~EPHEMERAL
    elif effect == HATCH:
        _turn_over(r, s, unit)


@kernel
def _turn_over(r, s, unit):
    """An egg hatches, and any other unit becomes an egg of itself."""
    if s.hatch[unit] != 0:
        become(r, s, unit, np.int64(s.hatch[unit]))
    else:
        lay(r, s, unit, np.int64(s.card[unit]))
