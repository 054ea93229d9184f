"""Attacks: the attacker strikes all units that it hits, and then these units strike back.

Deaths wait in the queue of events.
"""

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import (
    ATTACKED,
    ATTACKS,
    BACKSTAB,
    BLAST,
    DISPEL,
    DOUBLED_TO_GENERALS,
    DOUBLED_TO_MINIONS,
    FIGHTS,
    FRENZY,
    MEEK,
    RAISE,
    RANGED,
    SET_ATTACK,
    STUN,
)
from plyglass.games.duelyst.engine.board import WIDTH, behind
from plyglass.games.duelyst.engine.effects import perform
from plyglass.games.duelyst.engine.events import ABILITY, DONE, HEAD, NOBODY, STRIDE, TAIL, fire
from plyglass.games.duelyst.engine.health import BY_ATTACK, hurt
from plyglass.games.duelyst.engine.units import (
    attack_of,
    cell_of,
    is_general,
    keywords_of,
    next_to,
    owner_of,
    unit_at,
)
from plyglass.games.duelyst.state import ARTIFACTS


@kernel
def fight(r, s, queue, unit, target):
    """Let a unit attack the unit on a cell."""
    s.attacks[unit] += 1
    s.moves[unit] = max(s.moves[unit], s.attacks[unit])
    victim = unit_at(s, target)
    fire(r, s, queue, FIGHTS, unit, victim, NOBODY)
    _do_at_once(r, s, queue)
    answers = _strikes_back(r, s, unit, victim)
    if answers:
        fire(r, s, queue, FIGHTS, victim, unit, NOBODY)
        _do_at_once(r, s, queue)
    hit = _hit_cells(r, s, unit, target)
    if next_to(r, s, unit, victim):
        fire(r, s, queue, ATTACKED, victim, unit, NOBODY)
    _exchange(r, s, queue, unit, victim, hit)
    fire(r, s, queue, ATTACKS, unit, victim, NOBODY)


@kernel
def _exchange(r, s, queue, unit, victim, hit):
    """Carry out all strikes of an attack, then all counterattacks.

    The victim and all units hit by a blast strike back. Other units hit by frenzy do not strike
    back.
    """
    in_line = keywords_of(r, s, unit) & BLAST
    back = 0
    for other in range(1, s.units + 1):
        if (
            hit >> s.cell[other] & 1
            and s.alive[other]
            and (other == victim or in_line)
            and not _from_behind(r, s, unit, other)
        ):
            back |= 1 << s.cell[other]
    _blow(r, s, queue, unit, victim)
    for other in range(1, s.units + 1):
        if other != victim and s.alive[other] and hit >> s.cell[other] & 1:
            _blow(r, s, queue, unit, other)
    _do_at_once(r, s, queue)
    for other in range(1, s.units + 1):
        if back >> s.cell[other] & 1 and other != unit and _strikes_back(r, s, unit, other):
            _blow(r, s, queue, other, unit)
            _do_at_once(r, s, queue)


@kernel
def _hit_cells(r, s, unit, target):
    """Return the cells of all enemies that an attack on `target` hits."""
    here, keywords = cell_of(s, unit), keywords_of(r, s, unit)
    area = 1 << target
    if keywords & BLAST and r.line[here] >> target & 1:
        area |= _ray(here, target)
    if keywords & FRENZY and r.around[here] >> target & 1:
        area |= r.around[here]
    hit = 0
    for other in range(1, s.units + 1):
        if s.alive[other] and s.owner[other] != s.owner[unit]:
            hit |= area & 1 << s.cell[other]
    return hit


@kernel
def _ray(here, there):
    """Return the line of cells from the attacker through the target to the board's edge."""
    step = WIDTH if here % WIDTH == there % WIDTH else 1
    step = step if there > here else -step
    cells, cell = 0, here + step
    while 0 <= cell < 5 * WIDTH and (
        step == WIDTH or step == -WIDTH or cell // WIDTH == here // WIDTH
    ):
        cells |= 1 << cell
        cell += step
    return cells


@kernel
def _from_behind(r, s, unit, victim):
    """Return whether a unit has backstab and stands behind its victim."""
    return (
        keywords_of(r, s, unit) & BACKSTAB != 0
        and behind(cell_of(s, victim), owner_of(s, victim)) >> s.cell[unit] & 1 != 0
    )


@kernel
def _strikes_back(r, s, unit, victim):
    """Return whether an attacked unit can strike back.

    The attacker must be in reach and must not have attacked from behind. The unit must have some
    attack, and must not have the keyword that forbids it to strike back.
    """
    keywords = keywords_of(r, s, victim)
    in_reach = keywords & RANGED or next_to(r, s, unit, victim)
    return (
        in_reach
        and not keywords & MEEK
        and attack_of(r, s, victim) > 0
        and not _from_behind(r, s, unit, victim)
    )


@kernel
def _blow(r, s, queue, unit, victim):
    amount = attack_of(r, s, unit)
    keywords = keywords_of(r, s, unit)
    if _from_behind(r, s, unit, victim):
        amount += _stab(r, s, unit)
    if keywords & (DOUBLED_TO_GENERALS if is_general(s, victim) else DOUBLED_TO_MINIONS):
        amount *= 2
    hurt(r, s, queue, unit, victim, amount, BY_ATTACK)


@kernel
def _stab(r, s, unit):
    """Return the additional damage of a backstab, including a general's artifacts."""
    more = 0 if s.dispelled[unit] else r.backstab[s.card[unit]]
    if is_general(s, unit):
        for slot in range(ARTIFACTS):
            more += r.backstab[s.artifact[s.owner[unit], slot]]
    return more


@kernel
def _do_at_once(r, s, queue):
    """Before the next strike, carry out queued events that change stats, stun or dispel."""
    for at in range(queue[HEAD], queue[TAIL], STRIDE):
        if queue[at] == ABILITY:
            effect = r.effect[queue[at + 1]]
            if effect in (RAISE, SET_ATTACK, STUN, DISPEL):
                queue[at] = DONE
                perform(r, s, queue, at)
