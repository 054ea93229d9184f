"""The start of a game: roles, hands, the first infected cities; or a position that was given."""

from plyglass.core import kernel
from plyglass.games.pandemic.board import (
    ALL_CITIES,
    ATLANTA,
    FIRST_EVENT,
    LAYERS,
    MOST_PLAYERS,
    NOBODY,
    NOWHERE,
    ROLES,
)
from plyglass.games.pandemic.cities import PER_COLOUR
from plyglass.games.pandemic.decks import any_of, deal_card, draw_infection_card
from plyglass.games.pandemic.disease import COLOUR_COUNT, add_cubes

ROLE_COUNT = len(ROLES)
INFECTED = 9  # cities at the start: three with one cube, three with two, three with three


@kernel
def deal(r, s):
    """A new game."""
    _deal_roles(r, s)
    for seat in range(MOST_PLAYERS):
        s.pawn[seat], s.last[seat] = ATLANTA, NOWHERE
    s.stations = 1 << ATLANTA
    s.deck = (1 << FIRST_EVENT + r.events) - 1
    s.left = FIRST_EVENT + r.events + r.epidemics
    s.seat = _deal_hands(r, s)
    s.layer[0] = ALL_CITIES
    for number in range(INFECTED):
        city = draw_infection_card(s)
        add_cubes(s, city // PER_COLOUR, city, 1 + number // 3)


@kernel
def _deal_roles(r, s):
    left = (1 << ROLE_COUNT) - 1
    for role in range(ROLE_COUNT):
        s.seat_of[role] = NOBODY
    for seat in range(r.players):
        role = r.role[seat] if r.role[seat] != NOBODY else any_of(s, left)
        left ^= 1 << role
        s.role[seat] = role
        s.seat_of[role] = seat


@kernel
def _deal_hands(r, s):
    """Deal the hands; returns who begins: who has the city with most people, of two alike the
    one dealt first.
    """
    first, most = 0, 0
    for seat in range(r.players):
        for _ in range(r.dealt):
            card = deal_card(s, seat)
            if card < FIRST_EVENT and r.population[card] > most:
                first, most = seat, r.population[card]
    return first


@kernel
def place(setup, s):
    """A position that was given."""
    for colour in range(COLOUR_COUNT):
        s.low[colour], s.high[colour] = setup.low[colour], setup.high[colour]
    for seat in range(MOST_PLAYERS):
        s.hand[seat], s.pawn[seat], s.last[seat], s.role[seat] = (
            setup.hand[seat],
            setup.pawn[seat],
            setup.last[seat],
            setup.role[seat],
        )
    for role in range(ROLE_COUNT):
        s.seat_of[role] = setup.seat_of[role]
    for layer in range(LAYERS):
        s.layer[layer] = setup.layer[layer]
    s.deck, s.discard, s.foreseen, s.stations = (
        setup.deck,
        setup.discard,
        setup.foreseen,
        setup.stations,
    )
    s.top, s.left, s.epidemics, s.outbreaks = (
        setup.top,
        setup.left,
        setup.epidemics,
        setup.outbreaks,
    )
    s.cured, s.eradicated, s.quiet, s.flown, s.kept, s.played = (
        setup.cured,
        setup.eradicated,
        setup.quiet,
        setup.flown,
        setup.kept,
        setup.played,
    )
    s.seat, s.phase, s.spent, s.turned, s.ready, s.result = (
        setup.seat,
        setup.phase,
        setup.spent,
        setup.turned,
        setup.ready,
        setup.result,
    )
