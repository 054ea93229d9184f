"""The keys to click for an action: pawns, cities, cubes, cards and counters of the picture."""

from typing import Any

from plyglass.core.actions import unpack
from plyglass.games.pandemic import state
from plyglass.games.pandemic.cities import CITIES, COLOURS, PER_COLOUR
from plyglass.games.pandemic.view import CARDS, members, seat_name

STATIONS = "stations"
Step = str | tuple[str, ...]


def card_key(card: int) -> str:
    return f"card {CARDS[card]}"


def cure_key(colour: int) -> str:
    return f"{COLOURS[colour]} disease"


def cubes_key(record: Any, colour: int, city: int) -> str:
    """Return the key of cubes in the active player's city; cubes elsewhere have no key."""
    here = int(record["pawn"][int(record["seat"])])
    return f"{COLOURS[colour]} cubes" if city == here else ""


def action_path(record: Any, action: int) -> tuple[Step, ...]:
    """Return the keys to click for an action; all moves of a pawn to the same city share a path."""
    kind, source, target = unpack(action)
    if state.DRIVE <= kind <= state.SHUTTLE or kind == state.DISPATCH:
        return seat_name(record, source), CITIES[target].name
    if state.AIRLIFT <= kind <= state.RESILIENT:
        return (card_key(state.FIRST_EVENT + kind - state.AIRLIFT), *_of_event(record, action))
    if kind == state.FLIGHT:
        return card_key(source), CITIES[target].name
    if kind == state.BUILD:
        return (STATIONS, *_removed(source))
    if kind == state.TREAT:
        return (f"{COLOURS[target]} cubes",)
    if kind == state.CURE:
        cards = members(target << PER_COLOUR * source)
        return cure_key(source), tuple(card_key(card) for card in cards)
    if kind in (state.GIVE, state.TAKE):
        receiver = source if kind == state.GIVE else int(record["seat"])
        return card_key(target), seat_name(record, receiver)
    if kind == state.DISCARD:
        return (card_key(target),)
    return (CITIES[target].name,) if kind == state.PUT_BACK else ()


def _of_event(record: Any, action: int) -> tuple[str, ...]:
    """Return the keys to click after an event's card: a pawn and its goal, or a city."""
    kind, source, target = unpack(action)
    if kind == state.AIRLIFT:
        return seat_name(record, source), CITIES[target].name
    if kind == state.GRANT:
        return (CITIES[target].name, *_removed(source))
    return (CITIES[target].name,) if kind == state.RESILIENT else ()


def _removed(station: int) -> tuple[str, ...]:
    """Return the city whose station is moved; the result is empty unless all stations are built."""
    return (CITIES[station - 1].name,) if station else ()
