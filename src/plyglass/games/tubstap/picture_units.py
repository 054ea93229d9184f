"""The units of TUBSTAP as tokens: square for red, round for blue, with a sign and the health.

Signs are outlines whose coordinates run from about -1 to 1. The signs of vehicles and infantry face
right on red tokens and left on blue tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plyglass.core.scene import Disc, Label, Point, Points, Polygon, Ring, Role, Shape
from plyglass.games.tubstap.units import (
    ANTIAIR,
    ATTACKER,
    CANNON,
    FIGHTER,
    INFANTRY,
    KINDS,
    PANZER,
    SIDES,
)

RADIUS = 0.36  # radius of a token, in cells
SIGN = 0.26  # half the width of a sign, in cells
ROLES: tuple[Role, Role] = ("red", "blue")
CUT = RADIUS - 0.1  # distance from a square token's middle to its cut corners, in cells
SQUARE = (
    (-RADIUS, -CUT),
    (-CUT, -RADIUS),
    (CUT, -RADIUS),
    (RADIUS, -CUT),
    (RADIUS, CUT),
    (CUT, RADIUS),
    (-CUT, RADIUS),
    (-RADIUS, CUT),
)
FADING, FAINTEST = 0.08, 0.5  # how much a ghost fades per turn, and the least opacity of a ghost


def _mirrored(half: Points) -> Points:
    """Return an outline whose left half mirrors its right half."""
    return (*half, *((-x, y) for x, y in reversed(half)))


SIGNS: dict[int, tuple[Points, ...]] = {
    FIGHTER: (
        _mirrored(
            (
                (0, -1),
                (0.14, -0.55),
                (0.2, -0.1),
                (0.95, 0.5),
                (0.95, 0.68),
                (0.2, 0.4),
                (0.16, 0.66),
                (0.45, 0.95),
            )
        ),
    ),
    ATTACKER: (
        _mirrored(
            (
                (0, -0.9),
                (0.16, -0.7),
                (0.18, -0.34),
                (1.05, -0.26),
                (1.05, 0.06),
                (0.17, 0.14),
                (0.12, 0.6),
                (0.45, 0.7),
                (0.45, 0.92),
            )
        ),
        ((0.48, -0.52), (0.68, -0.52), (0.68, 0.2), (0.48, 0.2)),
        ((-0.48, -0.52), (-0.68, -0.52), (-0.68, 0.2), (-0.48, 0.2)),
    ),
    PANZER: (
        ((-1, 0.2), (0.95, 0.2), (1.05, 0.42), (0.72, 0.75), (-0.78, 0.75), (-1.05, 0.45)),
        (
            (-0.62, 0.1),
            (-0.5, -0.4),
            (0.2, -0.4),
            (0.3, -0.26),
            (1.1, -0.34),
            (1.1, -0.12),
            (0.34, -0.06),
            (0.38, 0.1),
        ),
    ),
    CANNON: (
        (
            (-0.75, 0.1),
            (-0.5, -0.1),
            (0.85, -0.95),
            (1.02, -0.7),
            (-0.2, 0.25),
            (-0.95, 0.75),
            (-1.05, 0.6),
        ),
    ),
    ANTIAIR: (
        ((-1, 0.25), (0.5, 0.25), (0.62, 0.0), (1, 0.0), (1.05, 0.75), (-1, 0.75)),
        ((-0.9, 0.0), (0.12, -0.92), (0.4, -0.98), (0.34, -0.72), (-0.68, 0.16)),
        ((-0.35, 0.14), (0.46, -0.56), (0.76, -0.62), (0.68, -0.34), (0.05, 0.2)),
    ),
    INFANTRY: (
        (
            (-0.5, 0.95),
            (-0.4, 0.05),
            (-0.15, -0.22),
            (0.22, -0.22),
            (0.42, 0.05),
            (0.5, 0.95),
            (0.12, 0.95),
            (0.02, 0.45),
            (-0.1, 0.95),
        ),
        ((-0.9, 0.42), (0.92, -0.38), (1.0, -0.2), (-0.82, 0.62)),
    ),
}
# A cannon's wheel and an infantryman's head, as x, y and radius.
DISCS: dict[int, tuple[float, float, float]] = {
    CANNON: (-0.1, 0.5, 0.4),
    INFANTRY: (0.03, -0.62, 0.34),
}


@dataclass(frozen=True)
class Token:
    """A unit to draw: its kind, side and health, and the column and row of its cell."""

    kind: int
    side: int
    health: int
    place: Point

    @property
    def name(self) -> str:
        return f"{SIDES[self.side]} {KINDS[self.kind].name}, health {self.health}"

    @property
    def middle(self) -> Point:
        return self.place[0] + 0.5, self.place[1] + 0.5


def unit(token: Token, acted: bool) -> Iterator[Shape]:
    """Yield a unit in sight, paler if it has acted in this turn."""
    yield from _whole(token, token.name + (", has acted" if acted else ""), 0.5 if acted else 1.0)


def certainty(token: Token) -> Iterator[Shape]:
    """Yield, within a ring, an unseen unit that must be on this cell."""
    tip = f"{token.name}: must be here"
    yield Ring(*token.place, role=ROLES[token.side], tip=tip)
    yield from _whole(token, tip, 0.7)


def ghost(token: Token, ago: int) -> Iterator[Shape]:
    """Yield an unseen unit's outline on the cell where it was last seen, `ago` turns earlier."""
    when = "in this turn" if ago == 0 else "a turn ago" if ago == 1 else f"{ago} turns ago"
    tip, (x, y) = f"{token.name}: seen here {when}", token.place
    yield _body(token, "fog", 1.0, tip)
    yield from _sign(token, ROLES[token.side], max(FAINTEST, 0.9 - FADING * ago), tip)
    yield Label(x + 0.14, y + 0.2, "?", 0.32, role=ROLES[token.side], tip=tip)


def _whole(token: Token, tip: str, opacity: float) -> Iterator[Shape]:
    if opacity < 1.0:
        yield _body(token, "board", 1.0, tip)  # keeps signs of the land from shining through
    yield _body(token, ROLES[token.side], opacity, tip)
    yield from _sign(token, "grid", opacity, tip)


def _sign(token: Token, role: Role, opacity: float, tip: str) -> Iterator[Shape]:
    """Yield the sign of the unit's kind, with the unit's health at the lower right."""
    toward, (x, y) = -1.0 if token.side else 1.0, token.middle
    for outline in SIGNS[token.kind]:
        yield Polygon(
            tuple(_placed(x, y, toward, point) for point in outline),
            role=role,
            opacity=opacity,
            tip=tip,
        )
    if token.kind in DISCS:
        across, down, radius = DISCS[token.kind]
        yield Disc(
            *_placed(x, y, toward, (across, down)),
            SIGN * radius,
            role=role,
            opacity=opacity,
            tip=tip,
        )
    yield Disc(x + 0.3, y + 0.29, 0.18, role="board", tip=tip)
    yield Label(x + 0.3, y + 0.29, str(token.health), 0.25, role="ink", tip=tip)


def _body(token: Token, role: Role, opacity: float, tip: str) -> Shape:
    x, y = token.middle
    if token.side:
        return Disc(x, y, RADIUS + 0.02, role=role, opacity=opacity, tip=tip)
    points = tuple((round(x + across, 3), round(y + down, 3)) for across, down in SQUARE)
    return Polygon(points, role=role, opacity=opacity, tip=tip)


def _placed(x: float, y: float, toward: float, point: Point) -> Point:
    return round(x + SIGN * toward * point[0], 3), round(y + SIGN * point[1], 3)
