"""Players that try to find out, by other means than their views, where the tiger is.

Each player listens until it knows the right door, and then opens this door at every step. So a
score above 0 means that the player found out.
"""

import gc
import sqlite3
import sys
from dataclasses import dataclass

from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import World
from plyglass.search.interface import Decision

LISTEN, OPEN = 0, (2, 1)  # the door without the tiger
SEEDS = 300

remembered = []
"""What was behind the doors in earlier matches of this process."""


class Seat:
    def __init__(self, game, seed):
        self.game, self.seed, self.twin, self.view = game, seed, None, None

    def observe(self, own_action, view):
        self.view = view
        if self.twin is not None and own_action is not None:
            self.twin.apply(own_action)

    def decide(self):
        world = self.truth()
        action = LISTEN if world is None else OPEN[int(world.record["tiger"])]
        return Decision(action, tuple(self.view.legal()))


@dataclass
class Attack:
    cheats = False

    def take_seat(self, game, seat, seed):
        return self.seat(game, seed)


class GuessingSeat(Seat):
    """Looks its own seed up among those of small seeds, and of tournaments with a small seed."""

    def truth(self):
        if self.twin is None:
            for root in (*range(SEEDS), *(derive(0, 0, deal) for deal in range(SEEDS))):
                if derive(root, 1) == self.seed:
                    self.twin = self.game.start(derive(root, 0, Purpose.LUCK))
        return self.twin


class Guessing(Attack):
    seat = GuessingSeat


class WalkingSeat(Seat):
    """Looks for a world on the stack, and among all objects."""

    def truth(self):
        frame = sys._getframe()
        while frame is not None:
            found = [each for each in frame.f_locals.values() if isinstance(each, World)]
            if found:
                return found[0]
            frame = frame.f_back
        found = [each for each in gc.get_objects() if isinstance(each, World)]
        return found[0] if found else None


class Walking(Attack):
    seat = WalkingSeat


class RememberingSeat(Seat):
    """Opens a door in the first match, and remembers what was behind it for the next trial."""

    def __init__(self, game, seed):
        super().__init__(game, seed)
        self.known = remembered.pop() if remembered else None

    def observe(self, own_action, view):
        super().observe(own_action, view)
        if own_action == OPEN[1] and self.known is None and int(view.record["steps"]) == 1:
            remembered.append(1 if int(view.record["reward"]) > 0 else 0)

    def decide(self):
        if int(self.view.record["steps"]) > 0:
            return Decision(LISTEN, tuple(self.view.legal()))
        action = OPEN[1] if self.known is None else OPEN[self.known]
        return Decision(action, tuple(self.view.legal()))


class Remembering(Attack):
    seat = RememberingSeat


class OpeningSeat(Seat):
    """Opens the store of the run, reads its key, and deals the matches itself."""

    def truth(self):
        if self.twin is None:
            text = sqlite3.connect(self.store).execute("SELECT settings FROM run").fetchone()[0]
            schedule = Schedule(Settings.from_canonical(text))
            for number in range(len(schedule)):
                seed = schedule[number].seed
                if derive(seed, 1) == self.seed:
                    self.twin = self.game.start(derive(seed, 0, Purpose.LUCK))
        return self.twin


@dataclass
class Opening(Attack):
    store: str = ""

    def take_seat(self, game, seat, seed):
        taken = OpeningSeat(game, seed)
        taken.store = self.store
        return taken
