"""Pandemic as text: the map, the players with their cards, the ill cities, and the decks."""

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from plyglass.core import unpack
from plyglass.games.pandemic import state, world_map
from plyglass.games.pandemic.cities import CITIES, COLOURS, PER_COLOUR
from plyglass.games.pandemic.risk import infection_risk

WIDTH = 96  # columns of text; with a frame, the text fits into 100 columns
RESULTS = ("", "won", "lost: eight outbreaks", "lost: no cubes left", "lost: no cards left")
CARDS = (*(city.name for city in CITIES), *state.EVENTS)


def members(cards: int) -> list[int]:
    """Return the numbers in a set."""
    return [number for number in range(64) if cards >> number & 1]


def text(record: Any, constants: Any) -> str:
    players = int(constants["players"])
    details = [
        textwrap.fill(line, WIDTH, subsequent_indent="   ") for line in _lines(record, constants)
    ]
    return "\n".join([*world_map.map_lines(record, players), world_map.LEGEND, *details])


def _lines(record: Any, constants: Any) -> Iterator[str]:
    yield headline(record)
    epidemics, total = int(record["epidemics"]), int(constants["epidemics"])
    yield (
        f"outbreaks {record['outbreaks']} of {state.OUTBREAKS}, epidemics {epidemics} of {total}, "
        f"infection rate {state.RATE[epidemics]}"
    )
    yield f"stations: {_names(record['stations'])}"
    for seat in range(constants["players"]):
        yield _player(record, seat)
    if record["kept"]:
        yield f"kept by the contingency planner: {_events(record['kept'])}"
    for colour in range(len(COLOURS)):
        yield _disease(record, colour)
    yield f"player cards: {record['left']} left, {epidemic_ahead(record, constants)}"
    yield from _infection_cards(record, constants)


def headline(record: Any) -> str:
    """Return the result of a finished game, or the active player and the state of their turn."""
    phase = ("", "drawing cards", "an epidemic", "infecting cities")[int(record["phase"])]
    left = state.ACTIONS - int(record["spent"])
    quiet = ", a quiet night ahead" if record["quiet"] else ""
    turn = (
        f"{seat_name(record, int(record['seat']))}: "
        f"{phase or f'{left} of {state.ACTIONS} actions left'}{quiet}"
    )
    return RESULTS[int(record["result"])] or turn


def seat_name(record: Any, seat: int) -> str:
    """Return the role of a player."""
    return state.ROLES[int(record["role"][seat])]


def _player(record: Any, seat: int) -> str:
    here, last = CITIES[int(record["pawn"][seat])].name, int(record["last"][seat])
    origin = f" (from {CITIES[last].name})" if last != state.NOWHERE else ""
    return (
        f"{world_map.PAWNS[seat]} player {seat + 1} ({seat_name(record, seat)}) in {here}{origin}: "
        f"{_hand(int(record['hand'][seat])) or 'no cards'}"
    )


def _hand(cards: int) -> str:
    """Return the cards of a hand by colour, then the events."""
    groups = [
        (name, cards >> PER_COLOUR * colour & state.COLOUR, PER_COLOUR * colour)
        for colour, name in enumerate(COLOURS)
    ]
    parts = [f"{name} {_names(group << shift)}" for name, group, shift in groups if group]
    events = cards >> state.FIRST_EVENT
    return "; ".join([*parts, *([_events(events)] if events else [])])


def _names(cards: int) -> str:
    return ", ".join(CARDS[number] for number in members(int(cards)))


def _events(events: int) -> str:
    return _names(int(events) << state.FIRST_EVENT)


def _disease(record: Any, colour: int) -> str:
    """Return the number and places of a colour's cubes, the fullest cities first."""
    low, high = int(record["low"][colour]), int(record["high"][colour])
    groups = ((3, low & high), (2, high & ~low), (1, low & ~high))
    places = [
        f"{world_map.CUBE[colour] * cubes} {_names(cities)}" for cubes, cities in groups if cities
    ]
    cure = cure_of(record, colour)
    return (
        f"{COLOURS[colour]}{f' ({cure})' if cure else ''}, {_counted(cubes_of(record, colour))}: "
        f"{'; '.join(places) or 'none'}"
    )


def _counted(cubes: int) -> str:
    return f"{cubes} cube{'' if cubes == 1 else 's'}"


def cubes_in(record: Any, colour: int, city: int) -> int:
    """Return the number of cubes of a colour in a city."""
    return (int(record["low"][colour]) >> city & 1) + 2 * (int(record["high"][colour]) >> city & 1)


def cubes_of(record: Any, colour: int) -> int:
    """Return the number of cubes of a colour on the board."""
    return int(record["low"][colour]).bit_count() + 2 * int(record["high"][colour]).bit_count()


