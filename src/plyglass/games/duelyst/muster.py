"""All units at once: what `units` works out for one of them, and what each could attack; for
those who look at every unit.
"""

from plyglass.core import kernel
from plyglass.games.duelyst.board import ARTIFACTS
from plyglass.games.duelyst.units import ATTACK_LENT, HEALTH_LENT, general_of, holds, reaches, share
from plyglass.games.duelyst.words import ALWAYS, FLYING, IMMOBILE, LEND, PROVOKE, RANGED, STRUCTURE

EVERYBODY = 0
EVERYWHERE = -1


@kernel
def muster(r, s, attack, health, keywords):
    """Write attack, health and keywords of all units, each as `attack_of`, `health_of` and
    `keywords_of` have it.
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
    """Add what the abilities of a card that always act lend to one unit, or to everybody."""
    first, last = (1, s.units) if to == EVERYBODY else (to, to)
    for row in range(r.first[card], r.last[card]):
        if r.trigger[row] == ALWAYS and holds(r, s, r.condition[row], lender):
            for unit in range(first, last + 1):
                if reaches(r, s, row, lender, unit):
                    attack[unit] += share(r, s, row, ATTACK_LENT, lender)
                    health[unit] += share(r, s, row, HEALTH_LENT, lender)
                    keywords[unit] |= r.lends[row] if r.effect[row] == LEND else 0


@kernel
def threaten(r, s, keywords, strikes):
    """Write the cells on which each unit could attack in its next turn, as far as keywords and
    distance go.
    """
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
    """The cells of a player's units that provoke."""
    cells = 0
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player and keywords[unit] & PROVOKE:
            cells |= 1 << s.cell[unit]
    return cells
