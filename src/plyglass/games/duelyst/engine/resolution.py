"""Resolution of an action: all consequences happen in order until no consequence is left."""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import (
    DEATHWATCH,
    DYING_WISH,
    ENEMY_DRAWS,
    ENEMY_SUMMON,
    GENERAL_DAMAGED,
    HEALED,
    HEIR,
    OWN_DAMAGED,
    OWN_PLAY,
    OWN_SUMMON,
    PROVOKE,
    REBIRTH,
    SPELL_DAMAGE,
    SURVIVES,
)
from plyglass.games.duelyst.engine.arrivals import AS_TOKEN, forget_the_dead, lay, summon
from plyglass.games.duelyst.engine.card_play import choices_now, stop
from plyglass.games.duelyst.engine.effects import perform
from plyglass.games.duelyst.engine.events import (
    ABILITY,
    BITE,
    CAME,
    COMEBACK,
    DEATH,
    DIED,
    DREW,
    FIRST_NOTE,
    GENERAL_HURT,
    HEAD,
    LAST_NOTE,
    NOBODY,
    NOTE,
    OWN_HURT,
    PLAYED,
    SPELL_HURT,
    STRIDE,
    SURVIVED,
    TAIL,
    WAS_HEALED,
    fire,
    fire_all,
    note,
)
from plyglass.games.duelyst.engine.graveyard import come_back, remember
from plyglass.games.duelyst.engine.hands import draw_card
from plyglass.games.duelyst.engine.health import change_health, kill
from plyglass.games.duelyst.engine.player_effects import lose_artifact
from plyglass.games.duelyst.engine.turn import bite, collect_springs, next_stage
from plyglass.games.duelyst.engine.units import health_of, is_general, keywords_of, owner_of
from plyglass.games.duelyst.state import ARTIFACTS, DRAWN, FIRST_WON, OVER, SECOND_WON

BOTH = 3  # players, as a set


@kernel
def settle(r, s, queue):
    """Carry out all consequences of an action.

    Queued events come first, and then the check for a winner. Next come abilities that react to the
    events. The rest of the played card, or of the end of the turn, comes last.
    """
    going = True
    while going:
        _drain(r, s, queue)
        _look_for_winner(r, s)
        going = False
        if s.phase != OVER:
            _tidy(r, s, queue)
            _read_notes(r, s, queue)
            going = queue[HEAD] < queue[TAIL] or _go_on(r, s, queue)
    forget_the_dead(r, s)


@kernel
def _drain(r, s, queue):
    while queue[HEAD] < queue[TAIL]:
        at = queue[HEAD]
        queue[HEAD] = at + STRIDE
        if queue[at] == ABILITY:
            perform(r, s, queue, at)
        elif queue[at] == DEATH:
            _bury(r, s, queue, queue[at + 3])
        elif queue[at] == BITE:
            bite(r, s, queue, queue[at + 2], queue[at + 5])
        elif queue[at] == COMEBACK:
            come_back(r, s, queue, queue[at + 1], queue[at + 2], queue[at + 5])


@kernel
def _bury(r, s, queue, unit):
    """Carry out the consequences of a death, such as dying wishes and eggs."""
    owner = owner_of(s, unit)
    remember(r, s, unit)
    note(s, queue, DIED, unit, owner, NOBODY)
    fire(r, s, queue, DYING_WISH, unit, NOBODY, NOBODY)
    if keywords_of(r, s, unit) & REBIRTH:
        egg = summon(r, s, queue, r.egg, owner, np.int64(s.cell[unit]), AS_TOKEN)
        if egg != 0:
            lay(r, s, egg, np.int64(s.card[unit]))
    if not is_general(s, unit):
        for _ in range(s.wakes[owner]):
            draw_card(r, s, queue, owner)


@kernel
def _look_for_winner(r, s):
    """End the game if a player has neither a general nor an heir left.

    If neither player has a general or an heir, the game is a draw.
    """
    for player in range(2):
        if not s.alive[s.general[player]]:
            _inherit(r, s, player)
    first, second = s.alive[s.general[0]], s.alive[s.general[1]]
    if not (first and second):
        s.phase = OVER
        s.result = FIRST_WON if first else SECOND_WON if second else DRAWN
        stop(s)


@kernel
def _inherit(r, s, player):
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player and keywords_of(r, s, unit) & HEIR:
            s.general[player] = unit
            return


@kernel
def _tidy(r, s, queue):
    """Take springs, remove broken artifacts, and kill units that have lost their last health."""
    collect_springs(s)
    for player in range(2):
        for slot in range(ARTIFACTS - 1, -1, -1):
            if s.artifact[player, slot] != 0 and s.durability[player, slot] <= 0:
                lose_artifact(s, player, slot)
    for unit in range(1, s.units + 1):
        if s.alive[unit] and health_of(r, s, unit) <= 0:
            kill(s, queue, unit)


@kernel
def _read_notes(r, s, queue):
    while queue[FIRST_NOTE] < queue[LAST_NOTE]:
        at = queue[FIRST_NOTE]
        queue[FIRST_NOTE] = at + NOTE
        _read(r, s, queue, queue[at], queue[at + 1], queue[at + 2], queue[at + 3])


@kernel
def _read(r, s, queue, kind, unit, player, amount):
    """Fire the triggers that react to one noted event."""
    if kind == SURVIVED:
        if s.alive[unit]:
            fire(r, s, queue, SURVIVES, unit, NOBODY, amount)
        return
    if amount > 0 and kind in (CAME, PLAYED):
        _rally(r, s, queue, unit, amount)
        amount = NOBODY
    if kind == PLAYED:
        fire_all(r, s, queue, OWN_PLAY, 1 << player, unit, amount)
    trigger, players, subject = OWN_SUMMON, 1 << player, unit
    if kind == DIED:
        trigger, players = DEATHWATCH, BOTH
    elif kind == WAS_HEALED:
        trigger, players, subject = HEALED, BOTH, NOBODY
    elif kind == GENERAL_HURT:
        trigger = GENERAL_DAMAGED
    elif kind == OWN_HURT:
        trigger, subject = OWN_DAMAGED, NOBODY
    elif kind == DREW:
        trigger, players, subject = ENEMY_DRAWS, 2 >> player, NOBODY
    elif kind == SPELL_HURT:
        trigger, players, subject = SPELL_DAMAGE, 1 << s.player, NOBODY
    else:
        fire_all(r, s, queue, ENEMY_SUMMON, 2 >> player, unit, amount)
    fire_all(r, s, queue, trigger, players, subject, amount)


@kernel
def _rally(r, s, queue, unit, amount):
    """Strengthen a newly summoned minion if there was a rally earlier in this turn."""
    if s.alive[unit]:
        s.attack[unit] += amount
        s.keywords[unit] |= PROVOKE
        change_health(r, s, queue, unit, amount)


@kernel
def _go_on(r, s, queue):
    """Continue with the played card, or with the end of the turn.

    Return whether anything was left to do.
    """
    if s.pending != 0:
        if choices_now(r, s) != 0:
            return False
        stop(s)  # the rest of the card depends on the choice that cannot be made
    return next_stage(r, s, queue)
