"""Random walks through a game on guarded memory, for the examinations of the check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from plyglass.core.check.finding import Finding
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.state import HEADER_BYTES, Bytes, filled
from plyglass.core.world import World

GUARD = 64
GUARD_BYTE = 0xA5
CANARY = -0x5A5A5A5A


_watchers: list[Callable[[str], None]] = []


@contextmanager
def watched_by(tell: Callable[[str], None]) -> Iterator[None]:
    """Call `tell` with the name of each rule that a probe runs, and with "" after the rule."""
    _watchers.append(tell)
    try:
        yield
    finally:
        _watchers.remove(tell)


class _Watched:
    """The verbs of a game; each call is reported to all watchers before and after it."""

    def __init__(self, verbs: Any) -> None:
        self._verbs, self._watchers = verbs, tuple(_watchers)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        verb, rule = getattr(self._verbs, name), "apply" if name == "step" else name

        def call(*words: Any) -> Any:
            for tell in self._watchers:
                tell(rule)
            result = verb(*words)
            for tell in self._watchers:
                tell("")
            return result

        return call


class Probe:
    """One state in memory between guard bytes, and a buffer for actions between canaries.

    The state holds zeros until `start` is called.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self._verbs = _Watched(game.verbs) if _watchers else game.verbs
        self.history: list[int] = []
        self._buffer = np.full(game.state.itemsize + 2 * GUARD, GUARD_BYTE, np.uint8)
        self.row = self._buffer[GUARD:-GUARD]
        self.row[:] = 0
        self.address = self.row.ctypes.data
        self._out = np.full(game.most_actions + 2 * GUARD, CANARY, np.int32)
        self._actions = self._out[GUARD:].ctypes.data
        self._values = np.full(game.most_features + 2 * GUARD, float(CANARY))
        self._constants = game.constants_record.tobytes()
        self._intact = self._guards()

    @property
    def body(self) -> bytes:
        return self.row[HEADER_BYTES:].tobytes()

    @property
    def world(self) -> World:
        return World(self.game, self.row.copy())

    def start(self) -> None:
        secret = filled(self.game.setup, self.game.default_setup())
        self._verbs.start(self.game.table, secret.ctypes.data, self.address, np.uint64(self.seed))

    def to_move(self) -> int:
        return int(self._verbs.to_move(self.game.table, self.address))

    def legal(self) -> list[int]:
        """The legal actions; `damage` notices a rule that writes too many actions."""
        self._out[:] = CANARY
        count = self.legal_count()
        return [
            int(action)
            for action in self._out[GUARD : GUARD + max(0, min(count, self.game.most_actions))]
        ]

    def legal_count(self) -> int:
        return int(self._verbs.legal(self.game.table, self.address, self._actions))

    def advised(self, rule: str) -> list[int]:
        """The actions that `represent` or `prefer` lists in this position."""
        verb, start = getattr(self._verbs, rule), self._out[GUARD:]
        return [
            int(action)
            for action in start[: verb(self.game.table, self.address, start.ctypes.data)]
        ]

    def realized(self, actions: list[int]) -> list[int]:
        """The legal actions that the representative actions stand for."""
        view = World(self.game, self.row.copy()).hide(self.to_move())
        return [self.game.realize(view, action) for action in actions]

    def scores(self) -> list[float]:
        return [
            float(self._verbs.score(self.game.table, self.address, player))
            for player in range(self.game.players)
        ]

    def features(self, player: int) -> list[float]:
        """The numbers that `features` writes for a player; `damage` notices an overflow."""
        start = self._values[GUARD:]
        count = int(self._verbs.features(self.game.table, self.address, player, start.ctypes.data))
        return [float(value) for value in start[: max(0, count)]]

    def step(self, player: int, action: int) -> None:
        self.history.append(action)
        self._verbs.step(self.game.table, self.address, player, action)

    def stepped(self, player: int, action: int) -> Bytes:
        """The state after an action; the probe's own state does not change."""
        before = self.row.copy()
        self._verbs.step(self.game.table, self.address, player, action)
        return self._put_back(before)

    def play_on(self, player: int, seed: int, limit: int) -> int:
        """Play at random for at most `limit` actions, as playouts do; return their number."""
        stream = np.array([seed], np.uint64)
        out = self._out[GUARD:].ctypes.data
        table, place = self.game.table, stream.ctypes.data
        return int(self._verbs.playout(table, self.address, player, out, place, limit))

    def after(self, player: int, action: int) -> tuple[int, Bytes]:
        """What `after` returns for an action, and the next state; the probe keeps its own state."""
        before = self.row.copy()
        told = self._verbs.after(self.game.table, self.address, player, action)
        return int(told), self._put_back(before)

    def hidden(self, viewer: int) -> Bytes:
        """The view of `viewer`, made between guard bytes; the probe keeps its state."""
        before = self.row.copy()
        self._verbs.hide(self.game.table, self.address, viewer)
        return self._put_back(before)

    def imagined(self, view: Bytes, viewer: int) -> Bytes:
        """A world imagined from a view, made between guard bytes; the probe keeps its state."""
        before = self.row.copy()
        self.row[:] = view
        self._verbs.imagine(self.game.table, self.address, viewer, np.uint64(self.seed))
        return self._put_back(before)

    def damage(self) -> Finding | None:
        """A finding if a rule has overwritten memory that it must not change; otherwise None."""
        guards = self._guards()
        if guards == self._intact and self.game.constants_record.tobytes() == self._constants:
            return None
        if guards[:2] != self._intact[:2]:
            return self.finding(
                "apply",
                "a rule wrote outside of the state record",
                "keep every index within the field's shape",
            )
        if guards[2:4] != self._intact[2:4]:
            advice = "declare a larger most_actions, or write fewer actions, from out[0] on"
            return self.finding(
                "legal",
                f"it wrote outside of the {self.game.most_actions} actions declared",
                advice,
            )
        if guards[4:] != self._intact[4:]:
            advice = "declare a larger most_features, or write fewer numbers, from values[0] on"
            return self.finding(
                "features",
                f"it wrote outside of the {self.game.most_features} numbers declared",
                advice,
            )
        self.game.constants_record.view(np.uint8)[:] = np.frombuffer(self._constants, np.uint8)
        advice = (
            "constants are common knowledge and never change; keep what changes or is secret in "
            "the state"
        )
        return self.finding("constants", "a rule changed the constants record", advice)

    def _guards(self) -> tuple[bytes, ...]:
        """The guard bytes before and after the state, the actions and the features."""
        game = self.game
        return (
            self._buffer[:GUARD].tobytes(),
            self._buffer[-GUARD:].tobytes(),
            self._out[:GUARD].tobytes(),
            self._out[GUARD + game.most_actions :].tobytes(),
            self._values[:GUARD].tobytes(),
            self._values[GUARD + game.most_features :].tobytes(),
        )

    def finding(self, rule: str, problem: str, advice: str) -> Finding:
        return Finding(rule, problem, advice, self.seed, tuple(self.history))

    def _put_back(self, before: Bytes) -> Bytes:
        after = self.row.copy()
        self.row[:] = before
        return after


def probes(game: Game, games: int, seed: int) -> Iterator[tuple[Probe, np.random.Generator]]:
    """For each game, yield a probe before its start, and a random generator for choices."""
    for number in range(games):
        yield (
            Probe(game, derive(seed, number, Purpose.TEST)),
            np.random.default_rng(derive(seed, number, Purpose.PLANNER)),
        )


def positions(game: Game, games: int, seed: int, most_steps: int | None = None) -> Iterator[Probe]:
    """Yield every position of random games, to the end or for at most `most_steps` actions."""
    limit = game.most_steps if most_steps is None else min(most_steps, game.most_steps)
    for probe, choice in probes(game, games, seed):
        probe.start()
        yield probe
        while len(probe.history) < limit and (player := probe.to_move()) >= 0:
            actions = probe.legal()
            probe.step(player, actions[choice.integers(len(actions))])
            yield probe
