"""A naive twin of Navy Defense: breadth-first search, sets, and every outcome spelled out."""

from collections import defaultdict
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple

STEPS = {"stay": (0, 0), "north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
NOWHERE, NONE = 255, 127  # how the record writes that there is no cell, and no ship


class Position(NamedTuple):
    """A position with cells as (row, column).

    Ships are (cell, health, clockwise), submarines (cell, health, target), in ascending order.
    """

    navy: tuple[int, int]
    health: int
    ships: tuple
    submarines: tuple
    attacked: tuple = ()
    alarm: int | None = None
    heading: bool | None = None
    sunk: int = 0
    cost: int = 0
    step: int = 0
    sticky: bool = False


def position_of(world) -> Position:
    """The position that a record holds."""
    r, count = world.record, world.game.parameters["cargo"]
    ships = zip(
        r["cargo"].tolist(), r["cargo_health"].tolist(), r["clockwise"].tolist(), strict=True
    )
    boats = zip(
        r["submarine"].tolist(), r["submarine_health"].tolist(), r["target"].tolist(), strict=True
    )
    return Position(
        navy=divmod(int(r["navy"]), 16),
        health=int(r["navy_health"]),
        ships=tuple(
            (_cell(cell), health, bool(clockwise))
            for cell, health, clockwise in list(ships)[:count]
        ),
        submarines=tuple(
            (_cell(cell), health, _ship(target))
            for cell, health, target in boats
            if cell != NOWHERE
        ),
        attacked=tuple(_cell(cell) for cell in r["attacked"].tolist() if cell != NOWHERE),
        alarm=_ship(int(r["alarm"])),
        heading=None if r["heading"] < 0 else bool(r["heading"]),
        sunk=int(r["sunk"]),
        cost=int(r["cost"]),
        step=int(r["step"]),
        sticky=bool(r["sticky"]),
    )


def _cell(number):
    return None if number == NOWHERE else divmod(number, 16)


def _ship(number):
    return None if number == NONE else number


class NaiveNavy:
    """The rules for one choice of parameters, those of the game by name."""

    def __init__(self, size, steps, submarines, intercept, strike, **_) -> None:
        self.size, self.steps, self.model = size, steps, submarines
        self.meets_in_reach, self.strikes_far = intercept == "reach", strike == "reach"
        self.sailed, self.reach = cache(self._sailed), cache(self._reach)

    def over(self, p) -> bool:
        return p.step == self.steps or not any(health for _, health, _ in p.ships)

    def legal(self, p) -> list[str]:
        return [
            name
            for name, step in STEPS.items()
            if name == "stay" or (p.health > 0 and self._inside(self._moved(p.navy, step)))
        ]

    def outcomes(self, p, name) -> dict[Position, float]:
        """Every position that an action may lead to, with its probability."""
        navy = self._moved(p.navy, STEPS[name])
        p = p._replace(navy=navy, cost=p.cost + (name != "stay"), step=p.step + 1)
        p = self._after_alarm(self._after_sailing(self._after_sonar(p)))
        found = defaultdict(float)
        for chosen in product(*(self._choices(p, submarine) for submarine in p.submarines)):
            found[self._after_submarines(p, [choice for choice, _ in chosen])] += prod(
                share for _, share in chosen
            )
        return dict(found)

    # -- the Navy ship and the cargo ships

    def sonar(self, p) -> set:
        """The cells that the Navy ship sees."""
        return (
            {(p.navy[0] + dy, p.navy[1] + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)}
            if p.health > 0
            else set()
        )

    def _after_sonar(self, p):
        struck = [
            (cell, health - (cell in self.sonar(p)), target)
            for cell, health, target in p.submarines
        ]
        left = tuple(each for each in struck if each[1] > 0)
        return p._replace(submarines=left, sunk=p.sunk + len(struck) - len(left))

    def _after_sailing(self, p):
        return p._replace(
            ships=tuple(
                (cell and self.sailed(cell, clockwise), health, clockwise)
                for cell, health, clockwise in p.ships
            )
        )

    def _sailed(self, cell, clockwise):
        """The next cell of a route.

        Clockwise it depends on the side of the rectangle. Counterclockwise it is the cell that
        leads here.
        """
        if not clockwise:
            return next(
                (
                    each
                    for each in self.reach(cell)
                    if each != cell and self.sailed(each, True) == cell
                ),
                cell,
            )
        (y, x), low = cell, min(*cell, self.size - 1 - cell[0], self.size - 1 - cell[1])
        high = self.size - 1 - low
        if low == high:
            return cell
        if y == low and x < high:
            return y, x + 1
        if x == high and y < high:
            return y + 1, x
        return (y, x - 1) if y == high and x > low else (y - 1, x)

    def _after_alarm(self, p):
        if (
            p.alarm is None
            or max(abs(a - b) for a, b in zip(p.navy, p.ships[p.alarm][0], strict=True)) > 1
        ):
            return p
        return p._replace(alarm=None, heading=p.ships[p.alarm][2])

    # -- what submarines decide: (cell to go to or None, cell to strike or None, hunted ship)

    def _choices(self, p, submarine) -> list:
        """Every (choice, probability) of a submarine."""
        cell, _, target = submarine
        living = [ship for ship, (_, health, _) in enumerate(p.ships) if health > 0]
        sticky = self.model == "sticky" or (self.model == "mixed" and p.sticky)
        targets = [target] if not sticky or target in living else living
        found = []
        for hunted in targets:
            decide = self._in_sonar if cell in self.sonar(p) else self._unseen
            options = decide(p, cell, [hunted] if sticky else living)
            found += [((*option, hunted), share / len(targets)) for option, share in options]
        return found

    def _unseen(self, p, cell, prey):
        strikes = self._strikes(p, cell)
        return strikes or self._approaches(p, cell, prey)

    def _strikes(self, p, cell):
        """Strike where most cargo ships are, then where the weakest is."""
        worth = {}
        for place in self.reach(cell) if self.strikes_far else {cell}:
            there = [health for ship, health, _ in p.ships if ship == place]
            if there:
                worth[place] = len(there), -min(there)
        return evenly((cell, place) for place in worth if worth[place] == max(worth.values()))

    def _approaches(self, p, cell, prey):
        times = {ship: self._meeting(p, cell, ship)[0] for ship in prey}
        soonest = min(times.values())
        if soonest == float("inf"):
            return [((cell, None), 1.0)]
        hunted = [ship for ship in prey if times[ship] == soonest]
        return [
            (option, share / len(hunted))
            for ship in hunted
            for option, share in self._ways(p, cell, self._meeting(p, cell, ship)[1])
        ]

    def _ways(self, p, cell, goals):
        """The first steps of all shortest ways to any of some cells."""
        lengths = self.lengths(goals, self.sonar(p))
        if lengths[cell] == 0:
            return [((cell, None), 1.0)]
        return evenly(
            (there, None) for there in self.reach(cell) if lengths.get(there) == lengths[cell] - 1
        )

    def _meeting(self, p, cell, ship):
        """The first time at which the ship can be met, and the cells where; infinity if never."""
        lengths, (place, _, clockwise) = self.lengths({cell}, self.sonar(p)), p.ships[ship]
        for time in range(1, 20 * self.size):
            place = self.sailed(place, clockwise)
            goals = {
                there
                for there in (self.reach(place) if self.meets_in_reach else {place})
                if there not in self.sonar(p)
            }
            if any(lengths.get(there, time + 1) <= time for there in goals):
                return time, goals
        return float("inf"), set()

    def _in_sonar(self, p, cell, prey):
        times = {
            there: min(self._meeting(p, there, ship)[0] for ship in prey)
            for there in self.reach(cell) - self.sonar(p)
        }
        if times:
            return evenly((there, None) for there in times if times[there] == min(times.values()))
        if p.navy in self.reach(cell):
            return [((cell, p.navy), 1.0)]
        # In a corner, no neighbour has a way out either.
        return self._strikes(p, cell) or [((cell, None), 1.0)]

    # -- what submarines do

    def _after_submarines(self, p, choices):
        boats = sorted(
            (place, health, target)
            for (place, _, target), (_, health, _) in zip(choices, p.submarines, strict=True)
        )
        struck = [strike for _, strike, _ in choices if strike is not None]
        p = p._replace(submarines=tuple(boats), attacked=tuple(sorted(struck)))
        for cell in struck:
            p = self._after_strike(p, cell)
        return p

    def _after_strike(self, p, struck):
        ships, cost, alarm, health = [], p.cost, p.alarm, p.health
        for ship, (cell, left, clockwise) in enumerate(p.ships):
            hit = cell == struck
            left -= hit
            cost += hit * (20 if left else 80)
            if (
                hit
                and left
                and p.health > 0
                and max(abs(a - b) for a, b in zip(p.navy, cell, strict=True)) <= 3
            ):
                alarm = ship
            alarm = None if alarm == ship and not left else alarm
            ships.append((cell if left else None, left, clockwise))
        if p.health > 0 and p.navy == struck:
            health -= 1
            cost += 10 if health else 40
        return p._replace(ships=tuple(ships), cost=cost, alarm=alarm, health=health)

    # -- the sea

    def _moved(self, cell, step):
        return cell[0] + step[0], cell[1] + step[1]

    def _inside(self, cell):
        return all(0 <= each < self.size for each in cell)

    def _reach(self, cell) -> set:
        """A cell and its neighbours."""
        return {there for step in STEPS.values() if self._inside(there := self._moved(cell, step))}

    def lengths(self, cells, blocked) -> dict:
        """The steps from the nearest of some cells to every cell, by breadth-first search."""
        found, edge = dict.fromkeys(cells, 0), list(cells)
        for cell in edge:
            for there in sorted(self.reach(cell)):
                if there not in found and there not in blocked:
                    found[there] = found[cell] + 1
                    edge.append(there)
        return found


def evenly(options) -> list:
    """Every option with the same probability."""
    listed = list(options)
    return [(option, 1 / len(listed)) for option in listed]
