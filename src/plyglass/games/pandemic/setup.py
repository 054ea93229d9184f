"""How a game starts: by a random deal, or from a position given in words."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plyglass.core import kernel
from plyglass.games.pandemic.cities import COLOURS, NUMBER, PER_COLOUR
from plyglass.games.pandemic.decks import any_of, deal_card, draw_infection_card
from plyglass.games.pandemic.disease import COLOUR_COUNT, add_cubes
from plyglass.games.pandemic.state import (
    ALL_CITIES,
    ATLANTA,
    EVENTS,
    FIRST_EVENT,
    FULL,
    LAYERS,
    MOST_PLAYERS,
    NOBODY,
    NOWHERE,
    ROLES,
    Setup,
)

ROLE_COUNT = len(ROLES)
INFECTED = 9  # infected cities at the start: three with 3 cubes, three with 2, three with 1
CARD = {
    **NUMBER,
    **{event: FIRST_EVENT + number for number, event in enumerate(EVENTS)},
}


@kernel
def deal(r, s):
    """Deal a new game: roles, hands and the first infected cities."""
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
    """Deal the hands and return the seat that starts.

    The player who holds the card of the most populous city starts.
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
    """Write a given position to the state."""
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


def setup_of(
    constants: Any,
    turn: str,
    pawns: Mapping[str, str],
    hands: Mapping[str, Sequence[str]],
    cubes: Mapping[str, Mapping[str, int]],
    stations: Sequence[str],
    cured: Sequence[str],
    outbreaks: int,
    epidemics: int,
    played: Sequence[str],
    infected: Sequence[str],
    layers: Sequence[Sequence[str]],
    spent: int,
) -> dict[str, Any]:
    """Return the setup record as a mapping of its fields; see `Pandemic.scenario`."""
    setup = np.zeros(1, Setup)[0]
    setup["given"] = 1
    setup["outbreaks"], setup["epidemics"], setup["spent"] = outbreaks, epidemics, spent
    _place_players(setup, constants, turn, pawns, hands)
    _place_cubes(setup, cubes, [_of(COLOURS, colour, "colour") for colour in cured])
    _place_cards(setup, constants, played, infected, layers)
    setup["stations"] = _cities(stations)
    return {name: setup[name] for name in Setup.names or ()}


def _place_players(
    setup: Any,
    constants: Any,
    turn: str,
    pawns: Mapping[str, str],
    hands: Mapping[str, Sequence[str]],
) -> None:
    roles = [int(role) for role in constants["role"][: constants["players"]]]
    if NOBODY in roles:
        raise ValueError(
            "Chance deals the roles of this game. Name them with the parameter `roles` to start "
            "from a position."
        )
    names = [ROLES[role] for role in roles]
    setup["seat_of"], setup["last"], setup["pawn"] = NOBODY, NOWHERE, ATLANTA
    for seat, role in enumerate(roles):
        setup["role"][seat], setup["seat_of"][role] = role, seat
    setup["seat"] = _of(names, turn, "player")
    for name, city in pawns.items():
        setup["pawn"][_of(names, name, "player")] = _of(NUMBER, city, "city")
    for name, cards in hands.items():
        setup["hand"][_of(names, name, "player")] = _cards(cards)


def _place_cubes(setup: Any, cubes: Mapping[str, Mapping[str, int]], cured: list[int]) -> None:
    for name, cities in cubes.items():
        colour = _of(COLOURS, name, "colour")
        for city, count in cities.items():
            if not 0 <= count <= FULL:
                raise ValueError(f"{city} can have 0 to {FULL} cubes of a colour, not {count}.")
            setup["low"][colour] |= (count & 1) << _of(NUMBER, city, "city")
            setup["high"][colour] |= (count >> 1) << _of(NUMBER, city, "city")
    for colour in cured:
        setup["cured"] |= 1 << colour
        if setup["low"][colour] | setup["high"][colour] == 0:
            setup["eradicated"] |= 1 << colour


def _place_cards(
    setup: Any,
    constants: Any,
    played: Sequence[str],
    infected: Sequence[str],
    layers: Sequence[Sequence[str]],
) -> None:
    """Put the remaining cards into the decks.

    Player cards that are neither in a hand nor in `played` are in the player deck. Infection cards
    that are neither in `infected` nor in `layers` lie at the bottom of the infection deck.
    """
    gone = _cards([*played, *(card for hand in setup["hand"] for card in _card_names(int(hand)))])
    setup["deck"] = (1 << FIRST_EVENT + int(constants["events"])) - 1 & ~gone
    setup["played"] = _cards(played) >> FIRST_EVENT
    setup["left"] = (
        int(setup["deck"]).bit_count() + int(constants["epidemics"]) - int(setup["epidemics"])
    )
    _refuse_impossible_deck(setup, constants)
    setup["discard"] = _cities(infected)
    sets = [
        ALL_CITIES & ~_cities([*infected, *(city for layer in layers for city in layer)]),
        *map(_cities, layers),
    ]
    for number, cities in enumerate(sets):
        setup["layer"][number] = cities
    setup["top"] = len(sets) - 1


def _refuse_impossible_deck(setup: Any, constants: Any) -> None:
    left, epidemics = int(setup["left"]), int(setup["epidemics"])
    begun = int(constants["pile"][left])
    if epidemics not in (begun, begun + 1):
        raise ValueError(
            f"With {left} player cards left, {begun} or {begun + 1} epidemics were drawn, not "
            f"{epidemics}; change `played`."
        )


def _cards(names: Sequence[str]) -> int:
    return _set(CARD, names, "card")


def _cities(names: Sequence[str]) -> int:
    return _set(NUMBER, names, "city")


def _set(known: Mapping[str, int], names: Sequence[str], what: str) -> int:
    """Return the set whose members have these names; a name given twice is an error."""
    cards = 0
    for name in names:
        number = _of(known, name, what)
        if cards >> number & 1:
            raise ValueError(f"{name} is named twice.")
        cards |= 1 << number
    return cards


def _card_names(cards: int) -> list[str]:
    return [name for name, number in CARD.items() if cards >> number & 1]


def _of(known: Mapping[str, int] | Sequence[str], name: str, what: str) -> int:
    """Return the number of the city, card, role or colour with this name."""
    if name not in known:
        raise ValueError(f"There is no {what} {name!r}; there are {', '.join(known)}.")
    return known[name] if isinstance(known, Mapping) else list(known).index(name)
