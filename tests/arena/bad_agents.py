"""Players that misbehave, each in its own way; otherwise they play the first action."""

import os
import subprocess
import sys
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


class Returns(FirstAction):
    """Returns something else than a decision."""

    answer = None

    def decide(self):
        decision = super().decide()
        return self.answer if self._turns == self._bad_turn else decision


class ReturnsNone(Returns):
    pass


class ReturnsText(Returns):
    answer = "the first"


class ReturnsFloat(Returns):
    answer = 0.0


class ReturnsAction(Returns):
    answer = 0


class DecidesForFloat(FirstAction):
    def choose(self, actions):
        return float(actions[0])


class ValuesAreText(FirstAction):
    def decide(self):
        decision = super().decide()
        return Decision(decision.action, decision.actions, values=("good",) * len(decision.actions))


class CallsExit(FirstAction):
    def misbehave(self):
        sys.exit(0)


class Interrupts(FirstAction):
    def misbehave(self):
        raise KeyboardInterrupt


class ClosesDescriptors(FirstAction):
    def misbehave(self):
        os.closerange(0, 400)


class Prints(FirstAction):
    """Is a good player that prints on every way there is."""

    def decide(self):
        print("I think")
        os.write(1, b"I write\n")
        subprocess.run(["echo", "I echo"], check=True)
        return super().decide()


class Spins(FirstAction):
    """Hangs, and does not sleep."""

    def misbehave(self):
        while True:
            pass


class RaisesInObserve(FirstAction):
    def observe(self, own_action, view):
        super().observe(own_action, view)
        if self._turns >= self._bad_turn - 1:
            raise RuntimeError("I cannot look")


class RaisesInTakeSeat(FirstAction):
    def take_seat(self, game, seat, seed):
        raise RuntimeError("I will not sit")


class TakesNoSeat(FirstAction):
    def take_seat(self, game, seat, seed):
        return 7


class OddError(FirstAction):
    def misbehave(self):
        class Unprintable(Exception):
            def __str__(self):
                raise ValueError("no text")

        raise Unprintable
