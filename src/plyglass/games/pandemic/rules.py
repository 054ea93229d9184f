"""Pandemic: find four cures before an eighth outbreak, and before cubes or cards run out.

One agent plays all seats, as in the thesis, because the players hide nothing from each other, and
win or lose together. A ply is the turn of one seat. The cards drawn at the end of a ply have their
own random stream.
"""

from plyglass.core import begin_ply, kernel, kind_of, source_of, target_of
from plyglass.games.pandemic.decks import (
    draw_infection_card,
    draw_player_card,
    intensify,
    overfull,
    put_back,
)
from plyglass.games.pandemic.deeds import (
    build,
    cure,
    forget_way_back,
    hand_over,
    pay_for_station,
    treat,
)
from plyglass.games.pandemic.disease import infect, settle
from plyglass.games.pandemic.events import lose_event, play, playable, reclaim
from plyglass.games.pandemic.legal_actions import list_all
from plyglass.games.pandemic.moves import move
from plyglass.games.pandemic.setup import deal, place
from plyglass.games.pandemic.state import (
    ACTING,
    ACTIONS,
    AIRLIFT,
    BUILD,
    CURE,
    DISCARD,
    DISPATCH,
    DO_NOTHING,
    DRAWING,
    DRAWS,
    FIRST_EVENT,
    FORECAST,
    GIVE,
    INFECTING,
    INTENSIFYING,
    MOST_PLAYERS,
    NOBODY,
    NOWHERE,
    PLAYING,
    PUT_BACK,
    RECLAIM,
    TREAT,
    WON,
)


@kernel
def start(r, setup, s):
    if setup.given:
        place(setup, s)
    else:
        deal(r, s)


@kernel
def to_move(r, s):
    return 0 if s.result == PLAYING else -1


@kernel
def legal(r, s, out):
    return list_all(r, s, out)


@kernel
def apply(r, s, action):
    """Carry out an action, then draw cards and infect cities until the team has to decide."""
    _decide(r, s, kind_of(action), source_of(action), target_of(action))
    settle(r, s)
    advance(r, s, False)


@kernel
def after(r, s, action):
    """Carry out an action; return 1 if a card is turned over next, or 0 if a decision follows."""
    if kind_of(action) == FORECAST:
        lose_event(s, FORECAST - AIRLIFT)
        return 1
    _decide(r, s, kind_of(action), source_of(action), target_of(action))
    settle(r, s)
    return advance(r, s, True)


@kernel
def score(r, s, player):
    return 1.0 if s.result == WON else 0.0


@kernel
def _decide(r, s, kind, source, target):
    if kind <= RECLAIM:
        s.spent += 1
        _act(r, s, kind, source, target)
    elif kind < DISCARD:
        play(r, s, kind, source, target)
    else:
        _manage(s, kind, source, target)


@kernel
def _act(r, s, kind, source, target):
    """Carry out an action of the active player."""
    if kind <= DISPATCH:
        if kind != DO_NOTHING:
            move(r, s, kind, source, target)
    elif kind == RECLAIM:
        reclaim(s, target)
    else:
        _do(s, kind, source, target)
        forget_way_back(s)


@kernel
def _do(s, kind, source, target):
    """Carry out an action in the active pawn's city."""
    if kind == BUILD:
        pay_for_station(s)
        build(s, target, source)
    elif kind == TREAT:
        treat(s, target)
    elif kind == CURE:
        cure(s, source, target)
    elif kind == GIVE:
        hand_over(s, s.seat, source, target)
    else:
        hand_over(s, source, s.seat, target)


@kernel
def _manage(s, kind, source, target):
    """Discard a card, put a foreseen card back, or go on without an event."""
    if kind == DISCARD:
        s.hand[source] ^= 1 << target
        if target >= FIRST_EVENT:
            s.played |= 1 << target - FIRST_EVENT
    elif kind == PUT_BACK:
        put_back(s, target)
    else:
        s.ready = 1


@kernel
def advance(r, s, to_luck):
    """Continue until the team has to decide or the game is over, and return 0.

    If `to_luck` is set, stop before the next card is turned over and return 1.
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
    """Return whether a card is turned over next.

    Drawing from an empty player deck does not count, because its outcome is known in advance.
    """
    if s.phase == DRAWING:
        return s.turned < DRAWS and s.left > 0
    return s.phase == INFECTING and not (s.quiet and s.turned == 0)


@kernel
def _is_decision(r, s):
    """Return whether the team must decide something before the next card is turned over."""
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
    """Turn over one infection card; the last card of the turn, or a quiet night, ends the turn."""
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
