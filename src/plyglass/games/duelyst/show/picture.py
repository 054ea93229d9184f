"""Duelyst as a scene: the board with its units, and a panel per player, the viewer's below."""

from __future__ import annotations

from collections import Counter
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
    Region,
    Ring,
    Role,
    Scene,
    Shape,
    Tile,
    block,
    coordinates,
    fitted,
    named,
    regular,
    star,
)
from plyglass.games.duelyst import state
from plyglass.games.duelyst.cards.catalog import cards
from plyglass.games.duelyst.engine.board import HEIGHT, WIDTH
from plyglass.games.duelyst.show.player_panel import PANEL, player_panel
from plyglass.games.duelyst.view import Position, headline, place, unit_line

RADIUS = 0.26  # radius of a unit, in cells
RAISED = 0.1  # distance of a unit from its cell's middle; leaves room for a name
SIDES: tuple[Role, Role] = ("red", "blue")
LETTER = 0.14  # largest height of a line of text
ROOM = 0.9  # width of a line of text, in cells; an app frames what can be chosen
SPOKEN = 2  # most keywords that fit on a unit
SHORT = {  # words for keywords that are too long for a unit
    "safe from generals": "safe", "cannot strike back": "meek",
    "doubled against generals": "x2 to generals", "doubled against minions": "x2 to minions",
    "spares generals": "spares", "cannot be attacked": "safe", "provokes ranged": "lures",
    "first hit softened": "softened", "learned infiltrate": "infiltrate", "learned zeal": "zeal",
    "learned deathwatch": "deathwatch",
}  # fmt: skip
REGIONS = (
    Region("enemy", 0, 0, WIDTH, PANEL),
    Region("board", 0, PANEL, WIDTH, HEIGHT),
    Region("hand", 0, PANEL + HEIGHT, WIDTH, PANEL),
)


def scene(record: Any, constants: Any, viewer: int, imagined: Imagined | None) -> Scene:
    """Return a scene of a player's view and belief about the enemy's hand, or of the true state."""
    shown = imagined.worlds[0] if imagined is not None and imagined.true else record
    position = Position(shown, constants)
    shapes: list[Shape] = [*_ground(shown)]
    for player in range(2):
        shapes += player_panel(shown, position, player, WIDTH, viewer, imagined)
    shapes += _units(shown, position)
    letters = coordinates("abcdefghi", [str(y) for y in range(HEIGHT, 0, -1)])
    title = "Duelyst" if shown is not record else f"Duelyst, player {viewer + 1}"
    return Scene(
        WIDTH,
        HEIGHT + 2 * PANEL,
        (*shapes, *(_moved(label) for label in letters)),
        title,
        (headline(record),),
        "board",
        REGIONS,
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


def _middle(cell: int) -> Point:
    """Return the middle of a cell in the scene; row 1 of the board is at the bottom."""
    return cell % WIDTH + 0.5, PANEL + HEIGHT - 0.5 - cell // WIDTH


def _moved(label: Shape) -> Shape:
    """Return a row or column label, moved from the edge of the scene to the edge of the board."""
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
            key=place(cell),
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
    """Yield the living units, with numbers for a player's units that have the same card."""
    met: Counter[tuple[int, int]] = Counter()
    for unit in range(1, int(record["units"]) + 1):
        if record["alive"][unit]:
            owner, card = int(record["owner"][unit]), int(record["card"][unit])
            met[owner, card] += 1
            thing = f"{cards()[card].name} {met[owner, card]} of player {owner + 1}"
            key = place(int(record["cell"][unit]))
            yield from named(_unit(record, position, unit), key, thing)


def _unit(record: Any, position: Position, unit: int) -> Iterator[Shape]:
    """Yield a unit, square for the first player and round for the second player.

    A unit that cannot act is pale. Generals have a golden rim.
    """
    (x, y), tip = _middle(int(record["cell"][unit])), unit_line(record, position, unit)
    owner, words = int(record["owner"][unit]), position.keywords(unit)
    name, top = cards()[int(record["card"][unit])].name, y - RAISED
    if unit in record["general"]:
        yield _body(x, top, owner, "goal", 1.0, tip, RADIUS + 0.06)
    if "provoke" in words:
        yield Ring(x - 0.4, y - 0.45, 0.8, 0.7, role=SIDES[owner], tip=tip)
    yield _body(x, top, owner, "board", 1.0, tip)
    yield _body(x, top, owner, SIDES[owner], 0.5 if _is_done(record, unit) else 1.0, tip)
    yield Label(x, top - 0.03, _initials(name), 0.27, role="grid", tip=tip)
    yield from _number(x - 0.3, y + 0.08, position.attack(unit), "heat", tip)
    hurt: Role = "bad" if record["damage"][unit] else "good"
    yield from _number(x + 0.3, y + 0.08, position.health(unit), hurt, tip)
    states = [word for word in ("stunned", "dispelled") if record[word][unit]]
    yield from _writing(x, y, name, [*states, *(word for word in words if word != "provoke")], tip)


def _writing(x: float, y: float, name: str, spoken: list[str], tip: str) -> Iterator[Shape]:
    """Yield a unit's name in one or two lines, and its keywords above the unit."""
    lines, size = fitted(name, ROOM, LETTER, 2)
    for number, line in enumerate(lines):
        middle = y + 0.335 + (number - (len(lines) - 1) / 2) * 1.05 * size
        yield Label(x, middle, line, size, role="ink", tip=tip)
    if spoken:
        more = f" +{len(spoken) - SPOKEN}" if len(spoken) > SPOKEN else ""
        words = ", ".join(SHORT.get(word, word) for word in spoken[:SPOKEN])
        (line,), size = fitted(words + more, ROOM, 0.13)
        yield Label(x, y - 0.41, line, size, role="ink", tip=tip)


def _body(
    x: float, y: float, owner: int, role: Role, opacity: float, tip: str, radius: float = RADIUS
) -> Shape:
    if owner:
        return Disc(x, y, radius, role=role, opacity=opacity, tip=tip)
    return Polygon(
        block(x - radius, y - radius, 2 * radius, 2 * radius), role=role, opacity=opacity, tip=tip
    )


def _number(x: float, y: float, value: int, role: Role, tip: str) -> Iterator[Shape]:
    yield Disc(x, y, 0.16, role="board", tip=tip)
    yield Disc(x, y, 0.16, role=role, opacity=0.45, tip=tip)
    yield Label(x, y, str(value), 0.23, role="ink", tip=tip)


def _is_done(record: Any, unit: int) -> bool:
    """Return whether a unit of the player to move cannot act any more in this turn."""
    return bool(
        record["owner"][unit] == record["player"]
        and (record["exhausted"][unit] or record["attacks"][unit])
    )


def _initials(name: str) -> str:
    """Return two letters for a unit: the initials of two words, or the beginning of one word."""
    words = [word for word in name.split() if word not in ("The", "First", "of", "the")]
    return words[0][0] + words[1][0] if len(words) > 1 else words[0][:2]
