"""Panels and pieces of the picture: counters, hands, tokens and badges.

Counters are drawn in the oceans of the map, and hands below the map. Lengths are in cells of the
scene.
"""

import math
from collections.abc import Iterator
from typing import Any

from plyglass.core.scene import (
    Bar,
    Disc,
    Label,
    Polygon,
    Ring,
    Role,
    Shape,
    block,
    fitted,
    named,
    regular,
    star,
)
from plyglass.games.pandemic import state
from plyglass.games.pandemic.cities import CITIES, COLOURS
from plyglass.games.pandemic.clicks import STATIONS, card_key, cure_key
from plyglass.games.pandemic.view import (
    CARDS,
    cubes_of,
    cure_of,
    epidemic_ahead,
    members,
    parts_of_deck,
    seat_name,
)

HANDS_HEIGHT = 6
# The width of a card, the height of all rows of cards, and the gap between cards.
CARD_WIDTH, CARDS_HEIGHT, GAP = 5.2, 4.4, 0.14
ROWS = 4  # rows of cards in a hand within the limit
# Tokens of blue, yellow, black and red differ by colour and by shape; black ones are squares.
COLOUR_ROLES: tuple[Role, ...] = ("own", "goal", "ink", "danger")
CORNERS = (4, 3, 0, 9)
# Where the counters are: the left end of the disease counters, the middle of the others.
DISEASES, DANGERS, DECKS = (0.5, 12.9), (15.2, 15.4), (24.8, 15.4)
LINE = 1.35  # from one counter of a disease to the next


def counters(record: Any, constants: Any) -> Iterator[Shape]:
    """Yield the counters of diseases, outbreaks, infection rate and decks, drawn in the oceans."""
    for colour in range(len(COLOURS)):
        disease = _disease(record, colour, DISEASES[0], DISEASES[1] + LINE * colour)
        yield from named(disease, cure_key(colour), cure_key(colour))
    built = _stations(record, DISEASES[0], DISEASES[1] + LINE * len(COLOURS))
    yield from named(built, STATIONS, STATIONS)
    yield from named(_outbreaks(record, *DANGERS), thing="outbreaks")
    rate = _rate(record, constants, DANGERS[0], DANGERS[1] + 1.7)
    yield from named(rate, thing="infection rate")
    for row, line in enumerate(_deck_lines(record, constants)):
        yield Label(DECKS[0], DECKS[1] + 0.62 * row, line, 0.42, role="ink")


def _disease(record: Any, colour: int, x: float, y: float) -> Iterator[Shape]:
    """Yield whether a colour is cured, and how many of its cubes are on the board."""
    cubes, cure = cubes_of(record, colour), cure_of(record, colour)
    tip = (
        f"{COLOURS[colour]}: {cubes} of {state.CUBES} cubes on the "
        f"board{f', {cure}' if cure else ''}"
    )
    yield token(colour, x + 0.4, y, 0.36, tip)
    yield Label(
        x + 2.9,
        y - 0.18,
        f"{COLOURS[colour]}: {cure or f'{cubes} of {state.CUBES}'}",
        0.44,
        role="ink",
        tip=tip,
    )
    yield Bar(
        x + 2.9, y + 0.3, cubes / state.CUBES, 3.6, role="ally" if cure else "danger", tip=tip
    )


def _stations(record: Any, x: float, y: float) -> Iterator[Shape]:
    """Yield the number of stations that are built."""
    tip = f"{int(record['stations']).bit_count()} of {state.STATIONS} stations are built"
    yield from station(x + 0.4, y, 0.62, tip)
    yield Label(x + 2.9, y, tip.replace(" are built", ""), 0.44, role="ink", tip=tip)


def _outbreaks(record: Any, x: float, y: float) -> Iterator[Shape]:
    """Yield one disc for each of the eight outbreaks; outbreaks that have happened are marked."""
    outbreaks = int(record["outbreaks"])
    tip = f"{outbreaks} of {state.OUTBREAKS} outbreaks"
    yield Label(x, y, tip, 0.44, role="ink", tip=tip)
    for number in range(state.OUTBREAKS):
        reached = number < outbreaks
        yield Disc(
            x + 0.7 * _from_middle(number, state.OUTBREAKS),
            y + 0.62,
            0.24,
            role="danger" if reached else "ghost",
            opacity=1.0 if reached else 0.5,
            tip=tip,
        )


def _rate(record: Any, constants: Any, x: float, y: float) -> Iterator[Shape]:
    """Yield the track of infection rates, with a ring around the present rate."""
    epidemics, steps = int(record["epidemics"]), int(constants["epidemics"]) + 1
    tip = f"infection rate {state.RATE[epidemics]}, {epidemics} of {steps - 1} epidemics"
    yield Label(x, y, tip, 0.44, role="ink", tip=tip)
    for number in range(steps):
        here, middle = number == epidemics, x + 0.75 * _from_middle(number, steps)
        role: Role = "danger" if here else "muted"
        yield Label(
            middle, y + 0.7, str(state.RATE[number]), 0.55 if here else 0.45, role=role, tip=tip
        )
        if here:
            yield Ring(middle - 0.37, y + 0.33, 0.74, 0.74, role="danger", tip=tip)


