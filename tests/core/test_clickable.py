"""The check finds unreachable actions, overlong menus, and scenes that reveal secrets.

Planted faults are changes of small games. Their rules run as Python, so nothing is compiled.
"""

from itertools import count

import numpy as np
import pytest

import plyglass as pg
from plyglass import games
from plyglass.core.check import check
from plyglass.core.check.clickable import INTERPRETED, _places, clickable
from plyglass.core.check.finding import Finding, Note
from plyglass.core.game import Game
from plyglass.core.scene import Disc, Scene, Shape, named, spots
from plyglass.games.battleship import Battleship
from plyglass.games.kuhn_poker import KuhnPoker
from plyglass.games.phantom_tic_tac_toe import PhantomTicTacToe
from plyglass.games.tic_tac_toe import TicTacToe

SMALL = {"size": 4, "longest": 3}
VARIANTS = (
    "skirmish:fog=true,size=5",
    "duel:open_hands=true",
    "dark-hex:size=4",
    "pandemic:players=4,epidemics=6",
    "pandemic:players=2,roles=dispatcher+operations-expert",
    "pandemic:preset=as_coded",
    "tubstap:map=siege",
)
CALLS = count()
TRUTHS: list[int] = []


class MissingKey(TicTacToe):
    """One cell of the board cannot be clicked."""

    says = "has the key 'cell 5', which no shape"

    def scene(self, position, imagined=None):
        scene = super().scene(position, imagined)
        return Scene(3, 3, tuple(shape for shape in scene.shapes if shape.key != "cell 5"))


class KeyOfAnotherSeat(PhantomTicTacToe):
    """The second player's scene has no keys, so only the first player can play."""

    says = "which no shape of the mover's scene has"

    def scene(self, position, imagined=None):
        scene = super().scene(position, imagined)
        return Scene(3, 3, tuple(named(scene.shapes))) if position.viewer else scene


class MenuTooLong(Battleship):
    """All cells share one key."""

    says = "make a menu of more than 12"

    def scene(self, position, imagined=None):
        return Scene(4, 4, tuple(spots(4, 4, lambda x, y: "sea")))

    def action_path(self, position, action):
        return ("sea",)


class EmptyStep(TicTacToe):
    """A path has an empty set."""

    says = "has the step ()"

    def action_path(self, position, action):
        return ((),)


class SameKeyTwiceInASet(TicTacToe):
    """A set names a key twice."""

    says = "has the step ('cell 1', 'cell 1')"

    def action_path(self, position, action):
        return (("cell 1", "cell 1"),)


class SetBesideKey(TicTacToe):
    """A click on a cell could choose it, or begin a set."""

    says = "some with a single key"

    def action_path(self, position, action):
        path = super().action_path(position, action)
        return (path,) if action % 2 else path


class PathWithoutScene(TicTacToe):
    """Keys are named, but there is no scene."""

    says = "it names keys, but the game has no scene"
    scene = Game.scene


class ThingsThatTell(PhantomTicTacToe):
    """A thing has the number of the opponent's true mark."""

    says = "worlds that look alike to player"

    def imagine(self, view, seed):
        world = super().imagine(view, seed)
        TRUTHS.append(int(world.record["marks"][1 - view.viewer]))
        return world

    def scene(self, position, imagined=None):
        scene = super().scene(position, imagined)
        told = f"mark {TRUTHS[-1]}" if TRUTHS else ""
        return Scene(3, 3, (*scene.shapes, Disc(1, 1, role="own", thing=told)))


class KeysThatChange(KuhnPoker):
    """A key is not a function of the view."""

    says = "worlds that look alike to player"

    def scene(self, position, imagined=None):
        return Scene(1, 1, (Disc(0.5, 0.5, role="own", key=f"card {next(CALLS)}"),))


class NotJson(TicTacToe):
    """A list instead of a tuple is not the same after JSON."""

    says = "changes if it is written as JSON"

    def scene(self, position, imagined=None):
        scene = super().scene(position, imagined)
        return Scene(3, 3, scene.shapes, "", ["a list"])


FAULTS: list[type] = [
    value for value in list(vars().values()) if isinstance(value, type) and hasattr(value, "says")
]


def found(game, games=2):
    return list(clickable(game.interpreted(), games, 0))


@pytest.mark.parametrize("faulty", FAULTS, ids=lambda faulty: faulty.__name__)
def test_a_planted_fault_is_found_and_named(faulty):
    TRUTHS.clear()
    game = faulty(**(SMALL if issubclass(faulty, Battleship) else {}))
    told = [each for each in found(game) if isinstance(each, Finding)]
    assert told, faulty.__doc__
    assert faulty.says in told[0].problem
    assert told[0].rule in ("action_path", "scene")
    assert told[0].advice


@pytest.mark.parametrize("name", ["tic-tac-toe", "phantom-tic-tac-toe", "kuhn-poker", "bear"])
def test_the_games_below_the_faults_pass(name):
    assert found(pg.game_from(name)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("text", [*games.names(), *VARIANTS])
def test_every_action_of_every_game_can_be_clicked_in_200_positions(text):
    game = pg.game_from(text)
    assert type(game).scene is not Game.scene
    assert list(clickable(game, 20, 7)) == []


def test_a_game_without_a_scene_passes_with_a_note():
    class Plain(KuhnPoker):
        scene = Game.scene

    (note,) = found(Plain())
    assert isinstance(note, Note)
    assert "no scene" in note.text


def test_a_finding_says_how_to_reach_its_position():
    finding = found(MissingKey())[0]
    world = TicTacToe().interpreted().start(finding.seed)
    for action in finding.history:
        world.apply(action)
    assert 4 in world.legal()


def test_positions_come_from_the_whole_of_each_game():
    game = pg.game_from("tic-tac-toe").interpreted()
    lengths = [len(place.history) for place in _places(game, 60, 1)]
    assert len(lengths) == 60 * INTERPRETED
    shares = np.bincount(lengths, minlength=9) / len(lengths)
    assert (shares[:5] > 0.05).all(), "early and late positions are equally likely"


def test_the_check_asks_it():
    report = check(pg.game_from("kuhn-poker"), games=1)
    assert report.ok, str(report)
    assert any("clicks" in name for name in report.passed)


def test_shapes_without_keys_need_no_path():
    assert Shape(role="own").key == ""
    view = pg.game_from("kuhn-poker").interpreted().start(1).hide(0)
    assert [view.game.action_path(view, action) for action in view.legal()] == [(), ()]
