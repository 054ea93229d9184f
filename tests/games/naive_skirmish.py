"""A naive twin of Skirmish: sets, tuples, and every outcome spelled out."""

from functools import cache

from plyglass.core import World

# Steps, reach, and the three faces of the die.
NAIVE = {
    "soldier": (1, 1, [1, 1, 2]),
    "archer": (1, 2, [0, 1, 1]),
    "knight": (2, 1, [0, 1, 2]),
}


class NaiveSkirmish:
    """A position is the number of turns played and a frozen set of units.

    A unit is (side, kind, (x, y), health, moved, attacked).
    """

    def __init__(self, size: int, units: int, health: int, turns: int) -> None:
        self.size, self.army, self.health, self.turns = size, list(NAIVE)[:units], health, turns

    def first(self):
        indent = (self.size - len(self.army)) // 2
        south = [
            (0, kind, (indent + i, 0), self.health, False, False)
            for i, kind in enumerate(self.army)
        ]
        north = [
            (1, kind, (self.size - 1 - x, self.size - 1), *rest) for _, kind, (x, _), *rest in south
        ]
        return 0, frozenset(south + north)

    def result(self, turn, units):
        south, north = (sum(unit[3] for unit in units if unit[0] == side) for side in range(2))
        if south == 0 or north == 0:
            return 1.0 if south else -1.0
        return (south - north) / (self.health * len(self.army)) if turn == self.turns else None

    def neighbours(self, place):
        x, y = place
        return [
            (a, b)
            for a, b in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            if 0 <= a < self.size and 0 <= b < self.size
        ]

    def reachable(self, place, steps, units):
        taken, found, edge = {unit[2] for unit in units}, set(), {place}
        for _ in range(steps):
            edge = {cell for old in edge for cell in self.neighbours(old) if cell not in taken}
            found |= edge
        return found

    def choices(self, turn, units):
        """For each action, the positions it may lead to, all equally likely."""
        yield [(turn + 1, frozenset((*unit[:4], False, False) for unit in units))]
        for unit in units:
            side, kind, place, health, moved, attacked = unit
            steps, reach, faces = NAIVE[kind]
            if side == turn % 2 and not moved:
                for cell in self.reachable(place, steps, units):
                    yield [(turn, units - {unit} | {(side, kind, cell, health, True, attacked)})]
            if side == turn % 2 and not attacked:
                rest = units - {unit} | {(side, kind, place, health, moved, True)}
                for enemy in [each for each in units if each[0] != side]:
                    if abs(enemy[2][0] - place[0]) + abs(enemy[2][1] - place[1]) <= reach:
                        yield [(turn, self.struck(rest, enemy, face)) for face in faces]

    @staticmethod
    def struck(units, enemy, damage):
        left = enemy[3] - damage
        return units - {enemy} | ({(*enemy[:3], left, *enemy[4:])} if left > 0 else set())

    def solve(self) -> tuple[float, int]:
        @cache
        def value(turn, units):
            result = self.result(turn, units)
            if result is not None:
                return result
            best = min if turn % 2 else max
            return best(
                sum(value(*after) for after in afters) / len(afters)
                for afters in self.choices(turn, units)
            )

        return value(*self.first()), value.cache_info().currsize


def as_naive(world: World):
    """A world as a position of the naive rules."""
    record, size = world.record, world.game.parameters["size"]
    units = [
        (
            side,
            kind,
            (int(cell) % size, int(cell) // size),
            int(record["health"][side, unit]),
            *(bool(record[flag][side, unit]) for flag in ("moved", "attacked")),
        )
        for side in range(2)
        for unit, kind in enumerate(NAIVE)
        if (cell := record["cell"][side, unit]) >= 0
    ]
    return int(record["turn"]), frozenset(units)
