"""What happens by itself: cards are drawn and cities infected until somebody has to decide
something.
"""

from plyglass.core import begin_ply, kernel
from plyglass.games.pandemic.board import (
    ACTING,
    ACTIONS,
    DRAWING,
    DRAWS,
    INFECTING,
    INTENSIFYING,
    MOST_PLAYERS,
    NOBODY,
    NOWHERE,
    PLAYING,
)
from plyglass.games.pandemic.decks import draw_infection_card, draw_player_card, intensify, overfull
from plyglass.games.pandemic.disease import infect, settle
from plyglass.games.pandemic.events import playable


@kernel
def advance(r, s, to_luck):
    """Go on until there is something to decide, or the game is over (0); if so asked, only until
    a card is turned over (1).
    """
    while s.result == PLAYING and not _is_decision(r, s):
        if to_luck and _card_is_next(s):
            return 1
        s.ready = 0
        if s.phase == ACTING:
            s.phase = DRAWING
        elif s.phase == INTENSIFYING:
            intensify(s)
            s.phase = DRAWING
        elif s.phase == DRAWING:
            _draw(r, s)
        else:
            _infect(r, s)
    return 0


@kernel
def _card_is_next(s):
    """Whether the next thing to happen is that a card is turned over; where there is none, that
    is known.
    """
    if s.phase == DRAWING:
        return s.turned < DRAWS and s.left > 0
    return s.phase == INFECTING and not (s.quiet and s.turned == 0)


@kernel
def _is_decision(r, s):
    """Whether somebody has to decide: on an action, on what to throw away, or whether to play an
    event before the next card.
    """
    if (s.phase == ACTING and s.spent < ACTIONS) or s.foreseen != 0:
        return True
    if r.restricted:
        return overfull(s) != NOBODY
    if s.phase == DRAWING and s.turned == 1:
        return False  # both cards are drawn together
    if s.phase != INTENSIFYING and overfull(s) != NOBODY:
        return True
    return (
        s.phase != ACTING
        and s.ready == 0
        and not (s.phase == DRAWING and s.turned == DRAWS)
        and playable(r, s) != 0
    )


@kernel
def _draw(r, s):
    if s.turned < DRAWS:
        draw_player_card(r, s)
        settle(r, s)
    else:
        s.phase, s.turned = INFECTING, 0


@kernel
def _infect(r, s):
    """One infection card; the turn ends with the last one, or at once in a quiet night."""
    if s.quiet and s.turned == 0:
        s.quiet = 0
    else:
        s.turned += 1
        infect(r, s, draw_infection_card(s), 1, s.eradicated)
        settle(r, s)
        if s.turned < r.rate[s.epidemics] or s.result != PLAYING:
            return
    _end_turn(r, s)


@kernel
def _end_turn(r, s):
    s.seat = s.seat + 1 if s.seat + 1 < r.players else 0
    s.phase, s.turned, s.spent, s.flown = ACTING, 0, 0, 0
    for seat in range(MOST_PLAYERS):
        s.last[seat] = NOWHERE
    begin_ply(s)
