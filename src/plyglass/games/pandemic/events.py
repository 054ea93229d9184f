"""Event cards: which events can be played now, and the effect of each event.

Playing an event costs no action. In the official rules any player may play an event at any time. In
the thesis, a player plays each event at a fixed time of the turn, or instead of discarding the
event.
"""

from plyglass.core import kernel
from plyglass.games.pandemic.decks import foresee, overfull
from plyglass.games.pandemic.deeds import build
from plyglass.games.pandemic.moves import go
from plyglass.games.pandemic.state import (
    AIRLIFT,
    ALL_CITIES,
    ANY_EVENT,
    FIRST_EVENT,
    FORECAST,
    GRANT,
    INTENSIFYING,
    MOST_PLAYERS,
    NOBODY,
    NOWHERE,
    PLANNER,
    QUIET_NIGHT,
    RESILIENT,
)

AIRLIFT_CARD, GRANT_CARD, QUIET_NIGHT_CARD, RESILIENT_CARD = (
    1 << kind - AIRLIFT for kind in (AIRLIFT, GRANT, QUIET_NIGHT, RESILIENT)
)


@kernel
def playable(r, s):
    """Return the events that can be played now, as a set."""
    if s.phase == INTENSIFYING:
        return _held(s) & RESILIENT_CARD
    over = overfull(s)
    events = _held(s) & _timely(r, s) if over == NOBODY else s.hand[over] >> FIRST_EVENT
    if s.discard == 0:
        events &= ~RESILIENT_CARD
    return events


@kernel
def grantable(s):
    """Return the cities where a government grant can place a station."""
    return ALL_CITIES & ~s.stations


@kernel
def play(r, s, kind, source, target):
    """Play an event.

    `source` is the moved pawn for an airlift. For a grant, `source` is 1 + the city of the station
    that is removed, or 0.
    """
    lose_event(s, kind - AIRLIFT)
    if kind == AIRLIFT:
        go(r, s, source, target)
    elif kind == GRANT:
        build(s, target, source)
    elif kind == QUIET_NIGHT:
        s.quiet = 1
    elif kind == FORECAST:
        foresee(s)
    else:
        s.discard ^= 1 << target  # the card is now in no set, so it is out of the game


@kernel
def lose_event(s, event):
    """Move an event card from its holder to the discard pile.

    An event that the contingency planner kept leaves the game, and does not go to the discard pile.
    """
    if s.kept >> event & 1:
        s.kept = 0
        return
    for seat in range(MOST_PLAYERS):
        s.hand[seat] &= ~(1 << FIRST_EVENT + event)
    s.played |= 1 << event


@kernel
def reclaimable(s):
    """Return the events that the contingency planner can take; none while the planner keeps one."""
    return s.played if s.role[s.seat] == PLANNER and s.kept == 0 else 0


@kernel
def reclaim(s, event):
    s.played ^= 1 << event
    s.kept = 1 << event


@kernel
def _held(s):
    """Return the events that any player holds, as a set."""
    cards = 0
    for seat in range(MOST_PLAYERS):
        cards |= s.hand[seat]
    return cards >> FIRST_EVENT | s.kept


@kernel
def _timely(r, s):
    """Return the events that may be played at this time of the turn, as a set."""
    if not r.restricted:
        return ANY_EVENT
    events = QUIET_NIGHT_CARD | GRANT_CARD if s.spent == 0 else 0
    return events | AIRLIFT_CARD if s.last[s.seat] == NOWHERE else events
