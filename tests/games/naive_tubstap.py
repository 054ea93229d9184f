"""A naive twin of TUBSTAP: dictionaries and searches.

This twin derives what a side remembers from nothing but what the side sees, without knowing which
unit is which.
"""

import heapq
from collections import Counter

LAND = dict(enumerate(("no entry", "plain", "sea", "forest", "mountain", "road", "fortress")))
STARS = {"no entry": 0, "plain": 1, "sea": 0, "forest": 3, "mountain": 4, "road": 0, "fortress": 4}
PLANES, VEHICLES = "FA", "PUR"
MOVES = {"F": 9, "A": 7, "P": 6, "U": 5, "R": 6, "I": 3}
VISION = {"F": 5, "A": 5, "P": 2, "U": 2, "R": 2, "I": 1}
POWER = {
    "F": {"F": 55, "A": 65},
    "A": {"P": 105, "U": 105, "R": 85, "I": 115},
    "P": {"P": 55, "U": 70, "R": 75, "I": 75},
    "U": {"P": 60, "U": 75, "R": 65, "I": 90},
    "R": {"F": 70, "A": 70, "P": 15, "U": 50, "R": 45, "I": 105},
    "I": {"P": 5, "U": 10, "R": 3, "I": 55},
}
MARKS = "FAPURI"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def cost(mark, land):
    """The cost for a kind of unit to enter a terrain, or None."""
    if (
        land == "no entry"
        or (mark not in PLANES and land == "sea")
        or (mark in VEHICLES and land == "mountain")
    ):
        return None
    return (
        2 if (mark in VEHICLES and land == "forest") or (mark == "I" and land == "mountain") else 1
    )


