"""Pandemic: a team finds four cures before outbreaks, missing cubes or missing cards end it.

One agent plays all seats, as in document 004: nothing is hidden from anybody, and all win or lose
together. A ply is the turn of one seat, and the cards that end it have luck of their own.
"""

from plyglass.core import kernel, kind_of, source_of, target_of
from plyglass.games.pandemic.board import (
    AIRLIFT,
    BUILD,
    CURE,
    DISCARD,
    DISPATCH,
    DO_NOTHING,
    FIRST_EVENT,
    FORECAST,
    GIVE,
    PLAYING,
    PUT_BACK,
    RECLAIM,
    TREAT,
    WON,
    Constants,
    Setup,
    State,
)
from plyglass.games.pandemic.choices import list_all
from plyglass.games.pandemic.dealing import deal, place
from plyglass.games.pandemic.decks import put_back
from plyglass.games.pandemic.deeds import (
    build,
    cure,
    forget_way_back,
    hand_over,
    pay_for_station,
    treat,
)
from plyglass.games.pandemic.disease import settle
from plyglass.games.pandemic.events import lose_event, play, reclaim
from plyglass.games.pandemic.moves import move
from plyglass.games.pandemic.turn import advance

__all__ = ["Constants", "Setup", "State", "after", "apply", "legal", "score", "start", "to_move"]


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
    """Do what was decided, then draw cards and infect cities until there is something to decide."""
    _decide(r, s, kind_of(action), source_of(action), target_of(action))
    settle(r, s)
    advance(r, s, False)


@kernel
def after(r, s, action):
    """Do what was decided, and go on until a card is turned over (1), or there is something to
    decide (0).
    """
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
    """Do what was decided."""
    if kind <= RECLAIM:
        s.spent += 1
        _act(r, s, kind, source, target)
    elif kind < DISCARD:
        play(r, s, kind, source, target)
    else:
        _manage(s, kind, source, target)


@kernel
def _act(r, s, kind, source, target):
    """An action of whose turn it is."""
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
    """Something that is done where a pawn is."""
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
    """Throw a card away, put one back, or go on."""
    if kind == DISCARD:
        s.hand[source] ^= 1 << target
        if target >= FIRST_EVENT:
            s.played |= 1 << target - FIRST_EVENT
    elif kind == PUT_BACK:
        put_back(s, target)
    else:
        s.ready = 1
