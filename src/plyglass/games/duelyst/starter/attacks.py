"""Attacks by the starter AI: targets, attackers, and cards that help."""

import numpy as np

from plyglass.core import kernel, pack
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.duelyst.cards.vocabulary import (
    BACKSTAB,
    BLAST,
    EGG,
    FORCEFIELD,
    INVULNERABLE,
    NUISANCE,
    PROVOKE,
    RANGED,
    REBIRTH,
)
from plyglass.games.duelyst.engine.board import WIDTH, behind
from plyglass.games.duelyst.engine.movement import hindrances, prey, reach
from plyglass.games.duelyst.engine.units import (
    attack_of,
    cell_of,
    cells_of,
    health_of,
    is_general,
    keywords_of,
    owner_of,
)
from plyglass.games.duelyst.starter.buffs import NO_ACTION, play_on, raise_by
from plyglass.games.duelyst.starter.places import apart
from plyglass.games.duelyst.starter.worth import hurting_worth, worth_of
from plyglass.games.duelyst.state import ATTACK, HAND, MOVE

FULL_ROW = (1 << WIDTH) - 1
SAFE_FROM_ANSWER, AT_GENERAL, FROM_AFAR, IN_THE_BACK, IN_ROW = 15.0, 47.0, 25.0, 30.0, 15.0
MOST_RISK = 0.3  # the largest share of its health that a general risks in a counterattack
NUISANCE_STATS = 3  # a returning unit with less attack and less health than this is not attacked


@kernel
def prey_of(r, s, unit):
    """Return the cells of the enemies that a unit can attack now."""
    player = owner_of(s, unit)
    provokers, lures, untouchable = hindrances(r, s, 1 - player)
    return prey(
        r, s, unit, keywords_of(r, s, unit), cells_of(s, 1 - player), provokers, lures, untouchable
    )


@kernel
def reach_of(r, s, unit):
    """Return the cells that a unit can move to now."""
    player = owner_of(s, unit)
    provokers, _, _ = hindrances(r, s, 1 - player)
    return reach(
        r, s, unit, keywords_of(r, s, unit), cells_of(s, player), cells_of(s, 1 - player), provokers
    )


