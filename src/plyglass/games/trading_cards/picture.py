"""Trading cards as a scene: hands at the edges, fields in the middle, decks on the right."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from plyglass.core.actions import unpack
from plyglass.core.scene import (
    Label,
    Path,
    Points,
    Polygon,
    Region,
    Ring,
    Role,
    Scene,
    Shape,
    block,
    named,
)
from plyglass.games.trading_cards.cards import ATTRIBUTES, CARDS, REMOVAL, STAND_IN, card_name
from plyglass.games.trading_cards.state import (
    ATTACKS,
    BATTLE,
    DRAW,
    HEALS,
    PLACE,
    POINT,
    REMOVE,
)
from plyglass.games.trading_cards.view import arranged, can_act, face_of, health_of, moment, to_move

WIDTH, HEIGHT = 20, 14  # of the table, in cells
CARD_WIDTH, CARD_HEIGHT, GAP = 1.4, 2.1, 0.17
LETTERS: tuple[Role, ...] = ("neutral", "ally", "danger")  # for Fight, Heal and Attack
LEGEND = "F fights, H heals, A attacks; cards with a ring can act, pale ones have acted"


class Area(NamedTuple):
    """A part of the table, by its left edge, upper edge, width and height."""

    x: float
    y: float
    width: float
    height: float


class Place(NamedTuple):
    """Where a card lies: its left and upper edge, and its size relative to a whole card."""

    x: float
    y: float
    size: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the card, from its upper left corner."""
        return self.x + x * self.size, self.y + y * self.size


class SideLayout(NamedTuple):
    """The upper edges of a player's health bar, hand and field."""

    health: float
    hand: float
    field: float


REGIONS = (
    Region("board", 0, 0, WIDTH, HEIGHT - 2.75),
    Region("hand", 0, HEIGHT - 2.75, 9, 2.75),
    Region("deck", 9, HEIGHT - 2.75, WIDTH - 9, 2.75),
)
ABOVE = SideLayout(2.85, 0.4, 3.75)
BELOW = SideLayout(HEIGHT - 3.35, HEIGHT - 2.5, HEIGHT - 6.55)


def scene(record: Any, constants: Any, viewer: int) -> Scene:
    """Return the table as `viewer` sees it, with the enemy's side on top."""
    cloth = [
        Polygon(block(part.x, part.y, part.width, part.height), role="board") for part in REGIONS
    ]
    middle = Path(
        ((0.4, HEIGHT / 2), (WIDTH - 0.4, HEIGHT / 2)), True, width=0.04, role="muted", opacity=0.5
    )
    sides = [
        *_side(record, constants, 1 - viewer, "enemy", ABOVE),
        *_side(record, constants, viewer, "own", BELOW),
    ]
    return Scene(
        WIDTH,
        HEIGHT,
        (*cloth, middle, *sides),
        "Trading cards",
        (moment(record, constants), LEGEND),
        regions=REGIONS,
    )


def action_path(viewer: int, action: int) -> tuple[str, ...]:
    """Return the cards and the health to click for an action of the viewer."""
    kind, source, target = unpack(action)
    own, other = card_key(viewer, source), card_key(1 - viewer, target)
    return {
        DRAW: (f"deck {viewer + 1}",),
        PLACE: (own,),
        REMOVE: (card_key(viewer, REMOVAL), other),
        HEALS: (own, f"health {viewer + 1}"),
        ATTACKS: (own, f"health {2 - viewer}"),
        BATTLE: (own, other),
    }.get(kind, ())


def card_key(owner: int, card: int) -> str:
    """Return the key of a card; all Removals of a player are alike."""
    return f"{card_name(card)} of player {owner + 1}"


