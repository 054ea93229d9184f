"""Games of OpenSpiel in Plyglass. `spiel:leduc_poker` names such a game in every command.

The rules are Python functions behind C function pointers, so every compiled planner plays these
games, at a few thousand iterations a second. A state is the history of actions. A view contains no
history. It contains a digest of the player's information state and, if the player is to move, the
legal actions.

`imagine` asks OpenSpiel for another history with the same information state. If a game does not
support this, `imagine` follows all histories from the start position, or a random part of them, as
far as they agree with what the player saw. Both methods need an OpenSpiel state that the process
stored when it made the view. So a view is useless in another process.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import random
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from plyglass.core import luck
from plyglass.core.compile import JIT, interpreted
from plyglass.core.game import Game
from plyglass.core.memory import callable_address
from plyglass.core.state import Fields, state_dtype
from plyglass.core.table import SIGNATURES, SharedLibrary
from plyglass.core.world import View, World

MOST_STATES = 50_000  # the most states that are stored; the oldest are dropped first
MOST_HISTORIES = 20_000  # the most histories that are followed to find those that fit a view
MANY_HISTORIES = 1000  # above this number, the viewer's earlier information states are compared
MOST_FITS = 100  # the most information states whose histories are stored
Weighted = list[tuple[Any, float]]  # OpenSpiel's states, each with its probability
DIGEST = 4  # numbers of a view that identify an information state
_RESULTS = {"void": None, "int": ctypes.c_int64, "real": ctypes.c_double}
_chance = interpreted(luck.chance)
_draw = interpreted(luck.draw)


class Callbacks(SharedLibrary):
    """Rules in Python, as addresses of C functions.

    A Python error cannot pass through compiled code. So the first error is stored, and
    `raise_error` raises this error later. After an error, `end(s)` ends the game in the state at
    address `s`, so searches end soon.
    """

    def __init__(
        self, functions: dict[str, Callable[..., Any]], end: Callable[[int], None]
    ) -> None:
        self._end = end
        self.error: BaseException | None = None
        self._keep = {}
        self.addresses = {}
        for name, function in functions.items():
            guarded = self._guarded(function, name)
            if not JIT:
                self.addresses[name] = callable_address(guarded)
                continue
            shape = ctypes.CFUNCTYPE(
                _RESULTS[SIGNATURES[name][1]], *[ctypes.c_int64] * len(SIGNATURES[name][0])
            )
            self._keep[name] = shape(guarded)
            self.addresses[name] = ctypes.cast(self._keep[name], ctypes.c_void_p).value or 0

    def raise_error(self) -> None:
        if self.error is not None:
            error, self.error = self.error, None
            raise error

    def _guarded(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        place = SIGNATURES[name][0].index("s")

        def call(*arguments: int) -> Any:
            try:
                with np.errstate(over="ignore"):  # streams wrap around on purpose
                    return function(*arguments)
            except BaseException as error:  # the error would be lost in compiled code
                self.error = self.error or error
                self._end(arguments[place])
                if name == "legal":  # the caller gets one action, number 0
                    ctypes.c_int32.from_address(arguments[-1]).value = 0
                return {"legal": 1, "to_move": -1, "score": 0.0}.get(name)

        return call


class _CheckedVerbs:
    """The game's compiled functions, which raise the errors of Python callbacks.

    If a callback fails during a call of a compiled function, the callback's error is raised after
    this call.
    """

    def __init__(self, verbs: Any, callbacks: Callbacks) -> None:
        self._verbs, self._callbacks = verbs, callbacks

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self._verbs, name)

        def call(*arguments: Any) -> Any:
            result = verb(*arguments)
            self._callbacks.raise_error()
            return result

        return call


class SpielGame(Game):
    """A game of OpenSpiel.

    Args:
        game: the game as OpenSpiel writes it, such as leduc_poker or leduc_poker(players=3).
    """

    name = "spiel"
    exact_imagine = False

    def __init__(self, game: str) -> None:
        import pyspiel

        try:
            self.spiel = pyspiel.load_game(game)
        except pyspiel.SpielError as error:
            raise ValueError(f"OpenSpiel cannot load {game!r}: {error}") from error
        kind, modes = self.spiel.get_type(), pyspiel.GameType
        if kind.dynamics != modes.Dynamics.SEQUENTIAL:
            raise ValueError(f"{game} has simultaneous moves; games here have one player to move.")
        if kind.chance_mode == modes.ChanceMode.SAMPLED_STOCHASTIC:
            raise ValueError(f"{game} hides its chance; games here need explicit chance nodes.")
        self._hidden = kind.information != modes.Information.PERFECT_INFORMATION
        if self._hidden and not kind.provides_information_state_string:
            raise ValueError(f"{game} has no information states, so its views cannot be made.")
        actions = self.spiel.num_distinct_actions()
        self.state = state_dtype(  # type: ignore[misc]
            # A world's history has all actions, each increased by 1, and then 0. A view has a
            # digest of negative numbers instead, and then the legal actions, each increased by 1.
            ("history", np.int32, (max(self.spiel.max_history_length(), DIGEST + actions) + 1,)),
            ("mover", np.int8),
        )
        self._states: OrderedDict[bytes, Any] = OrderedDict()
        self._known: OrderedDict[bytes, Any] = OrderedDict()
        self._fits: OrderedDict[tuple[int, int, str], Weighted] = OrderedDict()
        self._resamples: bool | None = None
        rules: dict[str, Callable[..., Any]] = {
            "start": self._start,
            "to_move": self._to_move,
            "legal": self._legal,
            "apply": self._apply,
            "score": self._score,
        }
        if self._hidden:
            rules |= {"hide": self._hide, "imagine": self._imagine}
        self.rules = self._callbacks = Callbacks(rules, self._finish)  # type: ignore[misc]
        super().__init__(
            players=self.spiel.num_players(),
            most_actions=actions,
            most_steps=self.spiel.max_game_length(),
            scores=(self.spiel.min_utility(), self.spiel.max_utility()),
        )

    @functools.cached_property
    def verbs(self) -> Any:
        return _CheckedVerbs(super().verbs, self._callbacks)

    def spiel_state(self, position: World | View) -> Any:
        """OpenSpiel's state of a world, or of a view in a game without hidden information."""
        if isinstance(position, View) and self._hidden and not position.over:
            raise ValueError("A view of a game with hidden information has no state.")
        row = position.row()
        return self._at(Fields(row.ctypes.data, self.state)).clone()

    def information_state(self, view: View) -> str:
        """The information state of a view, as OpenSpiel writes it."""
        return str(self._behind(view).information_state_string(view.viewer))

    def text(self, view: View) -> str:
        if not self._hidden or view.over:
            return str(self.spiel_state(view))
        return self.information_state(view)

    def action_name(self, action: int) -> str:
        return str(self.spiel.action_to_string(0, action))

    # -- rules; `s` is the address of a state

    def _start(self, r: int, setup: int, s: int) -> None:
        self._put(Fields(s, self.state), self.spiel.new_initial_state())

    def _to_move(self, r: int, s: int) -> int:
        return int(Fields(s, self.state).mover)

    def _legal(self, r: int, s: int, out: int) -> int:
        fields = Fields(s, self.state)
        if fields.history[0] < 0:
            actions = actions_of(_whole(fields)[0])
        else:
            actions = self._at(fields).legal_actions()
        room = (ctypes.c_int32 * len(actions)).from_address(out)
        for place, action in enumerate(actions):
            room[place] = action
        return len(actions)

    def _apply(self, r: int, s: int, action: int) -> None:
        fields = Fields(s, self.state)
        state = self._at(fields).clone()
        state.apply_action(action)
        self._put(fields, state)

    def _score(self, r: int, s: int, player: int) -> float:
        fields = Fields(s, self.state)
        if fields.history[0] == 0:
            return 0.0
        return float(self._at(fields).returns()[player])

    def _hide(self, r: int, s: int, viewer: int) -> None:
        """Turn a state into a view: digest of the information state, mover and legal actions."""
        fields = Fields(s, self.state)
        if fields.mover < 0 or fields.history[0] < 0:
            return  # nothing is hidden at the end, and a view stays as it is
        state = self._at(fields)
        # Two players may have equal strings, such as their own card before anybody has bet. And a
        # string may stay the same when the turn passes.
        seen = _digest(f"{viewer} {fields.mover} {state.information_state_string(viewer)}")
        self._kept(self._known, seen, state)
        legal = state.legal_actions() if state.current_player() == viewer else []
        self._write(fields, legal, int(fields.mover), seen)

    def _imagine(self, r: int, s: int, viewer: int) -> None:
        fields = Fields(s, self.state)
        if fields.mover < 0:
            return
        known = self._known_state(_whole(fields)["history"][0, :DIGEST].tobytes())
        drawn = _stream(fields)
        if self._resamples is not False:
            try:
                found = known.resample_from_infostate(viewer, drawn.random)
                self._resamples = True
            except Exception:
                if self._resamples:
                    raise
                self._resamples = False
        if not self._resamples:
            [found] = drawn.choices(*zip(*self._fitting(known, viewer), strict=True))
        self._write(fields, found.history(), int(found.current_player()))

    # -- inside

    def _finish(self, s: int) -> None:
        self._write(Fields(s, self.state), [], -1)

    def _put(self, fields: Any, state: Any) -> None:
        """Draw outcomes until no chance node is next, then write the state."""
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            drawn = _chance(fields, [probability for _, probability in outcomes])
            state.apply_action(outcomes[drawn][0])
        history = state.history()
        self._write(fields, history, -1 if state.is_terminal() else state.current_player())
        self._kept(self._states, np.array(history, np.int32).tobytes(), state)

    def _write(self, fields: Any, actions: list[int], mover: int, seen: bytes = b"") -> None:
        """Write a history, or the digest and the legal actions of a view."""
        whole = _whole(fields)
        written = [*np.frombuffer(seen, np.int32).tolist(), *(action + 1 for action in actions)]
        whole["history"][0] = 0
        whole["history"][0, : len(written)] = written
        whole["mover"][0] = mover

    def _at(self, fields: Any) -> Any:
        history = actions_of(_whole(fields)[0])
        key = np.array(history, np.int32).tobytes()
        if key not in self._states:
            state = self.spiel.new_initial_state()
            for action in history:
                state.apply_action(action)
            self._kept(self._states, key, state)
        return self._states[key]

    def _behind(self, view: View) -> Any:
        """An OpenSpiel state with the same information state as a view."""
        if not self._hidden or view.over:
            return self.spiel_state(view)
        return self._known_state(view.record["history"][:DIGEST].tobytes())

    def _known_state(self, seen: bytes) -> Any:
        if seen not in self._known:
            raise LookupError(
                "This view was made in another process, or too long ago; views of OpenSpiel's "
                "games are known only where they were made."
            )
        self._known.move_to_end(seen)
        return self._known[seen]

    @staticmethod
    def _kept(states: OrderedDict[bytes, Any], key: bytes, state: Any) -> None:
        if key not in states:
            states[key] = state.clone()
            if len(states) > MOST_STATES:
                states.popitem(last=False)

    def _fitting(self, known: Any, viewer: int) -> Weighted:
        """The histories with a viewer's information state, with their probabilities.

        Chance and the other players act at random, and the viewer repeats its own known actions. A
        history is dropped as soon as the viewer's information state at an earlier decision differs
        from the actual one.
        """
        last = known.current_player(), known.information_state_string(viewer), None
        found: Weighted = [(self.spiel.new_initial_state(), 1.0)]
        for mover, seen, action in [*self._decisions(known, viewer), last]:
            key = viewer, mover, seen
            if key not in self._fits:
                self._fits[key] = self._continued(found, key, known)
                if len(self._fits) > MOST_FITS:
                    self._fits.popitem(last=False)
            found = self._fits[key]
            if action is not None:
                found = [(state.child(action), weight) for state, weight in found]
        if not found:
            raise LookupError(
                f"No history with this information state was found among {MOST_HISTORIES:,}; use a "
                "belief that follows the match from its start, such as particles."
            )
        return found

    def _continued(self, started: Weighted, key: tuple[int, int, str], known: Any) -> Weighted:
        """Continue histories until `mover` is to move and the viewer has `seen`.

        Histories in which the viewer must decide anything else before are dropped. If there are too
        many, those with an information state that never occurred in `known` are dropped, too. If
        there are still too many, a random part of them continues.
        """
        (viewer, mover, seen), stream = key, random.Random(repr(key))
        growing, found = started, []
        while growing:
            grown: Weighted = []
            for state, weight in growing:
                now = state.current_player()
                if now == mover and state.information_state_string(viewer) == seen:
                    found.append((state, weight))
                if (
                    now != viewer and not state.is_terminal()
                ):  # others may act without the viewer's notice
                    grown += [(state.child(each), weight * p) for each, p in self._odds(state)]
            growing = grown
            if len(growing) > MANY_HISTORIES:
                growing = self._alike(growing, known, viewer)
            if len(growing) > MOST_HISTORIES:
                total = sum(weight for _, weight in growing)
                drawn = stream.choices(growing, [w for _, w in growing], k=MOST_HISTORIES)
                growing = [(state, total / MOST_HISTORIES) for state, _ in drawn]
        total = sum(weight for _, weight in found)
        return [(state, weight / total) for state, weight in found]

    def _alike(self, growing: Weighted, known: Any, viewer: int) -> Weighted:
        """The histories in which the viewer's information state is one that occurred in `known`.

        For example, these are the histories in which the viewer rolled the same dice.
        """
        state = self.spiel.new_initial_state()
        had = {state.information_state_string(viewer)}
        for action in known.history():
            state.apply_action(action)
            had.add(state.information_state_string(viewer))
        return [each for each in growing if each[0].information_state_string(viewer) in had]

    @staticmethod
    def _odds(state: Any) -> list[tuple[int, float]]:
        """The outcomes of chance, or the actions of a player who acts at random."""
        if state.is_chance_node():
            return list(state.chance_outcomes())
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]

    def _decisions(self, known: Any, viewer: int) -> list[tuple[int, str, int | None]]:
        """The viewer's earlier decisions: the viewer, the information state and the action."""
        state, found = self.spiel.new_initial_state(), []
        for action in known.history():
            if state.current_player() == viewer:
                found.append((viewer, state.information_state_string(viewer), action))
            state.apply_action(action)
        return found


def actions_of(record: Any) -> list[int]:
    """The history in the record of a world, or the legal actions in the record of a view."""
    history = record["history"]
    return (history[history > 0] - 1).tolist()  # type: ignore[no-any-return]


def _whole(fields: Any) -> Any:
    """The whole state that contains these fields, as an array with one element."""
    return object.__getattribute__(fields, "_keep")


def _digest(text: str) -> bytes:
    """The digest of a text, as the bytes of 32-bit numbers.

    The sign bit of each number is set, so all numbers are negative.
    """
    drawn = hashlib.blake2b(text.encode(), digest_size=4 * DIGEST).digest()
    return (np.frombuffer(drawn, np.int32) | np.int32(-(1 << 31))).tobytes()


def _stream(fields: Any) -> random.Random:
    """A random stream for one rule, from two draws of the world's stream.

    A sampler that rejects never returns if a tape dictates the same number for all of its draws.
    """
    return random.Random(int(_draw(fields, 1 << 30)) << 30 | int(_draw(fields, 1 << 30)))
