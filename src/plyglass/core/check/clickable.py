"""Can every legal action be chosen by clicks on the scene, and does the scene leak nothing?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.core.check.finding import Finding, Note
from plyglass.core.check.walk import positions
from plyglass.core.game import Game
from plyglass.core.scene import Scene
from plyglass.core.seeds import derive
from plyglass.core.world import View, World

POSITIONS = 10  # positions of each random game, 200 in all by default
INTERPRETED = 3  # positions of each random game, if rules run as Python
MOST_STEPS = 400  # later positions of a game are not examined
MENU = 12  # the most actions that may share a path
Step = str | frozenset[str]
Steps = tuple[Step, ...]


@dataclass(frozen=True)
class _Place:
    """A position to examine, and how it was reached."""

    world: World
    seed: int
    history: tuple[int, ...]

    def finding(self, rule: str, problem: str, advice: str) -> Finding:
        return Finding(rule, problem, advice, self.seed, self.history)


def clickable(game: Game, games: int, seed: int) -> Iterator[Finding | Note]:
    """Compare paths with scenes in random positions, and compare scenes of worlds that look alike.

    Every key of a path must be on the mover's scene. At most `MENU` actions may share a path,
    because a person chooses between these actions in a menu. Worlds that look alike to a player
    must give the same scene and the same paths. If a game has no scene, people play it by text and
    buttons.
    """
    if type(game).scene is Game.scene:
        yield Note("it has no scene: people see its text, and actions are buttons")
        if type(game).action_path is not Game.action_path:
            advice = "draw a scene with the keys, or remove action_path"
            yield Finding("action_path", "it names keys, but the game has no scene", advice)
        return
    for place in _places(game, games, seed):
        mover = place.world.to_move
        view = place.world.hide(mover)
        scene = game.scene(view)
        paths = {action: game.action_path(view, action) for action in view.legal()}
        yield from _forms(place, paths)
        yield from _keys(place, paths, scene)
        yield from _choices(place, paths)
        yield from _written(place, scene)
        yield from _alike(place, view, scene, seed)
        for viewer in range(game.players) if game.hides else ():
            if viewer != mover:
                other = place.world.hide(viewer)
                yield from _alike(place, other, game.scene(other), seed)


def _places(game: Game, games: int, seed: int) -> Iterator[_Place]:
    """Yield early and late positions of random games, in which somebody is to move."""
    most = POSITIONS if game.compiled else INTERPRETED
    choice = np.random.default_rng(derive(seed, games))
    kept: list[_Place] = []
    met = 0
    for probe in positions(game, games, seed, MOST_STEPS):
        if not probe.history:
            yield from kept
            kept, met = [], 0
        if probe.to_move() < 0:
            continue
        met += 1
        at = len(kept) if met <= most else int(choice.integers(met))
        if at < most:  # every position of the game is kept with the same probability
            kept[at : at + 1] = [_Place(probe.world, probe.seed, tuple(probe.history))]
    yield from kept


def _forms(place: _Place, paths: dict[int, Sequence[str | tuple[str, ...]]]) -> Iterator[Finding]:
    """Every step must be a key, or a tuple of several different keys."""
    for action, path in paths.items():
        for step in path:
            keys = step if isinstance(step, tuple) else (step,)
            named = all(isinstance(key, str) and key for key in keys)
            if not keys or not named or len(set(keys)) < len(keys):
                yield place.finding(
                    "action_path",
                    f"the path of {_name(place, action)} has the step {step!r}",
                    "let every step be a key, or a tuple of different keys",
                )
                return


def _keys(
    place: _Place, paths: dict[int, Sequence[str | tuple[str, ...]]], scene: Scene
) -> Iterator[Finding]:
    """Every key of a path must be on the mover's scene."""
    shown = {shape.key for shape in scene.shapes}
    for action, path in paths.items():
        for step in path:
            for key in step if isinstance(step, tuple) else (step,):
                if key not in shown:
                    yield place.finding(
                        "action_path",
                        f"the path of {_name(place, action)} has the key {key!r}, which no shape "
                        "of the mover's scene has",
                        "give a shape this key; `spots` makes invisible tiles for empty cells",
                    )
                    return


def _choices(place: _Place, paths: dict[int, Sequence[str | tuple[str, ...]]]) -> Iterator[Finding]:
    """Find menus that are too long, and clicks after which the next step is not clear.

    After equal clicks, either every path continues with a single key, or every path continues with
    a set of keys that may be clicked in any order.
    """
    as_sets = {
        action: tuple(frozenset(step) if isinstance(step, tuple) else step for step in path)
        for action, path in paths.items()
    }
    for path, count in Counter(path for path in as_sets.values() if path).items():
        if count > MENU:
            first = next(action for action, each in as_sets.items() if each == path)
            yield place.finding(
                "action_path",
                f"{count} actions have the path of {_name(place, first)}, {paths[first]}, so they "
                f"make a menu of more than {MENU}",
                "add a step that tells them apart",
            )
            return
    follows: dict[Steps, set[bool]] = {}
    for action, path in as_sets.items():
        for length, step in enumerate(path):
            kinds = follows.setdefault(path[:length], set())
            kinds.add(isinstance(step, frozenset))
            if len(kinds) > 1:
                yield place.finding(
                    "action_path",
                    f"after {list(path[:length])}, the path of {_name(place, action)} continues "
                    f"with {step!r}, so some paths continue with a set and some with a single key",
                    "let sets and single keys begin with different clicks",
                )
                return


def _written(place: _Place, scene: Scene) -> Iterator[Finding]:
    """A scene must stay the same when written as JSON and read again, as a browser receives it."""
    if Scene.from_json(scene.to_json()) != scene:
        advice = "use plain numbers and texts in shapes, and tuples instead of lists"
        yield place.finding("scene", "the scene changes if it is written as JSON and read", advice)


def _alike(place: _Place, view: View, scene: Scene, seed: int) -> Iterator[Finding]:
    """A world that looks the same to a viewer must give the same scene and the same paths.

    The scene of the view was made before the other world existed. So the check also finds a game
    whose scenes show a remembered world.
    """
    game, viewer = view.game, view.viewer
    actions = view.legal() if view.to_move == viewer else []
    paths = [game.action_path(view, action) for action in actions]
    twin = view
    if game.hides:
        twin = game.imagine(view, derive(seed, len(place.history), viewer)).hide(viewer)
    if game.scene(twin) != scene:
        advice = "make the scene from `view.record` alone; keys and things must not reveal more"
        yield place.finding(
            "scene", f"worlds that look alike to player {viewer} have different scenes", advice
        )
    elif [game.action_path(twin, action) for action in actions] != paths:
        advice = "make paths from `view.record` alone"
        yield place.finding(
            "action_path", f"worlds that look alike to player {viewer} have different paths", advice
        )


def _name(place: _Place, action: int) -> str:
    return repr(place.world.game.action_name(action))
