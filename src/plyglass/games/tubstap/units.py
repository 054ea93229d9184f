"""The kinds of units and terrain of TUBSTAP, as plain data."""

from typing import NamedTuple

AIR, VEHICLE, FOOT = range(3)  # ways to move
FIGHTER, ATTACKER, PANZER, CANNON, ANTIAIR, INFANTRY = range(6)


class Kind(NamedTuple):
    """A kind of unit.

    A unit of this kind attacks at distances from `nearest` to `farthest`, in steps. If `nearest` is
    more than 1, the unit can attack only if it has not moved.
    """

    name: str
    mark: str
    way: int
    moves: int
    nearest: int
    farthest: int
    vision: int
    power: tuple[int, ...]  # power against each kind of unit


class Terrain(NamedTuple):
    """A kind of terrain: its protection, and the cost to enter it for each way of moving.

    The cost is 0 if units with this way of moving cannot enter.
    """

    name: str
    mark: str
    stars: int
    cost: tuple[int, int, int]


KINDS = (
    Kind("fighter", "F", AIR, 9, 1, 1, 5, (55, 65, 0, 0, 0, 0)),
    Kind("attacker", "A", AIR, 7, 1, 1, 5, (0, 0, 105, 105, 85, 115)),
    Kind("panzer", "P", VEHICLE, 6, 1, 1, 2, (0, 0, 55, 70, 75, 75)),
    Kind("cannon", "U", VEHICLE, 5, 2, 3, 2, (0, 0, 60, 75, 65, 90)),
    Kind("antiair", "R", VEHICLE, 6, 1, 1, 2, (70, 70, 15, 50, 45, 105)),
    Kind("infantry", "I", FOOT, 3, 1, 1, 1, (0, 0, 5, 10, 3, 55)),
)
TERRAIN = (
    Terrain("no entry", " ", 0, (0, 0, 0)),
    Terrain("plain", ".", 1, (1, 1, 1)),
    Terrain("sea", "~", 0, (1, 0, 0)),
    Terrain("forest", '"', 3, (1, 2, 1)),
    Terrain("mountain", "^", 4, (1, 0, 2)),
    Terrain("road", "=", 0, (1, 1, 1)),
    Terrain("fortress", "#", 4, (1, 1, 1)),
)
SIDES = ("red", "blue")
FULL_HEALTH = 10
