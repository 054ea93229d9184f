"""A naive twin of Pandemic with names, sets and dictionaries, and a turn as one function."""

from collections import Counter
from itertools import combinations

from plyglass.games.pandemic.cities import COLOURS
from plyglass.games.pandemic.state import EVENTS, RATE
from tests.games.naive_pandemic_board import BESIDE, COLOUR, LUCK, NAMES, NaiveBoard


class NaivePandemic(NaiveBoard):
    """A game. An action is (kind, source, target) in words."""

    def __init__(self, *settings, **named) -> None:
        super().__init__(*settings, **named)
        self.begin()

    def begin(self) -> None:
        self.game = self.play()
        self.choices = next(self.game)

    def place(self, position: dict, piles: list) -> None:
        """Go on from another position in which an action has to be taken."""
        vars(self).update({name: value for name, value in position.items() if name in vars(self)})
        self.cubes, self.quiet, self.flown, self.piles = (
            Counter(position["cubes"]),
            bool(self.quiet),
            bool(self.flown),
            piles,
        )
        self.begin()

    def apply(self, action: tuple) -> None:
        try:
            self.choices = self.game.send(action)
        except StopIteration:
            self.choices = []

    # -- a turn

    def play(self):
        while not self.result:
            yield from self.turn()

    def turn(self):
        while self.spent < 4 and not self.result:
            yield from self.throw_away()
            yield from self.carry_out((yield self.actions()))
        if self.result:
            return
        yield from self.throw_away()
        self.phase = "draw"
        yield from self.pause()
        for self.turned in (1, 2):
            yield from self.draw()
            if self.result:
                return
        yield from self.throw_away()
        self.phase, self.turned = "infect", 0
        yield from self.pause()
        if not self.quiet:
            yield from self.infections()
        self.quiet = self.quiet and self.turned > 0
        if not self.result:
            self.seat, self.spent, self.turned, self.flown, self.phase = (
                (self.seat + 1) % len(self.roles),
                0,
                0,
                False,
                "act",
            )
            self.last = [None] * len(self.roles)
            LUCK.begin_ply(self.luck)

    def draw(self):
        while self.piles and self.piles[0][0] == 0:
            self.piles.pop(0)
        if not self.piles:
            self.result, self.turned = "no cards", self.turned - 1
            return
        pile = self.piles[0]
        pile[0] -= 1
        if pile[1] and LUCK.chance(self.luck, (1.0, float(pile[0]))) == 0:
            pile[1] = False
            self.epidemics += 1
            self.phase = "intensify"
            self.infect(self.infection_card(0), 3, set() if self.as_coded else self.eradicated)
            self.look_around()
            if not self.result:
                yield from self.pause({"Resilient Population"})
                self.stack += [self.discard] if self.discard else []
                self.discard, self.phase = set(), "draw"
        else:
            self.hands[self.seat].add(self.deal())
        if self.restricted and not self.result:
            yield from self.throw_away()

    def infections(self):
        rate = RATE[self.epidemics]
        for self.turned in range(1, rate + 1):
            self.infect(self.infection_card(-1), 1, self.eradicated)
            self.look_around()
            if self.result:
                return
            if self.turned < rate:
                yield from self.pause()

    def pause(self, allowed=frozenset(EVENTS)):
        """In the official rules, events can be played before a card is drawn."""
        while not self.restricted and (events := self.uses(self.events_held() & allowed)):
            action = yield [("go on", 0, 0), *events]
            if action[0] == "go on":
                return
            yield from self.carry_out(action)

    def throw_away(self):
        while over := [seat for seat, hand in enumerate(self.hands) if len(hand) > 7]:
            hand = self.hands[over[0]]
            cards = hand - set(EVENTS) if self.restricted else hand
            yield from self.carry_out(
                (
                    yield [
                        *(("discard", over[0], card) for card in cards),
                        *self.uses(hand & set(EVENTS)),
                    ]
                )
            )

    # -- what can be done

    @property
    def role(self):
        return self.roles[self.seat]

    def actions(self):
        found = [*self.moves(), *self.deeds(), *self.uses(self.timely(self.events_held()))]
        useful = any(kind in ("treat", "cure") for kind, _, _ in found)
        if not self.restricted or (
            not useful and (self.last[self.seat] is None or self.spent == 0)
        ):
            found.append(("do nothing", 0, 0))
        return found

    def moves(self):
        hand = self.hands[self.seat]
        for pawn, here in enumerate(self.pawns):
            if pawn != self.seat and self.role != "dispatcher":
                continue
            drives = BESIDE[here] - {self.last[pawn]} or BESIDE[here]
            yield from (("drive", pawn, city) for city in drives)
            if self.last[pawn] is None:
                yield from (("direct flight", pawn, city) for city in hand & self.flights(pawn))
            if here in hand:
                yield from (("charter flight", pawn, city) for city in self.flights(pawn))
            if here in self.stations:
                yield from (
                    ("shuttle flight", pawn, city)
                    for city in self.stations - {here, self.last[pawn]}
                )
            if self.role == "dispatcher":
                yield from (("dispatch", pawn, city) for city in set(self.pawns) - {here})
        if (
            self.role == "operations expert"
            and self.pawns[self.seat] in self.stations
            and not self.flown
        ):
            yield from (
                ("expert flight", card, city)
                for card in hand - set(EVENTS)
                for city in self.flights(self.seat)
            )

    def flights(self, pawn):
        here = self.pawns[pawn]
        return set(NAMES) - {here, self.last[pawn]} - (BESIDE[here] if self.restricted else set())

    def deeds(self):
        here, hand = self.pawns[self.seat], self.hands[self.seat]
        if here not in self.stations and (here in hand or self.role == "operations expert"):
            yield from (("build", gone, here) for gone in self.stations_to_go())
        yield from (("treat", 0, colour) for colour in COLOURS if self.cubes[here, colour])
        if here in self.stations:
            yield from self.cures(hand, 4 if self.role == "scientist" else 5)
        for other, there in enumerate(self.pawns):
            if other != self.seat and there == here:
                yield from (("give", other, card) for card in self.shared(self.seat))
                yield from (("take", other, card) for card in self.shared(other))
        if self.role == "contingency planner" and not self.kept:
            yield from (("reclaim", 0, event) for event in self.played)

    def cures(self, hand, needed):
        for colour in COLOURS:
            cards = [card for card in NAMES if card in hand and COLOUR[card] == colour]
            sets = [frozenset(chosen) for chosen in combinations(cards, needed)]
            if sets and colour not in self.cured:
                yield from (
                    ("cure", colour, chosen) for chosen in (sets[:1] if self.restricted else sets)
                )
                if self.restricted:
                    return

    def shared(self, giver):
        cards = self.hands[giver] - set(EVENTS)
        return cards if self.roles[giver] == "researcher" else cards & {self.pawns[giver]}

    def stations_to_go(self):
        return sorted(self.stations) if len(self.stations) == 6 else [None]

    def events_held(self):
        return set().union(*self.hands) & set(EVENTS) | self.kept

    def timely(self, events):
        if not self.restricted:
            return events
        return events & (
            {"Quiet Night", "Government Grant"} if self.spent == 0 else set()
        ) | events & ({"Airlift"} if self.last[self.seat] is None else set())

    def uses(self, events):
        found = [("quiet night", 0, 0)] * ("Quiet Night" in events) + [("forecast", 0, 0)] * (
            "Forecast" in events
        )
        if "Airlift" in events:
            found += [
                ("airlift", pawn, city)
                for pawn in range(len(self.roles))
                for city in self.flights(pawn)
            ]
        if "Government Grant" in events:
            found += [
                ("government grant", gone, city)
                for city in set(NAMES) - self.stations
                for gone in self.stations_to_go()
            ]
        if "Resilient Population" in events:
            found += [("resilient population", 0, city) for city in self.discard]
        return found

    # -- doing it

    def carry_out(self, action):
        kind, source, target = action
        hand = self.hands[self.seat]
        if kind in (
            "drive",
            "direct flight",
            "charter flight",
            "shuttle flight",
            "dispatch",
            "airlift",
        ):
            hand -= {"direct flight": {target}, "charter flight": {self.pawns[source]}}.get(
                kind, set()
            )
            self.go(source, target)
        elif kind == "expert flight":
            hand.remove(source)
            self.flown = True
            self.go(self.seat, target)
        elif kind in ("build", "government grant"):
            hand -= {target} if kind == "build" and self.role != "operations expert" else set()
            self.stations = self.stations - {source} | {target}
        elif kind == "treat":
            here = self.pawns[self.seat], target
            self.cubes[here] -= (
                self.cubes[here] if self.role == "medic" or target in self.cured else 1
            )
        elif kind == "cure":
            hand -= target
            self.cured.add(source)
            self.result = "won" if len(self.cured) == 4 else ""
        elif kind in ("give", "take"):
            giver, receiver = (self.seat, source) if kind == "give" else (source, self.seat)
            self.hands[giver].remove(target)
            self.hands[receiver].add(target)
        elif kind == "reclaim":
            self.played.remove(target)
            self.kept = {target}
        elif kind == "quiet night":
            self.quiet = True
        elif kind == "resilient population":
            self.discard.remove(target)
        elif kind == "discard":
            self.hands[source].remove(target)
            self.played |= {target} & set(EVENTS)
        if kind in ("build", "treat", "cure", "give", "take"):
            self.last[self.seat] = None
        self.spend(kind)
        self.look_around()
        if kind == "forecast":
            yield from self.forecast()

    def spend(self, kind):
        """Discard an event card, or remove it if it was kept; all else but a discard costs one."""
        if (event := kind.title()) in EVENTS:
            self.played |= {event} - self.kept
            self.kept -= {event}
            self.hands = [hand - {event} for hand in self.hands]
        elif kind != "discard":
            self.spent += 1

    def go(self, pawn, city):
        self.last[pawn] = self.pawns[pawn] if self.restricted else None
        self.pawns[pawn] = city

    def forecast(self):
        discarded = set(self.discard)
        for _ in range(min(6, sum(map(len, self.stack)))):
            self.foreseen.add(self.infection_card(-1))
        self.discard = discarded
        while len(self.foreseen) > 1:
            _, _, card = yield [("put back", 0, card) for card in self.foreseen]
            self.foreseen.remove(card)
            self.stack.append({card})
        self.stack += [self.foreseen] if self.foreseen else []
        self.foreseen = set()
