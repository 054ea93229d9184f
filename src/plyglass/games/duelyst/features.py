"""A position in numbers, for evaluators that are learned: generals, armies, threats, hands, and
places.

The same numbers of who is next to have a turn, and of the other; the enemy has all of them with the
other sign. A turn that has begun is taken to be over: what can still be done in it is the work of a
search.
"""

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.core.learned import judgement
from plyglass.core.memory import stack_ints, stack_reals
from plyglass.games.duelyst.board import (
    ARTIFACTS,
    FEATURES,
    HAND,
    MOST_MANA,
    MOST_UNITS,
    OVER,
    SPRING,
)
from plyglass.games.duelyst.cells import CELLS, steps_between
from plyglass.games.duelyst.muster import muster, threaten
from plyglass.games.duelyst.rules import score
from plyglass.games.duelyst.units import is_general
from plyglass.games.duelyst.words import (
    BACKSTAB,
    BLAST,
    CELERITY,
    FLYING,
    FORCEFIELD,
    FRENZY,
    IMMOBILE,
    PROVOKE,
    RANGED,
    UNTOUCHABLE,
)

# Where each number of a side is.
HEALTH, FRAIL, DYING, STRIKE, ARMOUR = range(
    5
)  # of the general; how far his health is below 12, and below 6; his artifacts
MINIONS, ATTACK, TOUGHNESS, ABILITY, COST = range(5, 10)  # of all minions
TAUNTS, SHOOTERS, FLYERS, SHIELDS, FIERCE, STILL = range(
    10, 16
)  # minions that provoke, ..., that strike many or twice, that cannot move
BURST, SHARE, LETHAL = range(
    16, 19
)  # attack that reaches the enemy general, as a share of his health, and whether it is as much
ONE_KILLS, FREE_KILLS, ALL_KILLS = range(
    19, 22
)  # worth of minions that one unit can kill, without being killed, and all together
CARDS, PLAYABLE, DEAR, SPENT = range(
    22, 26
)  # of the hand, by the mana of the next turn: how many, and the dearest that can be played
NEAR, SPRINGS = (
    26,
    27,
)  # attack by how near it is to the enemy general; springs that a unit can take
EACH = 28  # and once, whose turn is next

UNKNOWN_PLAYABLE = 0.7  # of a card that is not known
MANY = FRENZY | BLAST | CELERITY | BACKSTAB


@kernel
def features(r, s, player, values):
    """Write all of them; returns how many there are."""
    for i in range(FEATURES):
        values[i] = 0.0
    attack, health, keywords = (
        stack_ints(MOST_UNITS + 1),
        stack_ints(MOST_UNITS + 1),
        stack_ints(MOST_UNITS + 1),
    )
    strikes, springs = stack_ints(MOST_UNITS + 1), 0
    for side in range(2):  # a general who has died is no unit any more
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
    """What the features say, by weights that were learned from games."""
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
    """What the units of a side could do to each enemy in a turn, if nobody were in the way."""
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
    """The hand when his turn comes, with the cards that are still to be drawn at the end of this
    one.
    """
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
