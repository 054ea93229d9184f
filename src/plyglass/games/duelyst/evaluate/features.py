"""Features of a position, and the evaluator learned from them.

Both sides have the same features: generals, minions, threats, hands and positions. The side that
moves next comes first. From the opponent's point of view, the features have the opposite sign. A
turn in progress counts as over, because a search finds what can still be done in this turn.
"""

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.core.learned import judgement
from plyglass.core.memory import stack_ints, stack_reals
from plyglass.games.duelyst.cards.vocabulary import (
    ALWAYS,
    BACKSTAB,
    BLAST,
    CELERITY,
    FLYING,
    FORCEFIELD,
    FRENZY,
    IMMOBILE,
    LEND,
    PROVOKE,
    RANGED,
    STRUCTURE,
    UNTOUCHABLE,
)
from plyglass.games.duelyst.engine.board import CELLS, steps_between
from plyglass.games.duelyst.engine.units import (
    ATTACK_LENT,
    HEALTH_LENT,
    general_of,
    holds,
    is_general,
    reaches,
    share,
)
from plyglass.games.duelyst.rules import score
from plyglass.games.duelyst.state import (
    ARTIFACTS,
    FEATURES,
    HAND,
    MOST_MANA,
    MOST_UNITS,
    OVER,
    SPRING,
)

# The index of each feature of a side.
# The general: health, how far health is below 12 and below 6, attack, durability of artifacts.
HEALTH, FRAIL, DYING, STRIKE, ARMOUR = range(5)
# All minions together.
MINIONS, ATTACK, TOUGHNESS, ABILITY, COST = range(5, 10)
# Minions with provoke, ranged, flying, a shield, attacks on many units or twice, or unable to move.
TAUNTS, SHOOTERS, FLYERS, SHIELDS, FIERCE, STILL = range(10, 16)
# The attack that reaches the enemy general, its share of the general's health, and whether this
# attack kills the general.
BURST, SHARE, LETHAL = range(16, 19)
# The value of enemy minions that a single unit can kill, that a single unit can kill and survive,
# and that all units can kill together.
ONE_KILLS, FREE_KILLS, ALL_KILLS = range(19, 22)
# The hand, given the mana of the next turn: number of cards, of playable and of too expensive
# cards, and the cost of the most expensive playable card.
CARDS, PLAYABLE, DEAR, SPENT = range(22, 26)
# Attack weighted by distance to the enemy general, and springs that a unit can take.
NEAR, SPRINGS = 26, 27
EACH = 28  # number of features of a side; one more feature says whose turn is next

UNKNOWN_PLAYABLE = 0.7  # share of unknown cards that count as playable
MANY = FRENZY | BLAST | CELERITY | BACKSTAB
EVERYBODY = 0
EVERYWHERE = -1


@kernel
def features(r, s, player, values):
    """Write all features to `values` and return their number."""
    for i in range(FEATURES):
        values[i] = 0.0
    attack, health, keywords = (
        stack_ints(MOST_UNITS + 1),
        stack_ints(MOST_UNITS + 1),
        stack_ints(MOST_UNITS + 1),
    )
    strikes, springs = stack_ints(MOST_UNITS + 1), 0
    for side in range(2):  # a dead general is not among the units
        attack[s.general[side]], health[s.general[side]] = 0, 0
    muster(r, s, attack, health, keywords)
    threaten(r, s, keywords, strikes)
    for cell in range(CELLS):
        springs |= (s.tile[cell] == SPRING) << cell
    first = s.player if s.acts == 0 else 1 - s.player
    _add_side(r, s, first, attack, health, keywords, strikes, springs, values, 0)
    _add_side(r, s, 1 - first, attack, health, keywords, strikes, springs, values, EACH)
    values[2 * EACH] = 1.0
    for i in range(FEATURES):
        values[i] = values[i] if player == first else -values[i]
    return FEATURES


@kernel
def learned(r, s, player):
    """Return a weighted sum of the features, scaled to a score, with weights learned from games."""
    if s.phase == OVER:
        return score(r, s, player)
    values = stack_reals(FEATURES)
    return 0.999 * judgement(values, features(r, s, player, values), r.weights)


@kernel
def _add_side(r, s, side, attack, health, keywords, strikes, springs, values, at):
    general, goal, reached = s.general[side], s.cell[s.general[1 - side]], 0
    values[at + HEALTH] = 0.1 * health[general]
    values[at + FRAIL] = 0.1 * max(0, 12 - health[general])
    values[at + DYING] = 0.1 * max(0, 6 - health[general])
    values[at + STRIKE] = 0.2 * attack[general]
    for slot in range(ARTIFACTS):
        if s.artifact[side, slot] != 0:
            values[at + ARMOUR] += 0.2 * s.durability[side, slot]
    for unit in range(1, s.units + 1):
        if s.owner[unit] == side:
            if not is_general(s, unit):
                _add_minion(r, s, unit, attack[unit], health[unit], keywords[unit], values, at)
            values[at + NEAR] += 0.02 * attack[unit] * (10 - steps_between(s.cell[unit], goal))
            reached |= r.disc[s.cell[unit], 2]
    values[at + SPRINGS] = 0.5 * count_ones(springs & reached)
    _add_threats(r, s, side, attack, health, keywords, strikes, values, at)
    _add_hand(r, s, side, values, at)


