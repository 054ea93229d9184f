"""The value of playing a card on a cell, by the starter AI's intents for the card."""

import numpy as np

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.core.memory import stack_ints
from plyglass.games.duelyst.cards.vocabulary import (
    A_GENERAL,
    A_MINION,
    A_SPACE,
    AIRDROP,
    ANY,
    BY_CHOSEN,
    BY_SELF,
    CHOSEN,
    DAMAGE,
    DESTROY,
    DISPEL,
    DRAW,
    HEAL,
    ITS,
    LEND,
    MINION,
    OWN,
    OWN_SIDE,
    RAISE,
    REACTIVATE,
    SET_ATTACK,
    SPELL,
    STUN,
    SUMMON,
    TRANSFORM,
)
from plyglass.games.duelyst.engine.arrivals import empty_cells
from plyglass.games.duelyst.engine.board import ALL, CELLS, half_of
from plyglass.games.duelyst.engine.hands import held
from plyglass.games.duelyst.engine.units import (
    attack_of,
    cells_of,
    chances,
    is_general,
    keywords_of,
    unit_at,
)
from plyglass.games.duelyst.starter.moves import by_columns
from plyglass.games.duelyst.starter.places import nature_of_card, nearest_enemy, place_worth
from plyglass.games.duelyst.starter.worth import (
    healing_worth,
    hurting_worth,
    newcomer_worth,
    removable_worth,
    worth_of,
)
from plyglass.games.duelyst.state import HAND

HEALTH, REMOVAL, OWN_LOSS, STUNNED = 1.2, 5.0, 0.75, 2.0
DISPELLED, REFRESHED, TRANSFORMED = 3.25, 3.0, 2.0
DRAWN, WASTED, IN_VAIN, NO_CHOICE, KEYWORD = 40.0, 50.0, 5.0, 20.0, 10.0
WHEN_PLAYED = np.int64(0)  # the choice that is made when a card is played
LITTLE = 15.0  # added to the value of a summoned unit with a smaller value than this


@kernel
def has_intents(r, card):
    return r.first_intent[card] < r.last_intent[card]


@kernel
def best_place(r, s, player, card, cells):
    """Return the best cell for a card, and the value there.

    Among equally good cells, the function returns the last.
    """
    order = stack_ints(CELLS)
    in_rows = r.type[card] == MINION and not r.keywords[card] & AIRDROP
    count = _by_rows(cells, order) if in_rows else by_columns(cells, order)
    found, best = np.int64(-1), 0.0
    for number in range(count):
        score = _play_worth(r, s, player, card, order[number])
        if found < 0 or score >= best:
            found, best = order[number], score
    return found, best


@kernel
def _by_rows(cells, order):
    count = 0
    for cell in range(CELLS):
        if cells >> cell & 1:
            order[count] = cell
            count += 1
    return count


@kernel
def _play_worth(r, s, player, card, cell):
    """Return the value of playing a card on a cell and making the best choices afterwards."""
    score = _sum(r, s, player, card, WHEN_PLAYED, cell)
    if r.type[card] == MINION:
        score += newcomer_worth(r, card) + _summon_worth(r, s, player, card, cell)
    else:
        score += r.mana[card]
    choice, there = WHEN_PLAYED + 1, cell
    while _asks(r, card, choice):
        there, more = best_choice(
            r, s, player, card, choice, _following(r, s, player, card, choice, there)
        )
        if there < 0:
            return score - NO_CHOICE
        score += more
        choice += 1
    return score


@kernel
def _asks(r, card, choice):
    """Return whether a card has an intent for this choice or a later one."""
    return has_intents(r, card) and r.choice[r.last_intent[card] - 1] >= choice


@kernel
def best_choice(r, s, player, card, choice, cells):
    """Return the best of the given cells for a card's later choice, and the value of this cell.

    The cell is -1 if there is no cell, or no intent for the choice.
    """
    order = stack_ints(CELLS)
    count = by_columns(cells, order) if _asks(r, card, choice) else 0
    found, best = np.int64(-1), 0.0
    for number in range(count):
        score = _sum(r, s, player, card, choice, order[number])
        if found < 0 or score >= best:
            found, best = order[number], score
    return found, best


@kernel
def _following(r, s, player, card, choice, cell):
    """Return the cells that a card's next choice may offer, as far as they are known already."""
    ability = chosen_ability(r, card, choice)
    area = (
        r.around[cell]
        if r.near[ability] == BY_SELF or r.near[ability] == BY_CHOSEN
        else np.int64(ALL)
    )
    if r.kind[ability] == A_SPACE:
        return area & empty_cells(s) & ~(1 << cell)
    return area & cells_of(s, player) if r.side[ability] == OWN else area & cells_of(s, 1 - player)