@kernel
def attack_worth(r, s, unit, keywords, cell, target, attack):
    """Return the value of an attack on a target from a cell."""
    there = cell_of(s, target)
    score = hurting_worth(r, s, target, attack)
    if keywords & PROVOKE and is_general(s, target) and r.around[cell] >> there & 1:
        score += AT_GENERAL
    if keywords & (RANGED | BLAST):
        score += FROM_AFAR if apart(cell, there) > 1 else 0.0
    elif health_of(r, s, unit) >= attack_of(r, s, target):
        score += SAFE_FROM_ANSWER
    if keywords & BACKSTAB and behind(there, owner_of(s, target)) >> cell & 1:
        score += IN_THE_BACK
    if keywords & BLAST:
        row = FULL_ROW << WIDTH * (there // WIDTH)
        score += IN_ROW * count_ones(row & cells_of(s, owner_of(s, target)))
    return score


@kernel
def best_target(r, s, unit, keywords, cell, cells, attack, killing, lethal):
    """Return the best target on `cells` for an attack from `cell`, and the attack's value.

    Among equally good targets, the function returns the last. The target is 0 if there is none.
    """
    found, best = np.int64(0), 0.0
    for target in range(1, s.units + 1):
        if cells >> s.cell[target] & 1 and not (
            killing and not lethal and health_of(r, s, target) > attack
        ):
            if not _shunned(r, s, unit, target, lethal):
                score = attack_worth(r, s, unit, keywords, cell, target, attack)
                if found == 0 or score >= best:
                    found, best = np.int64(target), score
    return found, best


@kernel
def _shunned(r, s, unit, target, lethal):
    """Return whether a unit refuses to attack an enemy.

    Units do not attack an enemy that would come back or cannot be damaged. A general also does not
    attack an enemy that would strike back too hard.
    """
    card, attack = s.card[target], attack_of(r, s, target)
    if keywords_of(r, s, target) & INVULNERABLE or _spared(r, s, target):
        return True
    if (
        r.style[card] == NUISANCE
        and attack < NUISANCE_STATS
        and health_of(r, s, target) < NUISANCE_STATS
    ):
        return True
    if not is_general(s, unit):
        return False
    health = health_of(r, s, unit)
    return attack >= health or (attack > MOST_RISK * health and not lethal)


@kernel
def _spared(r, s, target):
    """Return whether the target's side has a unit that would profit from the target's death."""
    friend = r.spared_with[s.card[target]]
    if friend != 0:
        for unit in range(1, s.units + 1):
            if s.card[unit] == friend and s.owner[unit] == s.owner[target]:
                return True
    return False


@kernel
def attack_with(r, s, unit, killing, lethal):
    """Return the attack of a unit, or an action that must come before the attack.

    With `killing`, only attacks that kill are considered, and a card in hand may raise the attack.
    """
    keywords, plain = keywords_of(r, s, unit), attack_of(r, s, unit)
    cells, attack, helper = prey_of(r, s, unit), plain, HAND
    if killing and cells != 0:
        helper = _helping_card(r, s, unit, keywords, cells, plain)
        if helper < HAND:
            attack += raise_by(r, s, helper, unit, keywords)
    while cells != 0:
        target, _ = best_target(
            r, s, unit, keywords, cell_of(s, unit), cells, attack, killing, lethal
        )
        if target == 0:
            return NO_ACTION
        action = _carried_out(r, s, unit, target, attack)
        if action != NO_ACTION:
            return (
                play_on(r, s, helper, unit)
                if helper < HAND and health_of(r, s, target) > plain
                else action
            )
        cells &= ~(1 << s.cell[target])
    return NO_ACTION


@kernel
def _helping_card(r, s, unit, keywords, cells, attack):
    """Return the place of the first card that makes an attack kill a target.

    The place is HAND if there is no such card.
    """
    for slot in range(HAND):
        more = raise_by(r, s, slot, unit, keywords)
        if more > 0:
            for target in range(1, s.units + 1):
                if (
                    cells >> s.cell[target] & 1
                    and attack < health_of(r, s, target) <= attack + more
                ):
                    return slot
    return HAND


@kernel
def _carried_out(r, s, unit, target, attack):
    """Return a unit's attack on a target, or another unit's action that must come first.

    If the target has a forcefield, another unit attacks first to break the forcefield. A target
    that leaves an egg is killed only if another unit can reach the egg.
    """
    keywords = keywords_of(r, s, target)
    if s.shield[target] and keywords & FORCEFIELD:
        return _let_another(r, s, unit, target)
    if (
        keywords & REBIRTH
        and attack >= health_of(r, s, target)
        and _let_another(r, s, unit, target) == NO_ACTION
    ):
        return NO_ACTION
    return pack(ATTACK, cell_of(s, unit), cell_of(s, target))


@kernel
def _let_another(r, s, unit, target):
    """Return the action of the least valuable other unit that can attack a target in this turn."""
    action, least = NO_ACTION, 0.0
    there = cell_of(s, target)
    for other in range(1, s.units + 1):
        if (
            other != unit
            and s.owner[other] == s.owner[unit]
            and (action == NO_ACTION or worth_of(r, s, other) < least)
        ):
            tried = _get_at(r, s, other, there)
            if tried != NO_ACTION:
                action, least = tried, worth_of(r, s, other)
    return action


@kernel
def _get_at(r, s, unit, there):
    """Return a unit's attack on the cell `there`, or its move to a cell beside `there`."""
    if prey_of(r, s, unit) >> there & 1:
        return pack(ATTACK, cell_of(s, unit), there)
    beside = reach_of(r, s, unit) & r.around[there]
    if beside == 0 or attack_of(r, s, unit) == 0:
        return NO_ACTION
    return pack(MOVE, cell_of(s, unit), lowest_one(beside))


@kernel
def attack_egg(r, s):
    """Return an attack on an enemy egg that a unit can reach."""
    for egg in range(1, s.units + 1):
        if s.owner[egg] != s.player and keywords_of(r, s, egg) & EGG and s.hatch_in[egg]:
            for unit in range(1, s.units + 1):
                if s.owner[unit] == s.player and prey_of(r, s, unit) >> s.cell[egg] & 1:
                    return pack(ATTACK, cell_of(s, unit), cell_of(s, egg))
    return NO_ACTION
