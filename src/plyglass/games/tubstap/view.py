"""TUBSTAP as text."""

from typing import Any

from plyglass.core import unpack
from plyglass.games.tubstap.cells import SIDE, WORD
from plyglass.games.tubstap.map_tables import STEPS
from plyglass.games.tubstap.state import (
    DIRECTION_BITS,
    DRAWN,
    END,
    MOVE,
    PLAYING,
    SHOOT,
    STRIKE,
    UNSEEN,
)
from plyglass.games.tubstap.tbsmap import Map
from plyglass.games.tubstap.units import KINDS, SIDES, TERRAIN

FOG = "▒▒▒"
COLUMNS = "abcdefghijklmno"
LEGEND = (
    ", ".join(f"{kind.mark} {kind.name}" for kind in KINDS),
    "capitals are red, small letters blue; * has acted, ? was seen there last",
    ", ".join(f"{terrain.mark} {terrain.name}" for terrain in TERRAIN[1:]),
)

COLOURS_OF_UNITS = {
    r"(?<=[ .~\"^=#?])[FAPURI]\d+\*?(?=\s|$)": "red",
    r"(?<=[ .~\"^=#?])[fapuri]\d+\*?(?=\s|$)": "bright_blue",
    FOG: "dim",
}


def cell_name(cell: int) -> str:
    """Return the name of a cell: `c5` is the third column and the fifth row from the top."""
    return f"{COLUMNS[cell % SIDE]}{cell // SIDE + 1}"


def action_name(action: int) -> str:
    """Return a name such as `b3 to c5`, `b3 to c5 attack c6`, `b3 attack b4` or `b3 stay`."""
    kind, source, target = unpack(action)
    goal = target % (1 << DIRECTION_BITS)
    way = f" to {cell_name(goal)}" if goal != source and kind != SHOOT else ""
    if kind == MOVE:
        return f"{cell_name(source)}{way or ' stay'}"
    if kind == STRIKE:
        x, y = STEPS[target >> DIRECTION_BITS]
        return f"{cell_name(source)}{way} attack {cell_name(goal + SIDE * y + x)}"
    return f"{cell_name(source)} attack {cell_name(target)}" if kind == SHOOT else "end turn"


def action_parts(record: Any, constants: Any, action: int) -> tuple[str, ...]:
    """Return the parts of an action's name: the unit, the unit's goal, and the unit's target."""
    kind, source, _ = unpack(action)
    if kind == END:
        return ("end turn",)
    unit, _, rest = action_name(action).partition(" ")
    place, attack, enemy = rest.partition("attack ")
    steps = [_named_unit(record, constants, source, unit), place.strip() or "stay"]
    return (*steps, f"attack {enemy}") if attack else tuple(steps)


def _named_unit(record: Any, constants: Any, cell: int, name: str) -> str:
    """Return a unit of the side to move, by its cell and kind."""
    side = int(record["turn"]) % 2
    for slot, place in enumerate(record["cell"][side]):
        if int(place) == cell:
            return f"{name} {KINDS[int(constants['kind'][side, slot])].name}"
    return name


def text(record: Any, constants: Any, terrain: Map, viewer: int) -> str:
    """Return the map as text: terrain, fog, units with mark and health, and memories of enemies.

    Capital letters mark red units. A question mark shows where an unseen enemy was seen last.
    """
    marks = {**_memories(record, constants, viewer), **_units(record, constants)}
    seen = seen_cells(record, constants, viewer)
    rows = [_row(terrain, y, marks, seen) for y in range(terrain.height)]
    head = "   " + " ".join(f" {letter}   " for letter in COLUMNS[: terrain.width])
    return "\n".join(
        [
            head.rstrip(),
            *rows,
            state_line(record, constants),
            *_remembered(record, constants, viewer),
            *LEGEND,
        ]
    )


def _row(terrain: Map, y: int, marks: dict[int, str], seen: set[int]) -> str:
    cells = [SIDE * y + x for x in range(terrain.width)]
    shown = [
        TERRAIN[terrain.rows[y][cell % SIDE]].mark + marks.get(cell, "" if cell in seen else FOG)
        for cell in cells
    ]
    return f"{y + 1:2} " + " ".join(f"{each:5}" for each in shown).rstrip()


def _mark(constants: Any, side: int, slot: int, health: int) -> str:
    letter = KINDS[constants["kind"][side, slot]].mark
    return f"{letter.lower() if side else letter}{health}"


def _units(record: Any, constants: Any) -> dict[int, str]:
    """Return units by cell, with a star if they have acted in this turn."""
    return {
        int(cell): _mark(constants, side, slot, record["health"][side, slot])
        + "*" * int(record["acted"][side, slot])
        for side in range(2)
        for slot, cell in enumerate(record["cell"][side])
        if cell >= 0
    }


def hidden(record: Any, viewer: int) -> list[int]:
    """Return the slots of enemies that a viewer does not see."""
    return [slot for slot, cell in enumerate(record["cell"][1 - viewer]) if cell == UNSEEN]


def _memories(record: Any, constants: Any, viewer: int) -> dict[int, str]:
    enemy = 1 - viewer
    slots = hidden(record, viewer)
    return {
        int(
            record["last_cell"][enemy, slot]
        ): f"?{_mark(constants, enemy, slot, record['health'][enemy, slot])}"
        for slot in slots
    }


def seen_cells(record: Any, constants: Any, viewer: int) -> set[int]:
    """Return the cells that a viewer sees; without fog or after the game, all cells."""
    if not constants["fog"] or record["result"] != PLAYING:
        return set(range(SIDE * SIDE))
    sights = [
        constants["sight"][constants["kind"][viewer, slot], cell]
        for slot, cell in enumerate(record["cell"][viewer])
        if cell >= 0
    ]
    return {
        cell
        for cell in range(SIDE * SIDE)
        if any(int(sight[cell // WORD]) >> cell % WORD & 1 for sight in sights)
    }


def state_line(record: Any, constants: Any) -> str:
    """Return whose turn it is, or who has won, with the health of each side."""
    turn, result = int(record["turn"]), int(record["result"])
    totals = ", ".join(
        f"{side} {int(record['health'][number].sum())}" for number, side in enumerate(SIDES)
    )
    state = f"turn {turn + 1} of {constants['turns']}: {SIDES[turn % 2]}"
    if result != PLAYING:
        state = (
            f"the game is over after turn {turn}: "
            f"{'a draw' if result == DRAWN else f'{SIDES[result - 1]} has won'}"
        )
    return f"{state}; health: {totals}"


def _remembered(record: Any, constants: Any, viewer: int) -> list[str]:
    """Return where enemies out of sight were last seen, grouped by the turn of the sighting."""
    enemy, found = 1 - viewer, dict[int, list[str]]()
    for slot in hidden(record, viewer):
        mark, place = (
            _mark(constants, enemy, slot, record["health"][enemy, slot]),
            cell_name(int(record["last_cell"][enemy, slot])),
        )
        found.setdefault(int(record["turn"] - record["last_turn"][enemy, slot]), []).append(
            f"{mark} at {place}"
        )
    return [f"seen {_when(ago)}: {', '.join(found[ago])}" for ago in sorted(found)]


def _when(ago: int) -> str:
    return "in this turn" if ago == 0 else "a turn ago" if ago == 1 else f"{ago} turns ago"