@kernel
def chosen_ability(r, card, choice):
    """Return the ability for which a card asks for a choice.

    Choice 0 of a spell is the cell on which the spell is played.
    """
    number = choice if r.type[card] == SPELL else choice - 1
    for ability in range(r.first[card], r.last[card]):
        if r.pick[ability] == CHOSEN:
            if number == 0:
                return ability
            number -= 1
    return 0


@kernel
def _sum(r, s, player, card, choice, cell):
    """Return the value of a cell, as the sum over all intents for one choice of a card."""
    total = 0.0
    for ability in range(r.first_intent[card], r.last_intent[card]):
        if r.choice[ability] == choice:
            if r.effect[ability] == SUMMON:
                total += _summon_worth(r, s, player, r.token[ability], cell)
            elif r.effect[ability] == DRAW:
                total += _draw_worth(s, player, r.amount[ability])
            else:
                total += _on_units(r, s, player, ability, cell)
    return total


@kernel
def _summon_worth(r, s, player, card, cell):
    """Return the value of a new unit on a cell."""
    objective = nearest_enemy(s, player, cell)
    score = (
        newcomer_worth(r, card)
        + place_worth(r, s, player, r.keywords[card], nature_of_card(r, card), cell, objective) / 5
    )
    return score + (LITTLE if score < LITTLE else 0.0)


@kernel
def _draw_worth(s, player, amount):
    """Return the value of drawing cards: high for a small hand, negative for a full hand."""
    total, cards, left = 0.0, held(s, player), np.int64(s.left[player])
    for number in range(amount):
        total += DRAWN / (cards + number) if cards + number <= HAND and number < left else -WASTED
    return total


@kernel
def _on_units(r, s, player, ability, cell):
    """Return the value of an intent, summed over all units to which the intent applies."""
    total = 0.0
    for unit in range(1, s.units + 1):
        if _is_about(r, s, player, ability, cell, unit):
            total += _on_unit(r, s, player, ability, unit)
    in_vain = total == 0.0 and (r.effect[ability] == STUN or r.effect[ability] == DISPEL)
    return -IN_VAIN if in_vain else total


@kernel
def _is_about(r, s, player, ability, cell, unit):
    """Return whether an intent applies to a unit if the card is played on a given cell."""
    if (r.kind[ability] == A_MINION and is_general(s, unit)) or (
        r.kind[ability] == A_GENERAL and not is_general(s, unit)
    ):
        return False
    if r.side[ability] == ITS:
        return unit_at(s, cell) != 0 and s.owner[unit] == s.owner[unit_at(s, cell)]
    if r.side[ability] != ANY and (r.side[ability] == OWN) != (s.owner[unit] == player):
        return False
    if r.pick[ability] == CHOSEN:
        return s.cell[unit] == cell
    return r.near[ability] != OWN_SIDE or half_of(player) >> s.cell[unit] & 1 != 0


@kernel
def _on_unit(r, s, player, ability, unit):
    """Return the value of an intent for one unit; a benefit to an enemy counts as a loss."""
    effect, mine = r.effect[ability], s.owner[unit] == player
    if effect == DAMAGE:
        harm = hurting_worth(r, s, unit, r.amount[ability])
        return -OWN_LOSS * harm if mine else harm
    if effect == HEAL:
        good = healing_worth(r, s, unit, r.amount[ability])
        return good if mine else -0.5 * abs(good)
    sign = 1.0 if mine else -1.0
    return sign * _benefit(r, s, ability, unit)


@kernel
def _benefit(r, s, ability, unit):
    """Return how much a unit's owner gains from an intent."""
    effect, worth = r.effect[ability], worth_of(r, s, unit)
    if effect == DESTROY:
        return -REMOVAL * worth
    if effect == TRANSFORM:
        return TRANSFORMED * (newcomer_worth(r, r.token[ability]) - worth)
    if effect == STUN:
        return 0.0 if is_general(s, unit) or s.stunned[unit] else -STUNNED * attack_of(r, s, unit)
    if effect == DISPEL:
        all_of_it, effects = removable_worth(r, s, unit)
        return 0.0 if is_general(s, unit) else -DISPELLED * effects - 0.1 * all_of_it
    if effect == RAISE:
        return worth / 2 * (r.raise_attack[ability] + HEALTH * r.raise_health[ability])
    if effect == SET_ATTACK:
        return float(r.amount[ability] - attack_of(r, s, unit))
    if effect == REACTIVATE:
        spent = s.exhausted[unit] or s.attacks[unit] >= chances(keywords_of(r, s, unit))
        return REFRESHED * worth if spent else 0.0
    return KEYWORD * count_ones(r.lends[ability]) if effect == LEND else 0.0
