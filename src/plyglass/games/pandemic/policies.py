"""Play without search: the default policy of the thesis, and preferred actions.

The policy chooses a kind of action at random, then an action of this kind. The policy cures first
whenever a cure is possible and the board is safe.
"""

from plyglass.core import kernel, kind_of, pack, target_of
from plyglass.core.bits import count_ones, lowest_one, nth_one
from plyglass.core.luck import below
from plyglass.games.pandemic.cities import PER_COLOUR
from plyglass.games.pandemic.decks import overfull
from plyglass.games.pandemic.deeds import curable, receivers, removable, shareable, treatable
from plyglass.games.pandemic.disease import COLOUR_COUNT, cubes_of
from plyglass.games.pandemic.events import grantable, playable, reclaimable
from plyglass.games.pandemic.legal_actions import first_cards, kinds, list_all, question
from plyglass.games.pandemic.moves import destinations, expert_cards, far, movable, peopled
from plyglass.games.pandemic.state import (
    AIRLIFT,
    BUILD,
    CHARTER,
    CURE,
    DISCARD,
    DISPATCH,
    DO_NOTHING,
    FIRST_EVENT,
    FLIGHT,
    GIVE,
    GRANT,
    PUT_BACK,
    RECLAIM,
    RESILIENT,
    TAKE,
    TREAT,
)

SAFE_CUBES, SAFE_OUTBREAKS = 17, 3  # up to these numbers, a cure comes before everything else


@kernel
def default(r, s, stream):
    """Return a random action of a random kind, or a safe cure (algorithm 7 of the thesis)."""
    asked = question(s)
    if asked == DISCARD:
        return _throw_away(r, s, stream)
    if asked == DO_NOTHING and curable(s) != 0 and _is_safe(s):
        return _cure(s)
    return _any_action(r, s, stream, _any(stream, kinds(r, s)))


@kernel
def _any(stream, members):
    """Return a random member of a set, all equally likely."""
    return nth_one(members, below(stream, count_ones(members)))


@kernel
def _throw_away(r, s, stream):
    """Return the action that discards a random card of the hand.

    If the card is an event that can be played now, return the action that plays it instead.
    """
    seat = overfull(s)
    card = _any(stream, s.hand[seat])
    if card < FIRST_EVENT or not playable(r, s) >> card - FIRST_EVENT & 1:
        return pack(DISCARD, seat, card)
    return _any_event(r, s, stream, AIRLIFT + card - FIRST_EVENT)


@kernel
def _is_safe(s):
    most = 0
    for colour in range(COLOUR_COUNT):
        most = max(most, cubes_of(s, colour))
    return most <= SAFE_CUBES and s.outbreaks <= SAFE_OUTBREAKS


@kernel
def _cure(s):
    """Return the action that cures the first curable colour with the cards of lowest numbers."""
    colour = lowest_one(curable(s))
    return pack(CURE, colour, first_cards(s, colour))


@kernel
def _any_action(r, s, stream, kind):
    """Return a random action of a kind."""
    if kind == DO_NOTHING or kind > RESILIENT:
        return pack(kind, 0, _any(stream, s.foreseen) if kind == PUT_BACK else 0)
    if kind <= DISPATCH:
        return _any_move(r, s, stream, kind)
    return _any_deed(r, s, stream, kind) if kind <= RECLAIM else _any_event(r, s, stream, kind)


@kernel
def _any_move(r, s, stream, kind):
    """Return the move of a random pawn to a random city.

    An expert's flight discards a random card.
    """
    if kind == FLIGHT:
        return pack(FLIGHT, _any(stream, expert_cards(s)), _any(stream, far(r, s, s.seat)))
    pawns, able = movable(r, s), 0
    while pawns != 0:
        able |= (destinations(r, s, kind, lowest_one(pawns)) != 0) << lowest_one(pawns)
        pawns &= pawns - 1
    pawn = _any(stream, able)
    return pack(kind, pawn, _any(stream, destinations(r, s, kind, pawn)))


@kernel
def _any_deed(r, s, stream, kind):
    if kind == BUILD:
        return _any_station(s, stream, BUILD, s.pawn[s.seat])
    if kind == TREAT:
        return pack(TREAT, 0, _any(stream, treatable(s)))
    if kind == CURE:
        return _cure(s)
    if kind == GIVE:
        card = _any(stream, shareable(s, s.seat))
        return pack(GIVE, _any(stream, receivers(r, s)), card)
    return (
        _any_taking(r, s, stream)
        if kind == TAKE
        else pack(RECLAIM, 0, _any(stream, reclaimable(s)))
    )


@kernel
def _any_taking(r, s, stream):
    """Return the action that takes a random card from the players in the city."""
    others, count = receivers(r, s), 0
    for seat in range(r.players):
        if others >> seat & 1:
            count += count_ones(shareable(s, seat))
    number = below(stream, count)
    while number >= count_ones(shareable(s, lowest_one(others))):
        number -= count_ones(shareable(s, lowest_one(others)))
        others &= others - 1
    return pack(TAKE, lowest_one(others), nth_one(shareable(s, lowest_one(others)), number))


@kernel
def _any_station(s, stream, kind, city):
    """Return the action that places a station; if all stations are built, move a random one."""
    return pack(kind, 1 + _any(stream, removable(s)) if removable(s) != 0 else 0, city)


@kernel
def _any_event(r, s, stream, kind):
    if kind == AIRLIFT:
        pawn = below(stream, r.players)
        return pack(AIRLIFT, pawn, _any(stream, far(r, s, pawn)))
    if kind == GRANT:
        return _any_station(s, stream, GRANT, _any(stream, grantable(s)))
    return pack(kind, 0, _any(stream, s.discard) if kind == RESILIENT else 0)


@kernel
def prefer(r, s, out):
    """Write the legal actions that are worth considering to `out`, and return their number.

    The list leaves out:

    - charter flights and flights of the operations expert, except to cities with a pawn, a station,
      or two or three cubes of one colour
    - airlifts, except to cities with a pawn, a station, or three cubes
    - grants, except in cities with a pawn
    - giving and taking cards of cured colours
    """
    pawns, two, three, kept = peopled(r, s), 0, 0, 0
    for colour in range(COLOUR_COUNT):
        two, three = two | s.high[colour], three | s.low[colour] & s.high[colour]
    for i in range(list_all(r, s, out)):
        action = out[i]
        kind, target = kind_of(action), target_of(action)
        if kind in (CHARTER, FLIGHT):
            worth_it = (pawns | s.stations | two) >> target & 1
        elif kind == AIRLIFT:
            worth_it = (pawns | s.stations | three) >> target & 1
        elif kind == GRANT:
            worth_it = pawns >> target & 1
        elif kind in (GIVE, TAKE):
            worth_it = ~s.cured >> target // PER_COLOUR & 1
        else:
            worth_it = 1
        out[kept] = action
        kept += worth_it
    return kept
