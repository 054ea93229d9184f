"""What a side concludes from what it sees in TUBSTAP's fog, in positions made by hand."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.games.tubstap.cells import CELLS, SIDE
from plyglass.games.tubstap.state import UNSEEN
from plyglass.games.tubstap.tracks import ACTED, track_of
from tests.games.test_tubstap_fog import cell
from tests.games.tubstap_maps import act, game_on

FIELD = ["........"] * 8


class Watcher:
    """A side that keeps track while the test plays."""

    def __init__(self, world, viewer, others="attack-80"):
        self.world, self.viewer, self.live = (
            world,
            viewer,
            pg.Tracks(50, others).begin(world.game, viewer, 1),
        )
        self.live.observe(None, world.hide(viewer))

    def see(self, *names):
        """Play actions by their names; the view is shown whenever it changes."""
        for name in names:
            before = self.world.hide(self.viewer)
            act(self.world, name)
            if self.world.hide(self.viewer) != before:
                self.live.observe(None, self.world.hide(self.viewer))

    def unseen(self):
        return np.flatnonzero(
            self.world.hide(self.viewer).record["cell"][1 - self.viewer] == UNSEEN
        )

    def where(self, slot):
        """The probabilities of a unit's cells that are not 0."""
        chances = self.live._tracks[track_of(slot) : track_of(slot) + CELLS]
        return {int(each): float(chances[each]) for each in np.flatnonzero(chances)}

    def acted(self, slot):
        return self.live._tracks[track_of(slot) + ACTED]


def near(name, steps, width=8):
    """The cells of a field at most `steps` from one."""
    x, y = cell(name) % SIDE, cell(name) // SIDE
    return {
        SIDE * b + a for a in range(width) for b in range(8) if abs(a - x) + abs(b - y) <= steps
    }


@pytest.mark.parametrize(("others", "staying"), [("attack-80", 1.0), ("random", 2.0)])
def test_an_unseen_unit_may_be_wherever_it_can_go_unseen(tmp_path, others, staying):
    """A random player may also have left it idle."""
    watcher = Watcher(game_on(tmp_path, FIELD, "I10@d4", "I10@d8").start(0), 0, others)
    assert watcher.where(0) == {cell("d8"): 1.0}
    watcher.see("end turn", "end turn")
    found = watcher.where(0)
    assert set(found) == near("d8", 3) - near("d4", 1)
    assert found[cell("d8")] == pytest.approx(staying * found[cell("a8")])
    assert sum(found.values()) == pytest.approx(1.0)


def test_nobody_is_where_a_scout_sees_nobody(tmp_path):
    watcher = Watcher(game_on(tmp_path, FIELD, "I10@d4", "I10@d8").start(0), 0)
    watcher.see("end turn", "d8 to a8", "d4 to d6")
    assert set(watcher.where(0)) == near("d8", 3) - near("d4", 1) - near("d6", 1)
    assert sum(watcher.where(0).values()) == pytest.approx(1.0)


def test_a_shot_out_of_the_fog_tells_where_the_cannon_is(tmp_path):
    watcher = Watcher(game_on(tmp_path, FIELD, "I10@d4 I10@h1", "F10@h8 U10@d8 P10@a8").start(0), 0)
    watcher.see("end turn", "d8 to d7", "h8 to g5", "a8 to a7", "end turn")
    plane, tank, cannon = range(3)
    assert len(watcher.where(cannon)) > 20
    watcher.see("d7 attack d4")
    assert set(watcher.where(cannon)) <= near("d4", 3) - near("d4", 1)
    assert watcher.where(cannon)[cell("d7")] > 0.02
    assert [watcher.acted(slot) for slot in (plane, tank, cannon)] == [0.0, 0.0, 1.0]
    watcher.see("end turn")
    assert set(watcher.where(cannon)) <= near("d4", 3) - near("d4", 1)
    assert len(watcher.where(tank)) > 20