def _side(
    record: Any, constants: Any, player: int, role: Role, layout: SideLayout
) -> Iterator[Shape]:
    health = _health(record, constants, player, role, layout.health)
    yield from named(health, f"health {player + 1}", f"health {player + 1}")
    deck = _deck(record, player, role, Area(9.2, layout.hand, WIDTH - 9.4, CARD_HEIGHT))
    yield from named(deck, f"deck {player + 1}", f"deck {player + 1}")
    hand, field = arranged(record, player, "hand"), arranged(record, player, "field")
    mat = Area(0.4, layout.field, WIDTH - 0.8, 2.8)
    yield Polygon(_block(mat), role="water", tip=f"the field of player {player + 1}")
    for card, place in zip(
        hand, _places(len(hand), Area(0.4, layout.hand, 8.2, CARD_HEIGHT)), strict=True
    ):
        where = f"in the hand of player {player + 1}"
        yield from _named(player, card, _card(record, player, card, place, role, where))
    for card, place in zip(field, _places(len(field), _within(mat, 0.22)), strict=True):
        yield from _named(player, card, _card_on_field(record, player, card, place, role))


def _named(owner: int, card: int, shapes: Iterator[Shape]) -> list[Shape]:
    """Return a card's shapes with its key; the `thing` is the same in hand and on the field."""
    return named(shapes, card_key(owner, card), f"card {card} of player {owner + 1}")


def _health(record: Any, constants: Any, player: int, role: Role, top: float) -> Iterator[Shape]:
    """Yield a player's name, health bar and health number; an arrow marks the player to move."""
    share = min(1.0, max(0.0, float(record["health"][player]) / POINT / float(constants["health"])))
    tip = f"player {player + 1}: {health_of(record, player)} of {int(constants['health'])} health"
    if to_move(record, constants) == player:
        yield Polygon(((0.4, top), (0.85, top + 0.25), (0.4, top + 0.5)), role=role, tip="to move")
    yield Label(2.05, top + 0.25, f"player {player + 1}", 0.5, role="ink", tip=tip)
    yield Polygon(_block(Area(3.5, top, 11.0, 0.5)), role="ghost", opacity=0.4, tip=tip)
    if share > 0.0:
        yield Polygon(_block(Area(3.5, top, 11.0 * share, 0.5)), role=role, tip=tip)
    yield Label(15.5, top + 0.25, health_of(record, player), 0.6, role="ink", tip=tip)


def _deck(record: Any, player: int, role: Role, area: Area) -> Iterator[Shape]:
    """Yield a pile of card backs with the number of cards, and the cards' list, strongest first."""
    deck = arranged(record, player, "deck")
    tip = f"the deck of player {player + 1}: {len(deck)} cards left"
    for back in range(min(3, len(deck))):
        yield Polygon(
            _block(Area(area.x + 0.1 * back, area.y - 0.06 * back, CARD_WIDTH, CARD_HEIGHT)),
            role=role,
            opacity=0.75,
            tip=tip,
        )
    if deck:
        yield Label(
            area.x + 0.2 + CARD_WIDTH / 2,
            area.y - 0.12 + CARD_HEIGHT / 2,
            str(len(deck)),
            0.75,
            role="grid",
            tip=tip,
        )
    for number, card in enumerate(deck):
        row, column = divmod(number, 7)
        x, y = area.x + 2.6 + 1.21 * column, area.y + 0.25 + 0.53 * row
        yield Label(x, y, card_name(card), 0.25 if card >= REMOVAL else 0.4, role="muted", tip=tip)


