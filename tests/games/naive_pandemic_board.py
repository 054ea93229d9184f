"""The board and the cards of the naive twin of Pandemic, and how diseases spread.

Chance comes from the same stream as in the game. The n-th of all possible cards is drawn, in the
order that the game's rules use.
"""

from collections import Counter
from types import SimpleNamespace

from plyglass.core import luck as core_luck
from plyglass.core.compile import ModuleTwin
from plyglass.games.pandemic.cities import CITIES, COLOURS
from plyglass.games.pandemic.state import EVENTS, ROLES

NAMES = [city.name for city in CITIES]
COLOUR = {name: COLOURS[number // 12] for number, name in enumerate(NAMES)}
PEOPLE = {city.name: city.population for city in CITIES}
BESIDE = {
    name: {
        other
        for other in NAMES
        if other in CITIES[NAMES.index(name)].onward or name in CITIES[NAMES.index(other)].onward
    }
    for name in NAMES
}
ORDER = {name: number for number, name in enumerate([*NAMES, *EVENTS])}
DEFAULT_ROLES = ["medic", "scientist", "researcher", "operations expert"]
LUCK = ModuleTwin(core_luck)


class NaiveBoard:
    """What is on the table; `luck` has the header of the state that it is compared with."""

    def __init__(
        self, luck: SimpleNamespace, preset: str, players: int, epidemics: int, roles: str
    ) -> None:
        self.luck, self.restricted, self.as_coded = luck, preset != "official", preset == "as_coded"
        self.total_epidemics = epidemics
        self.deck = {*NAMES, *(EVENTS[:3] if self.restricted else EVENTS)}
        self.roles = (
            roles.replace("-", " ").split("+")
            if roles
            else DEFAULT_ROLES[:players]
            if self.restricted
            else self.dealt_roles(players)
        )
        self.pawns, self.last = ["Atlanta"] * players, [None] * players
        self.hands = [
            [self.deal() for _ in range({2: 4, 3: 3, 4: 2}[players])] for _ in range(players)
        ]
        self.seat, most = 0, 0
        for seat, hand in enumerate(self.hands):
            for card in hand:
                if PEOPLE.get(card, 0) > most:
                    self.seat, most = seat, PEOPLE[card]
        self.hands = [set(hand) for hand in self.hands]
        self.piles = [
            [len(self.deck) // epidemics + (pile < len(self.deck) % epidemics) + 1, True]
            for pile in range(epidemics)
        ]
        self.stations, self.cubes, self.cured, self.eradicated = (
            {"Atlanta"},
            Counter(),
            set(),
            set(),
        )
        self.stack, self.discard, self.foreseen = [set(NAMES)], set(), set()
        for cubes in (1, 1, 1, 2, 2, 2, 3, 3, 3):
            city = self.infection_card(-1)
            self.cubes[city, COLOUR[city]] = cubes
        self.epidemics = self.outbreaks = self.spent = self.turned = 0
        self.quiet = self.flown = False
        self.kept, self.played, self.result, self.phase = set(), set(), "", "act"

    # -- chance

    def pick(self, cards):
        ordered = sorted(cards, key=ORDER.get)
        return ordered[LUCK.draw(self.luck, len(ordered))]

    def dealt_roles(self, players):
        free = list(ROLES)
        return [free.pop(LUCK.draw(self.luck, len(free))) for _ in range(players)]

    def deal(self):
        card = self.pick(self.deck)
        self.deck.remove(card)
        return card

    def infection_card(self, place):
        if not self.stack:
            self.stack, self.discard = [self.discard], set()
        card = self.pick(self.stack[place])
        self.stack[place].remove(card)
        self.stack = [cards for cards in self.stack if cards]
        self.discard.add(card)
        return card

    # -- diseases

    def infect(self, city, cubes, spared):
        colour = COLOUR[city]
        if colour in spared or self.is_safe(city, colour):
            return
        if self.cubes[city, colour] + cubes > 3:
            self.cubes[city, colour] = 3
            self.break_out(city, colour, set())
        else:
            self.cubes[city, colour] += cubes
        if self.outbreaks >= 8:
            self.result, self.outbreaks = "outbreaks", 8
        elif sum(count for (_, each), count in self.cubes.items() if each == colour) > 24:
            self.result = "cubes"

    def break_out(self, city, colour, over):
        self.outbreaks += 1
        over.add(city)
        for there in BESIDE[city] - over:
            if self.outbreaks < 8 and there not in over and not self.is_safe(there, colour):
                if self.cubes[there, colour] == 3:
                    self.break_out(there, colour, over)
                else:
                    self.cubes[there, colour] += 1

    def is_safe(self, city, colour):
        for role, here in zip(self.roles, self.pawns, strict=True):
            if role == "quarantine specialist" and (city == here or city in BESIDE[here]):
                return True
            if role == "medic" and city == here and colour in self.cured and not self.as_coded:
                return True
        return False

    def look_around(self):
        """Let the medic clear cured colours, and eradicate cured colours without cubes."""
        for colour in self.cured:
            if "medic" in self.roles:
                self.cubes[self.pawns[self.roles.index("medic")], colour] = 0
            if not any(count for (_, each), count in self.cubes.items() if each == colour):
                self.eradicated.add(colour)
