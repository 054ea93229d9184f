"""Navy Defense as text and as a scene.

North is up. Arrows show the directions of cargo ships, and brackets mark the sonar.
"""

from typing import Any

import numpy as np

from plyglass.core.actions import unpack
from plyglass.core.scene import (
    Bar,
    Disc,
    Imagined,
    Label,
    Path,
    Polygon,
    Ring,
    Role,
    Scene,
    Shape,
    heat_map,
    named,
    spots,
    star,
    vessel,
)
from plyglass.games.navy.rules import HEALTH
from plyglass.games.navy.state import CLOCKWISE, NOWHERE

LEGEND = "N Navy ship, A to Z cargo ships, s submarine, * attacked, [ ] in sonar"
ARROWS = {(-1, 0): "↑", (0, 1): "→", (1, 0): "↓", (0, -1): "←", (0, 0): "·"}


def text(record: Any, constants: Any) -> str:
    size = int(constants["size"])
    rows = ["".join(_cell(record, constants, 16 * y + x) for x in range(size)) for y in range(size)]
    return "\n".join([*rows, LEGEND, _summary(record, constants), *_ships(record, constants)])


def _cell(record: Any, constants: Any, cell: int) -> str:
    left, right = ("[", "]") if _in_sonar(record, cell) else (" ", " ")
    return f"{left}{_sign(record, constants, cell)}{right}"


def _sign(record: Any, constants: Any, cell: int) -> str:
    if cell in record["attacked"].tolist():
        return "*"
    if record["navy_health"] > 0 and record["navy"] == cell:
        return "N"
    ships = [ship for ship in range(constants["cargo"]) if record["cargo"][ship] == cell]
    if ships:
        return cargo_name(ships[0])
    return "s" if cell in record["submarine"].tolist() else "·"


