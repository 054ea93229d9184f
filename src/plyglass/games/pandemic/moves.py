"""Moves: where each kind of move takes a pawn, and which cards it costs.

The thesis forbids two kinds of wasteful moves. A pawn may not fly to a neighbour. A pawn may not
return to the city that it has just left if its player has done nothing since.
"""

from plyglass.core import kernel
from plyglass.games.pandemic.state import (
    ALL_CITIES,
    CHARTER,
    DIRECT,
    DISPATCHER,
    DRIVE,
    EXPERT,
    FLIGHT,
    NOWHERE,
    SHUTTLE,
)


@kernel
def movable(r, s):
    """Return the seats whose pawns the active player can move; a dispatcher can move all pawns."""
    return (1 << r.players) - 1 if s.role[s.seat] == DISPATCHER else 1 << s.seat


@kernel
def destinations(r, s, kind, pawn):
    """Return the cities where a kind of move can take a pawn, given the active player's cards."""
    here = s.pawn[pawn]
    if kind == DRIVE:
        return _drives(r, s, pawn, here)
    if kind == DIRECT:
        return s.hand[s.seat] & far(r, s, pawn) if s.last[pawn] == NOWHERE else 0
    if kind == CHARTER:
        return far(r, s, pawn) if s.hand[s.seat] >> here & 1 else 0
    if kind == SHUTTLE:
        return s.stations & ~(1 << here | 1 << s.last[pawn]) if s.stations >> here & 1 else 0
    return peopled(r, s) & ~(1 << here) if s.role[s.seat] == DISPATCHER else 0


@kernel
def far(r, s, pawn):
    """Return the cities to which a pawn may fly: all except its own.

    In the thesis, neighbours and the pawn's last city are left out.
    """
    here = s.pawn[pawn]
    near = r.beside[here] if r.restricted else 0
    return ALL_CITIES & ~(near | 1 << here | 1 << s.last[pawn])


@kernel
def expert_cards(s):
    """Return the cards that the operations expert can discard at a station to fly anywhere.

    The expert can fly once per turn.
    """
    able = s.role[s.seat] == EXPERT and s.flown == 0 and s.stations >> s.pawn[s.seat] & 1
    return s.hand[s.seat] & ALL_CITIES if able else 0


@kernel
def move(r, s, kind, source, city):
    """Carry out a move; `source` is the pawn or, for an expert's flight, the discarded card."""
    pawn = source
    if kind == DIRECT:
        s.hand[s.seat] ^= 1 << city
    elif kind == CHARTER:
        s.hand[s.seat] ^= 1 << s.pawn[pawn]
    elif kind == FLIGHT:
        pawn = s.seat
        s.hand[s.seat] ^= 1 << source
        s.flown = 1
    go(r, s, pawn, city)


@kernel
def go(r, s, pawn, city):
    """Put a pawn on a city."""
    if r.restricted:
        s.last[pawn] = s.pawn[pawn]
    s.pawn[pawn] = city


@kernel
def _drives(r, s, pawn, here):
    onward = r.beside[here] & ~(1 << s.last[pawn])
    # A pawn in a city with one link may return, because there is no other way.
    return onward if onward != 0 else r.beside[here]


@kernel
def peopled(r, s):
    """Return the cities with pawns."""
    cities = 0
    for seat in range(r.players):
        cities |= 1 << s.pawn[seat]
    return cities
