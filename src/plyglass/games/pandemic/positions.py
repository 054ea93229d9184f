"""Positions in words: cities, roles and cards by name, turned into the setup of a game that
begins there.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plyglass.games.pandemic import board
from plyglass.games.pandemic.cities import COLOURS, NUMBER

CARD = {
    **NUMBER,
    **{event: board.FIRST_EVENT + number for number, event in enumerate(board.EVENTS)},
}


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
    """The setup record, field by field; see `Pandemic.scenario`."""
    setup = np.zeros(1, board.Setup)[0]
    setup["given"] = 1
    setup["outbreaks"], setup["epidemics"], setup["spent"] = outbreaks, epidemics, spent
    _place_players(setup, constants, turn, pawns, hands)
    _place_cubes(setup, cubes, [_of(COLOURS, colour, "colour") for colour in cured])
    _place_cards(setup, constants, played, infected, layers)
    setup["stations"] = _cities(stations)
    return {name: setup[name] for name in board.Setup.names or ()}


def _place_players(
    setup: Any,
    constants: Any,
    turn: str,
    pawns: Mapping[str, str],
    hands: Mapping[str, Sequence[str]],
) -> None:
    roles = [int(role) for role in constants["role"][: constants["players"]]]
    if board.NOBODY in roles:
        raise ValueError(
            "Luck deals the roles of this game; name them with `roles` for a position in which "
            "they are known."
        )
    names = [board.ROLES[role] for role in roles]
    setup["seat_of"], setup["last"], setup["pawn"] = board.NOBODY, board.NOWHERE, board.ATLANTA
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
            if not 0 <= count <= board.FULL:
                raise ValueError(f"{city} has 0 to {board.FULL} cubes of a colour, not {count}.")
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
    """Player cards that are in no hand and not played are in the deck, infection cards that are
    nowhere else at its bottom.
    """
    gone = _cards([*played, *(card for hand in setup["hand"] for card in _card_names(int(hand)))])
    setup["deck"] = (1 << board.FIRST_EVENT + int(constants["events"])) - 1 & ~gone
    setup["played"] = _cards(played) >> board.FIRST_EVENT
    setup["left"] = (
        int(setup["deck"]).bit_count() + int(constants["epidemics"]) - int(setup["epidemics"])
    )
    _refuse_impossible_deck(setup, constants)
    setup["discard"] = _cities(infected)
    sets = [
        board.ALL_CITIES & ~_cities([*infected, *(city for layer in layers for city in layer)]),
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
    """A set by the names of its members, none of which may be named twice."""
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
    """The number that a name stands for."""
    if name not in known:
        raise ValueError(f"There is no {what} {name!r}; there are {', '.join(known)}.")
    return known[name] if isinstance(known, Mapping) else list(known).index(name)
