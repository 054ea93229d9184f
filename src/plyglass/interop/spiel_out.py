"""OpenSpiel: a game of Plyglass as a game of OpenSpiel.

    from plyglass.interop.spiel_out import register

    game = register(plyglass.games.LeducPoker())  # or pyspiel.load_game("plyglass_leduc_poker")

Every draw of chance becomes an explicit chance node, without changes to the game's rules. To find
these nodes, the adapter plays an action repeatedly. Each time, a tape prescribes the result of one
more draw (`core/tape.py`). An information state consists of all actions and views of a seat so far.

OpenSpiel's C++ bots cannot play games that are written in Python: open_spiel 2.0.2 crashes, even on
its own Python games. For small games and C++ algorithms, use `efg`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from plyglass.core.game import Game
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.seeds import Purpose, derive
from plyglass.core.state import HEADER_BYTES, Bytes, filled, new_states
from plyglass.core.world import View, World
from plyglass.interop.codec import codec_of
from plyglass.interop.observation import Layout

MOST_DRAWS = 1024  # the most draws in one action or in one deal
TRIED_GAMES = 50  # the number of random games that test whether scores sum to 0
Seen = tuple[int | None, bytes]
Pending = tuple[Bytes, int, int]  # a state, the player to move (-1 for the deal), and the action

# Adapters by short name. States are copied and pickled, so they contain this name, not the adapter.
_ADAPTERS: dict[str, Adapter] = {}


def register(game: Game, short_name: str = "", *, most_outcomes: int = 512) -> Any:
    """Register a game with OpenSpiel, and return it as OpenSpiel loads it.

    `short_name` is the name in OpenSpiel. By default it is `plyglass_` and the game's name. This
    default is the same for all variants of a game, so give each variant its own name.
    `most_outcomes` is the largest number of results that a single draw can have.
    """
    short = short_name or _short_name(game)
    known = _ADAPTERS.get(short)
    if known is not None:
        if (known.game.name, known.game.parameters) != (game.name, game.parameters):
            raise ValueError(
                f"OpenSpiel knows {known.game!r} by the name {short!r}; give {game!r} another "
                "short_name."
            )
        return pyspiel.load_game(short)
    adapter = _ADAPTERS[short] = Adapter(game, short)
    kinds = pyspiel.GameType
    zero_sum = adapter.is_zero_sum()
    game_type = kinds(
        short_name=short,
        long_name=f"Plyglass {game!r}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if game.hides
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        default_loadable=True,
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=adapter.codec.size,
        max_chance_outcomes=most_outcomes,
        num_players=game.players,
        min_utility=game.scores[0],
        max_utility=game.scores[1],
        utility_sum=0.0 if zero_sum else None,
        max_game_length=game.most_steps,
    )

    class Registered(SpielOutGame):
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})
            self.short = short

    pyspiel.register_game(game_type, Registered)
    return pyspiel.load_game(short)


def _short_name(game: Game) -> str:
    return "plyglass_" + re.sub(r"\W", "_", game.name)


class Adapter:
    """A game, the numbers of its actions, and a tape to play it on."""

    def __init__(self, game: Game, short: str) -> None:
        self.game, self.short, self.codec, self.layout = game, short, codec_of(game), Layout(game)
        if not self.codec.stable:
            raise ValueError(
                f"{game.name} has no vocabulary, which OpenSpiel needs; override Game.vocabulary."
            )
        self._setup = filled(game.setup, game.default_setup())
        self._tape = np.zeros(TAPE_HEAD + TAPE_STEP * MOST_DRAWS, np.int64)

    def run(self, pending: Pending, digits: Sequence[int]) -> tuple[Bytes | None, int]:
        """Play an action, or deal; `digits` are the results of the first draws of chance.

        Return (new state, 0) if no further draw is needed. Otherwise return (None, number of
        possible results of the next draw).
        """
        game, tape = self.game, self._tape
        row, player, action = pending[0].copy(), pending[1], pending[2]
        if len(digits) >= MOST_DRAWS:
            raise ValueError(
                f"{game.name} makes more than {MOST_DRAWS} random draws in one action, too many "
                "for OpenSpiel's chance nodes."
            )
        tape[:] = 0
        tape[1] = MOST_DRAWS
        tape[TAPE_HEAD : TAPE_HEAD + TAPE_STEP * len(digits) : TAPE_STEP] = digits
        header = row.view(game.state)
        header["tape"] = tape.ctypes.data
        if player < 0:
            game.verbs.start(game.table, self._setup.ctypes.data, row.ctypes.data, np.uint64(0))
        else:
            game.verbs.step(game.table, row.ctypes.data, player, action)
        header["tape"] = 0
        if int(tape[0]) > len(digits):
            return None, int(tape[TAPE_HEAD + TAPE_STEP * len(digits) + 1])
        return row, 0

    def probability(self, pending: Pending, digits: Sequence[int]) -> float:
        """The probability of the last of the `digits`, given the others."""
        self.run(pending, digits)
        at = TAPE_HEAD + TAPE_STEP * (len(digits) - 1) + 2
        return float(self._tape[at : at + 1].view(np.float64)[0])

    def is_zero_sum(self) -> bool:
        """Whether scores sum to 0 at the end of random games."""
        if self.game.players == 1:
            return False
        for number in range(TRIED_GAMES):
            world = self.game.start(derive(0, number, Purpose.TEST))
            choices = np.random.default_rng(number)
            while not world.over:
                world.apply(int(choices.choice(world.legal())))
            if abs(sum(world.scores)) > 1e-9:
                return False
        return True


class SpielOutGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game of Plyglass in OpenSpiel."""

    short: str

    def new_initial_state(self) -> SpielOutState:
        return SpielOutState(self, self.short)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielOutObserver:
        return SpielOutObserver(
            _ADAPTERS[self.short], iig_obs_type is not None and iig_obs_type.perfect_recall
        )