def test_a_unit_that_goes_into_the_fog_has_gone_and_one_that_is_left_behind_has_not(tmp_path):
    watcher = Watcher(game_on(tmp_path, FIELD, "I10@d4", "I10@d5 I10@h8").start(0), 0)
    watcher.see("end turn", "d5 to d7")
    gone = {frozenset(watcher.where(slot)) for slot in watcher.unseen()}
    # The side's own unit is in the way to d2.
    assert frozenset(near("d5", 3) - near("d4", 1) - {cell("d2")}) in gone
    assert frozenset({cell("h8")}) in gone
    left = Watcher(game_on(tmp_path, FIELD, "I10@d4", "I10@d5 I10@h8").start(0), 0)
    left.see("d4 to d2")
    assert {frozenset(left.where(slot)) for slot in left.unseen()} == {
        frozenset({cell("d5")}),
        frozenset({cell("h8")}),
    }


def test_a_unit_that_killed_the_only_witness_is_still_there(tmp_path):
    watcher = Watcher(game_on(tmp_path, FIELD, "I1@d4 I10@h1", "P10@d5 I10@a8").start(0), 0)
    watcher.see("end turn", "d5 attack d4", "end turn")
    assert {cell("d5"): 1.0} in [watcher.where(slot) for slot in watcher.unseen()]


def test_an_arrival_is_a_unit_that_can_have_come(tmp_path):
    """A view gives an arrival the nearest memory; if that unit cannot have come, it was another."""
    rows = [
        "........",
        "........",
        "........",
        "........",
        "xxxxxxxx",
        "........",
        "........",
        "........",
    ]
    watcher = Watcher(game_on(tmp_path, rows, "I10@d4", "I10@d6 I10@g4").start(0), 0)
    watcher.see("end turn", "g4 to e4")
    assert [set(watcher.where(slot)) for slot in watcher.unseen()] == [{cell("d6")}]


def test_one_of_two_may_have_come(tmp_path):
    watcher = Watcher(game_on(tmp_path, FIELD, "I10@d4", "I10@d7 I10@g4").start(0), 0)
    watcher.see("end turn", "g4 to e4")
    (slot,) = watcher.unseen()
    assert watcher.where(slot) == {cell("d7"): pytest.approx(1.0)}  # d7 is too far from e4
    watcher = Watcher(game_on(tmp_path, FIELD, "I10@d4", "I10@d6 I10@f4").start(0), 0)
    watcher.see("end turn", "f4 to e4")
    (slot,) = watcher.unseen()
    found = watcher.where(slot)
    assert set(found) == {cell("d6"), cell("f4")}
    assert found[cell("d6")] == pytest.approx(0.5, abs=0.1)


def test_the_mirrored_guess_leaves_enemies_where_they_began(tmp_path):
    watcher = Watcher(game_on(tmp_path, FIELD, "F10@d4", "I10@d8 I10@h8").start(0), 0, "mirrored")
    watcher.see("end turn", "h8 to h7", "end turn", "d4 to d6")
    found = [watcher.where(slot) for slot in watcher.unseen()]
    assert {cell("h8"): 1.0} in found or all(len(each) > 1 for each in found)


def test_no_two_units_are_put_on_one_cell_and_worlds_weigh_what_they_should(tmp_path):
    """Two units may each be on two cells, one of them shared, which leaves three worlds.

    The last of them needs both units to have moved.
    """
    game = game_on(tmp_path, FIELD, "I10@h1", "I10@a8 I10@c8").start(0).game
    view = game.start(0).hide(0)
    live = pg.Tracks(4000).begin(game, 0, 1)
    live.observe(None, view)
    for slot, chances in enumerate([{"a8": 0.4, "b8": 0.6}, {"b8": 0.7, "c8": 0.3}]):
        for name in ("a8", "b8", "c8"):
            live._tracks[track_of(slot) + cell(name)] = chances.get(name, 0.0)
    worlds, weights = live.support(4000)
    cells = np.ascontiguousarray(worlds).view(game.state)[:, 0]["cell"][:, 1, :2]
    found = {tuple(row): 0.0 for row in cells.tolist()}
    for row, weight in zip(cells.tolist(), weights, strict=True):
        found[tuple(row)] += weight
    total = 0.4 * 0.7 + 0.4 * 0.3 + 0.6 * 0.3
    expected = {("a8", "b8"): 0.28 / total, ("a8", "c8"): 0.12 / total, ("b8", "c8"): 0.18 / total}
    assert found == {
        tuple(cell(name) for name in names): pytest.approx(chance, abs=0.03)
        for names, chance in expected.items()
    }