def _in_sonar(record: Any, cell: int) -> bool:
    y, x = divmod(int(record["navy"]), 16)
    return bool(record["navy_health"] > 0 and max(abs(y - cell // 16), abs(x - cell % 16)) <= 1)


def _summary(record: Any, constants: Any) -> str:
    navy = f"Navy ship {_health(record['navy_health'])}"
    step = f"step {int(record['step'])} of {int(constants['steps'])}"
    return f"{step}, cost {int(record['cost'])}, {navy}, submarines sunk {int(record['sunk'])}"


def _ships(record: Any, constants: Any) -> list[str]:
    return [
        f"{cargo_name(ship)}: {_course(record, constants, ship)}"
        for ship in range(constants["cargo"])
    ]


def _course(record: Any, constants: Any, ship: int) -> str:
    cell = int(record["cargo"][ship])
    if cell == NOWHERE:
        return "lost"
    there = int(constants["route"][int(record["clockwise"][ship]), cell])
    arrow = ARROWS[there // 16 - cell // 16, there % 16 - cell % 16]
    turning = "clockwise" if record["clockwise"][ship] == CLOCKWISE else "counterclockwise"
    return f"{_health(record['cargo_health'][ship])}, {turning} {arrow}"


def _health(health: int) -> str:
    return ("lost", "hit", "unharmed")[max(0, int(health))]


def cargo_name(ship: int) -> str:
    """Return the letter that people see for a cargo ship."""
    return chr(ord("A") + ship)


def scene(record: Any, constants: Any, imagined: Imagined | None) -> Scene:
    """Return the sea: routes, sonar, attacks, possible submarines, and vessels with their health.

    Wrecks are grey.
    """
    size = int(constants["size"])
    ships = [ship for ship in range(constants["cargo"]) if record["cargo"][ship] != NOWHERE]
    below = [
        *spots(size, size, lambda x, y: cell_name(16 * y + x)),
        *_routes(record, constants, ships),
        *_submarines_unseen(record, size, imagined),
        *_sonar(record, size),
    ]
    struck = [cell for cell in record["attacked"].tolist() if cell != NOWHERE]
    bursts = [
        Polygon(star(*_middle(cell), 0.5, 10), role="danger", opacity=0.85, tip="attacked")
        for cell in struck
    ]
    above = [
        *_submarines(record),
        *(shape for ship in ships for shape in _cargo(record, constants, ship)),
        *_navy(record),
    ]
    lost = [cargo_name(ship) for ship in range(constants["cargo"]) if ship not in ships]
    caption = (_summary(record, constants), *([f"lost: {', '.join(lost)}"] if lost else []))
    return Scene(size, size, (*below, *bursts, *above), "Navy Defense", caption, ground="water")


def cell_name(cell: int) -> str:
    """Return the name of a cell: a letter for its column, and its row from the north."""
    return f"{chr(ord('a') + cell % 16)}{cell // 16 + 1}"


def action_path(record: Any, constants: Any, action: int) -> tuple[str, ...]:
    """Return the cell where the Navy ship goes or stays."""
    return (cell_name(int(constants["beside"][int(record["navy"]), unpack(action)[2]])),)


def _middle(cell: int) -> tuple[float, float]:
    """Return the point in the middle of a cell."""
    return cell % 16 + 0.5, cell // 16 + 0.5


def _routes(record: Any, constants: Any, ships: list[int]) -> list[Shape]:
    """Return each route in use once, and an arrow from each moving ship to its next cell."""
    rings = {
        frozenset(ring): ring
        for ring in (_ring(constants, int(record["cargo"][ship])) for ship in ships)
    }
    lines: list[Shape] = [
        Path(
            tuple(_middle(cell) for cell in (*ring, ring[0])),
            True,
            width=0.035,
            role="ally",
            opacity=0.5,
        )
        for ring in rings.values()
        if len(ring) > 1
    ]
    arrows = [
        Path(_course_ahead(record, constants, ship), False, True, role="ally", opacity=0.8)
        for ship in ships
        if any(_ahead(record, constants, ship))
    ]
    return [*lines, *arrows]


def _ring(constants: Any, cell: int) -> list[int]:
    """Return the cells of the route through a cell."""
    cells, there = [cell], int(constants["route"][CLOCKWISE, cell])
    while there != cell:
        cells.append(there)
        there = int(constants["route"][CLOCKWISE, there])
    return cells


def _ahead(record: Any, constants: Any, ship: int) -> tuple[int, int]:
    """Return the next step of a cargo ship, as a change of column and row."""
    cell = int(record["cargo"][ship])
    there = int(constants["route"][int(record["clockwise"][ship]), cell])
    return there % 16 - cell % 16, there // 16 - cell // 16


def _course_ahead(record: Any, constants: Any, ship: int) -> tuple[tuple[float, float], ...]:
    (x, y), (across, along) = _middle(int(record["cargo"][ship])), _ahead(record, constants, ship)
    return (x, y), (x + 0.72 * across, y + 0.72 * along)


def _sonar(record: Any, size: int) -> list[Shape]:
    if record["navy_health"] <= 0:
        return []
    y, x = divmod(int(record["navy"]), 16)
    left, top, right, bottom = max(0, x - 1), max(0, y - 1), min(size, x + 2), min(size, y + 2)
    return [Ring(left, top, right - left, bottom - top, role="sight", tip="sonar")]


def _submarines_unseen(record: Any, size: int, imagined: Imagined | None) -> list[Shape]:
    """Return the expected number of submarines on each cell outside of the sonar.

    If all imagined worlds have the same submarines, the submarines themselves are shown.
    """
    if imagined is None:
        return []
    submarines = imagined.worlds["submarine"]
    if (submarines == submarines[0]).all():
        return _submarines(imagined.worlds[0])
    cells = 16 * np.arange(size)[:, None] + np.arange(size)
    unseen = np.array([[not _in_sonar(record, int(cell)) for cell in row] for row in cells])
    return heat_map(
        imagined, (submarines[:, :, None, None] == cells).sum(axis=1) * unseen, "submarines"
    )


def _submarines(record: Any) -> list[Shape]:
    afloat = [i for i, cell in enumerate(record["submarine"].tolist()) if cell != NOWHERE]
    return [
        shape
        for i in afloat
        for shape in named(
            _submarine(*_middle(int(record["submarine"][i])), int(record["submarine_health"][i])),
            cell_name(int(record["submarine"][i])),
        )
    ]


def _submarine(x: float, y: float, health: int) -> list[Shape]:
    tip = f"submarine, {_health(health)}"
    hull = Polygon(vessel(x, y, (1, 0), 0.76, 0.24), role="enemy", tip=tip)
    return [
        hull,
        Disc(x, y, 0.09, role="grid", opacity=0.8, tip=tip),
        Bar(x, y + 0.42, health / HEALTH, 0.5, role="enemy", tip=tip),
    ]


def _cargo(record: Any, constants: Any, ship: int) -> list[Shape]:
    """Return a cargo ship; ships on one cell lie side by side, and a ring marks a call for help."""
    cell, health = int(record["cargo"][ship]), int(record["cargo_health"][ship])
    company = [other for other in range(constants["cargo"]) if record["cargo"][other] == cell]
    (x, y), shift = _middle(cell), 0.3 * (company.index(ship) - (len(company) - 1) / 2)
    x, y, tip = (
        x + shift,
        y + 0.5 * shift - 0.06,
        f"cargo ship {cargo_name(ship)}: {_course(record, constants, ship)}",
    )
    calls: list[Shape] = (
        [Ring(cell % 16, cell // 16, role="danger", tip="calls for the Navy ship")]
        if record["alarm"] == ship
        else []
    )
    hull = vessel(x, y, _ahead(record, constants, ship), 0.72, 0.42)
    vessels = [
        Polygon(hull, role="ally", tip=tip),
        Label(x, y, cargo_name(ship), 0.27, role="grid", tip=tip),
        Bar(x, y + 0.48, health / HEALTH, 0.5, role="ally", tip=tip),
    ]
    return [*calls, *named(vessels, cell_name(cell), f"cargo ship {cargo_name(ship)}")]


def _navy(record: Any) -> list[Shape]:
    (x, y), health = _middle(int(record["navy"])), int(record["navy_health"])
    role: Role = "own" if health > 0 else "ghost"
    tip = f"Navy ship, {_health(health)}"
    hull = Polygon(vessel(x, y - 0.06, (0, -1), 0.74, 0.4), role=role, tip=tip)
    shapes = [
        hull,
        Disc(x, y - 0.02, 0.1, role="grid", tip=tip),
        Bar(x, y + 0.42, max(0, health) / HEALTH, 0.5, role=role, tip=tip),
    ]
    return named(shapes, cell_name(int(record["navy"])), "Navy ship")
