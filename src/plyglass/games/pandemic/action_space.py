"""Every action of Pandemic that can ever be legal."""

from itertools import combinations, product

from plyglass.core import pack
from plyglass.games.pandemic.cities import CITIES, COLOURS, PER_COLOUR
from plyglass.games.pandemic.state import (
    AIRLIFT,
    BUILD,
    CHARTER,
    CURE,
    DIRECT,
    DISCARD,
    DISPATCH,
    DO_NOTHING,
    DRIVE,
    FLIGHT,
    FORECAST,
    GIVE,
    GO_ON,
    GRANT,
    PUT_BACK,
    QUIET_NIGHT,
    RECLAIM,
    RESILIENT,
    SHUTTLE,
    TAKE,
    TO_CURE,
    TREAT,
)


def vocabulary(players: int, events: int) -> list[int]:
    """Return all actions, sorted, given the numbers of players and events in the game.

    The actions do not depend on the roles, because chance may deal any role.
    """
    cities, seats = range(len(CITIES)), range(players)
    cards, kinds_of_event = range(len(CITIES) + events), range(events)
    pawn_moves = (DRIVE, DIRECT, CHARTER, SHUTTLE, DISPATCH, AIRLIFT)
    alone = [pack(kind, 0, 0) for kind in (DO_NOTHING, QUIET_NIGHT, FORECAST, GO_ON)]
    moves = [pack(kind, pawn, city) for kind, pawn, city in product(pawn_moves, seats, cities)]
    flights = [pack(FLIGHT, card, city) for card, city in product(cities, cities)]
    # The source is 1 + the city whose station is removed, or 0 if none is.
    stations = [
        pack(kind, removed, city)
        for kind, removed, city in product((BUILD, GRANT), range(len(CITIES) + 1), cities)
        if removed != city + 1
    ]
    treatments = [pack(TREAT, 0, colour) for colour in range(len(COLOURS))]
    cures = [
        pack(CURE, colour, sum(1 << card for card in spent))
        for colour in range(len(COLOURS))
        for size in (TO_CURE - 1, TO_CURE)  # a scientist needs one card less
        for spent in combinations(range(PER_COLOUR), size)
    ]
    shared = [pack(kind, seat, card) for kind, seat, card in product((GIVE, TAKE), seats, cities)]
    reclaimed = [pack(RECLAIM, 0, event) for event in kinds_of_event]
    infections = [pack(kind, 0, city) for kind, city in product((RESILIENT, PUT_BACK), cities)]
    discarded = [pack(DISCARD, seat, card) for seat, card in product(seats, cards)]
    table = [*alone, *flights, *stations, *treatments, *cures, *reclaimed, *infections]
    return sorted([*table, *moves, *shared, *discarded])
