"""Players that misbehave, each in its own way; otherwise they play the first action."""

import os
import time

import numpy as np

from plyglass.search.interface import Decision


class FirstAction:
    """Plays the first action; `bad_turn` is the turn at which a subclass misbehaves."""

    cheats = False

    def __init__(self, bad_turn: int = 1) -> None:
        self._bad_turn = bad_turn

    def take_seat(self, game, seat, seed):
        self._turns = 0
        return self

    def observe(self, own_action, view):
        self._view = view

    def decide(self):
        self._turns += 1
        actions = tuple(self._view.legal())
        if self._turns == self._bad_turn:
            self.misbehave()
        return Decision(self.choose(actions), actions)

    def choose(self, actions):
        return actions[0]

    def misbehave(self):
        pass


class PlaysIllegally(FirstAction):
    def choose(self, actions):
        return 4095


class PlaysNan(FirstAction):
    def choose(self, actions):
        return float("nan")


class Raises(FirstAction):
    def misbehave(self):
        raise RuntimeError("I do not know this position")


class Exits(FirstAction):
    def misbehave(self):
        os._exit(3)


class Hangs(FirstAction):
    def misbehave(self):
        while True:
            time.sleep(0.1)


class AllocatesFourGigabytes(FirstAction):
    def misbehave(self):
        self._hoard = np.ones(4 << 30, np.uint8)