def harm(mark, health, other, other_health, land, power=None):
    """The damage that one unit does to another."""
    power = POWER[mark].get(other, 0) if power is None else power
    stars = 0 if other in PLANES else STARS[land]
    return min(other_health, (power * health + 70) // (100 + stars * other_health))


def apart(one, other):
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def near(metric, one, other, most):
    across, along = abs(one[0] - other[0]), abs(one[1] - other[1])
    return {
        "manhattan": across + along <= most,
        "euclid": across**2 + along**2 <= most**2,
        "chebyshev": max(across, along) <= most,
    }[metric]


def named(place):
    return f"{'abcdefghijklmno'[place[0]]}{place[1] + 1}"


class Memory:
    """What a side remembers of enemies out of sight: (mark, health, place, turn).

    It is derived from what the side sees by place, and from nothing else.
    """

    def __init__(self, enemies):
        self.visible = {}
        self.memories = [(unit["mark"], unit["health"], unit["place"], 0) for unit in enemies]

    def see(self, visible, turn, own_turn, lost=()):
        gone = {
            place: unit
            for place, unit in self.visible.items()
            if place not in visible and place not in lost
        }
        new = {place: unit for place, unit in visible.items() if place not in self.visible}
        if not own_turn and len(gone) == len(new) == 1:
            gone, new = {}, {}  # one unit acts at a time: it went from here to there
        for place in sorted(new, key=lambda place: (place[1], place[0])):
            alike = [memory for memory in self.memories if memory[:2] == new[place]]
            self.memories.remove(min(alike, key=lambda memory: self.misfit(memory, place, turn)))
        self.memories += [(*unit, place, turn) for place, unit in gone.items()]
        self.visible = visible

    @staticmethod
    def misfit(memory, place, turn):
        _, _, (x, y), when = memory
        return (x, y) != place, when == turn, apart((x, y), place), y, x, when


class NaiveTubstap:
    """A position: units as dictionaries, the turns that have ended, and the memory of each side."""

    def __init__(
        self,
        terrain,
        fog=True,
        turns=None,
        sight="manhattan",
        ambush="stops",
        antiair=105,
        harmless=False,
        judged="health",
    ):
        self.land = {place: LAND[number] for place, number in terrain.places()}
        self.units = [
            {
                "mark": MARKS[unit.kind],
                "place": (unit.x, unit.y),
                "side": unit.side,
                "health": unit.health,
                "acted": bool(unit.acted),
            }
            for unit in terrain.units
        ]
        self.turn, self.result = 0, None
        self.turns, self.threshold = turns or terrain.turns, terrain.threshold
        self.fog, self.metric, self.ambush, self.antiair = fog, sight, ambush, antiair
        self.harmless, self.judged = harmless, judged
        self.memory = [Memory(self.army(1 - side)) for side in range(2)]
        self.look()

    def army(self, side):
        return [unit for unit in self.units if unit["side"] == side]

    def at(self, place):
        return next((unit for unit in self.units if unit["place"] == place), None)

    def power(self, mark, other):
        return self.antiair if (mark, other) == ("R", "I") else POWER[mark].get(other, 0)

    # -- sight

    def sees(self, side, place):
        eyes = ((unit["place"], VISION[unit["mark"]]) for unit in self.army(side))
        return not self.fog or any(near(self.metric, eye, place, vision) for eye, vision in eyes)

    def seen(self, side):
        """The enemies that a side sees."""
        return [unit for unit in self.army(1 - side) if self.sees(side, unit["place"])]

    def look(self, lost=()):
        for side in range(2):
            visible = {unit["place"]: (unit["mark"], unit["health"]) for unit in self.seen(side)}
            self.memory[side].see(visible, self.turn, self.turn % 2 == side, lost)

    # -- choices

    def costs(self, unit):
        """The cost for a unit to get to each place, by what its side sees."""
        blocked = {enemy["place"] for enemy in self.seen(unit["side"])}
        found, waiting = {}, [(0, unit["place"])]
        while waiting:
            spent, place = heapq.heappop(waiting)
            if place in found or spent > MOVES[unit["mark"]]:
                continue
            found[place] = spent
            for a, b in STEPS:
                there = place[0] + a, place[1] + b
                price = cost(unit["mark"], self.land.get(there, "no entry"))
                if price and there not in blocked:
                    heapq.heappush(waiting, (spent + price, there))
        return found

    def choices(self):
        """{name: (unit, place to go to, place to attack)} of all choices of the side to move."""
        side = self.turn % 2
        found = {"end turn": None}
        for unit in self.army(side):
            if not unit["acted"]:
                found |= self.choices_of(unit)
        return found

    def choices_of(self, unit):
        here, targets = unit["place"], self.targets(unit)
        own = {each["place"] for each in self.army(unit["side"])} - {here}
        found = {}
        for place in self.costs(unit).keys() - own:
            way = named(here) + (f" to {named(place)}" if place != here else "")
            found[way if place != here else f"{way} stay"] = unit, place, None
            if unit["mark"] != "U":
                found |= {
                    f"{way} attack {named(goal)}": (unit, place, goal)
                    for goal in targets
                    if apart(place, goal) == 1
                }
        if unit["mark"] == "U":
            found |= {
                f"{named(here)} attack {named(goal)}": (unit, here, goal)
                for goal in targets
                if 2 <= apart(here, goal) <= 3
            }
        return found

    def targets(self, unit):
        return [
            enemy["place"]
            for enemy in self.seen(unit["side"])
            if self.harmless or self.power(unit["mark"], enemy["mark"]) > 0
        ]

    # -- actions

    def act(self, choice):
        if choice is not None:
            unit, goal, target = choice
            end = self.walk(unit, goal)
            unit["place"], unit["acted"] = end, True
            self.look()
            if end == goal and target is not None:
                self.fight(unit, self.at(target))
        if self.result is None and (
            choice is None or all(unit["acted"] for unit in self.army(self.turn % 2))
        ):
            self.end_turn()

    def walk(self, unit, goal):
        """Where a unit ends up; ways are traced back from the goal, the first of equal ones."""
        costs, way = self.costs(unit), [goal]
        while way[0] != unit["place"]:
            x, y = way[0]
            before = costs[way[0]] - cost(unit["mark"], self.land[way[0]])
            way.insert(
                0, next((x + a, y + b) for a, b in STEPS if costs.get((x + a, y + b)) == before)
            )
        hidden = {enemy["place"] for enemy in self.army(1 - unit["side"])} - {
            enemy["place"] for enemy in self.seen(unit["side"])
        }
        if not hidden & set(way):
            return goal
        free = [
            place
            for place in way[: next(i for i, place in enumerate(way) if place in hidden)]
            if self.at(place) in (None, unit)
        ]
        return free[-1] if self.ambush == "stops" else unit["place"]

    def fight(self, unit, enemy):
        self.hit(unit, enemy)
        if enemy["health"] > 0 and "U" not in (unit["mark"], enemy["mark"]):
            self.hit(enemy, unit)
        lost = [each["place"] for each in self.units if each["health"] == 0]
        self.units = [each for each in self.units if each["health"] > 0]
        for memory in self.memory:
            memory.visible = {
                place: (each["mark"], each["health"])
                for place in memory.visible
                if (each := self.at(place))
            }
        self.look(lost)
        if not self.army(0) or not self.army(1):
            self.result = 1 if self.army(0) else -1

    def hit(self, unit, enemy):
        power = self.power(unit["mark"], enemy["mark"])
        enemy["health"] -= harm(
            unit["mark"],
            unit["health"],
            enemy["mark"],
            enemy["health"],
            self.land[enemy["place"]],
            power,
        )

    def end_turn(self):
        for unit in self.army(self.turn % 2):
            unit["acted"] = False
        self.turn += 1
        self.look()
        if self.turn == self.turns:
            red, blue = (
                sum(unit["health"] if self.judged == "health" else 1 for unit in self.army(side))
                for side in range(2)
            )
            self.result = (
                1 if red > blue + self.threshold else -1 if blue > red + self.threshold else 0
            )

    # -- what there is

    def position(self):
        """Units as a multiset, the turn, and the result for red."""
        units = [
            tuple(unit[name] for name in ("side", "mark", "place", "health", "acted"))
            for unit in self.units
        ]
        return Counter(units), self.turn, self.result

    def view(self, side):
        """What a side is shown: its own units, enemies in sight, and memories of the others."""
        shown = [*self.army(side), *self.seen(side)]
        units = [
            tuple(unit[name] for name in ("side", "mark", "place", "health", "acted"))
            for unit in shown
        ]
        return Counter(units), Counter(self.memory[side].memories)


def read_units(record, constants):
    """The units of a record that have a place, in the words of the twin."""
    return Counter(
        (
            side,
            MARKS[constants["kind"][side, slot]],
            (int(cell) % 15, int(cell) // 15),
            int(record["health"][side, slot]),
            acted,
        )
        for side in range(2)
        for slot, cell in enumerate(record["cell"][side])
        for acted in [bool(record["acted"][side, slot])]
        if cell >= 0
    )


def read_memories(record, constants, side):
    """What a view says of the enemies out of sight, in the words of the twin."""
    enemy = 1 - side
    return Counter(
        (
            MARKS[constants["kind"][enemy, slot]],
            int(record["health"][enemy, slot]),
            (
                int(record["last_cell"][enemy, slot]) % 15,
                int(record["last_cell"][enemy, slot]) // 15,
            ),
            int(record["last_turn"][enemy, slot]),
        )
        for slot, cell in enumerate(record["cell"][enemy])
        if cell == -2
    )