@kernel
def _add_minion(r, s, unit, attack, health, keywords, values, at):
    values[at + MINIONS] += 0.5
    values[at + ATTACK] += 0.2 * attack
    values[at + TOUGHNESS] += 0.2 * health
    if not s.dispelled[unit]:
        values[at + ABILITY] += 0.2 * r.ability_worth[s.card[unit]]
    values[at + COST] += 0.2 * r.mana[s.card[unit]]
    values[at + TAUNTS] += 0.5 if keywords & PROVOKE else 0.0
    values[at + SHOOTERS] += 0.5 if keywords & RANGED else 0.0
    values[at + FLYERS] += 0.5 if keywords & FLYING else 0.0
    values[at + SHIELDS] += 0.5 if keywords & FORCEFIELD else 0.0
    values[at + FIERCE] += 0.5 if keywords & MANY else 0.0
    values[at + STILL] += 0.5 if keywords & IMMOBILE else 0.0


@kernel
def _add_threats(r, s, side, attack, health, keywords, strikes, values, at):
    """Add what a side's units could do to each enemy in one turn if nothing stood in the way."""
    for enemy in range(1, s.units + 1):
        if s.owner[enemy] != side and not keywords[enemy] & UNTOUCHABLE:
            most, total, free = 0, 0, False
            for unit in range(1, s.units + 1):
                if s.owner[unit] == side and strikes[unit] >> s.cell[enemy] & 1:
                    total += attack[unit]
                    most = max(most, attack[unit])
                    free |= attack[unit] >= health[enemy] and attack[enemy] < health[unit]
            if is_general(s, enemy):
                values[at + BURST] = 0.1 * total
                values[at + SHARE] = min(1.5, total / health[enemy])
                values[at + LETHAL] = 1.0 if total >= health[enemy] else 0.0
            else:
                worth = 0.1 * (
                    attack[enemy]
                    + health[enemy]
                    + (0 if s.dispelled[enemy] else r.ability_worth[s.card[enemy]])
                )
                values[at + ONE_KILLS] += worth if most >= health[enemy] else 0.0
                values[at + FREE_KILLS] += worth if free else 0.0
                values[at + ALL_KILLS] += worth if total >= health[enemy] else 0.0


@kernel
def _add_hand(r, s, side, values, at):
    """Add the side's hand as it will be in the side's next turn, after the draws of this turn."""
    mana, draws = min(s.most_mana[side] + 1, MOST_MANA), 0
    if s.acts > 0 and side == s.player:
        draws = min(r.draws, s.left[side])
    for slot in range(HAND):
        card = s.hand[side, slot]
        if card > 0:
            values[at + CARDS] += 0.2
            values[at + PLAYABLE] += 0.2 if r.mana[card] <= mana else 0.0
            values[at + DEAR] += 0.2 if r.mana[card] > mana + 1 else 0.0
            if r.mana[card] <= mana:
                values[at + SPENT] = max(values[at + SPENT], r.mana[card] / mana)
        elif card != 0 or draws > 0:
            draws -= card == 0
            values[at + CARDS] += 0.2
            values[at + PLAYABLE] += 0.2 * UNKNOWN_PLAYABLE


@kernel
def muster(r, s, attack, health, keywords):
    """Write the attack, health and keywords of all units.

    The values equal the results of `attack_of`, `health_of` and `keywords_of`. `muster` is faster
    than these functions, because it visits each unit with an aura only once. The functions visit it
    once for every other unit.
    """
    for unit in range(1, s.units + 1):
        attack[unit] = s.attack[unit] + s.attack_now[unit] - s.scorched[unit]
        health[unit] = s.health[unit] - s.damage[unit]
        keywords[unit] = s.keywords[unit] | s.keywords_now[unit]
    for lender in range(1, s.units + 1):
        if r.triggers[s.card[lender]] & 1 << ALWAYS and not s.dispelled[lender]:
            to = EVERYBODY if s.auras and s.alive[lender] else lender
            _lend(r, s, s.card[lender], lender, to, attack, health, keywords)
    for player in range(2):
        if s.artifact[player, 0] != 0:
            for slot in range(ARTIFACTS):
                _lend(
                    r,
                    s,
                    s.artifact[player, slot],
                    general_of(s, player),
                    EVERYBODY,
                    attack,
                    health,
                    keywords,
                )
    for unit in range(1, s.units + 1):
        attack[unit] = max(0, attack[unit])


@kernel
def _lend(r, s, card, lender, to, attack, health, keywords):
    """Add what the auras of a card give to one unit, or to all units."""
    first, last = (1, s.units) if to == EVERYBODY else (to, to)
    for ability in range(r.first[card], r.last[card]):
        if r.trigger[ability] == ALWAYS and holds(r, s, r.condition[ability], lender):
            for unit in range(first, last + 1):
                if reaches(r, s, ability, lender, unit):
                    attack[unit] += share(r, s, ability, ATTACK_LENT, lender)
                    health[unit] += share(r, s, ability, HEALTH_LENT, lender)
                    keywords[unit] |= r.lends[ability] if r.effect[ability] == LEND else 0


@kernel
def threaten(r, s, keywords, strikes):
    """Write the cells that each unit could attack in its next turn, given keywords and distance."""
    for unit in range(1, s.units + 1):
        cell = s.cell[unit]
        strikes[unit] = r.around[cell] & _provokers(s, 1 - s.owner[unit], keywords)
        if s.stunned[unit] or keywords[unit] & STRUCTURE:
            strikes[unit] = 0
        elif strikes[unit] == 0:
            near = r.around[cell] if keywords[unit] & IMMOBILE else r.walked[cell]
            strikes[unit] = EVERYWHERE if keywords[unit] & (RANGED | FLYING) else near


@kernel
def _provokers(s, player, keywords):
    """Return the cells of a player's units that provoke."""
    cells = 0
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player and keywords[unit] & PROVOKE:
            cells |= 1 << s.cell[unit]
    return cells
