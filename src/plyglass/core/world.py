"""World and View: a complete position, and what one player sees of it.

World and View are two types, so code cannot confuse one with the other. A match runner owns a
`World`. An agent gets only `View`s, which `World.hide` makes.
"""

from __future__ import annotations

import ctypes
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from plyglass.core.display import listed, svg
from plyglass.core.scene import Imagined, Scene
from plyglass.core.state import HEADER_BYTES, Bytes

if TYPE_CHECKING:
    from plyglass.core.game import Game


class IllegalAction(ValueError):
    """Raised for an action that is not legal for the player to move."""


class _Position:
    """The common base of worlds and views: a row of bytes that the rules of a game work on."""

    __slots__ = ("_row", "address", "game")

    game: Game
    _row: Bytes
    address: int  # the address of the bytes, for verbs; valid while this object lives

    def _hold(self, game: Game, row: Bytes) -> None:
        self.game, self._row = game, row
        self.address = row.ctypes.data  # read only once, because this attribute of NumPy is slow

    @property
    def to_move(self) -> int:
        """The player to move, or -1 when the game is over."""
        return int(self.game.verbs.to_move(self.game.table, self.address))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.to_move < 0

    def legal(self) -> list[int]:
        """The legal actions of the player to move; none if the game is over."""
        if self.over:
            return []
        out = (ctypes.c_int32 * self.game.most_actions)()
        count = self.game.verbs.legal(self.game.table, self.address, ctypes.addressof(out))
        return out[:count]

    def score(self, player: int) -> float:
        """The player's reward so far."""
        return float(self.game.verbs.score(self.game.table, self.address, player))

    @property
    def record(self) -> Any:
        """The fields by name, as a read-only copy."""
        copy = self._row.copy()
        copy.flags.writeable = False
        return copy.view(self.game.state)[0]

    @property
    def fingerprint(self) -> int:
        """A 64-bit hash of everything but the header."""
        return int(self.game.verbs.fingerprint(self.game.table, self.address))

    def row(self) -> Bytes:
        """A copy of the bytes."""
        return self._row.copy()

    def _choices(self) -> str:
        """The player to move, and the names of the actions that they can play."""
        if self.over:
            return "over"
        return f"{self.game.player_name(self.to_move)} to move: {listed(self.game, self.legal())}"

    def _scene(self) -> Scene:
        """The scene that a notebook shows."""
        raise NotImplementedError

    def _words(self) -> str:
        """The text that a notebook shows if the game cannot be drawn."""
        raise NotImplementedError

    def _repr_svg_(self) -> str | None:
        """The picture of the position in a notebook, if its game can be drawn."""
        try:
            return svg(self._scene())
        except NotImplementedError:
            return None

    def _repr_html_(self) -> str | None:
        """The text of the position in a notebook, if its game cannot be drawn."""
        try:
            self._scene()
        except NotImplementedError:
            return f"<pre>{escape(self._words())}</pre>"
        return None

    def _body(self) -> bytes:
        return self._row[HEADER_BYTES:].tobytes()


class World(_Position):
    """A complete position, including the seed of its future chance.

    Only a match runner, a belief or a test holds a world.
    """

    __slots__ = ()

    def __init__(self, game: Game, row: Bytes) -> None:
        self._hold(game, row)

    def apply(self, action: int) -> None:
        """Play an action for the player to move."""
        player = self.to_move
        if action not in self.legal():
            state = (
                "the game is over"
                if player < 0
                else f"{self.game.player_name(player)} has no such action"
            )
            raise IllegalAction(
                f"{self.game.name}: cannot play {self.game.action_name(action)!r} ({action}): "
                f"{state}."
            )
        self.game.verbs.step(self.game.table, self.address, player, action)

    def hide(self, viewer: int) -> View:
        """The view that `viewer` has of this world."""
        view = _view(self.game, viewer, self._row.copy())
        self.game.verbs.hide(self.game.table, view.address, viewer)
        return view

    def change_luck(self, seed: int) -> None:
        """Give this world a new seed of future chance."""
        self.game.verbs.change_luck(self.address, np.uint64(seed))

    def copy(self) -> World:
        """A copy with the same future chance."""
        return World(self.game, self._row.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return World, (self.game, self._row)

    @property
    def scores(self) -> list[float]:
        """The reward of each player so far."""
        return [self.score(player) for player in range(self.game.players)]

    def __eq__(self, other: object) -> bool:
        """Whether both worlds are the same position; future chance does not count."""
        return isinstance(other, World) and self._body() == other._body()

    def __hash__(self) -> int:
        return self.fingerprint

    def __repr__(self) -> str:
        return f"<World of {self.game.name}, {self._choices()}>"

    def _scene(self) -> Scene:
        return self.game.scene(self.hide(0), Imagined.truth(self.row(), self.game.state))

    def _words(self) -> str:
        return self.hide(0).text


class View(_Position):
    """The view of one player: the position without its header and without hidden information.

    Only `World.hide` makes a view.
    """

    __slots__ = ("viewer",)

    viewer: int

    def __init__(self) -> None:
        raise TypeError(
            "A View cannot be made directly; call World.hide(viewer), which erases what the viewer "
            "cannot know."
        )

    @property
    def text(self) -> str:
        """The view as text for a terminal."""
        return self.game.text(self)

    def within(self, game: Game) -> View:
        """This view in another game whose states have the same fields, such as an agent's game."""
        if game.state != self.game.state:
            raise TypeError(
                f"A view of {self.game.name} cannot be used in {game.name}, because their states "
                "have different fields."
            )
        return _view(game, self.viewer, self._row)

    def __reduce__(self) -> tuple[Any, ...]:
        return _view, (self.game, self.viewer, self._row)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and self.viewer == other.viewer
            and self._body() == other._body()
        )

    def __hash__(self) -> int:
        return hash((self.viewer, self.fingerprint))

    def __repr__(self) -> str:
        viewer = self.game.player_name(self.viewer)
        if self.over or self.to_move == self.viewer:
            return f"<View of {self.game.name} by {viewer}, {self._choices()}>"
        # the legal actions of another player may depend on what the viewer cannot see
        mover = self.game.player_name(self.to_move)
        return f"<View of {self.game.name} by {viewer}, {mover} to move>"

    def _scene(self) -> Scene:
        return self.game.scene(self)

    def _words(self) -> str:
        return self.text


def received(game: Game, viewer: int, data: bytes) -> View:
    """Return the view that another process sent as bytes; the sender has erased what is hidden."""
    if len(data) != game.state.itemsize:
        raise ValueError(
            f"A view of {game.name} has {game.state.itemsize} bytes, not {len(data)}; both "
            "processes need the same version of the game."
        )
    return _view(game, viewer, np.frombuffer(data, np.uint8).copy())


def _view(game: Game, viewer: int, row: Bytes) -> View:
    view = object.__new__(View)
    row.flags.writeable = False
    view.viewer = viewer
    view._hold(game, row)
    return view
