"""Exact values of small games if all players play uniformly at random."""

from collections import defaultdict

import numpy as np

import plyglass as pg
from plyglass.arena.audit.whole_game import START, WholeGame
from plyglass.core.state import HEADER_BYTES

EXACT = pg.Agent(pg.Random(), pg.Exact())
RANDOM = pg.Agent(pg.Random())


class Uniform:
    """Exact values of every action of every information set, if everybody plays uniformly."""

    def __init__(self, game):
        self.whole, self.game = WholeGame(game), game
        self.numbers = {(each.seat, each.seen): at for at, each in enumerate(self.whole.sets)}
        self.values = {}
        for at in reversed(range(len(self.whole.positions))):  # successors come first
            self.values[at] = self._value(self.whole.positions[at])
        self.reach = self._reach()

    def _value(self, position):
        if not position.after:
            return self.game.success(np.array(position.scores))
        options = [
            sum(chance * self.values[after] for chance, after in action)
            for action in position.after
        ]
        return np.mean(options, axis=0)

    def _reach(self):
        reach = defaultdict(float)
        reach[START] = 1.0
        for at, position in enumerate(self.whole.positions):
            for action in position.after:
                for chance, after in action:
                    reach[after] += reach[at] * chance / len(position.after)
        return reach

    def worth(self, number):
        """The success of each action in an information set, for the seat that decides."""
        found, members = self.whole.sets[number], self.whole.members[number]
        total = sum(self.reach[at] for at in members)
        return {
            action: sum(
                self.reach[at] * chance * self.values[after][found.seat]
                for at in members
                for chance, after in self.whole.positions[at].after[place]
            )
            / total
            for place, action in enumerate(found.actions)
        }


class Open:
    """Exact values in a game that hides nothing, if everybody plays uniformly."""

    def __init__(self, game):
        self.game, self._known = game, {}

    def worth(self, world):
        """The success of each action, for the player to move."""
        player = world.to_move
        return {action: self._after(world, action)[player] for action in world.legal()}

    def _after(self, world, action):
        return sum(chance * self._success(after) for chance, after in pg.outcomes(world, action))

    def _success(self, world):
        """The success of every player; equal positions are looked at once."""
        key = world.row()[HEADER_BYTES:].tobytes()
        if key not in self._known:
            self._known[key] = (
                self.game.success(np.array(world.scores))
                if world.over
                else np.mean([self._after(world, action) for action in world.legal()], axis=0)
            )
        return self._known[key]
