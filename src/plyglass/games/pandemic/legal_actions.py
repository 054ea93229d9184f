"""Legal actions: the pending decision, the kinds of actions, and all actions.

For each kind of action, the possible cities, cards or colours form a set. Each member of the set is
one action.
"""

from plyglass.core import kernel, pack
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.pandemic.decks import overfull
from plyglass.games.pandemic.deeds import (
    can_build,
    cards_of,
    curable,
    may_do_nothing,
    needed,
    receivers,
    removable,
    shareable,
    treatable,
)
from plyglass.games.pandemic.events import grantable, playable, reclaimable
from plyglass.games.pandemic.moves import destinations, expert_cards, far, movable
from plyglass.games.pandemic.state import (
    ACTING,
    AIRLIFT,
    ALL_CITIES,
    BUILD,
    CURE,
    DIRECT,
    DISCARD,
    DISPATCH,
    DO_NOTHING,
    DRIVE,
    FLIGHT,
    GIVE,
    GO_ON,
    GRANT,
    INTENSIFYING,
    NOBODY,
    PUT_BACK,
    QUIET_NIGHT,
    RECLAIM,
    RESILIENT,
    TAKE,
    TREAT,
)


@kernel
def question(s):
    """Return the pending decision, as the kind of action that answers it.

    The team chooses a card to put back (PUT_BACK), a card to discard (DISCARD), whether to go on
    without an event (GO_ON), or an ordinary action (DO_NOTHING).
    """
    if s.foreseen != 0:
        return PUT_BACK
    if s.phase == INTENSIFYING:
        return GO_ON
    if overfull(s) != NOBODY:
        return DISCARD
    return DO_NOTHING if s.phase == ACTING else GO_ON


@kernel
def disposable(r, s, seat):
    """Return the cards that a player can discard; in the thesis, events must be played instead."""
    return s.hand[seat] & ALL_CITIES if r.restricted else s.hand[seat]


@kernel
def kinds(r, s):
    """Return the kinds of actions available now, as a set."""
    asked = question(s)
    if asked == PUT_BACK:
        return 1 << PUT_BACK
    found = 1 << asked if asked != DO_NOTHING else _move_kinds(r, s) | _deed_kinds(r, s)
    return found | playable(r, s) << AIRLIFT


@kernel
def _move_kinds(r, s):
    found = 1 << DRIVE | (expert_cards(s) != 0) << FLIGHT
    pawns = movable(r, s)
    while pawns != 0:
        for kind in range(DIRECT, FLIGHT):
            found |= (destinations(r, s, kind, lowest_one(pawns)) != 0) << kind
        found |= (destinations(r, s, DISPATCH, lowest_one(pawns)) != 0) << DISPATCH
        pawns &= pawns - 1
    return found


@kernel
def _deed_kinds(r, s):
    found = (may_do_nothing(r, s) != 0) << DO_NOTHING | (can_build(s) != 0) << BUILD
    found |= (
        (treatable(s) != 0) << TREAT | (curable(s) != 0) << CURE | (reclaimable(s) != 0) << RECLAIM
    )
    others = receivers(r, s)
    if others != 0:
        found |= (shareable(s, s.seat) != 0) << GIVE
    while others != 0:
        found |= (shareable(s, lowest_one(others)) != 0) << TAKE
        others &= others - 1
    return found


@kernel
def list_all(r, s, out):
    """Write all actions to `out`, kind by kind, and return their number."""
    asked = question(s)
    if asked == PUT_BACK:
        return _list(out, 0, PUT_BACK, 0, s.foreseen)
    if asked == GO_ON:
        count = _list(out, 0, GO_ON, 0, 1)
    elif asked == DISCARD:
        count = _list(out, 0, DISCARD, overfull(s), disposable(r, s, overfull(s)))
    else:
        count = _list(out, 0, DO_NOTHING, 0, may_do_nothing(r, s) & 1)
        count = _list_deeds(r, s, out, _list_moves(r, s, out, count))
    return _list_events(r, s, out, count)


@kernel
def _list(out, count, kind, source, targets):
    """List an action for each target, and return the new number of actions."""
    while targets != 0:
        out[count] = pack(kind, source, lowest_one(targets))
        count += 1
        targets &= targets - 1
    return count


@kernel
def _list_moves(r, s, out, count):
    for kind in range(DRIVE, DISPATCH + 1):
        if kind == FLIGHT:
            count = _list_by_source(out, count, FLIGHT, expert_cards(s), far(r, s, s.seat))
        else:
            pawns = movable(r, s)
            while pawns != 0:
                pawn = lowest_one(pawns)
                count = _list(out, count, kind, pawn, destinations(r, s, kind, pawn))
                pawns &= pawns - 1
    return count


@kernel
def _list_by_source(out, count, kind, sources, targets):
    """List an action for each pair of a source and a target."""
    while sources != 0:
        count = _list(out, count, kind, lowest_one(sources), targets)
        sources &= sources - 1
    return count


@kernel
def _list_deeds(r, s, out, count):
    if can_build(s):
        count = _list_stations(s, out, count, BUILD, 1 << s.pawn[s.seat])
    count = _list(out, count, TREAT, 0, treatable(s))
    count = _list_cures(r, s, out, count)
    others = receivers(r, s)
    count = _list_by_source(out, count, GIVE, others, shareable(s, s.seat))
    while others != 0:
        count = _list(out, count, TAKE, lowest_one(others), shareable(s, lowest_one(others)))
        others &= others - 1
    return _list(out, count, RECLAIM, 0, reclaimable(s))


@kernel
def _list_stations(s, out, count, kind, cities):
    """List the ways to place a station.

    The source is 1 + the city of the station that is removed, or 0 if none is removed.
    """
    return _list_by_source(out, count, kind, removable(s) << 1 if removable(s) != 0 else 1, cities)


@kernel
def _list_cures(r, s, out, count):
    """List every cure with every set of cards; in the thesis's rules, list only the first cure."""
    colours = curable(s)
    while colours != 0:
        colour = lowest_one(colours)
        if r.restricted:
            out[count] = pack(CURE, colour, first_cards(s, colour))
            return count + 1
        count = _list_spendings(s, out, count, colour)
        colours &= colours - 1
    return count


@kernel
def first_cards(s, colour):
    """Return the lowest-numbered cards of a colour, just enough for a cure."""
    cards = cards_of(s, s.seat, colour)
    rest = cards
    for _ in range(needed(s, s.seat)):
        rest &= rest - 1
    return cards ^ rest


@kernel
def _list_spendings(s, out, count, colour):
    """List a cure for each set of cards of a colour that has the needed size."""
    cards = cards_of(s, s.seat, colour)
    spent = cards
    while spent != 0:
        if count_ones(spent) == needed(s, s.seat):
            out[count] = pack(CURE, colour, spent)
            count += 1
        spent = (spent - 1) & cards
    return count


@kernel
def _list_events(r, s, out, count):
    events = playable(r, s)
    if events & 1:
        for pawn in range(r.players):
            count = _list(out, count, AIRLIFT, pawn, far(r, s, pawn))
    if events >> GRANT - AIRLIFT & 1:
        count = _list_stations(s, out, count, GRANT, grantable(s))
    for kind in range(QUIET_NIGHT, RESILIENT):
        count = _list(out, count, kind, 0, events >> kind - AIRLIFT & 1)
    return (
        _list(out, count, RESILIENT, 0, s.discard) if events >> RESILIENT - AIRLIFT & 1 else count
    )
