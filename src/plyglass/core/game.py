"""The class `Game`: a game's records, its rules, and what it declares about itself."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from plyglass.core import verbs
from plyglass.core.actions import unpack
from plyglass.core.board import Board
from plyglass.core.compile import JIT, Function, ModuleTwin, plain, reaches
from plyglass.core.display import facts_of_fields
from plyglass.core.guards import guarded, guarded_rule
from plyglass.core.luck import begin_ply
from plyglass.core.ranges import Range, ranges_of
from plyglass.core.state import HEADER, filled, new_states
from plyglass.core.table import (
    COMPOSED,
    CompiledRules,
    Functions,
    InterpretedRules,
    Layout,
    SharedLibrary,
    extra_name,
    rules_by_name,
    table_of,
)
from plyglass.core.world import View, World

if TYPE_CHECKING:
    from plyglass.core.scene import Imagined, Scene, Shape

MOST_PLAYERS = 8
NOTHING = np.dtype([("nothing", np.int8)])


def changed(before: View, after: View) -> list[str]:
    """The lines in the text of view `after` that are not in the text of view `before`."""
    known = {line.strip() for line in before.text.splitlines()}
    return [line.strip() for line in after.text.splitlines() if line.strip() not in known]


def _made(cls: type[Game], parameters: Mapping[str, Any], compiled: bool) -> Game:
    """Return the game that a pickle describes."""
    game = cls(**parameters)
    game.compiled = compiled
    return game


class Game:
    """The base class of games: a subclass names records and rules, and declares bounds.

    Class attributes:
        name: the name on the command line, in kebab-case.
        state: the record of a position, made by `state_dtype`.
        rules: the rules as functions, or a `SharedLibrary` that exports them. Every game has start,
            to_move, legal, apply and score. A game with hidden information also has hide and
            imagine. Six rules are optional. `represent` lists one action for each class of similar
            actions, and `prefer` lists the actions that the game recommends. `perturb` makes a
            small change to what is hidden. `features` writes numbers that describe a position.
            `after` carries out an action until chance is drawn. `place` makes a world that fits
            what a tracker knows about hidden things.
        constants: the record of common knowledge that never changes, such as sizes, maps and card
            tables.
        setup: the record of the secrets behind a start position, such as decks or a scenario. Only
            the match runner holds a setup.
        evaluators, policies: functions by name, with which planners judge positions and choose
            actions.
        trackers: functions that track hidden things, for a game with `place`. A tracker's name
            says how the other players are assumed to play.
        exact_imagine: whether `imagine` gives every world its exact probability under uniformly
            random play.
        cooperative: whether all players win or lose together.
        opponent: the default opponent for `plyglass play`, as an agent spec. The default should be
            the best agent known for the game. With `auto`, Plyglass picks an agent that fits the
            game.
        easier: easier opponents by level, the easiest first, as agent specs.
        colours: maps regular expressions to the styles in which a terminal shows matching text.
        sets: maps each field that is a set, with one bit for each member, to its number of possible
            members. Learning libraries get one input for each possible member.
        audited: parameters, such as "turns=2", of a variant that is small enough for
            `plyglass wall`.

    What `__init__` declares:
        players: the number of players.
        most_actions: the largest number of legal actions at one decision.
        most_steps: the largest number of actions in a whole game.
        scores: the lowest and the highest score.
        rewards: the lowest and the highest change of a score by one action; by default `scores`.
        discount: the discount of rewards per action.
        most_features: the largest number of features that `features` writes.
        most_tracks: the number of values that a tracker keeps.
    """

    name: ClassVar[str]
    state: ClassVar[np.dtype[Any]]
    rules: ClassVar[Sequence[Function] | SharedLibrary]
    constants: ClassVar[np.dtype[Any]] = NOTHING
    setup: ClassVar[np.dtype[Any]] = NOTHING
    evaluators: ClassVar[Mapping[str, Function]] = {}
    policies: ClassVar[Mapping[str, Function]] = {}
    trackers: ClassVar[Mapping[str, Function]] = {}
    exact_imagine: ClassVar[bool] = True
    cooperative: ClassVar[bool] = False
    opponent: ClassVar[str] = "auto:seconds=0.5"
    easier: ClassVar[Mapping[str, str]] = {
        "easy": "uct:iterations=20",
        "medium": "uct:iterations=200",
    }
    colours: ClassVar[Mapping[str, str]] = {}
    sets: ClassVar[Mapping[str, int]] = {}
    audited: ClassVar[str] = ""

    parameters: dict[str, Any]
    compiled: bool = JIT

    def __new__(cls, *args: Any, **kwargs: Any) -> Game:
        game = super().__new__(cls)
        bound = inspect.signature(cls.__init__).bind(game, *args, **kwargs)
        bound.apply_defaults()
        game.parameters = {name: value for name, value in bound.arguments.items() if name != "self"}
        return game

    def __init__(
        self,
        *,
        players: int,
        most_actions: int,
        most_steps: int,
        scores: tuple[float, float],
        rewards: tuple[float, float] | None = None,
        discount: float = 1.0,
        most_features: int = 0,
        most_tracks: int = 0,
        constants: Mapping[str, Any] | None = None,
    ) -> None:
        if not 1 <= players <= MOST_PLAYERS:
            raise ValueError(
                f"{self.name} declares {players} players; declare 1 to {MOST_PLAYERS}."
            )
        if not 1 <= most_actions < 1 << 15:
            raise ValueError(
                f"{self.name} declares most_actions={most_actions}; it must be at least 1, and the "
                f"limit is {(1 << 15) - 1}."
            )
        if scores[0] >= scores[1]:
            raise ValueError(
                f"{self.name} declares scores from {scores[0]} to {scores[1]}; the first must be "
                "the lower."
            )
        self.players = players
        self.most_actions = most_actions
        self.most_steps = most_steps
        self.scores = scores
        self.rewards = rewards or scores
        self.discount = discount
        self.most_features = most_features
        self.most_tracks = most_tracks
        self.constants_record = filled(self.constants, constants or {"nothing": 0})

    # -- what a planner needs

    @functools.cached_property
    def table(self) -> npt.NDArray[np.int64]:
        """The table that kernels take as an argument, with the addresses of the rules.

        Building the table compiles the rules, or loads them from disk.
        """
        return table_of(
            self._addresses, self.constants_record.ctypes.data, self.state.itemsize, self.players
        )

    @property
    def hides(self) -> bool:
        """Whether the game has hidden information."""
        return "hide" in self._rule_names

    @property
    def represents(self) -> bool:
        """Whether the game groups similar actions into classes."""
        return "represent" in self._rule_names

    @property
    def prefers(self) -> bool:
        """Whether the game recommends actions."""
        return "prefer" in self._rule_names

    @property
    def perturbs(self) -> bool:
        """Whether the game can make small changes to what is hidden."""
        return "perturb" in self._rule_names

    @property
    def describes(self) -> bool:
        """Whether the game describes positions by numbers."""
        return "features" in self._rule_names

    @property
    def foresees(self) -> bool:
        """Whether the game can carry out an action until chance is drawn."""
        return "after" in self._rule_names

    @functools.cached_property
    def has_turns(self) -> bool:
        """Whether a game consists of more than one turn.

        In a game of one player, a turn ends only where the rules call `begin_ply`. If no rule calls
        `begin_ply`, the whole game is one turn.
        """
        if self.players > 1 or isinstance(self.rules, SharedLibrary):
            return True
        return any(reaches(rule, (begin_ply,)) for rule in self.rules)

    def evaluator(self, name: str) -> int:
        """The address of a named evaluator, for kernels."""
        return self._extra("evaluator", self.evaluators, name)

    def policy(self, name: str) -> int:
        """The address of a named policy, for kernels."""
        return self._extra("policy", self.policies, name)

    def tracker(self, name: str) -> int:
        """The address of a named tracker, for kernels."""
        return self._extra("tracker", self.trackers, name)

    def variant(self, parameters: Mapping[str, Any]) -> Game:
        """The same game with some parameters changed."""
        unknown = [name for name in parameters if name not in self.parameters]
        if unknown:
            raise ValueError(
                f"{self.name} has no parameter {unknown[0]!r}; it has "
                f"{', '.join(self.parameters) or 'none'}."
            )
        other = type(self)(**{**self.parameters, **parameters})
        other.compiled = self.compiled
        return other

    def interpreted(self) -> Game:
        """The same game with rules that run as Python, which is slow but checks bounds."""
        if isinstance(self.rules, SharedLibrary):
            raise TypeError(
                f"{self.name} has rules from a shared library, so it cannot run as Python."
            )
        twin = self.variant({})
        twin.compiled = False
        return twin

    # -- what a state can be

    def limits(self) -> Mapping[str, Range]:
        """The declared lowest and highest values of fields, in states and views.

        A game overrides this if its state holds indices or counts. Then an invalid position from
        outside is refused with a clear error. The ranges also hold for views, including the values
        that `hide` writes.
        """
        return {}

    @functools.cached_property
    def ranges(self) -> Mapping[str, Range]:
        """The range of each field: declared by `limits`, or else widened from sampled positions."""
        return ranges_of(self)

    # -- playing it from Python

    def start(self, seed: int, setup: Mapping[str, Any] | None = None) -> World:
        """The start position of a new game; `seed` decides all chance in the game."""
        secret = filled(self.setup, setup or self.default_setup())
        row = new_states(1, self.state)[0]
        self.verbs.start(self.table, secret.ctypes.data, row.ctypes.data, np.uint64(seed))
        return World(self, row)

    def default_setup(self) -> Mapping[str, Any]:
        """The setup that `start` uses if none is given."""
        return {"nothing": 0}

    def imagine(self, view: View, seed: int) -> World:
        """A world in which the viewer of `view` sees exactly this view.

        `seed` decides the hidden part and all future chance.
        """
        row = view.row()
        self.verbs.imagine(self.table, row.ctypes.data, view.viewer, np.uint64(seed))
        return World(self, row)

    def realize(self, view: View, action: int) -> int:
        """The legal action that a representative action stands for.

        A game overrides this if `represent` lists actions that are not legal, such as averages.
        """
        return action

    @functools.cached_property
    def verbs(self) -> Any:
        """The verbs of `core.verbs`, compiled or interpreted like the rules of this game."""
        return verbs if self.compiled == JIT else ModuleTwin(verbs)

    def hidden_things(
        self, worlds: npt.NDArray[Any], viewer: int
    ) -> tuple[npt.NDArray[np.int64], ...]:
        """The things hidden from a viewer: arrays (things, places, ages) with one row per world.

        Things that the viewer cannot tell apart have the same number. A place of -1 means that the
        entry is empty. The age is the number of turns since the viewer last saw the thing. A game
        overrides this if its hidden things have places. Then reports can measure a belief about
        these places.
        """
        raise NotImplementedError(
            f"{self.name} has no places for hidden things; measure the reliability of a belief "
            "without --places."
        )

    def success(self, score: Any) -> Any:
        """Map a score, or an array of scores, to a scale from 0 to 1."""
        low, high = self.scores
        return (score - low) / (high - low)

    def facts(self, worlds: npt.NDArray[Any], viewer: int) -> Mapping[str, npt.NDArray[np.bool_]]:
        """Statements about what is hidden from a viewer, each with the worlds in which it is true.

        A game overrides this to describe its own things. By default, each value of a number in a
        field gives one statement, unless the number has many values.
        """
        return facts_of_fields(worlds)

    # -- for people

    def text(self, view: View) -> str:
        """The view as text for a terminal. A game overrides this."""
        fields = [name for name in self.state.names or () if name not in dict(HEADER)]
        return "\n".join(f"{name}: {view.record[name].tolist()}" for name in fields)

    def scene(self, view: View, imagined: Imagined | None = None) -> Scene:
        """The view as shapes, together with what the `imagined` worlds contain, if any are given.

        A game that can be drawn overrides this.
        """
        raise NotImplementedError(
            f"{self.name} cannot be drawn; `text` shows its views in a terminal."
        )

    def action_shapes(self, action: int) -> tuple[Shape, ...]:
        """The shapes that mark a chosen action on a scene. A game may override this."""
        return ()

    def action_name(self, action: int) -> str:
        """The name of an action for people. A game overrides this."""
        kind, source, target = unpack(action)
        return str(target) if action == target else f"{kind}:{source}:{target}"

    def vocabulary(self) -> Sequence[int]:
        """All actions that can ever be legal, sorted and without duplicates.

        Libraries that need consecutive numbers use the index of an action in this list. The default
        fits a game whose actions are the numbers below `most_actions`. A game with other actions
        overrides this. The list may contain actions that are never legal; such actions only take up
        space.
        """
        return range(self.most_actions)

    def board(self) -> Board | None:
        """The board, from which adapters make input planes for networks; None if there is no board.

        A game with a board may override this.
        """
        return None

    def action_parts(self, view: View, action: int) -> Sequence[str]:
        """The name of a legal action in parts, the coarsest first, such as unit, goal and target.

        If there are many actions, a terminal groups the actions by their first parts. A game with
        many actions overrides this.
        """
        return (self.action_name(action),)

    def action_path(self, view: View, action: int) -> Sequence[str | tuple[str, ...]]:
        """The keys to click on the scene for a legal action, in order, such as unit and goal.

        A tuple of keys is a set: its keys are clicked in any order. If several actions share a
        path, a menu of their names follows. An action without a path is shown as a button. A game
        with a scene overrides this.
        """
        return ()

    def events(self, before: View, after: View) -> list[str]:
        """The events that a viewer saw between two of their views, in short sentences.

        In a game with hidden information, these sentences tell a person what the other players did.
        The sentences are made from views only, so they reveal nothing that is hidden. By default,
        the sentences are the lines that have changed in the view's text. In a game with perfect
        information, people see the actions themselves, and the sentences can report the results of
        chance.
        """
        return [] if not self.hides or before.to_move == before.viewer else changed(before, after)

    @property
    def levels(self) -> dict[str, str]:
        """The opponents for people by level, the easiest first, as agent specs."""
        return {**self.easier, "hard": self.opponent}

    def player_name(self, player: int) -> str:
        """The name of a player for people. A game may override this."""
        return f"player {player + 1}"

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """The game itself, because it never changes and its table holds addresses."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the class and the parameters; the reader builds the table anew."""
        return _made, (type(self), self.parameters, self.compiled)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({given})"

    # -- inside

    @property
    def _room(self) -> dict[str, int]:
        """For each array parameter of rules, the number of elements that a rule may write."""
        return {"out": self.most_actions, "values": self.most_features, "tracks": self.most_tracks}

    @functools.cached_property
    def layout(self) -> Layout:
        """The records that the game's functions work on."""
        return Layout(self.constants, self.setup, self.state)

    @functools.cached_property
    def functions(self) -> Functions:
        """The game's rules, evaluators, policies and trackers."""
        given = () if isinstance(self.rules, SharedLibrary) else self.rules
        rules = rules_by_name(given, type(self).__name__) if given else {}
        trackers = self.trackers
        if self.compiled:
            rules = guarded(rules, self._room)
            trackers = {
                name: guarded_rule("tracker", each, self._room) for name, each in trackers.items()
            }
        return Functions(rules, evaluator=self.evaluators, policy=self.policies, tracker=trackers)

    @functools.cached_property
    def _compiled_rules(self) -> CompiledRules | InterpretedRules:
        if self.compiled:
            owner = f"{type(self).__module__}:{type(self).__qualname__}"
            return CompiledRules(self.name, owner, self.layout, self.functions)
        return InterpretedRules(self.layout, self._room, self.functions)

    @functools.cached_property
    def _addresses(self) -> dict[str, int]:
        if isinstance(self.rules, SharedLibrary):
            found = self.rules.addresses
        else:
            names = (*self._rule_names, *COMPOSED)
            found = {name: self._compiled_rules.address(name) for name in names}
        if ("features" in found) != (self.most_features > 0):
            raise TypeError(
                f"{self.name} needs both a rule `features` and `most_features`, the largest "
                "number of features that the rule writes, or neither."
            )
        if not ("place" in found) == bool(self.trackers) == (self.most_tracks > 0):
            raise TypeError(
                f"{self.name} needs all of these or none: a rule `place`, trackers, and "
                "`most_tracks`, the number of values that a tracker keeps."
            )
        return found

    @functools.cached_property
    def _rule_names(self) -> frozenset[str]:
        """The names of the rules that the game has, found without compiling them."""
        if isinstance(self.rules, SharedLibrary):
            return frozenset(self.rules.addresses)
        return frozenset(plain(rule).__name__ for rule in self.rules)

    @functools.cached_property
    def _extras(self) -> dict[str, int]:
        return {}

    def _extra(self, shape: str, offered: Mapping[str, Function], name: str) -> int:
        if name not in offered:
            raise ValueError(
                f"{self.name} has no {shape} {name!r}; it offers "
                f"{', '.join(sorted(offered)) or 'none'}."
            )
        key = f"{shape} {name}"
        if key not in self._extras:
            self._extras[key] = self._compiled_rules.address(extra_name(shape, name))
        return self._extras[key]