def _places(count: int, area: Area) -> list[Place]:
    """Return places for `count` cards, in the number of rows that makes the cards largest."""
    if count == 0:
        return []
    rows = max(range(1, 4), key=lambda number: _size(count, number, area))
    size, across = _size(count, rows, area), math.ceil(count / rows)
    step, line = (CARD_WIDTH + GAP) * size, (CARD_HEIGHT + GAP) * size
    top = area.y + (area.height - rows * line + GAP * size) / 2
    return [
        Place(area.x + number % across * step, top + number // across * line, size)
        for number in range(count)
    ]


def _size(count: int, rows: int, area: Area) -> float:
    """Return the size of `count` cards in `rows` rows, relative to a whole card."""
    across = math.ceil(count / rows)
    return min(
        1.0,
        area.width / (across * (CARD_WIDTH + GAP) - GAP),
        area.height / (rows * (CARD_HEIGHT + GAP) - GAP),
    )


def _card_on_field(record: Any, owner: int, card: int, place: Place, role: Role) -> Iterator[Shape]:
    """Yield a card on the field; in its owner's turn, the card shows whether it can act."""
    fresh, moving = can_act(record, owner, card), record["player"] == owner
    state = ", can act" if fresh else ", has acted" if moving else ""
    where = f"on the field of player {owner + 1}{state}"
    yield from _card(record, owner, card, place, role, where, 0.4 if moving and not fresh else 1.0)
    if fresh:
        x, y = place.at(-0.1, -0.1)
        yield Ring(
            x,
            y,
            (CARD_WIDTH + 0.2) * place.size,
            (CARD_HEIGHT + 0.2) * place.size,
            role="goal",
            tip=where,
        )


def _card(
    record: Any, owner: int, card: int, place: Place, role: Role, where: str, opacity: float = 1.0
) -> Iterator[Shape]:
    values = face_of(record, owner, card)
    listed = ", ".join(f"{name} {value:g}" for name, value in zip(ATTRIBUTES, values, strict=True))
    tip = f"{card_name(card)} {where}" if REMOVAL <= card < CARDS else f"{listed}: {where}"
    border: Role = "ghost" if card >= STAND_IN else role
    yield Polygon(_face(place, 0.0), role=border, opacity=opacity, tip=tip)
    yield Polygon(_face(place, 0.09), role="grid", opacity=opacity, tip=tip)
    yield from (
        _cross(place, opacity, tip)
        if REMOVAL <= card < CARDS
        else _numbers(values, place, opacity, tip)
    )


def _numbers(values: tuple[float, ...], place: Place, opacity: float, tip: str) -> Iterator[Shape]:
    """Yield Fight, Heal and Attack from the top, each with its letter; zeros are faint."""
    for number, (name, value, letter) in enumerate(zip(ATTRIBUTES, values, LETTERS, strict=True)):
        faint = opacity if value > 0.0 else 0.35 * opacity
        y = 0.44 + 0.61 * number
        yield Label(
            *place.at(0.42, y), name[0], 0.36 * place.size, role=letter, opacity=faint, tip=tip
        )
        digits = f"{value:.2g}"
        yield Label(
            *place.at(0.93, y),
            digits,
            (0.6 if len(digits) == 1 else 0.42) * place.size,
            role="ink",
            opacity=faint,
            tip=tip,
        )


def _cross(place: Place, opacity: float, tip: str) -> Iterator[Shape]:
    """Yield the cross of a Removal."""
    for ends in (((0.4, 0.4), (1.05, 1.3)), ((1.05, 0.4), (0.4, 1.3))):
        yield Path(
            tuple(place.at(*end) for end in ends),
            width=0.13 * place.size,
            role="danger",
            opacity=opacity,
            tip=tip,
        )
    yield Label(
        *place.at(CARD_WIDTH / 2, 1.72),
        "Removal",
        0.26 * place.size,
        role="ink",
        opacity=opacity,
        tip=tip,
    )


def _face(place: Place, inset: float) -> Points:
    """Return the outline of a card with cut corners; `inset` is the same for cards of all sizes."""
    inset /= place.size
    left, top, right, bottom, cut = inset, inset, CARD_WIDTH - inset, CARD_HEIGHT - inset, 0.14
    corners = (
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    )  # fmt: skip
    return tuple(place.at(*corner) for corner in corners)


def _within(area: Area, inset: float) -> Area:
    return Area(area.x + inset, area.y + inset, area.width - 2 * inset, area.height - 2 * inset)


def _block(area: Area) -> Points:
    right, bottom = area.x + area.width, area.y + area.height
    return (area.x, area.y), (right, area.y), (right, bottom), (area.x, bottom)