def cure_of(record: Any, colour: int) -> str:
    """Return the word "cured" or "eradicated" for a colour, or an empty text."""
    return (
        "eradicated"
        if record["eradicated"] >> colour & 1
        else "cured"
        if record["cured"] >> colour & 1
        else ""
    )


def epidemic_ahead(record: Any, constants: Any) -> str:
    """Return a text that says whether the rest of the top pile contains an epidemic."""
    left = int(record["left"])
    inside = int(constants["pile"][left]) == int(record["epidemics"])
    return f"{'an' if inside else 'no'} epidemic among the next {constants['pile_left'][left]}"


def parts_of_deck(record: Any) -> list[int]:
    """Return the sets of the infection deck, lowest first; the order within a set is unknown."""
    return [int(layer) for layer in record["layer"][: int(record["top"]) + 1] if layer]


def _infection_cards(record: Any, constants: Any) -> Iterator[str]:
    """Yield the parts of the infection deck from the top, and its discard pile, each with its risk.

    All cards of a part have the same risk.
    """
    risk, parts = infection_risk(record, constants), parts_of_deck(record)
    yield (
        "infection cards from the top, with their risk until the "
        f"{seat_name(record, int(record['seat']))}'s next turn:"
    )
    if record["foreseen"]:
        yield f"- to put back: {_names(record['foreseen'])}"
    for number, part in reversed(list(enumerate(parts))):
        yield (
            f"- {_highest(risk, part)}: "
            f"{_names(part) if number > 0 else f'{part.bit_count()} others'}"
        )
    yield (
        f"- {_highest(risk, int(record['discard']))}: discard pile, "
        f"{_names(record['discard']) or 'empty'}"
    )


def _highest(risk: Any, cities: int) -> str:
    """Return the highest risk among a set of cities, as text."""
    return f"{max((float(risk[city]) for city in members(cities)), default=0.0):.0%}"


def action_name(action: int, player: Callable[[int], str]) -> str:
    """Return the name of an action for people; `player` names a seat."""
    kind, source, target = unpack(action)
    named = CARDS[target] if target < len(CARDS) else ""
    if state.DRIVE <= kind <= state.SHUTTLE or kind == state.DISPATCH:
        way = {
            state.DRIVE: "drive",
            state.DIRECT: "fly",
            state.CHARTER: "charter a flight",
            state.SHUTTLE: "shuttle",
        }.get(kind, "join others")
        return f"{player(source)}: {way} {'in' if kind == state.DISPATCH else 'to'} {named}"
    return {
        state.FLIGHT: lambda: f"fly to {named} with the card of {CARDS[source]}",
        state.BUILD: lambda: f"build a station in {named}{_instead(source)}",
        state.TREAT: lambda: f"treat {COLOURS[target]}",
        state.CURE: lambda: f"cure {COLOURS[source]} with {_names(target << PER_COLOUR * source)}",
        state.GIVE: lambda: f"give {named} to {player(source)}",
        state.TAKE: lambda: f"take {named} from {player(source)}",
        state.RECLAIM: lambda: f"reclaim {state.EVENTS[target]}",
        state.AIRLIFT: lambda: f"airlift {player(source)} to {named}",
        state.GRANT: lambda: f"government grant: a station in {named}{_instead(source)}",
        state.RESILIENT: lambda: f"resilient population: {named}",
        state.DISCARD: lambda: f"{player(source)}: throw away {named}",
        state.PUT_BACK: lambda: f"put {named} back on top",
    }.get(kind, lambda: state.KINDS[kind])()


def action_parts(action: int, player: Callable[[int], str]) -> tuple[str, ...]:
    """Return the name of an action in two steps: who does what, and where or with what."""
    name = action_name(action, player)
    kind, _, _ = unpack(action)
    for word in FIRST_STEPS.get(kind, ()):
        first, found, rest = name.partition(f" {word}")
        if found:
            return first, f"{word}{rest}"
    return (name,)


# The word that begins the second step of an action.
FIRST_STEPS = {
    state.DRIVE: ("to",), state.DIRECT: ("to",), state.CHARTER: ("to",), state.SHUTTLE: ("to",),
    state.DISPATCH: ("in",), state.FLIGHT: ("to",), state.BUILD: ("instead",),
    state.CURE: ("with",), state.GIVE: ("to",), state.TAKE: ("from",), state.AIRLIFT: ("to",),
    state.GRANT: ("in",), state.RESILIENT: ("population:",), state.DISCARD: ("away",),
}  # fmt: skip


def _instead(station: int) -> str:
    """Return a text that names the station that is removed for a new one."""
    return f" instead of {CITIES[station - 1].name}" if station else ""