class SpielOutState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position, or a point within an action at which a draw of chance is pending.

    A state is copied by `copy.deepcopy`, so it contains no closures and no addresses.
    """

    def __init__(self, game: Any, short: str) -> None:
        super().__init__(game)
        self.short = short
        adapter = _ADAPTERS[short]
        self.world: World | None = None
        self.memory: list[tuple[Seen, ...]] = [()] * adapter.game.players
        self._pending: Pending | None = (new_states(1, adapter.game.state)[0], -1, 0)
        self._digits: tuple[int, ...] = ()
        self._options = 0
        self._settle()

    def _settle(self) -> None:
        """Carry out the pending action, unless a draw of chance is needed first."""
        adapter = _ADAPTERS[self.short]
        assert self._pending is not None
        after, self._options = adapter.run(self._pending, self._digits)
        while after is None and self._options == 1:
            self._digits = (*self._digits, 0)
            after, self._options = adapter.run(self._pending, self._digits)
        if after is None:
            return
        _, player, action = self._pending
        self.world, self._pending, self._digits = World(adapter.game, after), None, ()
        for seat in range(adapter.game.players):
            own = action if seat == player else None
            self.memory[seat] = remembered(self.memory[seat], own, self.world.hide(seat))

    def current_player(self) -> int:
        if self._pending is not None:
            return int(pyspiel.PlayerId.CHANCE)
        assert self.world is not None
        mover = self.world.to_move
        return int(pyspiel.PlayerId.TERMINAL) if mover < 0 else mover

    def _legal_actions(self, player: int) -> list[int]:
        assert self.world is not None
        codec = _ADAPTERS[self.short].codec
        return sorted(codec.number(action) for action in self.world.legal())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self._pending is not None, "only chance nodes have outcomes"
        adapter = _ADAPTERS[self.short]
        return [
            (digit, adapter.probability(self._pending, (*self._digits, digit)))
            for digit in range(self._options)
        ]

    def _apply_action(self, action: int) -> None:
        if self._pending is not None:
            self._digits = (*self._digits, int(action))
        else:
            assert self.world is not None
            chosen = int(_ADAPTERS[self.short].codec.actions[action])
            self._pending = (self.world.row(), self.world.to_move, chosen)
        self._settle()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        adapter = _ADAPTERS[self.short]
        return adapter.game.action_name(int(adapter.codec.actions[action]))

    def is_terminal(self) -> bool:
        return self._pending is None and self.world is not None and self.world.over

    def returns(self) -> list[float]:
        if not self.is_terminal() or self.world is None:
            return [0.0] * _ADAPTERS[self.short].game.players
        return self.world.scores

    def __str__(self) -> str:
        return f"{self.short}: {','.join(map(str, self.history()))}"


class SpielOutObserver:
    """The observer that OpenSpiel asks for observations and information states."""

    def __init__(self, adapter: Adapter, recall: bool) -> None:
        self._adapter, self._recall = adapter, recall
        self.tensor: npt.NDArray[np.float32] = np.zeros(adapter.layout.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielOutState, player: int) -> None:
        if state.world is None:
            self.tensor[:] = 0
        else:
            self.tensor[:] = self._adapter.layout.encode(state.world.hide(player))

    def string_from(self, state: SpielOutState, player: int) -> str:
        if self._recall:
            return information_state(state.memory[player])
        return "" if state.world is None else body_of(state.world.hide(player)).hex()


def remembered(memory: tuple[Seen, ...], own: int | None, view: View) -> tuple[Seen, ...]:
    """A seat's memory after a view. An unchanged view adds nothing, unless the seat acted."""
    body = body_of(view)
    if own is None and memory and memory[-1][1] == body:
        return memory
    return (*memory, (own, body))


def information_state(memory: Sequence[Seen]) -> str:
    """The name of an information state: all actions and views of the seat."""
    return ";".join(f"{'' if own is None else own}:{body.hex()}" for own, body in memory)


def body_of(view: View) -> bytes:
    return view.row()[HEADER_BYTES:].tobytes()


def state_at(game: Any, world: World) -> SpielOutState:
    """A state of a registered game at the position of a match, with an empty history."""
    state: SpielOutState = game.new_initial_state()
    state.world, state._pending, state._digits = world.copy(), None, ()
    state.memory = [remembered((), None, world.hide(seat)) for seat in range(world.game.players)]
    return state
