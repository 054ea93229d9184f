"""The starter AI's values of units and cards, and of damaging or healing a unit."""

import math

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.games.duelyst.cards.vocabulary import (
    AIRDROP,
    BACKSTAB,
    BLAST,
    CELERITY,
    DEATHWATCH,
    EPHEMERAL,
    FLYING,
    FORCEFIELD,
    FRENZY,
    GAMBIT,
    GROW,
    HEALED,
    LASTING,
    MEEK,
    OWN_SPELL,
    PROVOKE,
    RANGED,
    REBIRTH,
    RUSH,
    WALL,
)
from plyglass.games.duelyst.engine.units import attack_of, health_of, is_general, keywords_of
from plyglass.games.duelyst.state import ARTIFACTS

HEALTH, GENERALS_HEALTH, EACH_EFFECT = 1.2, 1.4, 2.0
FULL_HEALTH = 25.0  # health of a general at the start
HIT, KILL, OVERKILL, SHIELDED, VICTORY = 0.5, 5.0, 6.0, 5.0, 9999.0
UNCOUNTED = AIRDROP | EPHEMERAL | WALL | MEEK
UNCOUNTED_ON_BOARD = UNCOUNTED | RUSH


@kernel
def worth_of(r, s, unit):
    """Return the value of a unit on the board."""
    return _stats_worth(r, s, unit) + effects_worth(r, s, unit, keywords_of(r, s, unit))


@kernel
def removable_worth(r, s, unit):
    """Return the value of a minion and of its effects, without keywords that survive a dispel."""
    effects = effects_worth(r, s, unit, keywords_of(r, s, unit) & ~LASTING)
    return _stats_worth(r, s, unit) + effects, effects


@kernel
def _stats_worth(r, s, unit):
    health, attack = health_of(r, s, unit), attack_of(r, s, unit)
    if is_general(s, unit):
        return GENERALS_HEALTH * health + attack
    return HEALTH * health + attack * math.sqrt(attack)


@kernel
def effects_worth(r, s, unit, keywords):
    """Return the value of a unit's effects.

    All effects have the same value, and one special keyword may add a bonus.
    """
    card = s.card[unit]
    count = (
        count_ones(keywords & ~UNCOUNTED_ON_BOARD)
        + (keywords & FORCEFIELD != 0)
        + _changes(s, unit)
    )
    if is_general(s, unit):
        count += 1
    triggers = 0
    if not s.dispelled[unit]:
        count += r.effects[card]
        triggers = r.triggers[card]
    return EACH_EFFECT * count + _wear_left(s, unit) + _special(keywords, triggers)


@kernel
def _changes(s, unit):
    """Return how many kinds of changes a unit has: lasting stats, brief attack, new abilities."""
    lasting = s.attack[unit] != s.base_attack[unit] or s.health[unit] != s.base_health[unit]
    return lasting + (s.attack_now[unit] != 0) + (s.scorched[unit] != 0) + (s.granted[unit] != 0)


@kernel
def _wear_left(s, unit):
    """Return the sum of the durability left on a general's artifacts; 0 for a minion."""
    left = 0
    if is_general(s, unit):
        for slot in range(ARTIFACTS):
            left += s.durability[s.owner[unit], slot]
    return left


@kernel
def _special(keywords, triggers):
    """Return the bonus for a special keyword or ability; of several, only the first counts."""
    if keywords & PROVOKE:
        return 10.0
    if keywords & (RANGED | BLAST):
        return 20.0
    if triggers >> DEATHWATCH & 1:
        return 30.0
    if triggers >> OWN_SPELL & 1:
        return 10.0
    if keywords & GROW:
        return 30.0
    if keywords & FRENZY:
        return 10.0
    if keywords & CELERITY:
        return 20.0
    if keywords & BACKSTAB:
        return 15.0
    if keywords & REBIRTH:
        return 8.0
    if keywords & FLYING:
        return 10.0
    return 20.0 if triggers >> HEALED & 1 or keywords & FORCEFIELD else 0.0


@kernel
def newcomer_worth(r, card):
    """Return the value of a minion that is not on the board, including its mana cost."""
    keywords = r.keywords[card]
    count = count_ones(keywords & ~UNCOUNTED) + (keywords & FORCEFIELD != 0) + r.effects[card]
    count += r.triggers[card] >> GAMBIT & 1
    stats = HEALTH * r.health[card] + r.attack[card] * math.sqrt(r.attack[card])
    return stats + EACH_EFFECT * count + _special(keywords, r.triggers[card]) + r.mana[card]


@kernel
def hurting_worth(r, s, unit, amount):
    """Return the value of damaging an enemy.

    The value is highest for an exact kill, and lower for more damage than a kill needs.
    """
    worth, health = worth_of(r, s, unit), health_of(r, s, unit)
    if s.shield[unit] and keywords_of(r, s, unit) & FORCEFIELD:
        return SHIELDED + worth / 4
    score = HIT * worth
    if amount >= health:
        score = max(0.0, score + KILL * worth - OVERKILL * (amount - health))
    if is_general(s, unit):
        score += max(1.0, FULL_HEALTH / health) * amount * 2 + (
            VICTORY if amount >= health else 0.0
        )
    return score


@kernel
def healing_worth(r, s, unit, amount):
    """Return the value of healing a friend.

    The value is higher if the friend has lost more health, and lower if some of the healing is in
    excess.
    """
    damage, health, score = s.damage[unit], health_of(r, s, unit), 0.0
    if damage > 0:
        need = (
            max(1.0, FULL_HEALTH / health) * 0.75
            if is_general(s, unit)
            else max(1.0, 0.5 * (health + damage) / health) * 1.25
        )
        score = worth_of(r, s, unit) + need * damage
    return score - OVERKILL * max(0, amount - damage)
