"""Does a view reveal what its viewer cannot know? Are imagined worlds possible for the viewer?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import Probe, positions
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import HEADER
from plyglass.core.world import View, World

IMAGINED = 3  # worlds imagined from each view
TOGETHER = 12  # actions for which the true world and an imagined one are played side by side
ERASING = 10  # random games that show which bytes `hide` erases
ENOUGH = 20  # a field that was erased this often, and always imagined rightly, is a fault


VISIBLE = (
    "let legal use only fields that the player sees, and list actions in an order that the player "
    "sees"
)


def honesty(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Examine every view of random games, and the worlds imagined from it."""
    if not game.hides:
        return
    hidden: Counter[str] = Counter()
    missed: set[str] = set()
    for probe in positions(game, games, seed):
        world = probe.world
        for viewer in range(game.players):
            view = world.hide(viewer)
            yield from _view(probe, world, view)
            for number in range(IMAGINED):
                imagined = game.imagine(view, derive(seed, len(probe.history), viewer, number))
                yield from _imagined(probe, view, imagined)
                yield from _side_by_side(probe, view, world.copy(), imagined.copy(), number)
                _note_secrets(world, view, imagined, hidden, missed)
    yield from _open_secrets(hidden, missed)


def _view(probe: Probe, world: World, view: View) -> Iterator[Finding]:
    """A view must not change if it is hidden again, and must show the true mover and actions."""
    again = World(view.game, view.row()).hide(view.viewer)
    if again != view:
        yield probe.finding(
            "hide",
            f"hiding the view of player {view.viewer} again changes the view",
            "let hide erase the same fields to the same values, whatever they hold",
        )
    if view.to_move != world.to_move:
        advice = "whose turn it is must be the same in every view"
        yield probe.finding(
            "hide",
            f"player {view.viewer} sees {view.to_move} to move, but it is {world.to_move}",
            advice,
        )
    elif world.to_move == view.viewer and view.legal() != world.legal():
        problem = (
            f"player {view.viewer} has {world.legal()}, but the player's view gives "
            f"{_unlike(view, world)}, {view.legal()}"
        )
        yield probe.finding("legal", problem, VISIBLE)


def _imagined(probe: Probe, view: View, imagined: World) -> Iterator[Finding]:
    """An imagined world must give the viewer exactly the same view."""
    again = imagined.hide(view.viewer)
    if again != view:
        unlike = again.row() != view.row()
        different = _different_fields(again, view)
        if not (unlike & _erased(view.game, probe.seed)).any():
            advice = (
                "let hide erase it, if the viewer cannot know it; otherwise let imagine leave it "
                "as it is"
            )
            problem = (
                f"it leaves {different} in the view of player {view.viewer} and never erases it, "
                "but imagine draws it anew"
            )
            yield probe.finding("hide", problem, advice)
            return
        advice = "fill in only what hide erases, and nothing that changes the rest of the view"
        yield probe.finding(
            "imagine",
            f"player {view.viewer} would see another {different} in the world imagined",
            advice,
        )
    elif view.to_move == view.viewer and imagined.legal() != view.legal():
        yield _told_by_choices(probe, view.viewer, _unlike(view, imagined))


def _erased(game: Game, seed: int) -> npt.NDArray[np.bool_]:
    """The bytes that `hide` changes for any viewer, in some random games.

    Values that belong to one player are erased for the other players. A byte that is erased for
    nobody is public, unless `hide` forgets it.
    """
    found = np.zeros(game.state.itemsize, np.bool_)
    for probe in positions(game, ERASING, seed):
        for viewer in range(game.players):
            found |= probe.hidden(viewer) != probe.row
    return found


def _side_by_side(
    probe: Probe, view: View, truth: World, imagined: World, number: int
) -> Iterator[Finding]:
    """Worlds that look alike must have equal movers and choices until a view differs."""
    viewer, choice = (
        view.viewer,
        np.random.default_rng(derive(probe.seed, len(probe.history), view.viewer, number)),
    )
    for _ in range(TOGETHER):
        possible = set(imagined.legal())
        shared = [action for action in truth.legal() if action in possible]
        if not shared:
            return
        action, seed = shared[choice.integers(len(shared))], int(choice.integers(1 << 62))
        for world in (truth, imagined):
            world.change_luck(seed)
            world.apply(action)
        if truth.hide(viewer) != imagined.hide(viewer):
            return
        if truth.to_move != imagined.to_move:
            advice = "whose turn it is must follow from what each player sees"
            yield probe.finding(
                "to_move",
                f"worlds that look alike to player {viewer} differ in whose turn it is",
                advice,
            )
            return
        if truth.to_move == viewer and truth.legal() != imagined.legal():
            yield _told_by_choices(probe, viewer, _unlike(truth, imagined))
            return


def _told_by_choices(probe: Probe, viewer: int, unlike: str) -> Finding:
    return probe.finding(
        "legal", f"worlds that look alike to player {viewer} give {unlike}", VISIBLE
    )


def _unlike(one: View | World, other: View | World) -> str:
    return (
        "the same choices in another order"
        if sorted(one.legal()) == sorted(other.legal())
        else "different choices"
    )


def _note_secrets(
    world: World, view: View, imagined: World, hidden: Counter[str], missed: set[str]
) -> None:
    """Note which fields `hide` erased, and which of these fields an imagined world got wrong."""
    truth, seen, guess = world.record, view.record, imagined.record
    for name in world.game.state.names or ():
        if name not in dict(HEADER) and np.any(truth[name] != seen[name]):
            hidden[name] += 1
            if np.any(truth[name] != guess[name]):
                missed.add(name)


def _open_secrets(hidden: Counter[str], missed: set[str]) -> Iterator[Finding]:
    for name, count in hidden.items():
        if count >= ENOUGH and name not in missed:
            advice = (
                "erase every field that reveals the secret, or do not erase what everybody can "
                "work out"
            )
            yield Finding(
                "hide",
                f"the field {name!r} was erased {count} times, and imagine restored it every "
                "time, so the view reveals it",
                advice,
            )


def _different_fields(one: View, other: View) -> str:
    names = [
        name
        for name in one.game.state.names or ()
        if np.any(one.record[name] != other.record[name])
    ]
    return " and ".join(map(repr, names))
