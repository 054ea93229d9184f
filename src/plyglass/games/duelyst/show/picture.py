"""Duelyst as a scene: the board with its units, and a panel per player, the first one's below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plyglass.core.actions import unpack
from plyglass.core.scene import (
    Disc,
    Imagined,
    Label,
    Path,
    Point,
    Polygon,
    Ring,
    Role,
    Scene,
    Shape,
    Tile,
    block,
    coordinates,
    regular,
    star,
)
from plyglass.games.duelyst import state
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.engine.board import HEIGHT, WIDTH
from plyglass.games.duelyst.show.player_panel import PANEL, player_panel
from plyglass.games.duelyst.view import Position, headline, place, unit_line

RADIUS = 0.37  # radius of a unit, in cells
SIDES: tuple[Role, Role] = ("red", "blue")
NAME = 9  # most letters of a name that fit on a unit
LETTERS = 1.08  # width of a name, in cells; longer names have smaller letters
SPOKEN = 2  # most keywords that fit below a unit


def scene(record: Any, constants: Any, viewer: int, imagined: Imagined | None) -> Scene:
    """Return a scene of what a player sees and believes about the enemy's hand, or of the truth."""
    shown = imagined.worlds[0] if imagined is not None and imagined.true else record
    position = Position(shown, constants)
    shapes = [*_ground(shown), *_units(shown, position)]
    for player in range(2):
        shapes += player_panel(shown, position, player, WIDTH, _panel_top(player), imagined)
    letters = coordinates("abcdefghi", [str(y) for y in range(HEIGHT, 0, -1)])
    title = "Duelyst" if shown is not record else f"Duelyst, player {viewer + 1}"
    return Scene(
        WIDTH,
        HEIGHT + 2 * PANEL,
        (*shapes, *(_moved(label) for label in letters)),
        title,
        (headline(record),),
        "board",
    )


def action_shapes(action: int) -> tuple[Shape, ...]:
    """Return an arrow for a move, a burst for an attack, or a ring for a played or chosen cell."""
    kind, source, target = unpack(action)
    there = (
        _middle(target)
        if kind in (state.MOVE, state.ATTACK, state.PLAY, state.FOLLOW)
        else (0.0, 0.0)
    )
    if kind == state.MOVE:
        return (Path((_middle(source), there), False, True, 0.07, role="ink", opacity=0.75),)
    if kind == state.ATTACK:
        way = Path((_middle(source), there), True, False, 0.06, role="danger")
        return way, Polygon(star(*there, 0.24), role="danger", tip="attacked")
    if kind in (state.PLAY, state.FOLLOW):
        return (
            Ring(
                there[0] - 0.5,
                there[1] - 0.5,
                role="goal",
                tip=f"card {source + 1}" if kind == state.PLAY else "chosen",
            ),
        )
    return ()


def _panel_top(player: int) -> float:
    return 0.0 if player else PANEL + HEIGHT


def _middle(cell: int) -> Point:
    """Return the middle of a cell in the scene; row 1 of the board is at the bottom."""
    return cell % WIDTH + 0.5, PANEL + HEIGHT - 0.5 - cell // WIDTH


def _moved(label: Shape) -> Shape:
    """Return a row or column label, moved from the edge of the scene to that of the board."""
    assert isinstance(label, Label)
    return Label(label.x, label.y + PANEL, label.text, 0.2, role="muted")


def _ground(record: Any) -> Iterator[Shape]:
    """Yield the cells, with springs and creep."""
    for cell, tile in enumerate(record["tile"]):
        x, y = _middle(cell)
        yield Tile(
            x - 0.5,
            y - 0.5,
            role="plain",
            opacity=0.5 if (cell // WIDTH + cell % WIDTH) % 2 else 0.35,
            tip=place(cell),
        )
        if tile == state.SPRING:
            yield Polygon(regular(x, y, 4, 0.3), role="water", tip=f"{place(cell)}: mana spring")
            yield Label(x, y, "+1", 0.2, role="ink", tip=f"{place(cell)}: mana spring")
        elif tile >= state.CREEP:
            owner = int(tile) - state.CREEP
            yield Tile(
                x - 0.5,
                y - 0.5,
                role=SIDES[owner],
                opacity=0.3,
                tip=f"{place(cell)}: shadow creep of player {owner + 1}",
            )


def _units(record: Any, position: Position) -> Iterator[Shape]:
    for unit in range(1, int(record["units"]) + 1):
        if record["alive"][unit]:
            yield from _unit(record, position, unit)


def _unit(record: Any, position: Position, unit: int) -> Iterator[Shape]:
    """Yield a unit, square for the first player and round for the second; pale if it cannot act.

    Generals have a golden rim.
    """
    (x, y), tip = _middle(int(record["cell"][unit])), unit_line(record, position, unit)
    role, words = SIDES[int(record["owner"][unit])], position.keywords(unit)
    if unit in record["general"]:
        yield _body(x, y - 0.06, int(record["owner"][unit]), "goal", 1.0, tip, RADIUS + 0.07)
    if "provoke" in words:
        yield Ring(x - 0.46, y - 0.46, 0.92, 0.92, role=role, tip=tip)
    yield _body(x, y - 0.06, int(record["owner"][unit]), "board", 1.0, tip)
    yield _body(
        x, y - 0.06, int(record["owner"][unit]), role, 0.55 if _is_done(record, unit) else 1.0, tip
    )
    name = _short(cards()[int(record["card"][unit])].name)
    yield Label(x, y - 0.13, name, min(0.145, LETTERS / len(name)), role="grid", tip=tip)
    yield from _number(x - 0.27, y + 0.18, position.attack(unit), "heat", tip)
    yield from _number(
        x + 0.27, y + 0.18, position.health(unit), "bad" if record["damage"][unit] else "good", tip
    )
    states = [word for word in ("stunned", "dispelled") if record[word][unit]]
    spoken = [*states, *(word for word in words if word != "provoke")]
    if spoken:
        more = f" +{len(spoken) - SPOKEN}" if len(spoken) > SPOKEN else ""
        yield Label(x, y + 0.42, ", ".join(spoken[:SPOKEN])[:20] + more, 0.125, role="ink", tip=tip)


def _body(
    x: float, y: float, owner: int, role: Role, opacity: float, tip: str, radius: float = RADIUS
) -> Shape:
    if owner:
        return Disc(x, y, radius, role=role, opacity=opacity, tip=tip)
    return Polygon(
        block(x - radius, y - radius, 2 * radius, 2 * radius), role=role, opacity=opacity, tip=tip
    )


def _number(x: float, y: float, value: int, role: Role, tip: str) -> Iterator[Shape]:
    yield Disc(x, y, 0.145, role="board", tip=tip)
    yield Disc(x, y, 0.145, role=role, opacity=0.45, tip=tip)
    yield Label(x, y, str(value), 0.2, role="ink", tip=tip)


def _is_done(record: Any, unit: int) -> bool:
    """Return whether a unit of the player to move cannot act, or cannot act again, in this turn."""
    return bool(
        record["owner"][unit] == record["player"]
        and (record["exhausted"][unit] or record["attacks"][unit])
    )


def _short(name: str) -> str:
    """Return the part of a name that fits on a unit: its first word that is not a filler."""
    first = next(word for word in name.replace("'", "").split() if word not in ("The", "First"))
    return first[:NAME]