def _from_middle(number: int, count: int) -> float:
    """Return the distance of item `number` from the middle of a row of `count` items."""
    return number - (count - 1) / 2


def _deck_lines(record: Any, constants: Any) -> Iterator[str]:
    yield f"{record['left']} player cards left,"
    yield epidemic_ahead(record, constants)
    parts = parts_of_deck(record)
    on_top = f", {parts[-1].bit_count()} known on top" if len(parts) > 1 else ""
    yield f"{sum(part.bit_count() for part in parts)} infection cards{on_top},"
    yield f"{int(record['discard']).bit_count()} on their discard pile"


def hands(record: Any, players: int, width: float, top: float) -> Iterator[Shape]:
    """Yield one field for each player's hand, in the order of turns."""
    each = width / players
    for seat in range(players):
        yield Polygon(block(seat * each, top, each, HANDS_HEIGHT), role="board")
        yield from _hand(record, seat, seat * each, top, each)


def _hand(record: Any, seat: int, left: float, top: float, width: float) -> Iterator[Shape]:
    """Yield a player's role, city, and cards in two columns."""
    if int(record["seat"]) == seat:
        yield Ring(
            left + 0.15,
            top + 0.15,
            width - 0.3,
            HANDS_HEIGHT - 0.3,
            role="ally",
            tip="whose turn it is",
        )
    where = CITIES[int(record["pawn"][seat])].name
    name = seat_name(record, seat)
    yield from named(badge(record, seat, left + 0.95, top + 0.9, 0.42), name)
    title = f"{name} in {where}"
    _, high = fitted(title, width - 2.0, 0.46)
    yield Label(left + width / 2 + 0.4, top + 0.9, title, high, role="ink", key=name)
    player = f"player {seat + 1}"  # actions name players in this way if chance deals the roles
    yield Label(left + width - 1.2, top + 0.46, player, 0.32, role="muted", key=name)
    size = min(CARD_WIDTH, (width - 0.8 - GAP) / 2)
    start, cards = left + (width - 2 * size - GAP) / 2, _cards(record, seat)
    step = CARDS_HEIGHT / max(ROWS, math.ceil(len(cards) / 2))
    for number, card in enumerate(cards):
        row, column = divmod(number, 2)
        x, y = start + column * (size + GAP), top + 1.45 + row * step
        yield from named(_card(card, x, y, size, step - GAP), card_key(card), card_key(card))


def _cards(record: Any, seat: int) -> list[int]:
    """Return the cards of a player, including the event that a contingency planner keeps."""
    kept = int(record["kept"]) << state.FIRST_EVENT if record["role"][seat] == state.PLANNER else 0
    return members(int(record["hand"][seat]) | kept)


def _card(card: int, x: float, y: float, width: float, height: float) -> Iterator[Shape]:
    tip = f"the card of {CARDS[card]}" if card < state.FIRST_EVENT else f"the event {CARDS[card]}"
    yield Polygon(block(x, y, width, height), role="fog", tip=tip)
    yield card_token(card, x + 0.5, y + height / 2, 0.26, tip)
    _, size = fitted(CARDS[card], width - 1.1, 0.4)
    yield Label(x + width / 2 + 0.3, y + height / 2, CARDS[card], size, role="ink", tip=tip)


def token(colour: int, x: float, y: float, radius: float, tip: str, opacity: float = 1.0) -> Shape:
    """Return the token of a colour, for a cube, a city or a card."""
    side = 0.8 * radius
    outline = (
        regular(x, y, CORNERS[colour], radius)
        if CORNERS[colour]
        else block(x - side, y - side, 2 * side, 2 * side)
    )
    return Polygon(outline, role=COLOUR_ROLES[colour], opacity=opacity, tip=tip)


def card_token(card: int, x: float, y: float, radius: float, tip: str) -> Shape:
    """Return the sign of a player card: the token of its colour, or a star for an event."""
    if card >= state.FIRST_EVENT:
        return Polygon(star(x, y, 1.2 * radius, 5), role="ally", tip=tip)
    return token(colour_of(card), x, y, radius, tip)


def colour_of(city: int) -> int:
    return city * len(COLOURS) // state.FIRST_EVENT


def station(x: float, y: float, size: float, tip: str) -> Iterator[Shape]:
    """Yield a house with a roof."""
    half = size / 2
    walls = (
        (x - half, y + half),
        (x - half, y - 0.1 * size),
        (x, y - 0.7 * size),
        (x + half, y - 0.1 * size),
        (x + half, y + half),
    )
    yield Polygon(walls, role="sight", tip=tip)
    yield Polygon(
        block(x - 0.12 * size, y + 0.05 * size, 0.24 * size, 0.45 * size), role="grid", tip=tip
    )


def badge(record: Any, seat: int, x: float, y: float, radius: float) -> Iterator[Shape]:
    """Yield a disc with the first letter of a role; the active player's disc has another colour."""
    name = seat_name(record, seat)
    active = int(record["seat"]) == seat
    tip = f"{name}, player {seat + 1}{', whose turn it is' if active else ''}"
    yield Disc(x, y, radius, role="ally" if active else "neutral", tip=tip)
    yield Label(x, y, name[0].upper(), 1.25 * radius, role="grid", tip=tip)
